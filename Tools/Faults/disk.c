/* Reads a trace, and tells what is certain at one moment of it from what is not (model.h). */
#define _GNU_SOURCE
#include "model.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void die(const char *what, const char *which) {
  fprintf(stderr, "cuts: %s: %s\n", what, which);
  exit(71);
}

void *allocate(size_t size) {
  void *found = calloc(1, size ? size : 1);
  if (!found) die("no memory", "calloc");
  return found;
}

/* ---- Reading the trace --------------------------------------------------------------------------------- */

static int is_data(uint32_t kind) { return kind == WRITE || kind == MAPPED || kind == RESIZE; }
static int is_naming(uint32_t kind) {
  return kind == CREATE || kind == FOLDER || kind == LINK || kind == REMOVE || kind == RENAME;
}

/* The object that has this number now: numbers of removed files come again. */
static int find_object(struct disk *disk, uint64_t number) {
  for (int i = disk->object_count - 1; i >= 0; i--)
    if (disk->objects[i].number == number) return i;
  die("the trace has a file that nobody created", "");
  return -1;
}

static int add_object(struct disk *disk, uint64_t number, int is_folder, const char *name) {
  if (disk->object_count == MOST_OBJECTS) die("too many files", name);
  struct object *object = &disk->objects[disk->object_count];
  object->number = number;
  object->is_folder = is_folder;
  snprintf(object->name, sizeof object->name, "%s", name);
  object->entries = allocate(sizeof *object->entries);
  object->drawn_entries = allocate(sizeof *object->drawn_entries);
  return disk->object_count++;
}

static void understand(struct disk *disk, struct step *step) {
  struct record *record = &step->record;
  if (record->kind == OUTPUT || record->kind == START) return;
  if (is_naming(record->kind)) {
    size_t length = strnlen((const char *)step->bytes, record->length);
    if (length > 255 || record->length - length > 256) die("the trace has too long a name", "");
    memcpy(step->name, step->bytes, length);
    if (record->kind == RENAME) {
      if (record->number != record->other) die("a rename between folders is not understood", step->name);
      memcpy(step->new_name, step->bytes + length + 1, record->length - length - 1);
    }
  }
  if (record->kind == NAMELESS) {
    step->object = add_object(disk, record->other, 0, "");
    return;
  }
  step->object = find_object(disk, record->number);
  if (record->kind == CREATE || record->kind == FOLDER)
    step->other = add_object(disk, record->other, record->kind == FOLDER, step->name);
  else if (record->kind == LINK) {
    step->other = find_object(disk, record->other);
    struct object *object = &disk->objects[step->other];
    if (!object->name[0]) snprintf(object->name, sizeof object->name, "%s", step->name);
  }
}

static uint8_t *read_whole(const char *path, size_t *size) {
  struct stat status;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &status)) die("cannot be read", path);
  *size = (size_t)status.st_size;
  uint8_t *bytes = allocate(*size);
  for (size_t got = 0; got < *size;) {
    ssize_t more = read(file, bytes + got, *size - got);
    if (more <= 0) die("cannot be read", path);
    got += (size_t)more;
  }
  close(file);
  return bytes;
}

struct disk *disk_load(const char *path, enum plant plant) {
  struct disk *disk = allocate(sizeof *disk);
  size_t size, room = 0;
  disk->plant = plant;
  disk->trace = read_whole(path, &size);
  add_object(disk, ROOT, 1, "");
  for (size_t at = 0; at < size;) {
    if (disk->count == room) {
      room = room ? 2 * room : 1024;
      disk->steps = realloc(disk->steps, room * sizeof *disk->steps);
      if (!disk->steps) die("no memory", "realloc");
    }
    struct step *step = &disk->steps[disk->count++];
    memset(step, 0, sizeof *step);
    if (size - at < sizeof step->record) die("the trace ends early", path);
    memcpy(&step->record, disk->trace + at, sizeof step->record);
    at += sizeof step->record;
    if (size - at < step->record.length) die("the trace ends early", path);
    step->bytes = disk->trace + at;
    at += step->record.length;
    understand(disk, step);
  }
  return disk;
}

const struct step *disk_steps(const struct disk *disk, size_t *count) {
  *count = disk->count;
  return disk->steps;
}

int disk_is_boundary(const struct disk *disk, size_t step) {
  if (step == disk->count) return 1;
  uint32_t kind = disk->steps[step].record.kind;
  /* What a map holds is uncertain from its change on, so it is at the next call as well. */
  return kind != OUTPUT && kind != START && kind != MAPPED && kind != NAMELESS;
}

/* ---- What is certain, and what is not ------------------------------------------------------------------ */

static void set_entry(struct entries *entries, const char *name, int object) {
  int i = 0;
  while (i < entries->count && strcmp(entries->list[i].name, name)) i++;
  if (i == MOST_ENTRIES) die("too many entries in a folder", name);
  if (i == entries->count) entries->count++;
  snprintf(entries->list[i].name, sizeof entries->list[i].name, "%s", name);
  entries->list[i].object = object;
}

/* Takes an entry out and returns its object, or -1. */
static int take_entry(struct entries *entries, const char *name) {
  for (int i = 0; i < entries->count; i++) {
    if (strcmp(entries->list[i].name, name)) continue;
    int object = entries->list[i].object;
    entries->list[i] = entries->list[--entries->count];
    return object;
  }
  return -1;
}

/* The entry that a rename moves, by all steps before it: whether they survived is another question. */
static int renamed_object(const struct disk *disk, size_t rename) {
  const char *name = disk->steps[rename].name;
  for (size_t i = rename; i-- > 0;) {
    const struct step *step = &disk->steps[i];
    if (step->object != disk->steps[rename].object) continue;
    uint32_t kind = step->record.kind;
    if ((kind == CREATE || kind == FOLDER || kind == LINK) && !strcmp(step->name, name)) return step->other;
    if (kind == RENAME && !strcmp(step->new_name, name)) return renamed_object(disk, i);
  }
  die("a rename of what nobody created", name);
  return -1;
}

void apply_name(struct disk *disk, struct entries *entries, size_t index) {
  const struct step *step = &disk->steps[index];
  switch (step->record.kind) {
    case CREATE:
    case FOLDER:
    case LINK: set_entry(entries, step->name, step->other); break;
    case REMOVE: take_entry(entries, step->name); break;
    default:
      take_entry(entries, step->name);
      set_entry(entries, step->new_name, renamed_object(disk, index));
  }
}

size_t size_after(size_t size, const struct step *step) {
  if (step->record.kind == RESIZE) return step->record.size;
  size_t end = step->record.offset + step->record.length;
  return end > size ? end : size;
}

size_t room_for(const struct disk *disk, const struct object *object) {
  size_t size = object->durable_size, most = size;
  for (size_t i = 0; i < object->pending_count; i++) {
    size = size_after(size, &disk->steps[object->pending[i].step]);
    if (size > most) most = size;
  }
  return (most + LARGE_SECTOR - 1) / LARGE_SECTOR * LARGE_SECTOR;
}

void apply_data(uint8_t *bytes, size_t *size, const struct step *step, size_t *from, size_t *to) {
  size_t after = size_after(*size, step);
  if (step->record.kind == RESIZE) {
    *from = after < *size ? after : *size;
    *to = after < *size ? *size : *from;
    memset(bytes + *from, 0, *to - *from);
  } else {
    *from = step->record.offset;
    *to = *from + step->record.length;
    memcpy(bytes + *from, step->bytes, step->record.length);
  }
  *size = after;
}

static void make_durable(struct disk *disk, struct object *object) {
  if (object->is_folder) {
    for (size_t i = 0; i < object->pending_count; i++)
      apply_name(disk, object->entries, object->pending[i].step);
  } else {
    uint8_t *bytes = allocate(room_for(disk, object));
    size_t size = object->durable_size, from, to;
    if (size) memcpy(bytes, object->durable, size);
    for (size_t i = 0; i < object->pending_count; i++)
      apply_data(bytes, &size, &disk->steps[object->pending[i].step], &from, &to);
    free(object->durable);
    object->durable = bytes;
    object->durable_size = size;
  }
  object->pending_count = 0;
}

static void add_pending(struct object *object, size_t step, int forced) {
  if (object->pending_count == object->pending_room) {
    object->pending_room = object->pending_room ? 2 * object->pending_room : 64;
    object->pending = realloc(object->pending, object->pending_room * sizeof *object->pending);
    if (!object->pending) die("no memory", "realloc");
  }
  object->pending[object->pending_count++] = (struct pending){step, forced};
}

static int has_pending(const struct disk *disk, const struct object *object, uint32_t kind) {
  for (size_t i = 0; i < object->pending_count; i++)
    if (disk->steps[object->pending[i].step].record.kind == kind) return 1;
  return 0;
}

/* Whether the planted fault leaves this sync out. */
static int is_left_out(const struct disk *disk, const struct step *step) {
  const struct object *object = &disk->objects[step->object];
  int is_identity = !object->is_folder && !strncmp(object->name, "identity.key", 12);
  switch (disk->plant) {
    case NO_SYNC_AT_ALL: return 1;
    case NO_DATA_SYNC: return step->record.kind == SYNC && step->record.flags & DATA_ONLY;
    case NO_META_SYNC: return step->record.kind == WRITE;
    case NO_SYNC_AFTER_RENAME: return object->is_folder && has_pending(disk, object, RENAME);
    case NO_DRAFT_SYNC: return object->is_folder && !strncmp(object->name, "tmp-", 4);
    case NO_SYNC_ABOVE:
      return object->is_folder && has_pending(disk, object, FOLDER) && !has_pending(disk, object, RENAME);
    case NO_IDENTITY_SYNC: return is_identity;
    case NO_IDENTITY_FOLDER_SYNC: return object->is_folder && has_pending(disk, object, LINK);
    default: return 0;
  }
}

static void finish_step(struct disk *disk, size_t index) {
  const struct step *step = &disk->steps[index];
  uint32_t kind = step->record.kind;
  struct object *object = &disk->objects[step->object];
  if (is_data(kind)) {
    int forced = kind == WRITE && step->record.flags & SYNCED && !is_left_out(disk, step);
    add_pending(object, index, forced);
  } else if (is_naming(kind)) {
    add_pending(object, index, 0);
  } else if (kind == SYNC && !is_left_out(disk, step)) {
    make_durable(disk, object);
    if (!(step->record.flags & DATA_ONLY)) disk->journaled = index;
  }
}

static void start_over(struct disk *disk) {
  for (int i = 0; i < disk->object_count; i++) {
    struct object *object = &disk->objects[i];
    object->entries->count = 0;
    object->durable_size = object->pending_count = 0;
  }
  disk->at = disk->journaled = 0;
}

void disk_go(struct disk *disk, size_t step) {
  start_over(disk);
  for (size_t i = 0; i < step; i++) finish_step(disk, i);
  disk->at = step;
  if (step == disk->count) return;
  uint32_t kind = disk->steps[step].record.kind;
  if (is_data(kind) || is_naming(kind)) add_pending(&disk->objects[disk->steps[step].object], step, 0);
}
