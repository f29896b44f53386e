/* sync: feeds from the store of one process over TCP into the store of another, and signatures alone. */
#include "floor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/*
 * Who connects says how many events it has. What answers are records, the last of them without a body:
 *
 *   0              2        3
 *   body bytes     signed   signature, when it is signed    body
 */
enum { SEND_BYTES = 1 << 18, RECEIVE_BYTES = 1 << 20, RECORD_HEAD = 3, RECORD_LIMIT = RECORD_HEAD + 64 + EVENT_LIMIT };

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

/* Sends the events of the first room that come after the first `held`. */
static int send_room(int connection, MDB_cursor *cursor, uint32_t held, uint8_t *buffer) {
  uint8_t start[8];
  put32(put32(start, 0), held);
  MDB_val key = {8, start}, value;
  size_t count = 0;
  int code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
  for (; code == 0 && get32(key.mv_data) == 0; code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    const uint8_t *record = value.mv_data;
    size_t front = *record == 1 ? 65 : 1, body_bytes = value.mv_size - front - 32;
    uint8_t *p = put16(buffer + count, (uint16_t)body_bytes);
    *p++ = *record;
    p = put_bytes(p, record + 1, front - 1);
    count = (size_t)(put_bytes(p, record + front + 32, body_bytes) - buffer);
    if (count < SEND_BYTES) continue;
    TRY(send_all(connection, buffer, count));
    count = 0;
  }
  if (code != 0 && code != MDB_NOTFOUND) return floor_check(code, "mdb_cursor_get");
  memset(buffer + count, 0, RECORD_HEAD);
  return send_all(connection, buffer, count + RECORD_HEAD);
}

static int serve(int connection, floor_store *store, uint8_t *buffer) {
  uint8_t held[4], answer;
  MDB_txn *txn;
  MDB_cursor *cursor;
  TRY(receive_all(connection, held, 4));
  TRY_LMDB(mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn));
  int code = floor_check(mdb_cursor_open(txn, store->events, &cursor), "mdb_cursor_open");
  if (code == 0) {
    code = send_room(connection, cursor, get32(held), buffer);
    mdb_cursor_close(cursor);
  }
  mdb_txn_abort(txn);
  return code == 0 ? receive_all(connection, &answer, 1) : code;
}

int floor_sync_serve(floor_store *store, int listener) {
  int connection = ready(accept(listener, NULL, NULL), "accept");
  if (connection < 0) return -1;
  uint8_t *buffer = malloc(SEND_BYTES + 2 * RECORD_LIMIT);
  int code = buffer ? serve(connection, store, buffer) : floor_fail("no memory to send from");
  free(buffer);
  close(connection);
  return code;
}

/* ---- Receiving ---- */

/* What has come of a feed. */
typedef struct feed {
  hasher hasher;
  uint8_t room[32], author[32], record[RECORD_BODY + EVENT_LIMIT];
  uint32_t events, unsigned_events, unsigned_bytes;
  uint64_t body_bytes;
} feed;

/* Checks that an event follows those before it and that signatures cover it in time, and stores it. */
static int take_event(
  feed *feed, floor_store *store, MDB_txn *txn, const uint8_t *signature, const uint8_t *body, size_t count) {
  uint8_t *id = feed->record + RECORD_ID;
  const uint8_t *before = feed->events == 0 ? no_id : id;
  if (count < PARENTS_AT + 3 || count > EVENT_LIMIT || body[0] != 2) return floor_fail("not an event");
  if (feed->events == 0) memcpy(feed->author, body + AUTHOR_AT, 32);
  if (memcmp(body + AUTHOR_AT, feed->author, 32) != 0 || memcmp(body + ROOM_AT, feed->room, 32) != 0
      || get64(body + SEQUENCE_AT) != feed->events + 1 || memcmp(body + PREVIOUS_AT, before, 32) != 0)
    return floor_fail("event %u does not follow the one before it", feed->events);
  memcpy(feed->record + RECORD_BODY, body, count);
  event_id(&feed->hasher, body, count, id);
  if (feed->events == 0) memcpy(feed->room, id, 32);
  feed->unsigned_events++;
  feed->unsigned_bytes += (uint32_t)count;
  if (feed->unsigned_events > RUN_EVENTS || feed->unsigned_bytes > RUN_BYTES) return floor_fail("a run too long");
  if (signature) {
    if (event_verify(feed->author, id, signature) != 0) return floor_fail("a false signature");
    memcpy(feed->record + 1, signature, 64);
    feed->unsigned_events = feed->unsigned_bytes = 0;
  }
  feed->body_bytes += count;
  MDB_val value = record_value(feed->record, count, signature != NULL);
  return store_put_event(store, txn, 0, feed->events++, value, MDB_APPEND);
}

/*
 * Takes the records that have come whole.
 * Returns whether there may be more to come, or -1.
 */
static int take_records(
  feed *feed, floor_store *store, MDB_txn *txn, const uint8_t *bytes, size_t count, size_t *taken) {
  for (*taken = 0; count - *taken >= RECORD_HEAD;) {
    const uint8_t *p = bytes + *taken;
    size_t body_bytes = get16(p), front = RECORD_HEAD + (p[2] ? 64u : 0u);
    if (body_bytes == 0) return 0;
    if (count - *taken < front + body_bytes) return 1;
    TRY(take_event(feed, store, txn, p[2] ? p + RECORD_HEAD : NULL, p + front, body_bytes));
    *taken += front + body_bytes;
  }
  return 1;
}

static int receive_feed(int connection, feed *feed, floor_store *store, MDB_txn *txn, uint8_t *buffer) {
  size_t count = 0, taken;
  int more = 1;
  uint8_t held[4];
  put32(held, 0);
  TRY(send_all(connection, held, 4));
  while (more) {
    ssize_t got = receive_some(connection, buffer + count, RECEIVE_BYTES - count);
    if (got < 0) return -1;
    count += (size_t)got;
    more = take_records(feed, store, txn, buffer, count, &taken);
    if (more < 0) return -1;
    memmove(buffer, buffer + taken, count - taken);
    count -= taken;
  }
  if (feed->unsigned_events > 0) return floor_fail("events without a signature");
  TRY(store_put_room(store, txn, 0, feed->room));
  return store_put_number(store, txn, 0, feed->room, feed->events, feed->body_bytes, MDB_APPEND);
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
  int connection = connect_to(port);
  int code = connection < 0 ? -1 : receive_durably(connection, all, store);
  *events = all->events;
  if (connection >= 0) close(connection);
  free(all);
  return code;
}

/* ---- Signatures alone ---- */

typedef struct signed_id {
  uint8_t author[32], id[32], signature[64];
} signed_id;

/* All signatures of a store, in memory of their own that the caller frees. */
static int gather(floor_store *store, MDB_cursor *cursor, signed_id **all, uint64_t *count) {
  MDB_stat stat;
  MDB_val key, value;
  TRY_LMDB(mdb_stat(mdb_cursor_txn(cursor), store->events, &stat));
  *all = malloc((stat.ms_entries + 1) * sizeof **all);
  if (!*all) return floor_fail("no memory for %zu signatures", stat.ms_entries);
  int code;
  while ((code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
    const uint8_t *record = value.mv_data;
    if (*record != 1) continue;
    signed_id *next = &(*all)[(*count)++];
    memcpy(next->signature, record + 1, 64);
    memcpy(next->id, record + RECORD_ID, 32);
    memcpy(next->author, record + RECORD_BODY + AUTHOR_AT, 32);
  }
  return code == MDB_NOTFOUND ? 0 : floor_check(code, "mdb_cursor_get");
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
  *count = 0;
  TRY_LMDB(mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn));
  int code = floor_check(mdb_cursor_open(txn, store->events, &cursor), "mdb_cursor_open");
  if (code == 0) {
    code = gather(store, cursor, &all, count);
    mdb_cursor_close(cursor);
  }
  mdb_txn_abort(txn);
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
