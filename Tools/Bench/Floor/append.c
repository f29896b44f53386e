/* append.batch: one feed of chained events, signed by run, in one durable transaction. */
#include "floor.h"

size_t put_feed_create(uint8_t *body, const floor_feed *feed) {
  uint8_t *p = put_header(body, KIND_CREATE, no_id, feed->key->public_key, 1, no_id, feed->wall_time);
  *p++ = 0;
  p = put16(p, (uint16_t)feed->create_bytes);
  return (size_t)(put_bytes(p, feed->create, feed->create_bytes) - body);
}

size_t put_feed_move(
  uint8_t *body, const floor_feed *feed, const uint8_t *room, uint64_t sequence, const uint8_t *node) {
  uint8_t *p = put_header(body, KIND_MOVE, room, feed->key->public_key, sequence, node, feed->wall_time);
  *p++ = 0;
  p = put16(p, 41);
  p = put16(p, (uint16_t)(sequence / 9 % 256));
  p = put16(p, (uint16_t)(sequence % 9));
  p = put_bytes(p, node, 32);
  p = put32(p, (uint32_t)(sequence % 9));
  *p++ = 0;
  return (size_t)(p - body);
}

int floor_append_batch(
  floor_store *store, const floor_feed *feed, uint32_t events, uint32_t run_events, uint8_t *head, uint8_t *signature) {
  uint8_t record[RECORD_BODY + EVENT_LIMIT], room[32];
  uint64_t bytes = 0;
  uint32_t number;
  hasher hasher;
  MDB_txn *txn;
  hasher_start(&hasher, feed->network);
  TRY_LMDB(mdb_txn_begin(store->env, NULL, 0, &txn));
  TRY(store_next_number(store, txn, &number));
  for (uint32_t sequence = 1; sequence <= events; sequence++) {
    size_t count = sequence == 1 ? put_feed_create(record + RECORD_BODY, feed)
                                 : put_feed_move(record + RECORD_BODY, feed, room, sequence, head);
    event_id(&hasher, record + RECORD_BODY, count, record + RECORD_ID);
    memcpy(head, record + RECORD_ID, 32);
    if (sequence == 1) memcpy(room, head, 32);
    int is_signed = sequence % run_events == 0 || sequence == events;
    if (is_signed) TRY(event_sign(feed->key, head, record + 1));
    TRY(store_put_event(store, txn, number, sequence - 1, record_value(record, count, is_signed), MDB_APPEND));
    bytes += count;
  }
  memcpy(signature, record + 1, 64);
  TRY(store_put_room(store, txn, number, room));
  TRY(store_put_number(store, txn, number, room, events, bytes, MDB_APPEND));
  TRY_LMDB(mdb_txn_commit(txn));
  return 0;
}
