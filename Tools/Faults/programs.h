/* What the real program makes of a state: whether it opens it, and whether all is there that was promised. */
#ifndef PARLOR_PROGRAMS_H
#define PARLOR_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

#include "disk.h"

enum { ROOM_DIGITS = 64, MOST_ROOMS = 512 };

enum verdict_kind { FINE, UNREADABLE, FALSE_LOG, LOST, BAD_IDENTITY, STUCK, KINDS };
extern const char *const kind_words[KINDS];

struct room {
  char id[ROOM_DIGITS + 1];
  long events;
};

struct verdict {
  enum verdict_kind kind;
  char words[600];
  struct room rooms[MOST_ROOMS];
  int room_count;
};

/* Something that the program said, by which after that step so many events of a room are stored; or, with an empty
 * room, that there is an identity. A line of the promises' file is `STEP ROOM EVENTS` or `STEP identity 1`; the lines
 * ascend by step. Its first line is the identity's file in hexadecimal. */
struct promise {
  size_t step;
  struct room room;
};

/* A command of the program that must work on in any state: `STATUS,STATUS NEEDLE COMMAND LINE`. The needle is
 * something that its output must hold when it ends with the first of the statuses, or `-`. */
struct command {
  int statuses[4];
  int status_count;
  char needle[200];
  char *words[32];
};

struct judge {
  const char *program;
  const char *data;
  const char *input;
  struct promise *promises;
  size_t promise_count;
  struct command commands[16];
  int command_count;
  uint8_t identity[512];
  size_t identity_length;
  /* Where the program's output and errors go, one after the other. */
  int output, errors;
};

void prepare(
  struct judge *judge, const char *program, const char *data, const char *promises, const char *commands,
  const char *input);

/* Makes every promise count from before the commit that it rests on: the planted fault of a program that
 * acknowledges too early. */
void promise_early(struct judge *judge, const struct disk *disk);

void open_outputs(struct judge *judge, const char *folder);
void clear_folder(const char *folder);

/* How many promises were made before a step. */
size_t promised_before(const struct judge *judge, size_t step);

struct verdict judge_state(struct judge *judge, const char *folder, size_t promised);
struct verdict judge_going_on(struct judge *judge, const char *folder, const struct verdict *before);

#endif
