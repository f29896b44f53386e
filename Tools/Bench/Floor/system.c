/* What the benchmark asks of the system, where Swift's own view of the C library leaves it out. */
#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/vfs.h>
#endif

extern char **environ;

uint32_t floor_file_system(const char *path) {
#ifdef __linux__
  struct statfs status;
  if (statfs(path, &status) == 0) return (uint32_t)status.f_type;
#endif
  (void)path;
  return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status, (void)type, (void)place;
  remove(path);
  return 0;
}

void floor_remove(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

/* Starts the program with no signal blocked. */
static int start(pid_t *process, const char *const *arguments, const posix_spawn_file_actions_t *files) {
  posix_spawnattr_t attributes;
  sigset_t none;
  int code = posix_spawnattr_init(&attributes);
  if (code == 0) {
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    code = posix_spawn(process, arguments[0], files, &attributes, (char *const *)arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  return code == 0 ? 0 : floor_fail("%.150s: %s", arguments[0], strerror(code));
}

int floor_start(const char *const *arguments, int input, int output, int32_t *process) {
  posix_spawn_file_actions_t files;
  pid_t started = -1;
  if (posix_spawn_file_actions_init(&files) != 0) return floor_fail("no memory for a process");
  posix_spawn_file_actions_adddup2(&files, input, 0);
  posix_spawn_file_actions_adddup2(&files, output, 1);
  int code = start(&started, arguments, &files);
  posix_spawn_file_actions_destroy(&files);
  *process = started;
  return code;
}

int floor_run(const char *const *arguments, const char *output, floor_end *end) {
  posix_spawn_file_actions_t files;
  pid_t process;
  if (posix_spawn_file_actions_init(&files) != 0) return floor_fail("no memory for a process");
  posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  int code = start(&process, arguments, &files);
  posix_spawn_file_actions_destroy(&files);
  return code == 0 ? floor_wait(process, end) : code;
}

int floor_wait(int32_t process, floor_end *end) {
  struct rusage usage;
  int status;
  while (wait4(process, &status, 0, &usage) < 0) {
    if (errno != EINTR) return floor_fail("wait4: %s", strerror(errno));
  }
  end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  end->cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return 0;
}

int floor_flush(const char *path, uint32_t times) {
  static const uint8_t page[4096];
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int isBad = file < 0;
  for (uint32_t i = 0; i < times && !isBad; i++) {
    isBad = pwrite(file, page, sizeof page, (off_t)(i * sizeof page)) != (ssize_t)sizeof page || fdatasync(file) != 0;
  }
  if (isBad) floor_fail("%.150s: %s", path, strerror(errno));
  if (file >= 0) close(file);
  return isBad ? -1 : 0;
}

uint64_t floor_allocated_bytes(void) {
#ifdef __GLIBC__
  struct mallinfo2 all = mallinfo2();
  return all.uordblks + all.hblkhd;
#else
  return 0;
#endif
}

void floor_reset_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file) return;
  fputs("5", file);
  fclose(file);
}
