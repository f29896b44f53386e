/* A slow disk: a library to preload whose fdatasync(2) waits first. Between a write and its flush nothing of it
   is committed, so what a program says in that time it says too early; on a fast disk the time is too short
   for a kill to fall into it. FLUSH_MICROSECONDS says how long. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int fdatasync(int file) {
  const char *wait = getenv("FLUSH_MICROSECONDS");
  if (wait) usleep((useconds_t)atoi(wait));
  return (int)syscall(SYS_fdatasync, file);
}
