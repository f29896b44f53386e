/* append.batch: one feed of chained events, signed by run, in one durable transaction. */
#include "record.h"

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

size_t put_feed_create_record(uint8_t *record, const floor_feed *feed) {
  uint8_t *p = record;
  *p++ = 0;
  p = put_bytes(p, feed->key->public_key, 32);
  *p++ = KIND_CREATE;
  *p++ = 0;
  p = put_number(p, zigzag(feed->wall_time));
  return (size_t)(put_bytes(p, feed->create, feed->create_bytes) - record);
}

/* The event stands on the one before it, which is of the same time. */
size_t put_feed_move_record(uint8_t *record, uint64_t sequence) {
  uint8_t *p = record;
  *p++ = 0;
  *p++ = KIND_MOVE;
  *p++ = 2;
  *p++ = 0;
  p = put16(p, (uint16_t)(sequence / 9 % 256));
  p = put16(p, (uint16_t)(sequence % 9));
  *p++ = 1;
  p = put32(p, (uint32_t)(sequence % 9));
  *p++ = 0;
  return (size_t)(p - record);
}

int floor_append_batch(
  floor_store *store, const floor_feed *feed, uint32_t events, uint32_t run_events, uint8_t *head, uint8_t *signature) {
  uint8_t body[EVENT_LIMIT], record[RECORD_LIMIT], room[32];
  room_record counts = {0};
  value_writer writer = {.store = store, .flags = MDB_APPEND};
  hasher hasher;
  hasher_start(&hasher, feed->network);
  TRY_LMDB(mdb_txn_begin(store->env, NULL, 0, &writer.txn));
  TRY(store_next_number(store, writer.txn, &writer.number));
  for (uint32_t sequence = 1; sequence <= events; sequence++) {
    int is_signed = sequence % run_events == 0 || sequence == events;
    size_t count = sequence == 1 ? put_feed_create(body, feed) : put_feed_move(body, feed, room, sequence, head);
    size_t bytes = sequence == 1 ? put_feed_create_record(record, feed) : put_feed_move_record(record, sequence);
    event_id(&hasher, body, count, head);
    if (sequence == 1) memcpy(room, head, 32);
    if (is_signed) TRY(event_sign(feed->key, head, signature));
    TRY(value_append(&writer, record, bytes, is_signed ? signature : NULL));
    count_event(&counts, count, head);
  }
  TRY(value_flush(&writer));
  TRY(store_put_room(store, writer.txn, writer.number, room));
  TRY(store_put_number(store, writer.txn, writer.number, room, &counts, MDB_APPEND));
  TRY_LMDB(mdb_txn_commit(writer.txn));
  return 0;
}
