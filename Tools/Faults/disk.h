/* Disk states that a power cut can leave, drawn from a trace. model.h says by which rules. */
#ifndef PARLOR_DISK_H
#define PARLOR_DISK_H

#include <stddef.h>
#include <stdint.h>

#include "trace.h"

/* A record of the trace, with its file or folder found. */
struct step {
  struct record record;
  const uint8_t *bytes;
  int object;
  int other;
  char name[256];
  char new_name[256];
};

/* A sync that the trace holds and that is left out, so that the rig can be seen to notice. */
enum plant {
  NO_PLANT,
  NO_SYNC_AT_ALL,
  NO_META_SYNC,
  NO_DATA_SYNC,
  NO_SYNC_AFTER_RENAME,
  NO_DRAFT_SYNC,
  NO_SYNC_ABOVE,
  NO_IDENTITY_SYNC,
  NO_IDENTITY_FOLDER_SYNC,
  EARLY_OUTPUT,
};

struct disk;

void die(const char *what, const char *which);
void *allocate(size_t size);

struct disk *disk_load(const char *path, enum plant plant);
const struct step *disk_steps(const struct disk *disk, size_t *count);

/* Whether a cut during this step, or after the last one, can leave another disk than one before it. */
int disk_is_boundary(const struct disk *disk, size_t step);

/* Goes to the moment at which all steps before `step` are done and `step` itself is under way. */
void disk_go(struct disk *disk, size_t step);

/* Draws one of the states that a cut at this moment can leave: 0 nothing that is not synced, 1 everything, 2 all
 * names and lengths without data, 3 all data without names, from 4 on by chance; returns words for it. */
const char *disk_draw(struct disk *disk, uint64_t seed, unsigned variation);

/* A hash of all names and bytes that were drawn. */
void disk_hash(struct disk *disk, uint64_t hash[2]);

/* Writes what was drawn into an empty folder. */
void disk_write(struct disk *disk, const char *folder);

#endif
