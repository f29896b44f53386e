/* LD_PRELOAD: appends to $PARLOR_TRACE every change that this process makes below $PARLOR_TRACED_FOLDER, every
 * sync, and all that it prints, in the order in which the calls took effect (format: trace.h).
 *
 * One lock is held over each call and its record, so that the order is true with many threads. A record is
 * made when the call succeeded, except that output is recorded before it is written: who reads it may act on
 * it at once. Shared maps are compared with a copy at every record, and what changed is recorded first.
 *
 * With $PARLOR_TRACE_LAST=N the process is killed when N calls of it were recorded; with a letter of trace.h in
 * place of the number, when the first of that kind was.
 *
 * The folder holds nothing at the beginning but empty folders, which count as durable.
 *
 * Calls that libc makes inside itself (fopen, for example) pass unseen; cuts.c's `replay` shows that nothing
 * was missed, because the trace must give the very folder that is there at the end.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "trace.h"

enum { MOST_FILES = 4096, MOST_MAPS = 16, MAP_UNIT = 512 };

/* What an open descriptor stands for; number is an inode's. */
struct opened {
  int watched;
  int synced;
  uint64_t number;
};

struct mapping {
  uint8_t *address;
  uint8_t *copy;
  size_t length;
  uint64_t number;
};

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct opened opened[MOST_FILES];
static struct mapping maps[MOST_MAPS];
static int trace = -1;
/* How many calls were recorded, and after how many this process is killed; 0 for never. */
static long records, last_record;
/* Or after the first of which kind; 0 for none. */
static uint32_t last_kind;
static char root[PATH_MAX];
static size_t root_length;
static uint64_t root_number;

static ssize_t (*real_write)(int, const void *, size_t);

static void fail(const char *what) {
  dprintf(2, "record: %s: %s\n", what, strerror(errno));
  _exit(71);
}

/* The next definition of a function that this file wraps. */
static void *next(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) fail(name);
  return found;
}
#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = (__typeof__(name) *)next(#name)

static void emit(struct record record, const void *bytes) {
  if (trace < 0) return;
  char *all = malloc(sizeof record + record.length);
  if (!all) fail("malloc");
  memcpy(all, &record, sizeof record);
  if (record.length) memcpy(all + sizeof record, bytes, record.length);
  size_t left = sizeof record + record.length;
  const char *from = all;
  while (left > 0) {
    ssize_t written = real_write(trace, from, left);
    if (written < 0) fail("the trace cannot be written");
    from += written;
    left -= (size_t)written;
  }
  free(all);
}

/* Records what changed in shared maps since the last time. */
static void emit_maps(void) {
  for (int i = 0; i < MOST_MAPS; i++) {
    struct mapping *map = &maps[i];
    if (!map->address) continue;
    for (size_t at = 0; at < map->length; at += MAP_UNIT) {
      size_t length = map->length - at < MAP_UNIT ? map->length - at : MAP_UNIT;
      if (!memcmp(map->address + at, map->copy + at, length)) continue;
      memcpy(map->copy + at, map->address + at, length);
      struct record record = {
        .kind = MAPPED, .number = map->number, .offset = at, .size = map->length, .length = length};
      emit(record, map->copy + at);
    }
  }
}

static void record(struct record record, const void *bytes) {
  int saved = errno;
  emit_maps();
  emit(record, bytes);
  if (++records == last_record || (last_kind && record.kind == last_kind)) raise(SIGKILL);
  errno = saved;
}

static void enter(void) { pthread_mutex_lock(&lock); }

static void leave(void) {
  int saved = errno;
  pthread_mutex_unlock(&lock);
  errno = saved;
}

static uint64_t size_of(int file);

/* Records the folders that are there before anything happens, as durable ones. */
static void record_beginning(void) {
  DIR *list = opendir(root);
  if (!list) fail(root);
  for (struct dirent *entry; (entry = readdir(list));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if (entry->d_type != DT_DIR) fail("the folder holds files already");
    emit((struct record){.kind = FOLDER, .other = entry->d_ino, .length = strlen(entry->d_name)}, entry->d_name);
  }
  closedir(list);
  emit((struct record){.kind = SYNC}, NULL);
}

__attribute__((constructor)) static void begin(void) {
  real_write = (ssize_t(*)(int, const void *, size_t))next("write");
  const char *path = getenv("PARLOR_TRACE");
  const char *folder = getenv("PARLOR_TRACED_FOLDER");
  struct stat status;
  if (!path || !folder) return;
  if (!realpath(folder, root) || stat(root, &status)) fail(folder);
  root_length = strlen(root);
  const char *last = getenv("PARLOR_TRACE_LAST");
  if (last) last_record = atol(last);
  if (last && last_record == 0) last_kind = (uint32_t)last[0];
  root_number = status.st_ino;
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))next("open");
  trace = real(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (trace < 0) fail(path);
  if (size_of(trace) == 0) record_beginning();
  char line[4096];
  int file = real("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t got = file < 0 ? 0 : read(file, line, sizeof line);
  if (file >= 0) close(file);
  struct record start = {.kind = START, .length = got > 0 ? (uint64_t)got : 0};
  enter();
  emit(start, line);
  leave();
}

/* ---- Which files are meant ---------------------------------------------------------------------------- */

/* A place below the watched folder: its folder's number and its name in it. */
struct place {
  int watched;
  uint64_t folder;
  char path[PATH_MAX];
  char name[NAME_MAX + 1];
};

static uint64_t numbered(const struct stat *status) {
  return status->st_ino == root_number ? ROOT : status->st_ino;
}

static void absolute(int base, const char *path, char *result, size_t size) {
  if (path[0] == '/' || base == AT_FDCWD) {
    snprintf(result, size, "%s", path);
    return;
  }
  char link[64], folder[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", base);
  ssize_t length = readlink(link, folder, sizeof folder - 1);
  if (length < 0) fail("readlink");
  folder[length] = 0;
  snprintf(result, size, "%s/%s", folder, path);
}

/* Finds the folder and the name that a path means; a path to the watched folder itself is not below it. */
static struct place locate(int base, const char *path) {
  struct place place = {0};
  char whole[PATH_MAX], folder[PATH_MAX];
  struct stat status;
  if (trace < 0) return place;
  absolute(base, path, whole, sizeof whole);
  for (size_t end = strlen(whole); end > 1 && whole[end - 1] == '/'; end--) whole[end - 1] = 0;
  char *slash = strrchr(whole, '/');
  const char *name = slash ? slash + 1 : whole;
  const char *parent = slash ? (slash == whole ? "/" : whole) : ".";
  if (strlen(name) > NAME_MAX) return place;
  strcpy(place.name, name);
  if (slash && slash != whole) *slash = 0;
  if (!realpath(parent, folder) || stat(folder, &status)) return place;
  if (strncmp(folder, root, root_length)) return place;
  if (folder[root_length] != 0 && folder[root_length] != '/') return place;
  if (!strcmp(place.name, ".") || !strcmp(place.name, "..") || !place.name[0]) return place;
  place.watched = 1;
  place.folder = numbered(&status);
  if (snprintf(place.path, sizeof place.path, "%s/%s", folder, place.name) >= (int)sizeof place.path)
    fail("the path is too long");
  return place;
}

static void record_entry(int kind, const struct place *place, uint64_t other) {
  struct record entry = {
    .kind = (uint32_t)kind, .number = place->folder, .other = other, .length = strlen(place->name)};
  record(entry, place->name);
}

/* A file that has no name until it is linked. */
static void record_nameless(const struct stat *status) {
  record((struct record){.kind = NAMELESS, .other = status->st_ino}, NULL);
}

static struct opened *watched(int file) {
  return file >= 0 && file < MOST_FILES && opened[file].watched ? &opened[file] : NULL;
}

static uint64_t size_of(int file) {
  struct stat status;
  if (fstat(file, &status)) fail("fstat");
  return (uint64_t)status.st_size;
}

/* ---- Opening and closing ------------------------------------------------------------------------------ */

static int opening(int (*real)(int, const char *, int, mode_t), int base, const char *path, int flags, mode_t mode) {
  enter();
  struct place place = locate(base, path);
  struct stat before, status;
  int was_there = place.watched && !lstat(place.path, &before);
  int file = real(base, path, flags, mode);
  if (file >= 0 && file < MOST_FILES && trace >= 0) {
    int saved = errno;
    if (fstat(file, &status)) fail("fstat");
    char link[64], target[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    int below = !strncmp(target, root, root_length) && (!target[root_length] || target[root_length] == '/');
    int synced = (flags & O_DSYNC) == O_DSYNC || (flags & O_SYNC) == O_SYNC;
    opened[file] = (struct opened){.watched = below, .synced = synced, .number = numbered(&status)};
    if (place.watched && !was_there && (flags & O_CREAT)) record_entry(CREATE, &place, status.st_ino);
    if (below && (flags & __O_TMPFILE) == __O_TMPFILE) record_nameless(&status);
    if (below && was_there && (flags & O_TRUNC) && before.st_size > 0)
      record((struct record){.kind = RESIZE, .number = status.st_ino}, NULL);
    errno = saved;
  }
  leave();
  return file;
}

static int real_openat(int base, const char *path, int flags, mode_t mode) {
  REAL(openat);
  return real(base, path, flags, mode);
}

#define MODE(flags, last) \
  mode_t mode = 0; \
  if ((flags) & O_CREAT || ((flags) & __O_TMPFILE) == __O_TMPFILE) { \
    va_list list; \
    va_start(list, last); \
    mode = va_arg(list, mode_t); \
    va_end(list); \
  }

int open(const char *path, int flags, ...) {
  MODE(flags, flags)
  return opening(real_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(flags, flags)
  return opening(real_openat, AT_FDCWD, path, flags, mode);
}
int openat(int base, const char *path, int flags, ...) {
  MODE(flags, flags)
  return opening(real_openat, base, path, flags, mode);
}
int openat64(int base, const char *path, int flags, ...) {
  MODE(flags, flags)
  return opening(real_openat, base, path, flags, mode);
}
int creat(const char *path, mode_t mode) {
  return opening(real_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int close(int file) {
  REAL(close);
  enter();
  if (file >= 0 && file < MOST_FILES) opened[file].watched = 0;
  int result = real(file);
  leave();
  return result;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static void record_write(int file, off_t offset, const struct iovec *parts, int count, ssize_t written) {
  struct opened *known = watched(file);
  if (!known || written <= 0) return;
  uint8_t *bytes = malloc((size_t)written);
  if (!bytes) fail("malloc");
  size_t filled = 0;
  for (int i = 0; i < count && filled < (size_t)written; i++) {
    size_t length = parts[i].iov_len;
    if (length > (size_t)written - filled) length = (size_t)written - filled;
    memcpy(bytes + filled, parts[i].iov_base, length);
    filled += length;
  }
  struct record write = {
    .kind = WRITE, .flags = known->synced ? SYNCED : 0, .number = known->number,
    .offset = (uint64_t)offset, .size = size_of(file), .length = (uint64_t)written};
  record(write, bytes);
  free(bytes);
}

static void record_output(int file, const struct iovec *parts, int count) {
  if ((file != 1 && file != 2) || trace < 0) return;
  for (int i = 0; i < count; i++) {
    struct record output = {.kind = OUTPUT, .number = (uint64_t)file, .length = parts[i].iov_len};
    record(output, parts[i].iov_base);
  }
}

/* Where the file's position is after a write that moved it. */
static off_t position_before(int file, ssize_t written) {
  return written > 0 && watched(file) ? lseek(file, 0, SEEK_CUR) - written : 0;
}

ssize_t write(int file, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  if (!real_write) real_write = (ssize_t(*)(int, const void *, size_t))next("write");
  if (!watched(file) && file != 1 && file != 2) return real_write(file, bytes, length);
  enter();
  record_output(file, &part, 1);
  ssize_t written = real_write(file, bytes, length);
  record_write(file, position_before(file, written), &part, 1, written);
  leave();
  return written;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(writev);
  if (!watched(file) && file != 1 && file != 2) return real(file, parts, count);
  enter();
  record_output(file, parts, count);
  ssize_t written = real(file, parts, count);
  record_write(file, position_before(file, written), parts, count, written);
  leave();
  return written;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  REAL(pwrite);
  struct iovec part = {(void *)bytes, length};
  enter();
  ssize_t written = real(file, bytes, length, offset);
  record_write(file, offset, &part, 1, written);
  leave();
  return written;
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off_t offset) {
  return pwrite(file, bytes, length, offset);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  REAL(pwritev);
  enter();
  ssize_t written = real(file, parts, count, offset);
  record_write(file, offset, parts, count, written);
  leave();
  return written;
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off_t offset) {
  return pwritev(file, parts, count, offset);
}

/* ---- Lengths ------------------------------------------------------------------------------------------- */

static void record_size(int file) {
  struct opened *known = watched(file);
  if (known) record((struct record){.kind = RESIZE, .number = known->number, .size = size_of(file)}, NULL);
}

int ftruncate(int file, off_t length) {
  REAL(ftruncate);
  enter();
  int result = real(file, length);
  if (result == 0) record_size(file);
  leave();
  return result;
}
int ftruncate64(int file, off_t length) { return ftruncate(file, length); }

int fallocate(int file, int mode, off_t offset, off_t length) {
  REAL(fallocate);
  enter();
  if (watched(file) && mode != 0) fail("fallocate with a mode is not understood");
  int result = real(file, mode, offset, length);
  if (result == 0) record_size(file);
  leave();
  return result;
}
int fallocate64(int file, int mode, off_t offset, off_t length) {
  return fallocate(file, mode, offset, length);
}

int posix_fallocate(int file, off_t offset, off_t length) {
  REAL(posix_fallocate);
  enter();
  int result = real(file, offset, length);
  if (result == 0) record_size(file);
  leave();
  return result;
}
int posix_fallocate64(int file, off_t offset, off_t length) { return posix_fallocate(file, offset, length); }

/* ---- Syncs --------------------------------------------------------------------------------------------- */

static void record_sync(int file, uint32_t flags) {
  struct opened *known = watched(file);
  if (known) record((struct record){.kind = SYNC, .flags = flags, .number = known->number}, NULL);
}

int fsync(int file) {
  REAL(fsync);
  enter();
  /* Changes of maps that come while it runs are not covered; those until now are recorded before it. */
  emit_maps();
  int result = real(file);
  if (result == 0) record_sync(file, 0);
  leave();
  return result;
}

int fdatasync(int file) {
  REAL(fdatasync);
  enter();
  emit_maps();
  int result = real(file);
  if (result == 0) record_sync(file, DATA_ONLY);
  leave();
  return result;
}

/* ---- Shared maps --------------------------------------------------------------------------------------- */

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  REAL(mmap);
  struct opened *known = watched(file);
  int shared = (flags & MAP_TYPE) == MAP_SHARED || (flags & MAP_TYPE) == MAP_SHARED_VALIDATE;
  if (!known || !shared || !(protection & PROT_WRITE)) return real(address, length, protection, flags, file, offset);
  enter();
  void *result = real(address, length, protection, flags, file, offset);
  if (result != MAP_FAILED) {
    int free_place = 0;
    while (free_place < MOST_MAPS && maps[free_place].address) free_place++;
    if (free_place == MOST_MAPS || offset != 0) fail("a shared map is not understood");
    uint64_t size = size_of(file);
    struct mapping map = {result, malloc(length), length < size ? length : size, known->number};
    if (!map.copy) fail("malloc");
    memcpy(map.copy, map.address, map.length);
    maps[free_place] = map;
    /* A process that was killed, or is not recorded, may have changed it unseen. */
    struct record whole = {.kind = MAPPED, .number = map.number, .size = map.length, .length = map.length};
    emit(whole, map.copy);
  }
  leave();
  return result;
}
void *mmap64(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  return mmap(address, length, protection, flags, file, offset);
}

int munmap(void *address, size_t length) {
  REAL(munmap);
  enter();
  for (int i = 0; i < MOST_MAPS; i++) {
    if (maps[i].address != address) continue;
    emit_maps();
    free(maps[i].copy);
    maps[i] = (struct mapping){0};
  }
  int result = real(address, length);
  leave();
  return result;
}

__attribute__((destructor)) static void end(void) {
  enter();
  emit_maps();
  leave();
}

/* ---- Names --------------------------------------------------------------------------------------------- */

static int making(int base, const char *path, mode_t mode) {
  REAL(mkdirat);
  enter();
  struct place place = locate(base, path);
  int result = real(base, path, mode);
  struct stat status;
  if (result == 0 && place.watched) {
    if (stat(place.path, &status)) fail("stat");
    record_entry(FOLDER, &place, status.st_ino);
  }
  leave();
  return result;
}
int mkdir(const char *path, mode_t mode) { return making(AT_FDCWD, path, mode); }
int mkdirat(int base, const char *path, mode_t mode) { return making(base, path, mode); }

static int removing(int base, const char *path, int flags) {
  REAL(unlinkat);
  enter();
  struct place place = locate(base, path);
  int result = real(base, path, flags);
  if (result == 0 && place.watched) record_entry(REMOVE, &place, 0);
  leave();
  return result;
}
int unlink(const char *path) { return removing(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return removing(AT_FDCWD, path, AT_REMOVEDIR); }
int unlinkat(int base, const char *path, int flags) { return removing(base, path, flags); }

static int linking(int from_base, const char *from, int to_base, const char *to, int flags) {
  REAL(linkat);
  enter();
  struct place place = locate(to_base, to);
  int result = real(from_base, from, to_base, to, flags);
  struct stat status;
  if (result == 0 && place.watched) {
    if (lstat(place.path, &status)) fail("lstat");
    record_entry(LINK, &place, status.st_ino);
  }
  leave();
  return result;
}
int link(const char *from, const char *to) { return linking(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int from_base, const char *from, int to_base, const char *to, int flags) {
  return linking(from_base, from, to_base, to, flags);
}

static int renaming(int from_base, const char *from, int to_base, const char *to) {
  REAL(renameat);
  enter();
  struct place old = locate(from_base, from), new = locate(to_base, to);
  int result = real(from_base, from, to_base, to);
  if (result == 0 && (old.watched || new.watched)) {
    if (!old.watched || !new.watched) fail("a rename into or out of the folder is not understood");
    char names[2 * NAME_MAX + 2];
    size_t first = strlen(old.name), second = strlen(new.name);
    memcpy(names, old.name, first + 1);
    memcpy(names + first + 1, new.name, second);
    struct record rename = {
      .kind = RENAME, .number = old.folder, .other = new.folder, .length = first + 1 + second};
    record(rename, names);
  }
  leave();
  return result;
}
int rename(const char *from, const char *to) { return renaming(AT_FDCWD, from, AT_FDCWD, to); }
int renameat(int from_base, const char *from, int to_base, const char *to) {
  return renaming(from_base, from, to_base, to);
}
