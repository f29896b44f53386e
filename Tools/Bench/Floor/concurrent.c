/* append.concurrent: threads that each wait for their events to be durable, and one that writes what waits. */
#include "record.h"

#include <pthread.h>
#include <stdlib.h>

/* One appender: a thread with a room of its own, and the event that it has handed over. */
typedef struct appender {
  struct shared *shared;
  const floor_feed *feed;
  uint32_t number, events;
  room_record counts;
  uint8_t room[32], id[32], body[EVENT_LIMIT], value[VALUE_BYTES];
  size_t body_bytes, value_bytes;
  int is_durable;
  pthread_cond_t answer;
  struct appender *next;
} appender;

/* What appenders and the writer share. */
typedef struct shared {
  floor_store *store;
  hasher hasher;
  pthread_mutex_t lock;
  pthread_cond_t work;
  appender *waiting;
  uint32_t working;
  int has_failed;
  floor_commits *commits;
} shared;

/* Waits for the event to be durable; -1 when nothing can be written any more. */
static int hand_over(appender *own) {
  shared *shared = own->shared;
  pthread_mutex_lock(&shared->lock);
  own->is_durable = 0;
  own->next = shared->waiting;
  shared->waiting = own;
  pthread_cond_signal(&shared->work);
  while (!own->is_durable && !shared->has_failed) pthread_cond_wait(&own->answer, &shared->lock);
  int code = shared->has_failed ? -1 : 0;
  pthread_mutex_unlock(&shared->lock);
  return code;
}

static void leave(shared *shared) {
  pthread_mutex_lock(&shared->lock);
  shared->working--;
  pthread_cond_signal(&shared->work);
  pthread_mutex_unlock(&shared->lock);
}

/* Signs the event and makes its value of the record. */
static void put_value(appender *own, const uint8_t *record, size_t bytes) {
  uint8_t *p = put_number(own->value, (uint64_t)bytes << 1 | 1);
  event_sign(own->feed->key, own->id, p);
  own->value_bytes = (size_t)(put_bytes(p + 64, record, bytes) - own->value);
}

static void *append(void *argument) {
  appender *own = argument;
  uint8_t record[64];
  for (uint32_t i = 0; i < own->events; i++) {
    own->body_bytes = put_feed_move(own->body, own->feed, own->room, i + 2, own->id);
    event_id(&own->shared->hasher, own->body, own->body_bytes, own->id);
    put_value(own, record, put_feed_move_record(record, i + 2));
    if (hand_over(own) != 0) break;
  }
  leave(own->shared);
  return NULL;
}

/* Writes the events of these appenders in one transaction. */
static int write_group(shared *shared, appender *group, uint32_t last) {
  floor_store *store = shared->store;
  MDB_txn *txn;
  TRY_LMDB(mdb_txn_begin(store->env, NULL, 0, &txn));
  for (appender *each = group; each; each = each->next) {
    unsigned flags = each->number == last ? MDB_APPEND : MDB_NOOVERWRITE;
    MDB_val value = {each->value_bytes, each->value};
    TRY(store_put_value(store, txn, each->number, each->counts.events, value, flags));
    count_event(&each->counts, each->body_bytes, each->id);
    TRY(store_put_number(store, txn, each->number, each->room, &each->counts, 0));
    shared->commits->events++;
  }
  TRY_LMDB(mdb_txn_commit(txn));
  shared->commits->flushes++;
  return 0;
}

/* Writes whatever waits, again and again, until every appender has left. */
static int write_all(shared *shared, uint32_t last) {
  int code = 0;
  pthread_mutex_lock(&shared->lock);
  while (code == 0) {
    while (!shared->waiting && shared->working > 0) pthread_cond_wait(&shared->work, &shared->lock);
    appender *group = shared->waiting, *next;
    if (!group) break;
    shared->waiting = NULL;
    pthread_mutex_unlock(&shared->lock);
    code = write_group(shared, group, last);
    pthread_mutex_lock(&shared->lock);
    shared->has_failed = code != 0;
    for (; group; group = next) {
      next = group->next;
      group->is_durable = 1;
      pthread_cond_signal(&group->answer);
    }
  }
  pthread_mutex_unlock(&shared->lock);
  return code;
}

/* Writes the rooms' creates in one transaction. */
static int create_rooms(shared *shared, appender *appenders, uint32_t count) {
  floor_store *store = shared->store;
  uint32_t number;
  uint8_t record[RECORD_LIMIT];
  MDB_txn *txn;
  TRY_LMDB(mdb_txn_begin(store->env, NULL, 0, &txn));
  TRY(store_next_number(store, txn, &number));
  for (uint32_t i = 0; i < count; i++) {
    appender *own = &appenders[i];
    own->number = number + i;
    own->body_bytes = put_feed_create(own->body, own->feed);
    event_id(&shared->hasher, own->body, own->body_bytes, own->id);
    memcpy(own->room, own->id, 32);
    put_value(own, record, put_feed_create_record(record, own->feed));
    MDB_val value = {own->value_bytes, own->value};
    TRY(store_put_value(store, txn, own->number, 0, value, MDB_APPEND));
    count_event(&own->counts, own->body_bytes, own->id);
    TRY(store_put_room(store, txn, own->number, own->room));
    TRY(store_put_number(store, txn, own->number, own->room, &own->counts, MDB_APPEND));
  }
  TRY_LMDB(mdb_txn_commit(txn));
  return 0;
}

static int run(shared *shared, appender *appenders, pthread_t *threads, uint32_t count) {
  TRY(create_rooms(shared, appenders, count));
  uint32_t started = 0;
  shared->working = count;
  while (started < count && pthread_create(&threads[started], NULL, append, &appenders[started]) == 0) started++;
  for (uint32_t i = started; i < count; i++) leave(shared);
  int code = write_all(shared, appenders[count - 1].number);
  for (uint32_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
  return code == 0 && started < count ? floor_fail("%u of %u threads started", started, count) : code;
}

int floor_append_concurrent(
  floor_store *store, const floor_feed *feeds, uint32_t threads, uint32_t events, floor_commits *commits) {
  shared shared = {.store = store, .commits = commits};
  appender *appenders = calloc(threads, sizeof *appenders);
  pthread_t *handles = calloc(threads, sizeof *handles);
  if (!appenders || !handles || threads == 0) {
    free(appenders), free(handles);
    return floor_fail("no memory for %u appenders", threads);
  }
  memset(commits, 0, sizeof *commits);
  hasher_start(&shared.hasher, feeds[0].network);
  pthread_mutex_init(&shared.lock, NULL);
  pthread_cond_init(&shared.work, NULL);
  for (uint32_t i = 0; i < threads; i++) {
    appenders[i].shared = &shared;
    appenders[i].feed = &feeds[i];
    appenders[i].events = events;
    pthread_cond_init(&appenders[i].answer, NULL);
  }
  int code = run(&shared, appenders, handles, threads);
  for (uint32_t i = 0; i < threads; i++) pthread_cond_destroy(&appenders[i].answer);
  pthread_cond_destroy(&shared.work);
  pthread_mutex_destroy(&shared.lock);
  free(appenders), free(handles);
  return code;
}
