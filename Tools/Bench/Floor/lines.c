#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CFloor.h"
#include "floor.h"

/* The protocol is Docs/LINE-PROTOCOL.md. */

int floor_line_bot(void) {
  static char line[65536];
  while (fgets(line, sizeof line, stdin)) {
    if (strncmp(line, "{\"type\":\"go\"", 12) == 0) {
      const char *code = strstr(line, "\"code\":");
      if (!code) return floor_fail("a turn without a move");
      printf("{\"type\":\"move\",\"code\":%lu}\n", strtoul(code + 7, NULL, 10));
    } else if (strncmp(line, "{\"type\":\"hello\"", 15) == 0) {
      puts("{\"type\":\"hello\",\"wants\":[\"moves\"]}");
    } else {
      continue;
    }
    if (fflush(stdout) != 0) return floor_fail("the other end is gone");
  }
  return 0;
}

/* Writes a line and reads one, which must be all that is there. */
static int pass(int to, int from, const char *line, size_t bytes) {
  char answer[4096];
  size_t got = 0;
  for (size_t sent = 0; sent < bytes;) {
    ssize_t count = write(to, line + sent, bytes - sent);
    if (count <= 0) return floor_fail("a process that passes lines takes none");
    sent += (size_t)count;
  }
  while (got == 0 || answer[got - 1] != '\n') {
    ssize_t count = got < sizeof answer ? read(from, answer + got, sizeof answer - got) : 0;
    if (count <= 0) return floor_fail("a process that passes lines gave none");
    got += (size_t)count;
  }
  return 0;
}

int floor_pass_lines(const int32_t to[2], const int32_t from[2], const char *line, size_t bytes, uint64_t turns) {
  for (uint64_t turn = 0; turn < turns; turn++) {
    if (pass(to[turn % 2], from[turn % 2], line, bytes) != 0) return -1;
  }
  return 0;
}
