/* The store: LMDBEventLog's databases, keys and values. */
#include "floor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static _Thread_local char message[256];

const char *floor_message(void) { return message; }

int floor_is_optimized(void) {
#ifdef __OPTIMIZE__
  return 1;
#else
  return 0;
#endif
}

int floor_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return -1;
}

int floor_check(int code, const char *what) {
  return code == 0 ? 0 : floor_fail("%.150s: %s", what, mdb_strerror(code));
}

int floor_key_make(floor_key *key, const uint8_t *seed) {
  if (sodium_init() < 0) return floor_fail("libsodium could not start");
  return crypto_sign_ed25519_seed_keypair(key->public_key, key->secret_key, seed);
}

void hasher_start(hasher *hasher, const uint8_t *network) {
  crypto_generichash_blake2b_init(&hasher->prefix, NULL, 0, 32);
  crypto_generichash_blake2b_update(&hasher->prefix, (const uint8_t *)"parlor-event-2", 14);
  crypto_generichash_blake2b_update(&hasher->prefix, network, 32);
}

int event_sign(const floor_key *key, const uint8_t *id, uint8_t *signature) {
  uint8_t signed_bytes[SIGNED_BYTES];
  put_signed(signed_bytes, id);
  return crypto_sign_ed25519_detached(signature, NULL, signed_bytes, SIGNED_BYTES, key->secret_key);
}

int event_verify(const uint8_t *author, const uint8_t *id, const uint8_t *signature) {
  uint8_t signed_bytes[SIGNED_BYTES];
  put_signed(signed_bytes, id);
  return crypto_sign_ed25519_verify_detached(signature, signed_bytes, SIGNED_BYTES, author);
}

uint64_t wall_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int put(MDB_txn *txn, MDB_dbi dbi, const void *key, size_t key_bytes, MDB_val value, unsigned flags) {
  MDB_val k = {key_bytes, (void *)key};
  return floor_check(mdb_put(txn, dbi, &k, &value, flags), "mdb_put");
}

static int open_databases(floor_store *store, int is_writer, const uint8_t *network) {
  const char *names[] = {"meta", "rooms", "numbers", "events", "children"};
  MDB_dbi *dbis[] = {&store->meta, &store->rooms, &store->numbers, &store->events, &store->children};
  MDB_txn *txn;
  TRY_LMDB(mdb_txn_begin(store->env, NULL, is_writer ? 0 : MDB_RDONLY, &txn));
  for (int i = 0; i < 5; i++) {
    TRY_LMDB(mdb_dbi_open(txn, names[i], is_writer ? MDB_CREATE : 0, dbis[i]));
  }
  MDB_val key = {7, "network"}, value;
  if (is_writer && mdb_get(txn, store->meta, &key, &value) == MDB_NOTFOUND) {
    uint8_t version[4];
    put32(version, 3);
    TRY(put(txn, store->meta, "format", 6, (MDB_val){4, version}, 0));
    TRY(put(txn, store->meta, "network", 7, (MDB_val){32, (void *)network}, 0));
  }
  TRY_LMDB(mdb_txn_commit(txn));
  return 0;
}

int floor_open(floor_store **store, const char *folder, int is_writer, const uint8_t *network) {
  if (sodium_init() < 0) return floor_fail("libsodium could not start");
  floor_store *opened = calloc(1, sizeof *opened);
  if (!opened) return floor_fail("no memory for a store");
  *store = opened;
  TRY_LMDB(mdb_env_create(&opened->env));
  TRY_LMDB(mdb_env_set_mapsize(opened->env, (size_t)16 << 30));
  TRY_LMDB(mdb_env_set_maxdbs(opened->env, 5));
  TRY_LMDB(mdb_env_set_maxreaders(opened->env, 2048));
  TRY_LMDB(mdb_env_open(opened->env, folder, MDB_NOTLS | (is_writer ? 0 : MDB_RDONLY), 0600));
  return open_databases(opened, is_writer, network);
}

void floor_close(floor_store *store) {
  if (!store) return;
  mdb_env_close(store->env);
  free(store);
}

int floor_used_bytes(floor_store *store, uint64_t *bytes) {
  MDB_dbi dbis[] = {store->meta, store->rooms, store->numbers, store->events, store->children};
  MDB_txn *txn;
  *bytes = 0;
  TRY_LMDB(mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn));
  for (int i = 0; i < 5; i++) {
    MDB_stat stat;
    TRY_LMDB(mdb_stat(txn, dbis[i], &stat));
    *bytes += (uint64_t)stat.ms_psize * (stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages);
  }
  mdb_txn_abort(txn);
  return 0;
}

int store_put_value(
  floor_store *store, MDB_txn *txn, uint32_t number, uint32_t first, MDB_val value, unsigned flags) {
  uint8_t key[8];
  put32(put32(key, number), first);
  return put(txn, store->events, key, 8, value, flags);
}

int store_put_room(floor_store *store, MDB_txn *txn, uint32_t number, const uint8_t *room) {
  uint8_t bytes[4];
  put32(bytes, number);
  return put(txn, store->rooms, room, 32, (MDB_val){4, bytes}, MDB_NOOVERWRITE);
}

int store_put_number(
  floor_store *store, MDB_txn *txn, uint32_t number, const uint8_t *room, const room_record *record, unsigned flags) {
  uint8_t key[4], value[ROOM_RECORD_BYTES];
  put32(key, number);
  put64(put64(put32(put_bytes(value, room, 32), record->events), record->bytes), record->sum);
  return put(txn, store->numbers, key, 4, (MDB_val){ROOM_RECORD_BYTES, value}, flags);
}

int store_next_number(floor_store *store, MDB_txn *txn, uint32_t *number) {
  MDB_cursor *cursor;
  MDB_val key, value;
  TRY_LMDB(mdb_cursor_open(txn, store->numbers, &cursor));
  int code = mdb_cursor_get(cursor, &key, &value, MDB_LAST);
  *number = code == 0 ? get32(key.mv_data) + 1 : 0;
  mdb_cursor_close(cursor);
  return code == MDB_NOTFOUND ? 0 : floor_check(code, "mdb_cursor_get");
}
