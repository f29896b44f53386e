/* Draws states that a cut can leave (model.h), and writes them into folders. */
#define _GNU_SOURCE
#include "model.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
static uint64_t draw(struct disk *disk) {
  uint64_t z = disk->random += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static size_t below(struct disk *disk, size_t limit) { return limit ? draw(disk) % limit : 0; }

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
    else draft.habit = variation == 1 || variation == (object->is_folder ? 2 : 3) ? ALL : NONE;
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
