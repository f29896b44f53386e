/* The model of a disk under a power cut. It is as harsh as POSIX allows, except where it says so.
 *
 * Data. What a file holds is a row of sectors. A sector that was written since the last sync of its file holds,
 * after the cut, any of the versions that it had since then, whatever its neighbours hold: writes are lost,
 * reordered and torn at sectors. A sector is 512 bytes in half of the states, 4096 in the others. A sector itself
 * is never torn: disks promise that, and LMDB rests on it. Where a file grew and the data are lost, there are
 * zeros, or in some states old bytes of others. A write to a descriptor opened with O_DSYNC survives when it has
 * returned, and with it nothing else. What is written through a shared map counts as a write at the next record.
 *
 * Lengths. A file has, after the cut, any of the lengths that it had since its last sync. fsync and fdatasync of
 * a file make its data and its length durable; neither makes its name durable.
 *
 * Names. A change of a folder's entries survives for certain when that folder was synced after it. Before that
 * each change survives or not, by itself, in any combination; but one change is never halved: a rename has
 * taken place or not. A synced folder is found only when its own name in the folder above has survived.
 *
 * Journal. In a quarter of the states names and lengths survive in the order of the calls, up to a random one and
 * at least up to the last fsync, and data that made a file longer survive with the length, as in ext4 with its
 * default data=ordered. Those are a subset of the rest: they are the likely ones on that file system.
 *
 * Not in the model: modes and owners (files are 0600 and folders 0700 throughout), renames from one folder to
 * another, disks that acknowledge a flush without doing it, sectors that become unreadable.
 */
#define _GNU_SOURCE
#include "disk.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OBJECTS = 1024, MOST_ENTRIES = 256, SMALL_SECTOR = 512, LARGE_SECTOR = 4096 };

struct entry {
  char name[256];
  int object;
};

struct entries {
  struct entry list[MOST_ENTRIES];
  int count;
};

/* A step whose effect is not certain to survive; a forced one does, though what came before it may not. */
struct pending {
  size_t step;
  int forced;
};

/* A file or a folder. */
struct object {
  uint64_t number;
  int is_folder;
  char name[256];
  /* What is certain to survive. */
  struct entries *entries;
  uint8_t *durable;
  size_t durable_size;
  /* And what is not. */
  struct pending *pending;
  size_t pending_count, pending_room;
  /* What was drawn. */
  struct entries *drawn_entries;
  uint8_t *drawn;
  size_t drawn_size;
};

struct disk {
  uint8_t *trace;
  struct step *steps;
  size_t count;
  enum plant plant;
  struct object objects[MOST_OBJECTS];
  int object_count;
  /* The step that is under way, and the last fsync before it. */
  size_t at, journaled;
  uint64_t random;
  char words[200];
};

void die(const char *what, const char *which) {
  fprintf(stderr, "cuts: %s: %s\n", what, which);
  exit(71);
}

void *allocate(size_t size) {
  void *found = calloc(1, size ? size : 1);
  if (!found) die("no memory", "calloc");
  return found;
}

/* SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
static uint64_t draw(struct disk *disk) {
  uint64_t z = disk->random += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static size_t below(struct disk *disk, size_t limit) { return limit ? draw(disk) % limit : 0; }

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
  step->object = find_object(disk, record->number);
  if (record->kind == CREATE || record->kind == FOLDER)
    step->other = add_object(disk, record->other, record->kind == FOLDER, step->name);
  else if (record->kind == LINK)
    step->other = find_object(disk, record->other);
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
  return kind != OUTPUT && kind != START && kind != MAPPED;
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

static void apply_name(struct disk *disk, struct entries *entries, size_t index) {
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

/* The length that a file has after one more step. */
static size_t size_after(size_t size, const struct step *step) {
  if (step->record.kind == RESIZE) return step->record.size;
  size_t end = step->record.offset + step->record.length;
  return end > size ? end : size;
}

/* Room for every length that a file has had since its last sync, in whole sectors. */
static size_t room_for(const struct disk *disk, const struct object *object) {
  size_t size = object->durable_size, most = size;
  for (size_t i = 0; i < object->pending_count; i++) {
    size = size_after(size, &disk->steps[object->pending[i].step]);
    if (size > most) most = size;
  }
  return (most + LARGE_SECTOR - 1) / LARGE_SECTOR * LARGE_SECTOR;
}

/* Applies a step to a file's bytes and returns the stretch that it changed. */
static void apply_data(uint8_t *bytes, size_t *size, const struct step *step, size_t *from, size_t *to) {
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

/* ---- Drawing ------------------------------------------------------------------------------------------- */

/* Which of an object's uncertain steps survive. */
enum habit { NONE, ALL, EACH_SECTOR, EACH_STEP, FIRST_ONES, LAST_ONES, ALL_BUT_ONE, ONLY_ONE, HABITS };
static const char *const habit_words[] = {
  "none", "all", "by sector", "by step", "the first", "the last", "all but one", "only one"};

struct draft {
  enum habit habit;
  /* Of 100, where it goes by chance. */
  unsigned chance;
  size_t mark;
  size_t sector;
  int is_journal;
  int shows_garbage;
  /* Every length survives, whatever the data do. */
  int keeps_lengths;
  /* In a journal: names and lengths of steps before this one survive. */
  size_t journaled;
};

static enum habit draw_habit(struct disk *disk) {
  return below(disk, 4) == 0 ? (enum habit)below(disk, 2) : (enum habit)below(disk, HABITS);
}

static void draw_odds(struct disk *disk, struct draft *draft, size_t count) {
  draft->chance = 3 + (unsigned)below(disk, 95);
  draft->mark = below(disk, draft->habit == ALL_BUT_ONE || draft->habit == ONLY_ONE ? count : count + 1);
}

/* Whether the uncertain step at `place` survives, or one sector of it. */
static int survives(struct disk *disk, const struct draft *draft, size_t place) {
  switch (draft->habit) {
    case NONE: return 0;
    case ALL: return 1;
    case FIRST_ONES: return place < draft->mark;
    case LAST_ONES: return place >= draft->mark;
    case ALL_BUT_ONE: return place != draft->mark;
    case ONLY_ONE: return place == draft->mark;
    default: return below(disk, 100) < draft->chance;
  }
}

static void draw_folder(struct disk *disk, struct object *object, struct draft draft) {
  *object->drawn_entries = *object->entries;
  draw_odds(disk, &draft, object->pending_count);
  for (size_t i = 0; i < object->pending_count; i++) {
    size_t step = object->pending[i].step;
    int kept = draft.is_journal ? step < draft.journaled : survives(disk, &draft, i);
    if (kept) apply_name(disk, object->drawn_entries, step);
  }
}

/* A length that the file has had since the last step that is certain; in a journal, the one that it says. */
static size_t draw_size(struct disk *disk, struct object *object, const struct draft *draft) {
  size_t size = object->durable_size, least = 0;
  size_t *sizes = allocate((object->pending_count + 1) * sizeof *sizes);
  size_t journaled = 0;
  sizes[0] = size;
  for (size_t i = 0; i < object->pending_count; i++) {
    size_t step = object->pending[i].step;
    sizes[i + 1] = size = size_after(size, &disk->steps[step]);
    if (object->pending[i].forced) least = i + 1;
    if (step < draft->journaled) journaled = i + 1;
  }
  size_t choice = least + below(disk, object->pending_count + 1 - least);
  if (draft->is_journal) choice = journaled > least ? journaled : least;
  else if (draft->habit == ALL || draft->keeps_lengths) choice = object->pending_count;
  else if (draft->habit == NONE) choice = least;
  size = sizes[choice];
  free(sizes);
  return size;
}

static void fill_garbage(struct disk *disk, uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) bytes[i] = (uint8_t)draw(disk);
}

static void draw_file(struct disk *disk, struct object *object, struct draft draft) {
  size_t room = room_for(disk, object), size = object->durable_size, from, to;
  uint8_t *image = allocate(room), *full = allocate(room), *settled = allocate(room / SMALL_SECTOR + 1);
  if (size) memcpy(image, object->durable, size);
  if (size) memcpy(full, object->durable, size);
  draw_odds(disk, &draft, object->pending_count);
  for (size_t i = 0; i < object->pending_count; i++) {
    const struct step *step = &disk->steps[object->pending[i].step];
    size_t before = size;
    apply_data(full, &size, step, &from, &to);
    /* Data that made the file longer are there before the length is. */
    int is_ordered = draft.is_journal && object->pending[i].step < draft.journaled && size > before;
    int whole = object->pending[i].forced || is_ordered
      || (draft.habit != EACH_SECTOR && survives(disk, &draft, i));
    for (size_t at = from / draft.sector * draft.sector; at < to; at += draft.sector) {
      int is_kept = whole || (draft.habit == EACH_SECTOR && survives(disk, &draft, i));
      if (is_kept) memcpy(image + at, full + at, draft.sector);
      else if (draft.shows_garbage && at >= object->durable_size && !settled[at / SMALL_SECTOR])
        fill_garbage(disk, image + at, draft.sector);
      settled[at / SMALL_SECTOR] |= (uint8_t)is_kept;
    }
  }
  free(object->drawn);
  object->drawn = image;
  object->drawn_size = draw_size(disk, object, &draft);
  free(full);
  free(settled);
}

/* A point in the journal between the last fsync and now. */
static size_t draw_journaled(struct disk *disk) {
  return disk->journaled + below(disk, disk->at + 2 - disk->journaled);
}

const char *disk_draw(struct disk *disk, uint64_t seed, unsigned variation) {
  disk->random = (seed * 0x2545F4914F6CDD1Du) ^ ((uint64_t)disk->at << 32 | variation);
  int chosen = variation >= 4;
  struct draft draft = {.sector = SMALL_SECTOR, .keeps_lengths = variation == 2};
  if (chosen) {
    draft.is_journal = below(disk, 4) == 0;
    draft.shows_garbage = !draft.is_journal && below(disk, 3) == 0;
    draft.sector = below(disk, 2) ? SMALL_SECTOR : LARGE_SECTOR;
    draft.journaled = draw_journaled(disk);
  }
  int used = snprintf(
    disk->words, sizeof disk->words, "variation %u, sectors of %zu%s%s:", variation, draft.sector,
    draft.is_journal ? ", journal" : "", draft.shows_garbage ? ", garbage" : "");
  for (int i = 0; i < disk->object_count; i++) {
    struct object *object = &disk->objects[i];
    if (chosen) draft.habit = draw_habit(disk);
    else draft.habit = variation == 1 || (variation == 2 && object->is_folder) || (variation == 3 && !object->is_folder);
    if (object->is_folder) draw_folder(disk, object, draft);
    else draw_file(disk, object, draft);
    if (object->pending_count && used < (int)sizeof disk->words)
      used += snprintf(
        disk->words + used, sizeof disk->words - (size_t)used, " %s %s;", *object->name ? object->name : ".",
        habit_words[draft.habit]);
  }
  return disk->words;
}

/* ---- What was drawn ------------------------------------------------------------------------------------ */

static void mix(uint64_t hash[2], const void *bytes, size_t length) {
  const uint8_t *from = bytes;
  uint64_t a = hash[0] ^ length * 0x9E3779B97F4A7C15u, b = hash[1] + length;
  for (; length >= 8; from += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, from, 8);
    a = (a ^ word) * 0xD6E8FEB86659FD93u;
    b = (b + word) * 0xA0761D6478BD642Fu;
    a ^= a >> 32;
    b ^= b >> 29;
  }
  for (size_t i = 0; i < length; i++) {
    a = (a ^ from[i]) * 0x100000001B3u;
    b = (b + from[i]) * 0xE7037ED1A0B428DBu;
  }
  hash[0] = a ^ a >> 31;
  hash[1] = b ^ b >> 33;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static void hash_object(struct disk *disk, int index, uint64_t hash[2]) {
  struct object *object = &disk->objects[index];
  if (!object->is_folder) {
    mix(hash, object->drawn, object->drawn_size);
    return;
  }
  struct entries *entries = object->drawn_entries;
  qsort(entries->list, (size_t)entries->count, sizeof *entries->list, by_name);
  mix(hash, &entries->count, sizeof entries->count);
  for (int i = 0; i < entries->count; i++) {
    mix(hash, entries->list[i].name, strlen(entries->list[i].name));
    mix(hash, &disk->objects[entries->list[i].object].is_folder, sizeof(int));
    hash_object(disk, entries->list[i].object, hash);
  }
}

void disk_hash(struct disk *disk, uint64_t hash[2]) {
  hash[0] = 1;
  hash[1] = 2;
  hash_object(disk, 0, hash);
}

static void write_file(const struct object *object, const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (file < 0) die("cannot be created", path);
  for (size_t done = 0; done < object->drawn_size;) {
    ssize_t more = write(file, object->drawn + done, object->drawn_size - done);
    if (more <= 0) die("cannot be written", path);
    done += (size_t)more;
  }
  close(file);
}

static void write_object(struct disk *disk, int index, const char *folder) {
  struct entries *entries = disk->objects[index].drawn_entries;
  for (int i = 0; i < entries->count; i++) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, entries->list[i].name) >= (int)sizeof path)
      die("too long a path", folder);
    struct object *object = &disk->objects[entries->list[i].object];
    if (!object->is_folder) {
      write_file(object, path);
      continue;
    }
    if (mkdir(path, 0700)) die("cannot be created", path);
    write_object(disk, entries->list[i].object, path);
  }
}

void disk_write(struct disk *disk, const char *folder) { write_object(disk, 0, folder); }
