#ifndef CFLOOR_H
#define CFLOOR_H

#include <stddef.h>
#include <stdint.h>

/*
 * What plain C does for the jobs that parlor-bench measures, with the same libraries: LMDB and libsodium.
 *
 * A store written here has the layout of Docs/PROTOCOL.md and of LMDBEventLog, byte for byte, and Parlor reads it.
 * Functions return 0, or -1 when something failed; floor_message() then says what.
 */

/* Whether this was compiled with optimization; without it no figure means anything. */
int floor_is_optimized(void);

/* The number by which the system knows the file system of a path (statfs); 0 when it does not say. */
uint32_t floor_file_system(const char *path);

/* Removes a folder and everything in it; what cannot be removed stays. */
void floor_remove(const char *path);

/* How a process ended. */
typedef struct floor_end {
  int32_t status; /* 128 and the signal's number for one that a signal ended */
  double cpu_seconds;
} floor_end;

/*
 * Runs a program with its standard output in a file and its standard error nowhere; the arguments begin with its path
 * and end with NULL.
 */
int floor_run(const char *const *arguments, const char *output, floor_end *end);

/*
 * Starts a program whose standard input and output are these descriptors; the arguments are those of floor_run. Its
 * standard error is this process's.
 */
int floor_start(const char *const *arguments, int input, int output, int32_t *process);

/* Waits for a program that was started. */
int floor_wait(int32_t process, floor_end *end);

/* Appends pages of 4 KiB to a new file, and makes each durable with fdatasync. */
int floor_flush(const char *path, uint32_t times);

/* Gives free memory back to the system and, on Linux, begins a new peak of this process's resident memory. */
void floor_reset_memory(void);

/* The bytes that malloc has given out and not got back; 0 where it does not tell. */
uint64_t floor_allocated_bytes(void);

/* ---- Crowds ---- */

/* Connections to a port of this machine that many of its addresses open. */
typedef struct floor_flood_plan {
  uint16_t port;
  uint32_t addresses; /* how many, from 127.1.0.1 on, in turns */
  double rate;        /* a second, as many as can be had */
  double seconds;
  const uint8_t *bytes; /* what each says, and nothing after it */
  size_t count;
} floor_flood_plan;

/* What came of it. */
typedef struct floor_flood_tally {
  uint64_t opened; /* begun; the last 2,000 are kept open */
  uint64_t failed; /* not to be had from this system */
  uint64_t unsent; /* opened, and not taken yet when there was something to say */
} floor_flood_tally;

/* Opens connections for so long. */
int floor_flood(const floor_flood_plan *plan, floor_flood_tally *tally);

/* What failed last in this thread. */
const char *floor_message(void);

/* ---- Keys ---- */

typedef struct floor_key {
  uint8_t public_key[32];
  uint8_t secret_key[64];
} floor_key;

/* The Ed25519 key of a seed of 32 bytes. */
int floor_key_make(floor_key *key, const uint8_t *seed);

/* ---- Stores ---- */

typedef struct floor_store floor_store;

/* Opens the store in a folder that exists; one that is empty gets a store of this network. */
int floor_open(floor_store **store, const char *folder, int is_writer, const uint8_t *network);
void floor_close(floor_store *store);

/* The bytes of pages in use, as LMDBEventLog counts them. */
int floor_used_bytes(floor_store *store, uint64_t *bytes);

/* ---- append.batch ---- */

/* A room of one feed. */
typedef struct floor_feed {
  const uint8_t *network;
  const floor_key *key;
  const uint8_t *create; /* the payload of its create */
  size_t create_bytes;
  uint64_t wall_time;
} floor_feed;

/*
 * Writes a new room in one durable transaction: its create and moves up to `events` events in all, signed every
 * `run_events` and at the end. The id and the signature of the last event tell whether Parlor wrote the same.
 */
int floor_append_batch(
  floor_store *store, const floor_feed *feed, uint32_t events, uint32_t run_events, uint8_t *head, uint8_t *signature);

/* ---- append.concurrent ---- */

typedef struct floor_commits {
  uint64_t events;
  uint64_t flushes;
} floor_commits;

/*
 * So many threads, each of which appends `events` signed events to a room of its own, one after the other, waiting
 * for each to be durable. One more thread writes whatever waits in one transaction. `feeds` has one for each thread;
 * their creates are written before, in one transaction that is not counted.
 */
int floor_append_concurrent(
  floor_store *store, const floor_feed *feeds, uint32_t threads, uint32_t events, floor_commits *commits);

/* ---- sync ---- */

/* Listens on the loopback, at a port that the system chooses; returns the socket, or -1. */
int floor_listen(uint16_t *port);

/* Takes one connection, sends the events of the store's first room, and waits until the other end has them. */
int floor_sync_serve(floor_store *store, int listener);

/*
 * Receives a room of one feed from the floor at this port into an empty store: computes every id, follows every link,
 * checks every signature and run, and makes all durable in one transaction.
 */
int floor_sync_receive(floor_store *store, const uint8_t *network, uint16_t port, uint64_t *events);

/* Takes one connection and passes it on to a port until it ends; counts the bytes that went there and back. */
int floor_relay(int listener, uint16_t port, uint64_t bytes[2]);

/* Checks every signature of a store with one thread; the seconds are of that thread's processor, for checking alone. */
int floor_check_signatures(floor_store *store, uint64_t *count, double *seconds);

/* ---- match.line-bots ---- */

/* Is a line bot that plays the first legal move, until its standard input ends. */
int floor_line_bot(void);

/*
 * Passes a line to two processes in turns, through pipes, and waits for one line after each. `to` and `from` are this
 * process's ends.
 */
int floor_pass_lines(const int32_t to[2], const int32_t from[2], const char *line, size_t bytes, uint64_t turns);

/* ---- socket.watchers and socket.move ---- */

/* Clients of a WebSocket server of this machine, all served by the thread that calls. */
typedef struct floor_sockets floor_sockets;

/* A message that a client has got. */
typedef struct floor_heard {
  uint32_t socket;     /* UINT32_MAX when nothing came in time */
  const uint8_t *text; /* until the next call */
  size_t bytes;
  double seconds; /* when its last byte was read, by CLOCK_MONOTONIC */
} floor_heard;

/* No client yet, of the server at a port of the loopback. What was made is to be closed, also after a failure. */
int floor_sockets_make(floor_sockets **all, uint16_t port, const char *path, const char *protocol);
void floor_sockets_close(floor_sockets *all);

/* Opens one more, and waits until the server has taken it; they are numbered from 0. */
int floor_sockets_open(floor_sockets *all, uint32_t *number);

/* Sends a text message, of at most 4,096 bytes. */
int floor_sockets_send(floor_sockets *all, uint32_t number, const uint8_t *text, size_t bytes);

/* Waits for the next message of any client; one that the server has closed is a failure. */
int floor_sockets_next(floor_sockets *all, int32_t milliseconds, floor_heard *heard);

/* ---- match.tic-tac-toe and replay ---- */

/* What was played or found. */
typedef struct floor_tally {
  uint64_t rooms;
  uint64_t events;
  uint64_t signatures;
  uint64_t body_bytes;
  uint64_t moves;
  uint64_t games;
  uint64_t agreed;
  uint64_t wins[2]; /* by seat */
  uint64_t draws;
} floor_tally;

/* What a match is made from: payloads as Parlor writes them, so that events have its bytes. */
typedef struct floor_table {
  const uint8_t *network;
  const floor_key *host;
  const floor_key *players; /* of seats 0 and 1 */
  const uint8_t *create;    /* the payload; bytes 2 to 17 are its nonce */
  size_t create_bytes;
  const uint8_t *requests[2];
  size_t request_bytes[2];
  uint64_t seed;
  uint32_t games;      /* in each room */
  uint32_t run_events; /* each feed is signed and all is made durable when one has so many unsigned events */
} floor_table;

/*
 * Plays rooms of tic-tac-toe, random against random with Parlor's random numbers, so that a seed gives the same games
 * here and there, and stores every event.
 */
int floor_match(floor_store *store, const floor_table *table, uint32_t first_room, uint32_t rooms, floor_tally *tally);

/*
 * Replays every stored room of tic-tac-toe, of two seats that move in turn, into positions and outcomes. With `verify`
 * it computes every id again, follows every link and checks every signature and run. What it does not know (forks,
 * take-backs, endings other than by the rules) is a failure.
 */
int floor_replay(floor_store *store, const uint8_t *network, int verify, floor_tally *tally);

#endif
