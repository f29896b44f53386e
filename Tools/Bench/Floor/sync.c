/* sync: feeds from the store of one process over TCP into the store of another, and signatures alone. */
#include "record.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* What is sent are the values of the store, each behind the number of its bytes, the last of them empty. */
enum { SEND_BYTES = 1 << 18, RECEIVE_BYTES = 1 << 20, VALUE_HEAD = 2 };

/* ---- Sockets ---- */

static struct sockaddr_in loopback(uint16_t port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int floor_listen(uint16_t *port) {
  struct sockaddr_in address = loopback(0);
  socklen_t bytes = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (listener < 0) return floor_fail("socket: %s", strerror(errno));
  if (bind(listener, (struct sockaddr *)&address, bytes) == 0 && listen(listener, 16) == 0
      && getsockname(listener, (struct sockaddr *)&address, &bytes) == 0) {
    *port = ntohs(address.sin_port);
    return listener;
  }
  floor_fail("listen: %s", strerror(errno));
  close(listener);
  return -1;
}

/* A connection without delay; -1 when there is none. */
static int ready(int connection, const char *what) {
  int one = 1;
  if (connection < 0) return floor_fail("%s: %s", what, strerror(errno));
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return connection;
}

static int connect_to(uint16_t port) {
  struct sockaddr_in address = loopback(port);
  int connection = ready(socket(AF_INET, SOCK_STREAM, 0), "socket");
  if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
  floor_fail("connect: %s", strerror(errno));
  close(connection);
  return -1;
}

static int send_all(int connection, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(connection, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return floor_fail("send: %s", strerror(errno));
    bytes += sent, count -= (size_t)sent;
  }
  return 0;
}

/* Receives at least one byte and at most `limit`; -1 when none came. */
static ssize_t receive_some(int connection, uint8_t *bytes, size_t limit) {
  ssize_t count;
  do count = recv(connection, bytes, limit, 0);
  while (count < 0 && errno == EINTR);
  if (count == 0) return floor_fail("recv: the other end closed the connection");
  return count < 0 ? floor_fail("recv: %s", strerror(errno)) : count;
}

static int receive_all(int connection, uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t got = receive_some(connection, bytes, count);
    if (got < 0) return -1;
    bytes += got, count -= (size_t)got;
  }
  return 0;
}

/* ---- Sending ---- */

/* Sends the events of the first room. */
static int send_room(int connection, MDB_cursor *cursor, uint8_t *buffer) {
  MDB_val key, value;
  size_t count = 0;
  int code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
  for (; code == 0 && get32(key.mv_data) == 0; code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    uint8_t *p = put16(buffer + count, (uint16_t)value.mv_size);
    count = (size_t)(put_bytes(p, value.mv_data, value.mv_size) - buffer);
    if (count < SEND_BYTES) continue;
    TRY(send_all(connection, buffer, count));
    count = 0;
  }
  if (code != 0 && code != MDB_NOTFOUND) return floor_check(code, "mdb_cursor_get");
  memset(buffer + count, 0, VALUE_HEAD);
  return send_all(connection, buffer, count + VALUE_HEAD);
}

static int serve(int connection, floor_store *store, uint8_t *buffer) {
  uint8_t answer;
  MDB_txn *txn;
  MDB_cursor *cursor;
  TRY_LMDB(mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn));
  int code = floor_check(mdb_cursor_open(txn, store->events, &cursor), "mdb_cursor_open");
  if (code == 0) {
    code = send_room(connection, cursor, buffer);
    mdb_cursor_close(cursor);
  }
  mdb_txn_abort(txn);
  return code == 0 ? receive_all(connection, &answer, 1) : code;
}

int floor_sync_serve(floor_store *store, int listener) {
  int connection = ready(accept(listener, NULL, NULL), "accept");
  if (connection < 0) return -1;
  uint8_t *buffer = malloc(SEND_BYTES + 2 * VALUE_BYTES);
  int code = buffer ? serve(connection, store, buffer) : floor_fail("no memory to send from");
  free(buffer);
  close(connection);
  return code;
}

/* ---- Receiving ---- */

/* What has come of a feed. */
typedef struct feed {
  hasher hasher;
  maker maker;
  room_record counts;
  uint32_t unsigned_events, unsigned_bytes;
} feed;

/* Makes an event of the feed again, and checks that signatures cover it in time. */
static int take_event(feed *feed, const stored_event *event) {
  maker *maker = &feed->maker;
  record record;
  TRY(record_read(event, maker->count, maker->feed_count, &record));
  if (record.feed != 0) return floor_fail("event %u is of another feed", maker->count);
  TRY(maker_take(maker, &record));
  const uint8_t *id = maker->ids[maker->count - 1];
  if (maker->count == 1) memcpy(maker->room, id, 32);
  feed->unsigned_events++;
  feed->unsigned_bytes += (uint32_t)maker->body_bytes;
  if (feed->unsigned_events > RUN_EVENTS || feed->unsigned_bytes > RUN_BYTES) return floor_fail("a run too long");
  if (event->signature) {
    if (event_verify(maker->feeds[0].author, id, event->signature) != 0) return floor_fail("a false signature");
    feed->unsigned_events = feed->unsigned_bytes = 0;
  }
  count_event(&feed->counts, maker->body_bytes, id);
  return 0;
}

/* Checks the events of a value, and stores it as it came. */
static int take_value(feed *feed, floor_store *store, MDB_txn *txn, const uint8_t *p, size_t bytes) {
  const uint8_t *end = p + bytes;
  MDB_val value = {bytes, (void *)p};
  uint32_t first = feed->maker.count;
  while (p < end) {
    stored_event event;
    p = value_next(p, end, &event);
    if (!p) return floor_fail("a value cut short");
    TRY(take_event(feed, &event));
  }
  return store_put_value(store, txn, 0, first, value, MDB_APPEND);
}

/*
 * Takes the values that have come whole.
 * Returns whether there may be more to come, or -1.
 */
static int take_values(
  feed *feed, floor_store *store, MDB_txn *txn, const uint8_t *bytes, size_t count, size_t *taken) {
  for (*taken = 0; count - *taken >= VALUE_HEAD;) {
    size_t value_bytes = get16(bytes + *taken);
    if (value_bytes == 0) return 0;
    if (value_bytes > VALUE_BYTES) return floor_fail("a value of %zu bytes", value_bytes);
    if (count - *taken < VALUE_HEAD + value_bytes) return 1;
    TRY(take_value(feed, store, txn, bytes + *taken + VALUE_HEAD, value_bytes));
    *taken += VALUE_HEAD + value_bytes;
  }
  return 1;
}

static int receive_feed(int connection, feed *feed, floor_store *store, MDB_txn *txn, uint8_t *buffer) {
  size_t count = 0, taken;
  int more = 1;
  while (more) {
    ssize_t got = receive_some(connection, buffer + count, RECEIVE_BYTES - count);
    if (got < 0) return -1;
    count += (size_t)got;
    more = take_values(feed, store, txn, buffer, count, &taken);
    if (more < 0) return -1;
    memmove(buffer, buffer + taken, count - taken);
    count -= taken;
  }
  if (feed->unsigned_events > 0) return floor_fail("events without a signature");
  TRY(store_put_room(store, txn, 0, feed->maker.room));
  return store_put_number(store, txn, 0, feed->maker.room, &feed->counts, MDB_APPEND);
}

static int receive_durably(int connection, feed *feed, floor_store *store) {
  static const uint8_t answer = 1;
  MDB_txn *txn;
  uint8_t *buffer = malloc(RECEIVE_BYTES);
  if (!buffer) return floor_fail("no memory to receive into");
  int code = floor_check(mdb_txn_begin(store->env, NULL, 0, &txn), "mdb_txn_begin");
  if (code == 0) {
    code = receive_feed(connection, feed, store, txn, buffer);
    if (code == 0) {
      code = floor_check(mdb_txn_commit(txn), "mdb_txn_commit");
    } else {
      mdb_txn_abort(txn);
    }
  }
  free(buffer);
  return code == 0 ? send_all(connection, &answer, 1) : code;
}

int floor_sync_receive(floor_store *store, const uint8_t *network, uint16_t port, uint64_t *events) {
  feed *all = calloc(1, sizeof *all);
  if (!all) return floor_fail("no memory for a feed");
  hasher_start(&all->hasher, network);
  all->maker.hasher = &all->hasher;
  int connection = connect_to(port);
  int code = connection < 0 ? -1 : receive_durably(connection, all, store);
  *events = all->counts.events;
  if (connection >= 0) close(connection);
  maker_end(&all->maker);
  free(all);
  return code;
}

/* ---- Signatures alone ---- */

typedef struct signed_id {
  uint8_t author[32], id[32], signature[64];
} signed_id;

/* Makes the events of a value again, and adds what is signed of them. */
static int gather_value(maker *maker, MDB_val value, signed_id **all, uint64_t *count, uint64_t *limit) {
  const uint8_t *p = value.mv_data, *end = p + value.mv_size;
  while (p < end) {
    stored_event event;
    record record;
    p = value_next(p, end, &event);
    if (!p) return floor_fail("a value cut short");
    TRY(record_read(&event, maker->count, maker->feed_count, &record));
    TRY(maker_take(maker, &record));
    if (!event.signature) continue;
    if (*count == *limit) {
      *limit = *limit ? 2 * *limit : 1024;
      void *more = realloc(*all, *limit * sizeof **all);
      if (!more) return floor_fail("no memory for %llu signatures", (unsigned long long)*limit);
      *all = more;
    }
    signed_id *next = &(*all)[(*count)++];
    memcpy(next->signature, event.signature, 64);
    memcpy(next->id, maker->ids[maker->count - 1], 32);
    memcpy(next->author, maker->feeds[record.feed].author, 32);
  }
  return 0;
}

/* All signatures of a store, in memory of their own that the caller frees. */
static int gather(floor_store *store, MDB_cursor *cursor, maker *maker, signed_id **all, uint64_t *count) {
  MDB_val key, value, number;
  uint64_t limit = 0;
  int code;
  while ((code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
    const uint8_t *k = key.mv_data;
    if (get32(k + 4) == 0) {
      MDB_val room = {4, key.mv_data};
      TRY_LMDB(mdb_get(mdb_cursor_txn(cursor), store->numbers, &room, &number));
      maker_start(maker, number.mv_data);
    }
    TRY(gather_value(maker, value, all, count, &limit));
  }
  return code == MDB_NOTFOUND ? 0 : floor_check(code, "mdb_cursor_get");
}

/* The hasher of a store's network. */
static int start_hasher(floor_store *store, MDB_txn *txn, hasher *hasher) {
  MDB_val key = {7, "network"}, network;
  TRY_LMDB(mdb_get(txn, store->meta, &key, &network));
  hasher_start(hasher, network.mv_data);
  return 0;
}

static double thread_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int floor_check_signatures(floor_store *store, uint64_t *count, double *seconds) {
  MDB_txn *txn;
  MDB_cursor *cursor;
  signed_id *all = NULL;
  hasher hasher;
  maker *maker = calloc(1, sizeof *maker);
  if (!maker) return floor_fail("no memory for a room");
  maker->hasher = &hasher;
  *count = 0;
  TRY_LMDB(mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn));
  int code = floor_check(mdb_cursor_open(txn, store->events, &cursor), "mdb_cursor_open");
  if (code == 0) {
    code = start_hasher(store, txn, &hasher);
    if (code == 0) code = gather(store, cursor, maker, &all, count);
    mdb_cursor_close(cursor);
  }
  mdb_txn_abort(txn);
  maker_end(maker);
  free(maker);
  double start = thread_seconds();
  for (uint64_t i = 0; i < *count && code == 0; i++) {
    if (event_verify(all[i].author, all[i].id, all[i].signature) != 0) code = floor_fail("a false signature");
  }
  *seconds = thread_seconds() - start;
  free(all);
  return code;
}

/* ---- A relay that counts ---- */

/* Passes what is there from one end to the other; not above 0 when one of them has ended. */
static ssize_t pass(int from, int to, uint64_t *bytes) {
  uint8_t buffer[16384];
  ssize_t count = recv(from, buffer, sizeof buffer, 0);
  if (count <= 0) return count < 0 && errno == EINTR ? 1 : 0;
  *bytes += (uint64_t)count;
  return send_all(to, buffer, (size_t)count) == 0 ? count : -1;
}

int floor_relay(int listener, uint16_t port, uint64_t bytes[2]) {
  int near = ready(accept(listener, NULL, NULL), "accept");
  int far = near < 0 ? -1 : connect_to(port), code = far < 0 ? -1 : 0;
  struct pollfd ends[2] = {{.fd = near, .events = POLLIN}, {.fd = far, .events = POLLIN}};
  ssize_t passed = 1;
  bytes[0] = bytes[1] = 0;
  while (code == 0 && passed > 0) {
    if (poll(ends, 2, -1) < 0 && errno != EINTR) code = floor_fail("poll: %s", strerror(errno));
    for (int end = 0; end < 2 && code == 0 && passed > 0; end++) {
      if (ends[end].revents) passed = pass(ends[end].fd, ends[1 - end].fd, &bytes[end]);
    }
  }
  if (far >= 0) close(far);
  if (near >= 0) close(near);
  return code;
}
