/* match.tic-tac-toe: random against random, every event hashed, chained, signed by run and stored. */
#include "tictactoe.h"

/* One peer's feed in the room that is played. */
typedef struct feed {
  const floor_key *key;
  uint64_t sequence;
  uint8_t head[32];
  uint32_t cited[3]; /* how much of each feed its events have named */
  uint32_t unsigned_events;
  int last; /* the slot of its last event, since the last cut */
} feed;

enum { HOST = 2, SLOTS = 3 * RUN_EVENTS, SLOT_BODY = 512 };

typedef struct slot {
  uint8_t record[RECORD_BODY + SLOT_BODY];
  uint16_t body_bytes;
  uint8_t is_signed;
} slot;

typedef struct game_room {
  floor_store *store;
  const floor_table *table;
  hasher hasher;
  uint8_t id[32];
  feed feeds[3]; /* the seats', then the host's */
  uint32_t number, stored;
  uint64_t body_bytes;
  int is_member[2]; /* whether the seat's request was granted */
  uint32_t waiting;
  slot slots[SLOTS];
} game_room;

/* SplitMix64, as Sources/BotKit/RandomSource.swift. */
static uint64_t split_mix(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* A number below `bound` for one decision of one bot. */
static uint32_t draw(uint64_t seed, uint32_t room, uint32_t game, uint32_t seat, uint32_t ply, uint32_t bound) {
  uint32_t parts[5] = {0, room, game, seat, ply};
  uint64_t state = seed;
  for (int i = 0; i < 5; i++) state = split_mix(&state) ^ parts[i];
  unsigned __int128 product = (unsigned __int128)split_mix(&state) * bound;
  if ((uint64_t)product < bound) {
    uint64_t threshold = (0 - (uint64_t)bound) % bound;
    while ((uint64_t)product < threshold) product = (unsigned __int128)split_mix(&state) * bound;
  }
  return (uint32_t)(product >> 64);
}

/*
 * Appends ids of other members' heads that this feed has not named yet, ascending. Who is no member names `citing`
 * alone: the room's create.
 */
static uint8_t *put_parents(uint8_t *p, game_room *room, int author, const uint8_t *citing) {
  if (author != HOST && !room->is_member[author]) {
    *p++ = 1;
    return put_bytes(p, citing, 32);
  }
  feed *own = &room->feeds[author];
  const uint8_t *parents[3];
  uint8_t count = 0;
  if (citing) parents[count++] = citing;
  for (int other = 0; other < 3; other++) {
    feed *seen = &room->feeds[other];
    /* A seat's request is no member's event yet. */
    if (other == author || (other != HOST && (!room->is_member[other] || seen->sequence == 1))) continue;
    if (seen->sequence <= own->cited[other]) continue;
    own->cited[other] = (uint32_t)seen->sequence;
    if (citing && memcmp(citing, seen->head, 32) == 0) continue;
    parents[count++] = seen->head;
  }
  for (int i = 1; i < count; i++) {
    for (int j = i; j > 0 && memcmp(parents[j], parents[j - 1], 32) < 0; j--) {
      const uint8_t *swapped = parents[j];
      parents[j] = parents[j - 1], parents[j - 1] = swapped;
    }
  }
  *p++ = count;
  for (int i = 0; i < count; i++) p = put_bytes(p, parents[i], 32);
  return p;
}

/* Writes an event of one of the feeds into the next slot. */
static int write_event(
  game_room *room, int author, uint8_t kind, const uint8_t *payload, size_t payload_bytes, const uint8_t *citing) {
  feed *own = &room->feeds[author];
  if (room->waiting == SLOTS) return floor_fail("a cut of more than %d events", SLOTS);
  slot *slot = &room->slots[room->waiting];
  uint8_t *body = slot->record + RECORD_BODY;
  const uint8_t *in = kind == KIND_CREATE ? no_id : room->id;
  uint8_t *p =
    put_header(body, kind, in, own->key->public_key, own->sequence + 1, own->head, wall_milliseconds());
  p = put_parents(p, room, author, citing);
  p = put16(p, (uint16_t)payload_bytes);
  if ((size_t)(p - body) + payload_bytes > SLOT_BODY) return floor_fail("an event of more than %d bytes", SLOT_BODY);
  p = put_bytes(p, payload, payload_bytes);
  slot->body_bytes = (uint16_t)(p - body);
  slot->is_signed = 0;
  event_id(&room->hasher, body, slot->body_bytes, slot->record + RECORD_ID);
  memcpy(own->head, slot->record + RECORD_ID, 32);
  own->sequence++;
  own->unsigned_events++;
  own->last = (int)room->waiting++;
  return 0;
}

/* Signs every feed's last event and makes what waits durable. */
static int cut(game_room *room, floor_tally *tally) {
  MDB_txn *txn;
  for (int i = 0; i < 3; i++) {
    feed *own = &room->feeds[i];
    if (own->unsigned_events == 0) continue;
    slot *last = &room->slots[own->last];
    TRY(event_sign(own->key, last->record + RECORD_ID, last->record + 1));
    last->is_signed = 1;
    own->unsigned_events = 0;
    tally->signatures++;
  }
  TRY_LMDB(mdb_txn_begin(room->store->env, NULL, 0, &txn));
  unsigned flags = room->stored == 0 ? MDB_APPEND : 0;
  if (room->stored == 0) {
    TRY(store_next_number(room->store, txn, &room->number));
    TRY(store_put_room(room->store, txn, room->number, room->id));
  }
  for (uint32_t i = 0; i < room->waiting; i++) {
    slot *slot = &room->slots[i];
    MDB_val value = record_value(slot->record, slot->body_bytes, slot->is_signed);
    TRY(store_put_event(room->store, txn, room->number, room->stored++, value, MDB_APPEND));
    room->body_bytes += slot->body_bytes;
  }
  TRY(store_put_number(room->store, txn, room->number, room->id, room->stored, room->body_bytes, flags));
  TRY_LMDB(mdb_txn_commit(txn));
  room->waiting = 0;
  return 0;
}

static int write_grant(game_room *room, const uint8_t *request, uint8_t seat) {
  uint8_t payload[34];
  memcpy(payload, request, 32);
  put16(payload + 32, seat);
  TRY(write_event(room, HOST, KIND_GRANT, payload, 34, request));
  room->is_member[seat] = 1;
  return 0;
}

/* BLAKE2b-256("parlor-roster-1" ‖ room ‖ for each seat: author ‖ grant), Docs/PROTOCOL.md §1.5. */
static int roster_hash(const game_room *room, uint8_t grants[2][32], uint8_t *roster) {
  uint8_t bytes[15 + 5 * 32], *p = put_bytes(bytes, "parlor-roster-1", 15);
  p = put_bytes(p, room->id, 32);
  for (int seat = 0; seat < 2; seat++) {
    p = put_bytes(p, room->feeds[seat].key->public_key, 32);
    p = put_bytes(p, grants[seat], 32);
  }
  return crypto_generichash_blake2b(roster, 32, bytes, sizeof bytes, NULL, 0);
}

/* The eight events before play: create, two requests, two grants, both ready, start. */
static int seat_players(game_room *room, uint32_t room_in_match) {
  const floor_table *table = room->table;
  uint8_t create[SLOT_BODY], requests[2][32], grants[2][32], ready[64] = {0};
  if (table->create_bytes > sizeof create) return floor_fail("a create of %zu bytes", table->create_bytes);
  memcpy(create, table->create, table->create_bytes);
  put64(put64(create + 4, wall_milliseconds()), room_in_match);
  room->is_member[0] = room->is_member[1] = 0;
  TRY(write_event(room, HOST, KIND_CREATE, create, table->create_bytes, NULL));
  memcpy(room->id, room->feeds[HOST].head, 32);
  for (int seat = 0; seat < 2; seat++) {
    TRY(write_event(room, seat, KIND_REQUEST, table->requests[seat], table->request_bytes[seat], room->id));
    memcpy(requests[seat], room->feeds[seat].head, 32);
  }
  for (int seat = 0; seat < 2; seat++) {
    TRY(write_grant(room, requests[seat], (uint8_t)seat));
    memcpy(grants[seat], room->feeds[HOST].head, 32);
  }
  TRY(roster_hash(room, grants, ready));
  for (int seat = 0; seat < 2; seat++) TRY(write_event(room, seat, KIND_READY, ready, 64, grants[seat]));
  return write_event(room, HOST, KIND_START, ready, 32, NULL);
}

/* Plays one game; `node` is the event that the next step stands on. */
static int play_game(
  game_room *room, uint32_t room_in_match, uint32_t number, uint8_t *node, board *board, floor_tally *tally) {
  board_start(board, number % 2);
  while (!board_is_over(board)) {
    int seat = board_seat(board);
    uint16_t empty = board_empty(board);
    uint32_t chosen = draw(
      room->table->seed, room_in_match, number, (uint32_t)seat, board->ply, (uint32_t)__builtin_popcount(empty));
    while (chosen-- > 0) empty &= empty - 1;
    uint32_t cell = (uint32_t)__builtin_ctz(empty);
    uint8_t payload[41], *p = put16(payload, (uint16_t)number);
    p = put32(put_bytes(put16(p, (uint16_t)board->ply), node, 32), cell);
    *p = 0;
    TRY(write_event(room, seat, KIND_MOVE, payload, 41, NULL));
    memcpy(node, room->feeds[seat].head, 32);
    board_play(board, cell);
    tally->moves++;
    if (room->feeds[seat].unsigned_events >= room->table->run_events) TRY(cut(room, tally));
  }
  tally_game(tally, board);
  return 0;
}

static int write_results(game_room *room, const uint8_t *node, const board *board) {
  uint8_t payload[2 + 32 + 1 + 8], *p = put16(payload, (uint16_t)(room->table->games - 1));
  p = put_bytes(p, node, 32);
  *p++ = 2;
  for (int seat = 0; seat < 2; seat++) p = put32(p, (uint32_t)board_score(board, seat));
  for (int seat = 0; seat < 2; seat++) TRY(write_event(room, seat, KIND_RESULT, payload, sizeof payload, NULL));
  return 0;
}

static int play_room(game_room *room, uint32_t room_in_match, floor_tally *tally) {
  const floor_table *table = room->table;
  const floor_key *keys[3] = {&table->players[0], &table->players[1], table->host};
  for (int i = 0; i < 3; i++) {
    memset(&room->feeds[i], 0, sizeof room->feeds[i]);
    room->feeds[i].key = keys[i];
  }
  room->stored = room->waiting = 0;
  room->body_bytes = 0;
  TRY(seat_players(room, room_in_match));
  uint8_t node[32];
  board board = {0};
  memcpy(node, room->feeds[HOST].head, 32);
  for (uint32_t game = 0; game < table->games; game++) {
    TRY(play_game(room, room_in_match, game, node, &board, tally));
  }
  TRY(write_results(room, node, &board));
  TRY(cut(room, tally));
  tally->rooms++;
  tally->agreed += table->games;
  tally->events += room->stored;
  tally->body_bytes += room->body_bytes;
  return 0;
}

int floor_match(floor_store *store, const floor_table *table, uint32_t first_room, uint32_t rooms, floor_tally *tally) {
  static _Thread_local game_room room;
  memset(tally, 0, sizeof *tally);
  room.store = store;
  room.table = table;
  hasher_start(&room.hasher, table->network);
  for (uint32_t number = 0; number < rooms; number++) TRY(play_room(&room, first_room + number, tally));
  return 0;
}
