/* A crowd of addresses that open connections and leave them. */
#define _GNU_SOURCE
#include "floor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { KEPT = 2000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* One connection from an address of this machine: 127.1.0.1 and on; -1 where there is none to be had. */
static int connect_from(uint32_t address, uint16_t port) {
  int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return -1;
  /* Reset at the end: nothing is left behind that would use up the ports. */
  struct linger linger = {.l_onoff = 1, .l_linger = 0};
  struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f010001u + address)};
  struct sockaddr_in to = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  if (bind(socket_, (struct sockaddr *)&from, sizeof from) == 0 &&
      (connect(socket_, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS))
    return socket_;
  close(socket_);
  return -1;
}

int floor_flood(const floor_flood_plan *plan, floor_flood_tally *tally) {
  static int kept[KEPT];
  memset(tally, 0, sizeof *tally);
  for (int at = 0; at < KEPT; at++) kept[at] = -1;
  uint64_t tried = 0;
  double began = now();
  for (double elapsed = 0; elapsed < plan->seconds; elapsed = now() - began) {
    if ((double)tried >= elapsed * plan->rate) {
      struct timespec pause = {.tv_nsec = 500000};
      nanosleep(&pause, NULL);
      continue;
    }
    int *place = &kept[tried % KEPT];
    if (*place >= 0) close(*place);
    *place = connect_from((uint32_t)(tried % plan->addresses), plan->port);
    tried++;
    if (*place < 0) {
      tally->failed++;
      continue;
    }
    tally->opened++;
    if (plan->count > 0) {
      ssize_t sent = send(*place, plan->bytes, plan->count, MSG_NOSIGNAL);
      if (sent != (ssize_t)plan->count) tally->unsent++;
    }
  }
  for (int at = 0; at < KEPT; at++)
    if (kept[at] >= 0) close(kept[at]);
  return 0;
}
