/* replay.verified and replay.trusted: stored rooms of tic-tac-toe, from LMDB's pages into outcomes. */
#include "tictactoe.h"

#include <stdlib.h>

enum { FEEDS = 8, GAMES = 256, ID_SLOTS = 16384 };

typedef struct event {
  const uint8_t *id, *body, *payload, *signature; /* signature: NULL for none */
  size_t body_bytes, payload_bytes;
  uint8_t kind, parents;
} event;

typedef struct feed {
  uint8_t author[32], head[32];
  uint64_t sequence;
  uint32_t unsigned_events, unsigned_bytes;
} feed;

/* The ids of a room's events and who wrote them, for parents: open addressing by the id's first bytes. */
typedef struct ids {
  const uint8_t *slots[ID_SLOTS];
  uint32_t rooms[ID_SLOTS];
  uint8_t authors[ID_SLOTS];
  uint32_t room, count;
} ids;

typedef struct replay {
  hasher hasher;
  int verify;
  floor_tally *tally;
  uint8_t room[32];
  uint32_t events;
  /* Seats. */
  uint8_t creator[32], requests[FEEDS][32], requesters[FEEDS][32], seats[2][32];
  int request_count, seated, ready, is_started;
  /* The line. */
  board board;
  uint32_t games, game;
  uint8_t tip[32], endings[GAMES][32];
  int8_t winners[GAMES];
  int signed_through[2];
  /* Feeds, when they are verified. */
  feed feeds[FEEDS];
  int feed_count;
  ids ids;
} replay;

static int broken(const replay *replay, const char *reason) {
  return floor_fail(
    "room %02x%02x%02x%02x, event %u: %s", replay->room[0], replay->room[1], replay->room[2], replay->room[3],
    replay->events, reason);
}

/* ---- Decoding ---- */

static int decode(const replay *replay, MDB_val value, event *event) {
  const uint8_t *p = value.mv_data;
  size_t signature_bytes = *p == 1 ? 64 : 0;
  if (value.mv_size < 1 + signature_bytes + 32 + PARENTS_AT + 3 || *p > 1) return broken(replay, "a record cut short");
  event->signature = signature_bytes ? p + 1 : NULL;
  event->id = p + 1 + signature_bytes;
  event->body = event->id + 32;
  event->body_bytes = value.mv_size - (size_t)(event->body - p);
  event->kind = event->body[1];
  event->parents = event->body[PARENTS_AT];
  size_t header = PARENTS_AT + 1 + 32u * event->parents + 2;
  if (event->body[0] != 2 || event->parents > 32 || event->body_bytes < header) return broken(replay, "not an event");
  event->payload = event->body + header;
  event->payload_bytes = get16(event->payload - 2);
  if (event->payload_bytes != event->body_bytes - header) return broken(replay, "lengths that do not add up");
  const uint8_t *room = event->kind == KIND_CREATE ? event->id : event->body + ROOM_AT;
  return memcmp(room, replay->room, 32) == 0 ? 0 : broken(replay, "an event of another room");
}

/* ---- Verification ---- */

/* The slot of an id, empty when it is not there. */
static uint32_t id_slot(const ids *ids, const uint8_t *id) {
  uint64_t hash;
  memcpy(&hash, id, 8);
  uint32_t at = (uint32_t)hash % ID_SLOTS;
  while (ids->rooms[at] == ids->room && memcmp(ids->slots[at], id, 32) != 0) at = (at + 1) % ID_SLOTS;
  return at;
}

static int feed_of(replay *replay, const uint8_t *author) {
  int at = 0;
  while (at < replay->feed_count && memcmp(replay->feeds[at].author, author, 32) != 0) at++;
  if (at < replay->feed_count || at == FEEDS) return at;
  memset(&replay->feeds[at], 0, sizeof replay->feeds[at]);
  memcpy(replay->feeds[at].author, author, 32);
  replay->feed_count++;
  return at;
}

static int check_parents(const replay *replay, const event *event, int author) {
  const uint8_t *parent = event->body + PARENTS_AT + 1, *before = no_id;
  for (int i = 0; i < event->parents; i++, before = parent, parent += 32) {
    if (memcmp(before, parent, 32) >= 0) return broken(replay, "parents out of order");
    uint32_t at = id_slot(&replay->ids, parent);
    if (replay->ids.rooms[at] != replay->ids.room) return broken(replay, "a parent that is not before it");
    if (replay->ids.authors[at] == author) return broken(replay, "a parent by its own author");
  }
  return 0;
}

/* The event's hash, its place in its feed, its parents and its signature. */
static int verify(replay *replay, const event *event) {
  uint8_t id[32];
  event_id(&replay->hasher, event->body, event->body_bytes, id);
  if (memcmp(id, event->id, 32) != 0) return broken(replay, "its bytes have another hash");
  uint32_t slot = id_slot(&replay->ids, id);
  if (replay->ids.rooms[slot] == replay->ids.room) return broken(replay, "it is here twice");
  int at = feed_of(replay, event->body + AUTHOR_AT);
  if (at == FEEDS || ++replay->ids.count > ID_SLOTS / 2) return broken(replay, "more than this floor has room for");
  feed *feed = &replay->feeds[at];
  if (get64(event->body + SEQUENCE_AT) != feed->sequence + 1 || memcmp(event->body + PREVIOUS_AT, feed->head, 32) != 0)
    return broken(replay, "it does not follow the event before it");
  TRY(check_parents(replay, event, at));
  feed->sequence++;
  memcpy(feed->head, id, 32);
  replay->ids.slots[slot] = event->id;
  replay->ids.rooms[slot] = replay->ids.room;
  replay->ids.authors[slot] = (uint8_t)at;
  feed->unsigned_events++;
  feed->unsigned_bytes += (uint32_t)event->body_bytes;
  if (feed->unsigned_events > RUN_EVENTS || feed->unsigned_bytes > RUN_BYTES) return broken(replay, "a run too long");
  if (!event->signature) return 0;
  feed->unsigned_events = feed->unsigned_bytes = 0;
  replay->tally->signatures++;
  return event_verify(feed->author, id, event->signature) == 0 ? 0 : broken(replay, "a false signature");
}

/* ---- Seats ---- */

static int take_create(replay *replay, const event *event) {
  const uint8_t *p = event->payload;
  size_t left = event->payload_bytes;
  if (left < 79 || get16(p) != 1 || p[2] != 1 || p[56] != 11 || memcmp(p + 57, "tic-tac-toe", 11) != 0)
    return broken(replay, "no room of tic-tac-toe");
  size_t parameters = get16(p + 70);
  if (parameters != 0) return broken(replay, "parameters");
  replay->games = get16(p + 72);
  if (replay->games < 1 || replay->games > GAMES) return broken(replay, "so many games");
  if (get16(p + 20) != 2 || p[78] != 0) return broken(replay, "another table");
  memcpy(replay->creator, event->body + AUTHOR_AT, 32);
  return 0;
}

static int take_request(replay *replay, const event *event) {
  if (replay->request_count == FEEDS) return broken(replay, "more requests than this floor has room for");
  memcpy(replay->requests[replay->request_count], event->id, 32);
  memcpy(replay->requesters[replay->request_count++], event->body + AUTHOR_AT, 32);
  return 0;
}

static int take_grant(replay *replay, const event *event) {
  if (event->payload_bytes != 34 || get16(event->payload + 32) > 1) return broken(replay, "no grant");
  unsigned seat = get16(event->payload + 32);
  if (memcmp(event->body + AUTHOR_AT, replay->creator, 32) != 0) return broken(replay, "a grant by another");
  for (int i = 0; i < replay->request_count; i++) {
    if (memcmp(replay->requests[i], event->payload, 32) != 0) continue;
    memcpy(replay->seats[seat], replay->requesters[i], 32);
    replay->seated |= 1 << seat;
    return 0;
  }
  return broken(replay, "a grant without a request");
}

static int take_ready(replay *replay, const event *event) {
  for (int seat = 0; seat < 2; seat++) {
    if (memcmp(event->body + AUTHOR_AT, replay->seats[seat], 32) == 0) replay->ready |= 1 << seat;
  }
  return 0;
}

static int take_start(replay *replay, const event *event) {
  if (replay->seated != 3 || replay->ready != 3) return broken(replay, "a start before every seat is ready");
  if (memcmp(event->body + AUTHOR_AT, replay->creator, 32) != 0) return broken(replay, "a start by another");
  replay->is_started = 1;
  memcpy(replay->tip, event->id, 32);
  board_start(&replay->board, 0);
  return 0;
}

/* ---- Play ---- */

static int take_move(replay *replay, const event *event) {
  const uint8_t *p = event->payload;
  board *board = &replay->board;
  if (event->payload_bytes < 41 || (p[40] != 0 && event->payload_bytes != 54)) return broken(replay, "no move");
  if (!replay->is_started || replay->game == replay->games) return broken(replay, "a move while no game is on");
  if (memcmp(p + 4, replay->tip, 32) != 0) return broken(replay, "a move that stands elsewhere");
  if (get16(p) != replay->game || get16(p + 2) != board->ply) return broken(replay, "a move for another place");
  if (memcmp(event->body + AUTHOR_AT, replay->seats[board_seat(board)], 32) != 0) return broken(replay, "out of turn");
  uint32_t cell = get32(p + 36);
  if (cell > 8 || !(board_empty(board) >> cell & 1)) return broken(replay, "an illegal move");
  board_play(board, cell);
  memcpy(replay->tip, event->id, 32);
  replay->tally->moves++;
  if (!board_is_over(board)) return 0;
  memcpy(replay->endings[replay->game], event->id, 32);
  replay->winners[replay->game] = board->winner;
  tally_game(replay->tally, board);
  replay->game++;
  board_start(board, replay->game % 2);
  return 0;
}

static int take_result(replay *replay, const event *event) {
  const uint8_t *p = event->payload;
  if (event->payload_bytes != 43 || p[34] != 2) return broken(replay, "no result");
  uint32_t game = get16(p);
  if (game >= replay->game || memcmp(p + 2, replay->endings[game], 32) != 0) return broken(replay, "a false result");
  for (int seat = 0; seat < 2; seat++) {
    if (get32(p + 35 + 4 * seat) != (replay->winners[game] == seat)) return broken(replay, "false scores");
  }
  for (int seat = 0; seat < 2; seat++) {
    if (memcmp(event->body + AUTHOR_AT, replay->seats[seat], 32) != 0) continue;
    if (replay->signed_through[seat] < (int)game + 1) replay->signed_through[seat] = (int)game + 1;
  }
  return 0;
}

static int take(replay *replay, const event *event) {
  switch (event->kind) {
  case KIND_CREATE: return take_create(replay, event);
  case KIND_REQUEST: return take_request(replay, event);
  case KIND_GRANT: return take_grant(replay, event);
  case KIND_READY: return take_ready(replay, event);
  case KIND_START: return take_start(replay, event);
  case KIND_MOVE: return take_move(replay, event);
  case KIND_RESULT: return take_result(replay, event);
  default: return broken(replay, "a kind that this floor does not know");
  }
}

/* ---- Rooms ---- */

static void start_room(replay *replay, const uint8_t *room) {
  memcpy(replay->room, room, 32);
  replay->events = 0;
  replay->request_count = replay->seated = replay->ready = replay->is_started = 0;
  replay->games = replay->game = 0;
  replay->signed_through[0] = replay->signed_through[1] = 0;
  replay->feed_count = 0;
  replay->ids.room++;
  replay->ids.count = 0;
}

static int end_room(replay *replay) {
  for (int i = 0; i < replay->feed_count; i++) {
    if (replay->feeds[i].unsigned_events > 0) return broken(replay, "no signature covers the end of a feed");
  }
  int *through = replay->signed_through;
  replay->tally->agreed += (uint64_t)(through[0] < through[1] ? through[0] : through[1]);
  replay->tally->rooms++;
  replay->tally->events += replay->events;
  return 0;
}

/* Replays a room's events, which lie behind the cursor. */
static int replay_room(replay *replay, MDB_cursor *events, uint32_t number, uint32_t count) {
  while (replay->events < count) {
    MDB_val key, value;
    event event;
    TRY_LMDB(mdb_cursor_get(events, &key, &value, MDB_NEXT));
    const uint8_t *k = key.mv_data;
    if (key.mv_size != 8 || get32(k) != number || get32(k + 4) != replay->events)
      return broken(replay, "an event before it is gone");
    TRY(decode(replay, value, &event));
    if (replay->verify) TRY(verify(replay, &event));
    TRY(take(replay, &event));
    replay->tally->body_bytes += event.body_bytes;
    replay->events++;
  }
  return end_room(replay);
}

static int replay_all(replay *replay, floor_store *store, MDB_txn *txn) {
  MDB_cursor *rooms, *events;
  MDB_val key, value;
  TRY_LMDB(mdb_cursor_open(txn, store->numbers, &rooms));
  TRY_LMDB(mdb_cursor_open(txn, store->events, &events));
  int code;
  while ((code = mdb_cursor_get(rooms, &key, &value, MDB_NEXT)) == 0) {
    if (key.mv_size != 4 || value.mv_size != 44) return floor_fail("the record of a room is damaged");
    const uint8_t *record = value.mv_data;
    start_room(replay, record);
    TRY(replay_room(replay, events, get32(key.mv_data), get32(record + 32)));
  }
  mdb_cursor_close(rooms);
  mdb_cursor_close(events);
  return code == MDB_NOTFOUND ? 0 : floor_check(code, "mdb_cursor_get");
}

int floor_replay(floor_store *store, const uint8_t *network, int verify, floor_tally *tally) {
  replay *replay = calloc(1, sizeof *replay);
  if (!replay) return floor_fail("no memory for a replay");
  memset(tally, 0, sizeof *tally);
  hasher_start(&replay->hasher, network);
  replay->verify = verify;
  replay->tally = tally;
  MDB_txn *txn;
  int code = floor_check(mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn), "mdb_txn_begin");
  if (code == 0) {
    code = replay_all(replay, store, txn);
    mdb_txn_abort(txn);
  }
  free(replay);
  return code;
}
