#ifndef FLOOR_H
#define FLOOR_H

#include "CFloor.h"

#include <lmdb.h>
#include <sodium.h>
#include <string.h>

/* ---- Failures ---- */

/* Keeps the words and returns -1. */
int floor_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* -1 and LMDB's words, unless the code is 0. */
int floor_check(int code, const char *what);

#define TRY(call)              \
  do {                         \
    if ((call) != 0) return -1; \
  } while (0)
#define TRY_LMDB(call) TRY(floor_check((call), #call))

/* ---- Bytes ---- */

static inline uint8_t *put16(uint8_t *p, uint16_t v) {
  p[0] = (uint8_t)(v >> 8), p[1] = (uint8_t)v;
  return p + 2;
}

static inline uint8_t *put32(uint8_t *p, uint32_t v) {
  v = __builtin_bswap32(v);
  memcpy(p, &v, 4);
  return p + 4;
}

static inline uint8_t *put64(uint8_t *p, uint64_t v) {
  v = __builtin_bswap64(v);
  memcpy(p, &v, 8);
  return p + 8;
}

static inline uint8_t *put_bytes(uint8_t *p, const void *bytes, size_t count) {
  memcpy(p, bytes, count);
  return p + count;
}

static inline uint16_t get16(const uint8_t *p) { return (uint16_t)(p[0] << 8 | p[1]); }

static inline uint32_t get32(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, 4);
  return __builtin_bswap32(v);
}

static inline uint64_t get64(const uint8_t *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return __builtin_bswap64(v);
}

/* ---- Events (Docs/PROTOCOL.md §3) ---- */

enum {
  KIND_CREATE = 1,
  KIND_REQUEST = 2,
  KIND_GRANT = 3,
  KIND_READY = 4,
  KIND_START = 6,
  KIND_MOVE = 7,
  KIND_RESULT = 13,
};

enum {
  ROOM_AT = 2,
  AUTHOR_AT = 34,
  SEQUENCE_AT = 66,
  PREVIOUS_AT = 74,
  PARENTS_AT = 114,
  EVENT_LIMIT = 8192,
  RUN_EVENTS = 256,
  RUN_BYTES = 65536,
};

static const uint8_t no_id[32] = {0};

/* Ids of one network: the state of the hash behind what all of them begin with. */
typedef struct hasher {
  crypto_generichash_blake2b_state prefix;
} hasher;

void hasher_start(hasher *hasher, const uint8_t *network);

static inline void event_id(const hasher *hasher, const uint8_t *body, size_t count, uint8_t *id) {
  crypto_generichash_blake2b_state state = hasher->prefix;
  crypto_generichash_blake2b_update(&state, body, count);
  crypto_generichash_blake2b_final(&state, id, 32);
}

static inline uint8_t *put_header(
  uint8_t *p, uint8_t kind, const uint8_t *room, const uint8_t *author, uint64_t sequence, const uint8_t *previous,
  uint64_t wall_time) {
  *p++ = 2;
  *p++ = kind;
  p = put_bytes(p, room, 32);
  p = put_bytes(p, author, 32);
  p = put64(p, sequence);
  p = put_bytes(p, previous, 32);
  return put64(p, wall_time);
}

/* The message that a signature of an event covers. */
enum { SIGNED_BYTES = 18 + 32 };
static inline void put_signed(uint8_t *message, const uint8_t *id) {
  memcpy(message, "parlor-signature-1", 18);
  memcpy(message + 18, id, 32);
}

int event_sign(const floor_key *key, const uint8_t *id, uint8_t *signature);
int event_verify(const uint8_t *author, const uint8_t *id, const uint8_t *signature);

/* Milliseconds since 1970. */
uint64_t wall_milliseconds(void);

/* The events of a floor_feed; both return the bytes of the body. */
size_t put_feed_create(uint8_t *body, const floor_feed *feed);
size_t put_feed_move(
  uint8_t *body, const floor_feed *feed, const uint8_t *room, uint64_t sequence, const uint8_t *node);
/* Their records; both return the bytes of the record. */
size_t put_feed_create_record(uint8_t *record, const floor_feed *feed);
size_t put_feed_move_record(uint8_t *record, uint64_t sequence);

/* ---- Stores (LMDBEventLog) ---- */

struct floor_store {
  MDB_env *env;
  MDB_dbi meta, rooms, numbers, events, children;
};

/* What a store has of a room beside its events. */
typedef struct room_record {
  uint32_t events;
  uint64_t bytes; /* of bodies */
  uint64_t sum;   /* of the first eight bytes of all ids */
} room_record;

enum { ROOM_RECORD_BYTES = 52 };

static inline void count_event(room_record *record, size_t body_bytes, const uint8_t *id) {
  record->events++;
  record->bytes += body_bytes;
  record->sum += get64(id);
}

/* Puts events that begin at a position; `flags` as for mdb_put. */
int store_put_value(
  floor_store *store, MDB_txn *txn, uint32_t number, uint32_t first, MDB_val value, unsigned flags);

/* Gives a number to a room. */
int store_put_room(floor_store *store, MDB_txn *txn, uint32_t number, const uint8_t *room);

/* Writes a room's record. */
int store_put_number(
  floor_store *store, MDB_txn *txn, uint32_t number, const uint8_t *room, const room_record *record, unsigned flags);

/* The first number that no room has. */
int store_next_number(floor_store *store, MDB_txn *txn, uint32_t *number);

#endif
