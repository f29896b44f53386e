/* Records, and the values of a store: see RecordCoder, RecordReader and StoredValue. */
#include "record.h"

#include <stdlib.h>

/* ---- Writing ---- */

int value_flush(value_writer *writer) {
  if (writer->count == 0) return 0;
  MDB_val value = {writer->count, writer->bytes};
  writer->count = 0;
  return store_put_value(writer->store, writer->txn, writer->number, writer->first, value, writer->flags);
}

int value_append(value_writer *writer, const uint8_t *record, size_t bytes, const uint8_t *signature) {
  if (writer->count + 3 + (signature ? 64 : 0) + bytes > VALUE_LIMIT) TRY(value_flush(writer));
  if (writer->count == 0) writer->first = writer->next;
  uint8_t *p = put_number(writer->bytes + writer->count, (uint64_t)bytes << 1 | (signature ? 1 : 0));
  if (signature) p = put_bytes(p, signature, 64);
  writer->count = (size_t)(put_bytes(p, record, bytes) - writer->bytes);
  writer->next++;
  return 0;
}

/* ---- Reading ---- */

const uint8_t *value_next(const uint8_t *p, const uint8_t *end, stored_event *event) {
  uint64_t mark;
  p = get_number(p, end, &mark);
  if (!p || mark >> 1 > RECORD_LIMIT) return NULL;
  event->bytes = mark >> 1;
  event->signature = mark & 1 ? p : NULL;
  event->record = p + (mark & 1 ? 64 : 0);
  return (size_t)(end - p) >= (mark & 1 ? 64 : 0) + event->bytes ? event->record + event->bytes : NULL;
}

int64_t get_reference(const uint8_t **p, const uint8_t *end, uint32_t position) {
  uint64_t distance;
  *p = get_number(*p, end, &distance);
  if (!*p || distance > position) return -2;
  if (distance > 0) return (int64_t)position - (int64_t)distance;
  *p += 32;
  return *p <= end ? -1 : -2;
}

int record_read(const stored_event *event, uint32_t position, uint32_t feeds, record *record) {
  const uint8_t *p = event->record, *end = p + event->bytes;
  uint64_t feed;
  p = get_number(p, end, &feed);
  if (!p || feed > feeds || feed >= FEEDS) return floor_fail("event %u: a feed that there is not", position);
  record->feed = (uint32_t)feed;
  record->author = feed == feeds ? p : NULL;
  if (feed == feeds) p += 32;
  if (end - p < 3) return floor_fail("event %u: a record cut short", position);
  record->kind = p[0];
  record->goes_on = !(p[1] & 1);
  record->has_references = p[1] >> 1 & 1;
  record->parents = p[1] >> 2;
  p += 2;
  if (!record->goes_on || record->parents > 32) return floor_fail("event %u: a branch", position);
  for (int i = 0; i < record->parents; i++) {
    record->parent[i] = get_reference(&p, end, position);
    if (record->parent[i] == -2) return floor_fail("event %u: a parent that there is not", position);
  }
  p = get_number(p, end, &record->time);
  if (!p) return floor_fail("event %u: a record cut short", position);
  record->payload = p;
  record->end = end;
  return 0;
}

/* Where the id stands in a payload of this kind; -1 where there is none. */
static int reference_offset(uint8_t kind) {
  return kind == KIND_MOVE ? 4 : kind == KIND_RESULT ? 2 : kind == KIND_GRANT ? 0 : -1;
}

void maker_start(maker *maker, const uint8_t *room) {
  memcpy(maker->room, room, 32);
  maker->count = maker->feed_count = 0;
  maker->wall_time = maker->sum = 0;
}

void maker_end(maker *maker) {
  free(maker->ids);
  maker->ids = NULL;
  maker->capacity = 0;
}

static int make_room(maker *maker) {
  if (maker->count < maker->capacity) return 0;
  uint32_t capacity = maker->capacity ? 2 * maker->capacity : 4096;
  void *ids = realloc(maker->ids, (size_t)capacity * 32);
  if (!ids) return floor_fail("no memory for %u ids", capacity);
  maker->ids = ids;
  maker->capacity = capacity;
  return 0;
}

int maker_take(maker *maker, const record *record) {
  const uint8_t *from = record->payload;
  size_t rest = (size_t)(record->end - from);
  int offset = record->has_references ? reference_offset(record->kind) : -1;
  TRY(make_room(maker));
  if (PARENTS_AT + 35 + 32u * record->parents + rest > EVENT_LIMIT) return floor_fail("an event too long");
  if (record->author) {
    memcpy(maker->feeds[record->feed].author, record->author, 32);
    memset(maker->feeds[record->feed].head, 0, 32);
    maker->feeds[record->feed].sequence = 0;
    maker->feed_count++;
  }
  maker->wall_time += record->time >> 1 ^ -(record->time & 1);
  uint8_t *head = maker->feeds[record->feed].head;
  uint8_t *p = put_header(
    maker->body, record->kind, record->kind == KIND_CREATE ? no_id : maker->room, maker->feeds[record->feed].author,
    ++maker->feeds[record->feed].sequence, head, maker->wall_time);
  *p++ = record->parents;
  for (int i = 0; i < record->parents; i++) {
    if (record->parent[i] < 0) return floor_fail("a parent that is not here");
    p = put_bytes(p, maker->ids[record->parent[i]], 32);
  }
  uint8_t *length = p;
  p += 2;
  if (offset >= 0) {
    if (rest < (size_t)offset) return floor_fail("a payload cut short");
    p = put_bytes(p, from, (size_t)offset);
    from += offset;
    int64_t named = get_reference(&from, record->end, maker->count);
    if (named < 0) return floor_fail("a name that is not here");
    p = put_bytes(p, maker->ids[named], 32);
  }
  p = put_bytes(p, from, (size_t)(record->end - from));
  put16(length, (uint16_t)(p - length - 2));
  maker->body_bytes = (size_t)(p - maker->body);
  uint8_t *id = maker->ids[maker->count++];
  event_id(maker->hasher, maker->body, maker->body_bytes, id);
  memcpy(head, id, 32);
  maker->sum += get64(id);
  return 0;
}
