/*
 * replay.verified and replay.trusted: stored rooms of tic-tac-toe, from LMDB's pages into outcomes. What is trusted is
 * replayed by position, and nothing is hashed.
 */
#include "record.h"
#include "tictactoe.h"

#include <stdlib.h>

enum { GAMES = 256, EVENTS = 65536 };

typedef struct feed {
  uint32_t end; /* the position of its last event */
  uint32_t unsigned_events, unsigned_bytes;
} feed;

typedef struct replay {
  maker maker; /* when it verifies */
  int verify;
  floor_tally *tally;
  uint8_t room[32];
  uint32_t events, last; /* how many there are, and the position of the last one */
  /* Seats, by the numbers of their feeds. */
  uint32_t requests[FEEDS], requesters[FEEDS], seats[2];
  int request_count, seated, ready, is_started;
  /* The line, by position. */
  board board;
  uint32_t games, game, tip, endings[GAMES];
  int8_t winners[GAMES];
  int signed_through[2];
  feed feeds[FEEDS];
  uint32_t feed_count;
  uint8_t authors[EVENTS]; /* the feed of each event */
} replay;

static int broken(const replay *replay, const char *reason) {
  return floor_fail(
    "room %02x%02x%02x%02x, event %u: %s", replay->room[0], replay->room[1], replay->room[2], replay->room[3],
    replay->events, reason);
}

/* ---- Links ---- */

/* After the start an event names the last one, and otherwise only ends of feeds. */
static int check_links(const replay *replay, const record *record) {
  int follows = !record->author && replay->feeds[record->feed].end == replay->last;
  for (int i = 0; i < record->parents; i++) {
    int64_t parent = record->parent[i];
    if (parent < 0) return broken(replay, "a parent that is not before it");
    if (parent == replay->last) {
      follows = 1;
    } else {
      uint32_t feed = 0;
      while (feed < replay->feed_count && replay->feeds[feed].end != parent) feed++;
      if (feed == replay->feed_count) return broken(replay, "a parent that is no end of a feed");
    }
  }
  return follows ? 0 : broken(replay, "it does not follow the last event");
}

/* Makes the event again, and checks its parents and its signature. */
static int verify(replay *replay, const record *record, const uint8_t *signature) {
  maker *maker = &replay->maker;
  feed *feed = &replay->feeds[record->feed];
  const uint8_t *before = no_id;
  TRY(maker_take(maker, record));
  for (int i = 0; i < record->parents; i++) {
    const uint8_t *parent = maker->ids[record->parent[i]];
    if (memcmp(before, parent, 32) >= 0) return broken(replay, "parents out of order");
    if (replay->authors[record->parent[i]] == record->feed) return broken(replay, "a parent by its own author");
    before = parent;
  }
  feed->unsigned_events++;
  feed->unsigned_bytes += (uint32_t)maker->body_bytes;
  if (feed->unsigned_events > RUN_EVENTS || feed->unsigned_bytes > RUN_BYTES) return broken(replay, "a run too long");
  if (replay->events == 0 && memcmp(maker->ids[0], replay->room, 32) != 0) return broken(replay, "another room");
  if (!signature) return 0;
  feed->unsigned_events = feed->unsigned_bytes = 0;
  replay->tally->signatures++;
  const uint8_t *id = maker->ids[maker->count - 1];
  return event_verify(maker->feeds[record->feed].author, id, signature) == 0 ? 0 : broken(replay, "a false signature");
}

/* ---- Seats ---- */

static int take_create(replay *replay, const record *record) {
  const uint8_t *p = record->payload;
  size_t left = (size_t)(record->end - p);
  if (left < 79 || get16(p) != 1 || p[2] != 1 || p[56] != 11 || memcmp(p + 57, "tic-tac-toe", 11) != 0)
    return broken(replay, "no room of tic-tac-toe");
  size_t parameters = get16(p + 70);
  if (parameters != 0) return broken(replay, "parameters");
  replay->games = get16(p + 72);
  if (replay->games < 1 || replay->games > GAMES) return broken(replay, "so many games");
  if (get16(p + 20) != 2 || p[78] != 0) return broken(replay, "another table");
  return 0;
}

static int take_request(replay *replay, const record *record) {
  if (replay->request_count == FEEDS) return broken(replay, "more requests than this floor has room for");
  replay->requests[replay->request_count] = replay->events;
  replay->requesters[replay->request_count++] = record->feed;
  return 0;
}

static int take_grant(replay *replay, const record *record) {
  const uint8_t *p = record->payload;
  int64_t request = record->has_references ? get_reference(&p, record->end, replay->events) : -2;
  if (request < 0 || record->end - p != 2 || get16(p) > 1) return broken(replay, "no grant");
  unsigned seat = get16(p);
  if (record->feed != 0) return broken(replay, "a grant by another");
  for (int i = 0; i < replay->request_count; i++) {
    if (replay->requests[i] != request) continue;
    replay->seats[seat] = replay->requesters[i];
    replay->seated |= 1 << seat;
    return 0;
  }
  return broken(replay, "a grant without a request");
}

static int take_ready(replay *replay, const record *record) {
  for (int seat = 0; seat < 2; seat++) {
    if (replay->seated >> seat & 1 && record->feed == replay->seats[seat]) replay->ready |= 1 << seat;
  }
  return 0;
}

static int take_start(replay *replay, const record *record) {
  if (replay->seated != 3 || replay->ready != 3) return broken(replay, "a start before every seat is ready");
  if (record->feed != 0) return broken(replay, "a start by another");
  replay->is_started = 1;
  replay->tip = replay->events;
  board_start(&replay->board, 0);
  return 0;
}

/* ---- Play ---- */

static int take_move(replay *replay, const record *record) {
  const uint8_t *p = record->payload, *end = record->end;
  board *board = &replay->board;
  if (!record->has_references || end - p < 5) return broken(replay, "no move");
  if (!replay->is_started || replay->game == replay->games) return broken(replay, "a move while no game is on");
  if (get16(p) != replay->game || get16(p + 2) != board->ply) return broken(replay, "a move for another place");
  p += 4;
  if (get_reference(&p, end, replay->events) != replay->tip) return broken(replay, "a move that stands elsewhere");
  if (end - p < 5 || end - p != (p[4] ? 18 : 5)) return broken(replay, "no move");
  if (record->feed != replay->seats[board_seat(board)]) return broken(replay, "out of turn");
  uint32_t cell = get32(p);
  if (cell > 8 || !(board_empty(board) >> cell & 1)) return broken(replay, "an illegal move");
  board_play(board, cell);
  replay->tip = replay->events;
  replay->tally->moves++;
  if (!board_is_over(board)) return 0;
  replay->endings[replay->game] = replay->events;
  replay->winners[replay->game] = board->winner;
  tally_game(replay->tally, board);
  replay->game++;
  board_start(board, replay->game % 2);
  return 0;
}

static int take_result(replay *replay, const record *record) {
  const uint8_t *p = record->payload;
  if (!record->has_references || record->end - p < 3) return broken(replay, "no result");
  uint32_t game = get16(p);
  p += 2;
  int64_t ending = get_reference(&p, record->end, replay->events);
  if (!p || record->end - p != 9 || p[0] != 2) return broken(replay, "no result");
  if (game >= replay->game || ending != replay->endings[game]) return broken(replay, "a false result");
  for (int seat = 0; seat < 2; seat++) {
    if (get32(p + 1 + 4 * seat) != (replay->winners[game] == seat)) return broken(replay, "false scores");
  }
  for (int seat = 0; seat < 2; seat++) {
    if (record->feed != replay->seats[seat]) continue;
    if (replay->signed_through[seat] < (int)game + 1) replay->signed_through[seat] = (int)game + 1;
  }
  return 0;
}

static int take(replay *replay, const record *record) {
  switch (record->kind) {
  case KIND_CREATE: return take_create(replay, record);
  case KIND_REQUEST: return take_request(replay, record);
  case KIND_GRANT: return take_grant(replay, record);
  case KIND_READY: return take_ready(replay, record);
  case KIND_START: return take_start(replay, record);
  case KIND_MOVE: return take_move(replay, record);
  case KIND_RESULT: return take_result(replay, record);
  default: return broken(replay, "a kind that this floor does not know");
  }
}

/* ---- Rooms ---- */

static void start_room(replay *replay, const uint8_t *room) {
  memcpy(replay->room, room, 32);
  replay->events = replay->last = 0;
  replay->request_count = replay->seated = replay->ready = replay->is_started = 0;
  replay->games = replay->game = 0;
  replay->signed_through[0] = replay->signed_through[1] = 0;
  replay->feed_count = 0;
  maker_start(&replay->maker, room);
}

static int end_room(replay *replay, uint64_t sum) {
  for (uint32_t i = 0; i < replay->feed_count; i++) {
    if (replay->feeds[i].unsigned_events > 0) return broken(replay, "no signature covers the end of a feed");
  }
  if (replay->verify && replay->maker.sum != sum) return broken(replay, "other events than were stored");
  int *through = replay->signed_through;
  replay->tally->agreed += (uint64_t)(through[0] < through[1] ? through[0] : through[1]);
  replay->tally->rooms++;
  replay->tally->events += replay->events;
  return 0;
}

static int replay_event(replay *replay, const stored_event *event) {
  record record;
  if (replay->events == EVENTS) return broken(replay, "more events than this floor has room for");
  TRY(record_read(event, replay->events, replay->feed_count, &record));
  if (replay->is_started) TRY(check_links(replay, &record));
  if (record.author) replay->feeds[replay->feed_count++] = (feed){0};
  if (replay->verify) TRY(verify(replay, &record, event->signature));
  TRY(take(replay, &record));
  replay->authors[replay->events] = (uint8_t)record.feed;
  replay->feeds[record.feed].end = replay->last = replay->events++;
  return 0;
}

/* Replays a room's events, which lie behind the cursor. */
static int replay_room(replay *replay, MDB_cursor *events, uint32_t number, const uint8_t *record) {
  uint32_t count = get32(record + 32);
  while (replay->events < count) {
    MDB_val key, value;
    TRY_LMDB(mdb_cursor_get(events, &key, &value, MDB_NEXT));
    const uint8_t *k = key.mv_data, *p = value.mv_data, *end = p + value.mv_size;
    if (key.mv_size != 8 || get32(k) != number || get32(k + 4) != replay->events)
      return broken(replay, "an event before it is gone");
    while (p < end) {
      stored_event event;
      p = value_next(p, end, &event);
      if (!p) return broken(replay, "a record cut short");
      TRY(replay_event(replay, &event));
    }
  }
  replay->tally->body_bytes += get64(record + 36);
  return end_room(replay, get64(record + 44));
}

static int replay_all(replay *replay, floor_store *store, MDB_txn *txn) {
  MDB_cursor *rooms, *events;
  MDB_val key, value;
  TRY_LMDB(mdb_cursor_open(txn, store->numbers, &rooms));
  TRY_LMDB(mdb_cursor_open(txn, store->events, &events));
  int code;
  while ((code = mdb_cursor_get(rooms, &key, &value, MDB_NEXT)) == 0) {
    if (key.mv_size != 4 || value.mv_size != ROOM_RECORD_BYTES) return floor_fail("the record of a room is damaged");
    start_room(replay, value.mv_data);
    TRY(replay_room(replay, events, get32(key.mv_data), value.mv_data));
  }
  mdb_cursor_close(rooms);
  mdb_cursor_close(events);
  return code == MDB_NOTFOUND ? 0 : floor_check(code, "mdb_cursor_get");
}

int floor_replay(floor_store *store, const uint8_t *network, int verify, floor_tally *tally) {
  replay *replay = calloc(1, sizeof *replay);
  if (!replay) return floor_fail("no memory for a replay");
  memset(tally, 0, sizeof *tally);
  hasher hasher;
  hasher_start(&hasher, network);
  replay->maker.hasher = &hasher;
  replay->verify = verify;
  replay->tally = tally;
  MDB_txn *txn;
  int code = floor_check(mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn), "mdb_txn_begin");
  if (code == 0) {
    code = replay_all(replay, store, txn);
    mdb_txn_abort(txn);
  }
  maker_end(&replay->maker);
  free(replay);
  return code;
}
