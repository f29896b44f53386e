/* Runs the real program on a state that a power cut could have left, and judges what it says.
 *
 * A state is fine when `log verify` finds every room in it whole, or says that there is no log and none was promised;
 * when every room has at least the events that were acknowledged before the cut (rooms keep events in the order
 * of their arrival, so a count says which); and when the identity is as it was created, or absent and not yet
 * announced. Going on in it is fine when each command ends as it should, after which everything verifies, no room
 * has fewer events than before, and no draft of a store is left over.
 */
#define _GNU_SOURCE
#include "programs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Far beyond anything that is right, in seconds: a program that hangs ends with SIGALRM. */
enum { LONGEST_RUN = 600, NO_INPUT = 66 };

const char *const kind_words[KINDS] = {"fine", "unreadable", "false", "lost", "identity", "stuck"};

/* ---- Preparing ----------------------------------------------------------------------------------------- */

static char *read_text(const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &status)) die("cannot be read", path);
  char *text = allocate((size_t)status.st_size + 1);
  for (off_t got = 0; got < status.st_size;) {
    ssize_t more = read(file, text + got, (size_t)(status.st_size - got));
    if (more <= 0) die("cannot be read", path);
    got += more;
  }
  close(file);
  return text;
}

static void read_promises(struct judge *judge, char *text) {
  char *rest = text, *line = strsep(&rest, "\n");
  for (; line[0] && line[1]; line += 2) {
    unsigned byte;
    if (sscanf(line, "%2x", &byte) != 1 || judge->identity_length == sizeof judge->identity)
      die("the identity is not understood", line);
    judge->identity[judge->identity_length++] = (uint8_t)byte;
  }
  judge->promises = allocate((strlen(rest ? rest : "") / 4 + 1) * sizeof *judge->promises);
  while ((line = strsep(&rest, "\n"))) {
    struct promise *promise = &judge->promises[judge->promise_count];
    char room[ROOM_DIGITS + 1];
    if (!*line) continue;
    if (sscanf(line, "%zu %64s %ld", &promise->step, room, &promise->room.events) != 3)
      die("a promise is not understood", line);
    if (strcmp(room, "identity")) strcpy(promise->room.id, room);
    judge->promise_count++;
  }
}

static void read_command(struct command *command, char *line) {
  char *statuses = strsep(&line, " "), *needle = strsep(&line, " ");
  if (!needle || strlen(needle) >= sizeof command->needle) die("a command is not understood", statuses);
  for (char *one; (one = strsep(&statuses, ",")) && command->status_count < 4;)
    command->statuses[command->status_count++] = atoi(one);
  strcpy(command->needle, needle);
  int count = 1;
  for (char *word; (word = strsep(&line, " ")) && count < 31;) command->words[count++] = word;
}

void prepare(
  struct judge *judge, const char *program, const char *data, const char *promises, const char *commands,
  const char *input) {
  judge->program = program;
  judge->data = data;
  judge->input = input ? input : "/dev/null";
  read_promises(judge, read_text(promises));
  if (!commands) return;
  char *rest = read_text(commands);
  for (char *line; (line = strsep(&rest, "\n"));) {
    if (!*line) continue;
    if (judge->command_count == 16) die("too many commands", line);
    read_command(&judge->commands[judge->command_count++], line);
  }
}

void promise_early(struct judge *judge, const struct disk *disk) {
  size_t count;
  const struct step *steps = disk_steps(disk, &count);
  for (size_t i = 0; i < judge->promise_count; i++) {
    size_t step = judge->promises[i].step;
    while (step > 0 && !(steps[step].record.kind == SYNC && steps[step].record.flags & DATA_ONLY)) step--;
    judge->promises[i].step = step;
  }
}

size_t promised_before(const struct judge *judge, size_t step) {
  size_t count = 0;
  while (count < judge->promise_count && judge->promises[count].step < step) count++;
  return count;
}

void open_outputs(struct judge *judge, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/output", folder);
  judge->output = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0600);
  snprintf(path, sizeof path, "%s/errors", folder);
  judge->errors = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0600);
  if (judge->output < 0 || judge->errors < 0) die("cannot be created", path);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk) {
  (void)status, (void)type, (void)walk;
  return remove(path);
}

void clear_folder(const char *folder) {
  if (nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) && errno != ENOENT) die("cannot be removed", folder);
  if (mkdir(folder, 0700)) die("cannot be created", folder);
}

/* ---- Running ------------------------------------------------------------------------------------------- */

/* Starts the program in the folder and returns its exit status, or the negative signal that ended it. */
static int run(struct judge *judge, const char *folder, char *const *words, int reads_in_process) {
  if (ftruncate(judge->output, 0) || ftruncate(judge->errors, 0)) die("cannot be emptied", folder);
  pid_t child = fork();
  if (child < 0) die("cannot fork", judge->program);
  if (child == 0) {
    char home[4200];
    snprintf(home, sizeof home, "HOME=%s", folder);
    char *environment[] = {
      home, "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "TZ=UTC", "SWIFT_BACKTRACE=enable=no",
      reads_in_process ? "PARLOR_READS_STORE=1" : NULL, NULL};
    int input = open(judge->input, O_RDONLY);
    signal(SIGXFSZ, SIG_DFL);
    alarm(LONGEST_RUN);
    if (chdir(folder) || input < 0 || dup2(input, 0) < 0 || dup2(judge->output, 1) < 0 || dup2(judge->errors, 2) < 0)
      _exit(126);
    execve(judge->program, words, environment);
    _exit(127);
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) die("cannot wait", judge->program);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static char *text_of(int file) {
  struct stat status;
  if (fstat(file, &status)) die("cannot be read", "output");
  char *text = allocate((size_t)status.st_size + 1);
  if (pread(file, text, (size_t)status.st_size, 0) != status.st_size) die("cannot be read", "output");
  return text;
}

__attribute__((format(printf, 4, 5))) static void object(
  struct judge *judge, struct verdict *verdict, enum verdict_kind kind, const char *format, ...) {
  char *errors = text_of(judge->errors);
  va_list list;
  va_start(list, format);
  verdict->kind = kind;
  int used = vsnprintf(verdict->words, 300, format, list);
  va_end(list);
  if (used > 299) used = 299;
  char *said = strstr(errors, "error: ");
  if (said) snprintf(verdict->words + used, 290, " (%s)", strtok(said, "\n"));
  free(errors);
}

/* ---- Judging ------------------------------------------------------------------------------------------- */

/* Takes in one line of `log verify --json`. */
static void read_room(struct judge *judge, struct verdict *verdict, const char *line) {
  const char *id = strstr(line, "\"room\":\""), *events = strstr(line, "\"events\":");
  if (!id || !events || strlen(id) < 8 + ROOM_DIGITS || verdict->room_count == MOST_ROOMS)
    return object(judge, verdict, FALSE_LOG, "verify says %s", line);
  struct room *room = &verdict->rooms[verdict->room_count++];
  memcpy(room->id, id + 8, ROOM_DIGITS);
  room->events = atol(events + 9);
  if (!strstr(line, "\"valid\":true") || !strstr(line, "\"forks\":[]") || !strstr(line, "\"notes\":[]"))
    object(judge, verdict, FALSE_LOG, "verify says %s", line);
}

/* Has the program verify everything and takes in the rooms. */
static void verify(struct judge *judge, const char *folder, struct verdict *verdict, int reads_in_process) {
  char *words[] = {"parlor", "log", "verify", "--json", "--data", (char *)judge->data, NULL};
  int status = run(judge, folder, words, reads_in_process);
  char *text = text_of(judge->output), *rest = text;
  if (status != 0 && status != 1 && status != NO_INPUT)
    object(judge, verdict, UNREADABLE, "log verify ended with %d", status);
  for (char *line; verdict->kind == FINE && (line = strsep(&rest, "\n"));)
    if (*line) read_room(judge, verdict, line);
  if (verdict->kind == FINE && status == 1) object(judge, verdict, FALSE_LOG, "log verify ended with 1");
  free(text);
}

static long events_of(const struct verdict *verdict, const char *room) {
  for (int i = 0; i < verdict->room_count; i++)
    if (!strcmp(verdict->rooms[i].id, room)) return verdict->rooms[i].events;
  return 0;
}

static void judge_identity(struct judge *judge, const char *folder, struct verdict *verdict, int is_promised) {
  char path[4200];
  uint8_t bytes[sizeof judge->identity + 1];
  snprintf(path, sizeof path, "%s/%s/identity.key", folder, judge->data);
  int file = open(path, O_RDONLY);
  if (file < 0) {
    if (is_promised) object(judge, verdict, BAD_IDENTITY, "the identity is lost");
    return;
  }
  ssize_t length = read(file, bytes, sizeof bytes);
  close(file);
  if (length != (ssize_t)judge->identity_length || memcmp(bytes, judge->identity, judge->identity_length))
    object(judge, verdict, BAD_IDENTITY, "the identity is there and not whole");
}

struct verdict judge_state(struct judge *judge, const char *folder, size_t promised) {
  struct verdict verdict = {0};
  int has_identity = 0;
  verify(judge, folder, &verdict, 1);
  for (size_t i = promised; verdict.kind == FINE && i-- > 0;) {
    const struct promise *promise = &judge->promises[i];
    has_identity |= !promise->room.id[0];
    long events = events_of(&verdict, promise->room.id);
    if (promise->room.id[0] && events < promise->room.events)
      object(
        judge, &verdict, LOST, "room %.10s has %ld events and %ld were acknowledged at step %zu", promise->room.id,
        events, promise->room.events, promise->step);
  }
  if (verdict.kind == FINE) judge_identity(judge, folder, &verdict, has_identity);
  return verdict;
}

/* Whether a command ended as it should, and said what it should. */
static int ended_well(const struct command *command, int status, const char *text) {
  for (int i = 0; i < command->status_count; i++)
    if (status == command->statuses[i])
      return i > 0 || !strcmp(command->needle, "-") || strstr(text, command->needle);
  return 0;
}

static void judge_leftovers(struct judge *judge, const char *folder, struct verdict *verdict) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", folder, judge->data);
  DIR *list = opendir(path);
  if (!list) return object(judge, verdict, STUCK, "there is no data folder after going on");
  for (struct dirent *entry; (entry = readdir(list));)
    if (!strncmp(entry->d_name, "tmp-", 4)) object(judge, verdict, STUCK, "%s is left over", entry->d_name);
  closedir(list);
}

struct verdict judge_going_on(struct judge *judge, const char *folder, const struct verdict *before) {
  struct verdict verdict = {0};
  for (int i = 0; i < judge->command_count && verdict.kind == FINE; i++) {
    struct command *command = &judge->commands[i];
    command->words[0] = "parlor";
    int status = run(judge, folder, command->words, 0);
    char *text = text_of(judge->output);
    if (!ended_well(command, status, text))
      object(judge, &verdict, STUCK, "%s %s ended with %d", command->words[1], command->words[2], status);
    free(text);
  }
  if (verdict.kind == FINE) verify(judge, folder, &verdict, 0);
  if (verdict.kind == FINE && verdict.room_count <= before->room_count)
    object(judge, &verdict, STUCK, "no further room was stored");
  for (int i = 0; i < before->room_count && verdict.kind == FINE; i++)
    if (events_of(&verdict, before->rooms[i].id) < before->rooms[i].events)
      object(judge, &verdict, LOST, "room %.10s lost events by going on", before->rooms[i].id);
  if (verdict.kind == FINE) judge_leftovers(judge, folder, &verdict);
  return verdict;
}
