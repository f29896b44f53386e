/* What Swift's own view of the C library leaves out. */
#define _XOPEN_SOURCE 700
#include "CFloor.h"

#include <ftw.h>
#include <stdio.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

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
