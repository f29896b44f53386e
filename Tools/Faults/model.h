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
#ifndef PARLOR_MODEL_H
#define PARLOR_MODEL_H

#include "disk.h"

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

/* Applies a change of names to a folder's entries. */
void apply_name(struct disk *disk, struct entries *entries, size_t index);

/* The length that a file has after one more step. */
size_t size_after(size_t size, const struct step *step);

/* Room for every length that a file has had since its last sync, in whole sectors. */
size_t room_for(const struct disk *disk, const struct object *object);

/* Applies a step to a file's bytes and returns the stretch that it changed. */
void apply_data(uint8_t *bytes, size_t *size, const struct step *step, size_t *from, size_t *to);

#endif
