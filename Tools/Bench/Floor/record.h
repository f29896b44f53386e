#ifndef RECORD_H
#define RECORD_H

#include "floor.h"

/*
 * Records of events (Docs/PROTOCOL.md §6.1), and the values of a store, which hold some that follow each other:
 *
 *   number: 2 * bytes of the record + 1 where a signature follows    [signature]    record
 */
enum { RECORD_LIMIT = 8448, VALUE_LIMIT = 1000, VALUE_BYTES = 3 + 64 + RECORD_LIMIT, FEEDS = 8 };

/* A number in groups of seven bits. */
static inline uint8_t *put_number(uint8_t *p, uint64_t v) {
  for (; v > 127; v >>= 7) *p++ = (uint8_t)(v | 128);
  *p++ = (uint8_t)v;
  return p;
}

/* The difference of two times as a number. */
static inline uint64_t zigzag(uint64_t difference) {
  return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

/* Reads a number; NULL where the bytes end inside of it. */
static inline const uint8_t *get_number(const uint8_t *p, const uint8_t *end, uint64_t *v) {
  if (p < end && *p < 128) {
    *v = *p;
    return p + 1;
  }
  *v = 0;
  for (int shift = 0; shift < 64 && p < end; shift += 7) {
    *v |= (uint64_t)(*p & 127) << shift;
    if (*p++ < 128) return p;
  }
  return NULL;
}

/* ---- Writing ---- */

/* Events that become one value. */
typedef struct value_writer {
  floor_store *store;
  MDB_txn *txn;
  uint32_t number, first, next; /* the room, and the positions of the value's first event and of the next one */
  unsigned flags;
  size_t count;
  uint8_t bytes[VALUE_BYTES];
} value_writer;

/* Puts what is there. */
int value_flush(value_writer *writer);

/* Appends an event; `signature` is NULL where there is none. */
int value_append(value_writer *writer, const uint8_t *record, size_t bytes, const uint8_t *signature);

/* ---- Reading ---- */

/* One event in a value. */
typedef struct stored_event {
  const uint8_t *signature; /* NULL for none */
  const uint8_t *record;
  size_t bytes;
} stored_event;

/* Reads the event at `p` of a value; NULL when it is cut short. */
const uint8_t *value_next(const uint8_t *p, const uint8_t *end, stored_event *event);

/* What a record says, by position; a parent of -1 is no event of the room. */
typedef struct record {
  uint32_t feed;
  const uint8_t *author; /* of a feed that opens here, else NULL */
  uint8_t kind, goes_on, has_references, parents;
  int64_t parent[32];
  uint64_t time;
  const uint8_t *payload, *end;
} record;

int record_read(const stored_event *event, uint32_t position, uint32_t feeds, record *record);

/* Reads the name of an event: its position; -1 for an id that is written out, -2 for none of these. */
int64_t get_reference(const uint8_t **p, const uint8_t *end, uint32_t position);

/* Makes the bodies of a room's events again, and their ids. */
typedef struct maker {
  const hasher *hasher;
  uint8_t room[32];
  uint32_t count, capacity, feed_count;
  uint8_t (*ids)[32];
  struct {
    uint8_t author[32], head[32];
    uint64_t sequence;
  } feeds[FEEDS];
  uint64_t wall_time, sum;
  size_t body_bytes;
  uint8_t body[EVENT_LIMIT + 64];
} maker;

void maker_start(maker *maker, const uint8_t *room);

/* Makes the event of a record; its id is the last one then. */
int maker_take(maker *maker, const record *record);

void maker_end(maker *maker);

#endif
