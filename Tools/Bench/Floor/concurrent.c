/* append.concurrent: threads that each wait for their events to be durable, and one that writes what waits. */
#include "floor.h"

#include <pthread.h>
#include <stdlib.h>

/* One appender: a thread with a room of its own, and the event that it has handed over. */
typedef struct appender {
  struct shared *shared;
  const floor_feed *feed;
  uint32_t number, stored, events;
  uint64_t body_bytes;
  uint8_t room[32], record[RECORD_BODY + EVENT_LIMIT];
  size_t body_count;
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

static void *append(void *argument) {
  appender *own = argument;
  uint8_t head[32];
  memcpy(head, own->room, 32);
  for (uint32_t i = 0; i < own->events; i++) {
    own->body_count = put_feed_move(own->record + RECORD_BODY, own->feed, own->room, i + 2, head);
    event_id(&own->shared->hasher, own->record + RECORD_BODY, own->body_count, own->record + RECORD_ID);
    memcpy(head, own->record + RECORD_ID, 32);
    event_sign(own->feed->key, head, own->record + 1);
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
    MDB_val value = record_value(each->record, each->body_count, 1);
    TRY(store_put_event(store, txn, each->number, each->stored++, value, flags));
    each->body_bytes += each->body_count;
    TRY(store_put_number(store, txn, each->number, each->room, each->stored, each->body_bytes, 0));
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
  MDB_txn *txn;
  TRY_LMDB(mdb_txn_begin(store->env, NULL, 0, &txn));
  TRY(store_next_number(store, txn, &number));
  for (uint32_t i = 0; i < count; i++) {
    appender *own = &appenders[i];
    own->number = number + i;
    own->body_count = put_feed_create(own->record + RECORD_BODY, own->feed);
    event_id(&shared->hasher, own->record + RECORD_BODY, own->body_count, own->room);
    memcpy(own->record + RECORD_ID, own->room, 32);
    TRY(event_sign(own->feed->key, own->room, own->record + 1));
    MDB_val value = record_value(own->record, own->body_count, 1);
    TRY(store_put_event(store, txn, own->number, own->stored++, value, MDB_APPEND));
    own->body_bytes = own->body_count;
    TRY(store_put_room(store, txn, own->number, own->room));
    TRY(store_put_number(store, txn, own->number, own->room, 1, own->body_bytes, MDB_APPEND));
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
