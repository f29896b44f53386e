/* Goes through disk states that a power cut could have left, and has the real program look at each.
 *
 *   cuts outputs TRACE
 *       What the program printed: a line each with the step's number, the descriptor and the bytes in hexadecimal.
 *   cuts replay TRACE FOLDER
 *       Writes the folder as it is when nothing is cut, for comparison with the recorded one.
 *   cuts build TRACE SEED STEP VARIATION FOLDER [PLANT]
 *       Writes one state again, as a violation names it.
 *   cuts check TRACE PROGRAM DATA PROMISES WORK STATES SEED PLANT STOP-AFTER GO-ON-EVERY [COMMANDS INPUT]
 *       Draws STATES states and checks each different one: DATA is the data folder's name in the watched folder;
 *       PROMISES holds what was acknowledged (see promises.h); WORK is an empty folder for states and those that
 *       failed; after STOP-AFTER violations it stops; every GO-ON-EVERY-th different state is also gone on with, by
 *       the lines of COMMANDS with INPUT for their input (see programs.c). The last line is a JSON object of
 *       figures. Exit: 0 no violation, 1 violations, 64 wrong arguments, 71 the rig failed.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "disk.h"
#include "programs.h"

enum { TABLE = 1 << 18 };

/* What the workers share. */
struct shared {
  atomic_long states, distinct, gone_on, violations;
  atomic_long of_kind[KINDS];
  /* The hashes of the states that were checked; 0 is free. */
  _Atomic uint64_t seen[TABLE];
};

struct job {
  struct judge judge;
  struct shared *shared;
  struct disk *disk;
  size_t *boundaries, count;
  long states, stop_after, go_on_every;
  uint64_t seed;
  const char *work;
};

static const char *const plants[] = {
  "none", "no-sync-at-all", "no-meta-sync", "no-data-sync", "no-sync-after-rename", "no-draft-sync",
  "no-sync-above", "no-identity-sync", "no-identity-folder-sync", "early-output"};

static enum plant plant_named(const char *name) {
  for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
    if (!strcmp(plants[i], name)) return (enum plant)i;
  die("no such plant", name);
  return NO_PLANT;
}

static long number(const char *text) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*end || end == text || value < 0) die("not a number", text);
  return value;
}

/* Whether this is the first time that the state is met; what was promised until then is part of it. */
static int is_new(struct shared *shared, const uint64_t hash[2], size_t promises) {
  uint64_t key = (hash[0] ^ (promises + 1) * 0x9E3779B97F4A7C15u) | 1;
  for (size_t at = hash[1] % TABLE;; at = (at + 1) % TABLE) {
    uint64_t found = atomic_load(&shared->seen[at]);
    if (found == key) return 0;
    if (found == 0 && atomic_compare_exchange_strong(&shared->seen[at], &found, key)) return 1;
    if (found == key) return 0;
  }
}

static void report(struct job *job, size_t step, const struct verdict *verdict, const char *words) {
  char kept[4096];
  long index = atomic_fetch_add(&job->shared->violations, 1);
  atomic_fetch_add(&job->shared->of_kind[verdict->kind], 1);
  if (index >= 5) return;
  snprintf(kept, sizeof kept, "%s/violation-%ld", job->work, index + 1);
  if (mkdir(kept, 0700)) die("cannot be created", kept);
  disk_write(job->disk, kept);
  printf(
    "violation %ld: %s: %s; cut during step %zu, %s seed %llu; state kept in %s\n", index + 1,
    kind_words[verdict->kind], verdict->words, step, words, (unsigned long long)job->seed, kept);
  fflush(stdout);
}

static void check_state(struct job *job, size_t step, unsigned variation, const char *folder) {
  uint64_t hash[2];
  const char *words = disk_draw(job->disk, job->seed, variation);
  size_t promised = promised_before(&job->judge, step);
  atomic_fetch_add(&job->shared->states, 1);
  disk_hash(job->disk, hash);
  if (!is_new(job->shared, hash, promised)) return;
  long index = atomic_fetch_add(&job->shared->distinct, 1);
  int goes_on = job->go_on_every > 0 && index % job->go_on_every == 0;
  clear_folder(folder);
  disk_write(job->disk, folder);
  struct verdict verdict = judge_state(&job->judge, folder, promised);
  if (verdict.kind == FINE && goes_on) {
    atomic_fetch_add(&job->shared->gone_on, 1);
    verdict = judge_going_on(&job->judge, folder, &verdict);
  }
  if (verdict.kind != FINE) report(job, step, &verdict, words);
}

/* The variation of a boundary's state number `turn`: where there are few, half of them are by chance. */
static unsigned variation_of(long share, size_t boundary, unsigned turn) {
  if (share >= 8) return turn;
  return turn % 2 ? 4 + turn : (unsigned)(boundary + turn / 2) % 4;
}

/* One worker's share: every boundary gets the same number of states, give or take one. */
static void work(struct job *job, int worker, int workers) {
  char folder[4096];
  snprintf(folder, sizeof folder, "%s/worker-%d", job->work, worker);
  if (mkdir(folder, 0700)) die("cannot be created", folder);
  open_outputs(&job->judge, folder);
  strcat(folder, "/state");
  /* Steps far apart follow each other, so that a planted fault is met early. */
  size_t stride = job->count * 5 / 8 + 1;
  while (job->count > 1 && stride % 2 == 0 && job->count % 2 == 0) stride++;
  unsigned char *done = allocate(job->count);
  size_t place = 0;
  for (size_t i = 0; i < job->count; i++) {
    while (done[place]) place = (place + 1) % job->count;
    done[place] = 1;
    if ((int)(i % (size_t)workers) == worker) {
      long share = job->states / (long)job->count + (i < (size_t)job->states % job->count);
      disk_go(job->disk, job->boundaries[place]);
      for (unsigned turn = 0; turn < share; turn++) {
        if (job->stop_after && atomic_load(&job->shared->violations) >= job->stop_after) return;
        check_state(job, job->boundaries[place], variation_of(share, place, turn), folder);
      }
    }
    place = (place + stride) % job->count;
  }
  free(done);
}

static int run_workers(struct job *job) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  int workers = processors < 1 ? 1 : processors > 16 ? 16 : (int)processors, failed = 0;
  fflush(stdout);
  for (int i = 0; i < workers; i++) {
    pid_t child = fork();
    if (child < 0) die("cannot fork", "worker");
    if (child == 0) {
      work(job, i, workers);
      fflush(stdout);
      _exit(0);
    }
  }
  for (int status; wait(&status) > 0;) failed |= status != 0;
  return failed;
}

static int check(char **a, int count) {
  struct shared *shared =
    mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) die("no memory", "mmap");
  enum plant plant = plant_named(a[7]);
  struct job job = {
    .shared = shared, .disk = disk_load(a[0], plant), .work = a[4], .states = number(a[5]),
    .seed = (uint64_t)number(a[6]), .stop_after = number(a[8]), .go_on_every = number(a[9])};
  struct timespec begun, ended;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  if (job.states > TABLE / 2) die("too many states", a[5]);
  size_t steps;
  disk_steps(job.disk, &steps);
  job.boundaries = allocate((steps + 1) * sizeof *job.boundaries);
  for (size_t i = 0; i <= steps; i++)
    if (disk_is_boundary(job.disk, i)) job.boundaries[job.count++] = i;
  prepare(&job.judge, a[1], a[2], a[3], count > 10 ? a[10] : NULL, count > 11 ? a[11] : NULL);
  if (plant == EARLY_OUTPUT) promise_early(&job.judge, job.disk);
  int failed = run_workers(&job);
  clock_gettime(CLOCK_MONOTONIC, &ended);
  printf(
    "{\"states\":%ld,\"distinct\":%ld,\"boundaries\":%zu,\"goneOn\":%ld,\"violations\":%ld", shared->states,
    shared->distinct, job.count, shared->gone_on, shared->violations);
  for (int i = 1; i < KINDS; i++) printf(",\"%s\":%ld", kind_words[i], shared->of_kind[i]);
  long milliseconds =
    (ended.tv_sec - begun.tv_sec) * 1000 + (ended.tv_nsec - begun.tv_nsec) / 1000000;
  printf(",\"milliseconds\":%ld}\n", milliseconds);
  if (failed) die("a worker failed", a[4]);
  return shared->violations > 0;
}

static int outputs(const char *trace) {
  size_t count;
  const struct step *steps = disk_steps(disk_load(trace, NO_PLANT), &count);
  for (size_t i = 0; i < count; i++) {
    if (steps[i].record.kind != OUTPUT) continue;
    printf("%zu %llu ", i, (unsigned long long)steps[i].record.number);
    for (uint64_t k = 0; k < steps[i].record.length; k++) printf("%02x", steps[i].bytes[k]);
    printf("\n");
  }
  return 0;
}

static int build(char **a, int count, const char *folder) {
  struct disk *disk = disk_load(a[0], count > 5 ? plant_named(a[5]) : NO_PLANT);
  size_t steps;
  disk_steps(disk, &steps);
  size_t step = count > 2 ? (size_t)number(a[2]) : steps;
  if (step > steps) die("no such step", a[2]);
  disk_go(disk, step);
  printf(
    "%s\n", disk_draw(disk, count > 1 ? (uint64_t)number(a[1]) : 0, count > 3 ? (unsigned)number(a[3]) : 1));
  disk_write(disk, folder);
  return 0;
}

int main(int count, char **a) {
  if (count == 3 && !strcmp(a[1], "outputs")) return outputs(a[2]);
  if (count == 4 && !strcmp(a[1], "replay")) return build(a + 2, 1, a[3]);
  if ((count == 7 || count == 8) && !strcmp(a[1], "build")) return build(a + 2, count - 2, a[6]);
  if ((count == 12 || count == 14) && !strcmp(a[1], "check")) return check(a + 2, count - 2);
  fprintf(stderr, "cuts: wrong arguments; the first lines of cuts.c say how to call it\n");
  return 64;
}
