/* match.tic-tac-toe: random against random, every event hashed, chained, signed by run and stored. */
#include "record.h"
#include "tictactoe.h"

/* One peer's feed in the room that is played. */
typedef struct feed {
  const floor_key *key;
  uint64_t sequence;
  uint8_t head[32];
  uint32_t head_at; /* the head's position */
  uint32_t cited[3]; /* how much of each feed its events have named */
  uint32_t unsigned_events;
  int last; /* the slot of its last event, since the last cut */
} feed;

enum { HOST = 2, SLOTS = 3 * RUN_EVENTS, SLOT_BODY = 512 };

typedef struct slot {
  uint8_t id[32], signature[64], record[SLOT_BODY];
  uint16_t body_bytes, record_bytes;
  uint8_t is_signed;
} slot;

/* An event by its id and position. */
typedef struct place {
  const uint8_t *id;
  uint32_t at;
} place;

typedef struct game_room {
  floor_store *store;
  const floor_table *table;
  hasher hasher;
  uint8_t id[32];
  feed feeds[3]; /* the seats', then the host's */
  uint32_t number;
  room_record counts;
  uint64_t wall_time;
  int is_member[2]; /* whether the seat's request was granted */
  uint32_t waiting;
  uint8_t body[SLOT_BODY];
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
 * Gathers other members' heads that this feed has not named yet, ascending by id. Who is no member names `citing`
 * alone: the room's create. Returns how many there are.
 */
static int gather_parents(place parents[3], game_room *room, int author, const place *citing) {
  int count = 0;
  if (citing) parents[count++] = *citing;
  if (author != HOST && !room->is_member[author]) return count;
  feed *own = &room->feeds[author];
  for (int other = 0; other < 3; other++) {
    feed *seen = &room->feeds[other];
    /* A seat's request is no member's event yet. */
    if (other == author || (other != HOST && (!room->is_member[other] || seen->sequence == 1))) continue;
    if (seen->sequence <= own->cited[other]) continue;
    own->cited[other] = (uint32_t)seen->sequence;
    if (citing && citing->at == seen->head_at) continue;
    parents[count++] = (place){seen->head, seen->head_at};
  }
  for (int i = 1; i < count; i++) {
    for (int j = i; j > 0 && memcmp(parents[j].id, parents[j - 1].id, 32) < 0; j--) {
      place swapped = parents[j];
      parents[j] = parents[j - 1], parents[j - 1] = swapped;
    }
  }
  return count;
}

/* What an event says: a payload, in which the id of an event may stand at an offset. */
typedef struct content {
  uint8_t kind;
  const uint8_t *bytes;
  size_t count;
  int named_offset; /* below 0 for none */
  uint32_t named_at;
} content;

/* Writes an event of one of the feeds into the next slot: its body for the hash, and its record for the store. */
static int write_event(game_room *room, int author, content content, const place *citing) {
  feed *own = &room->feeds[author];
  place parents[3];
  if (room->waiting == SLOTS) return floor_fail("a cut of more than %d events", SLOTS);
  if (PARENTS_AT + 3 * 32 + 2 + content.count > SLOT_BODY) return floor_fail("a payload of %zu bytes", content.count);
  slot *slot = &room->slots[room->waiting];
  uint32_t at = room->counts.events;
  uint64_t wall_time = wall_milliseconds();
  int count = gather_parents(parents, room, author, citing), opens = own->sequence == 0;
  const uint8_t *in = content.kind == KIND_CREATE ? no_id : room->id;
  uint8_t *p =
    put_header(room->body, content.kind, in, own->key->public_key, own->sequence + 1, own->head, wall_time);
  uint8_t *r = slot->record;
  *r++ = author == HOST ? 0 : (uint8_t)(author + 1); /* the host's feed is the first one, then the seats' */
  if (opens) r = put_bytes(r, own->key->public_key, 32);
  *r++ = content.kind;
  *r++ = (uint8_t)(count << 2 | (content.named_offset >= 0 ? 2 : 0));
  *p++ = (uint8_t)count;
  for (int i = 0; i < count; i++) {
    p = put_bytes(p, parents[i].id, 32);
    r = put_number(r, at - parents[i].at);
  }
  r = put_number(r, zigzag(wall_time - room->wall_time));
  p = put_bytes(put16(p, (uint16_t)content.count), content.bytes, content.count);
  if (content.named_offset >= 0) {
    r = put_bytes(r, content.bytes, (size_t)content.named_offset);
    r = put_number(r, at - content.named_at);
    content.bytes += content.named_offset + 32, content.count -= (size_t)content.named_offset + 32;
  }
  r = put_bytes(r, content.bytes, content.count);
  slot->record_bytes = (uint16_t)(r - slot->record);
  slot->body_bytes = (uint16_t)(p - room->body);
  slot->is_signed = 0;
  event_id(&room->hasher, room->body, slot->body_bytes, slot->id);
  memcpy(own->head, slot->id, 32);
  own->head_at = at;
  own->sequence++;
  own->unsigned_events++;
  own->last = (int)room->waiting++;
  room->wall_time = wall_time;
  count_event(&room->counts, slot->body_bytes, slot->id);
  return 0;
}

/* Signs every feed's last event and makes what waits durable. */
static int cut(game_room *room, floor_tally *tally) {
  uint32_t stored = room->counts.events - room->waiting;
  value_writer writer = {.store = room->store, .next = stored, .flags = MDB_APPEND};
  for (int i = 0; i < 3; i++) {
    feed *own = &room->feeds[i];
    if (own->unsigned_events == 0) continue;
    slot *last = &room->slots[own->last];
    TRY(event_sign(own->key, last->id, last->signature));
    last->is_signed = 1;
    own->unsigned_events = 0;
    tally->signatures++;
  }
  TRY_LMDB(mdb_txn_begin(room->store->env, NULL, 0, &writer.txn));
  if (stored == 0) {
    TRY(store_next_number(room->store, writer.txn, &room->number));
    TRY(store_put_room(room->store, writer.txn, room->number, room->id));
  }
  writer.number = room->number;
  for (uint32_t i = 0; i < room->waiting; i++) {
    slot *slot = &room->slots[i];
    TRY(value_append(&writer, slot->record, slot->record_bytes, slot->is_signed ? slot->signature : NULL));
  }
  TRY(value_flush(&writer));
  TRY(store_put_number(
    room->store, writer.txn, room->number, room->id, &room->counts, stored == 0 ? MDB_APPEND : 0));
  TRY_LMDB(mdb_txn_commit(writer.txn));
  room->waiting = 0;
  return 0;
}

static int write_grant(game_room *room, const place *request, uint8_t seat) {
  uint8_t payload[34];
  memcpy(payload, request->id, 32);
  put16(payload + 32, seat);
  TRY(write_event(room, HOST, (content){KIND_GRANT, payload, 34, 0, request->at}, request));
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
  TRY(write_event(room, HOST, (content){KIND_CREATE, create, table->create_bytes, -1, 0}, NULL));
  memcpy(room->id, room->feeds[HOST].head, 32);
  place opening = {room->id, 0}, request[2], grant[2];
  for (int seat = 0; seat < 2; seat++) {
    content asked = {KIND_REQUEST, table->requests[seat], table->request_bytes[seat], -1, 0};
    TRY(write_event(room, seat, asked, &opening));
    memcpy(requests[seat], room->feeds[seat].head, 32);
    request[seat] = (place){requests[seat], room->feeds[seat].head_at};
  }
  for (int seat = 0; seat < 2; seat++) {
    TRY(write_grant(room, &request[seat], (uint8_t)seat));
    memcpy(grants[seat], room->feeds[HOST].head, 32);
    grant[seat] = (place){grants[seat], room->feeds[HOST].head_at};
  }
  TRY(roster_hash(room, grants, ready));
  for (int seat = 0; seat < 2; seat++) {
    TRY(write_event(room, seat, (content){KIND_READY, ready, 64, -1, 0}, &grant[seat]));
  }
  return write_event(room, HOST, (content){KIND_START, ready, 32, -1, 0}, NULL);
}

/* The event that the next step stands on. */
typedef struct node {
  uint8_t id[32];
  uint32_t at;
} node;

/* Plays one game. */
static int play_game(
  game_room *room, uint32_t room_in_match, uint32_t number, node *node, board *board, floor_tally *tally) {
  board_start(board, number % 2);
  while (!board_is_over(board)) {
    int seat = board_seat(board);
    uint16_t empty = board_empty(board);
    uint32_t chosen = draw(
      room->table->seed, room_in_match, number, (uint32_t)seat, board->ply, (uint32_t)__builtin_popcount(empty));
    while (chosen-- > 0) empty &= empty - 1;
    uint32_t cell = (uint32_t)__builtin_ctz(empty);
    uint8_t payload[41], *p = put16(payload, (uint16_t)number);
    p = put32(put_bytes(put16(p, (uint16_t)board->ply), node->id, 32), cell);
    *p = 0;
    TRY(write_event(room, seat, (content){KIND_MOVE, payload, 41, 4, node->at}, NULL));
    memcpy(node->id, room->feeds[seat].head, 32);
    node->at = room->feeds[seat].head_at;
    board_play(board, cell);
    tally->moves++;
    if (room->feeds[seat].unsigned_events >= room->table->run_events) TRY(cut(room, tally));
  }
  tally_game(tally, board);
  return 0;
}

static int write_results(game_room *room, const node *node, const board *board) {
  uint8_t payload[2 + 32 + 1 + 8], *p = put16(payload, (uint16_t)(room->table->games - 1));
  p = put_bytes(p, node->id, 32);
  *p++ = 2;
  for (int seat = 0; seat < 2; seat++) p = put32(p, (uint32_t)board_score(board, seat));
  content result = {KIND_RESULT, payload, sizeof payload, 2, node->at};
  for (int seat = 0; seat < 2; seat++) TRY(write_event(room, seat, result, NULL));
  return 0;
}

static int play_room(game_room *room, uint32_t room_in_match, floor_tally *tally) {
  const floor_table *table = room->table;
  const floor_key *keys[3] = {&table->players[0], &table->players[1], table->host};
  for (int i = 0; i < 3; i++) {
    memset(&room->feeds[i], 0, sizeof room->feeds[i]);
    room->feeds[i].key = keys[i];
  }
  room->waiting = 0;
  room->wall_time = 0;
  room->counts = (room_record){0};
  TRY(seat_players(room, room_in_match));
  node node = {.at = room->feeds[HOST].head_at};
  board board = {0};
  memcpy(node.id, room->feeds[HOST].head, 32);
  for (uint32_t game = 0; game < table->games; game++) {
    TRY(play_game(room, room_in_match, game, &node, &board, tally));
  }
  TRY(write_results(room, &node, &board));
  TRY(cut(room, tally));
  tally->rooms++;
  tally->agreed += table->games;
  tally->events += room->counts.events;
  tally->body_bytes += room->counts.bytes;
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
