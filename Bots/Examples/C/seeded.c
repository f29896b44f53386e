/* A line bot in C: plays the legal move that the seed of its turn names. Docs/LINE-PROTOCOL.md is the protocol.
   It wants the moves alone and plays by their codes, so that it needs no reader of JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

/* The place after the n-th member of a name, from 0; NULL where there are fewer. */
static const char *member(const char *name, unsigned long long n) {
  const char *at = line;
  do {
    at = strstr(at, name);
    if (!at) return NULL;
    at += strlen(name);
  } while (n-- > 0);
  return at;
}

static int is(const char *type) {
  const char *at = member("\"type\":\"", 0);
  return at && !strncmp(at, type, strlen(type)) && at[strlen(type)] == '"';
}

static void go(void) {
  const char *seed = member("\"seed\":", 0);
  unsigned long long count = 0;
  while (member("\"code\":", count)) count++;
  if (!seed || count == 0) exit(1);
  const char *code = member("\"code\":", strtoull(seed, NULL, 10) % count);
  printf("{\"type\":\"move\",\"code\":%lu}\n", strtoul(code, NULL, 10));
}

int main(void) {
  while (fgets(line, sizeof line, stdin)) {
    if (is("hello"))
      puts("{\"type\":\"hello\",\"version\":1,\"wants\":[\"moves\"],\"nodes\":1,\"recomputable\":true}");
    else if (is("go"))
      go();
    else if (is("quit"))
      break;
    fflush(stdout);
  }
  return 0;
}
