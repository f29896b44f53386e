#ifndef TICTACTOE_H
#define TICTACTOE_H

#include "floor.h"

/* Tic-tac-toe: stones of both seats as masks of nine bits, row by row from the top left. */
typedef struct board {
  uint16_t stones[2];
  uint8_t first, ply;
  int8_t winner; /* -1 for none */
} board;

static inline void board_start(board *board, int first) {
  *board = (struct board){.first = (uint8_t)first, .winner = -1};
}

static inline uint16_t board_empty(const board *board) { return 0x1FF & ~(board->stones[0] | board->stones[1]); }
static inline int board_seat(const board *board) { return (board->first + board->ply) & 1; }
static inline int board_is_over(const board *board) { return board->winner >= 0 || board->ply == 9; }

static inline int has_line(uint16_t mask) {
  return ((mask & mask >> 1 & mask >> 2 & 0x49) | (mask & mask >> 3 & mask >> 6 & 0x07) |
          (mask & mask >> 4 & mask >> 8 & 0x01) | (mask & mask >> 2 & mask >> 4 & 0x04)) != 0;
}

/* Plays on an empty cell. */
static inline void board_play(board *board, uint32_t cell) {
  int seat = board_seat(board);
  board->stones[seat] |= (uint16_t)(1u << cell);
  board->ply++;
  if (has_line(board->stones[seat])) board->winner = (int8_t)seat;
}

/* 1 for the winner, 0 for the loser and in a draw. */
static inline int32_t board_score(const board *board, int seat) { return board->winner == seat; }

static inline void tally_game(floor_tally *tally, const board *board) {
  tally->games++;
  if (board->winner >= 0) tally->wins[board->winner]++;
  else tally->draws++;
}

#endif
