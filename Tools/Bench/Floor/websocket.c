/* socket.*: many clients of a WebSocket server (RFC 6455) on the loopback, in one thread. */
#define _GNU_SOURCE
#include "floor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  SOCKETS = 2048,
  EVENTS = 256,
  READ_BYTES = 1 << 16,
  LIMIT_BYTES = 1 << 24,
  SEND_BYTES = 4096 + 8,
  HANDSHAKE_MILLISECONDS = 60000,
  OP_TEXT = 1,
  OP_CLOSE = 8,
  OP_PING = 9,
  FIN = 0x80,
  MASKED = 0x80,
};

/* What one client has read and nobody has looked at: bytes from `start` on. */
typedef struct client {
  int connection;
  uint8_t *bytes;
  size_t start, count, room;
  double seconds; /* when it last read */
} client;

struct floor_sockets {
  struct sockaddr_in server;
  int epoll;
  uint32_t count;
  char request[512];
  client clients[SOCKETS];
  /* Those that have read and not been looked through, from `next` on. */
  uint32_t readable[SOCKETS + EVENTS], readables, next;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int floor_sockets_make(floor_sockets **made, uint16_t port, const char *path, const char *protocol) {
  floor_sockets *all = calloc(1, sizeof *all);
  if (!all) return floor_fail("no memory for sockets");
  all->server = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
  all->server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  snprintf(
    all->request, sizeof all->request,
    "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
    path, port, protocol);
  all->epoll = epoll_create1(EPOLL_CLOEXEC);
  *made = all;
  return all->epoll < 0 ? floor_fail("epoll_create1: %s", strerror(errno)) : 0;
}

void floor_sockets_close(floor_sockets *all) {
  if (!all) return;
  for (uint32_t i = 0; i < all->count; i++) {
    close(all->clients[i].connection);
    free(all->clients[i].bytes);
  }
  if (all->epoll >= 0) close(all->epoll);
  free(all);
}

static int send_whole(const client *client, const void *bytes, size_t count) {
  for (const uint8_t *p = bytes; count > 0;) {
    ssize_t sent = send(client->connection, p, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return floor_fail("send to a socket: %s", strerror(errno));
    p += sent, count -= (size_t)sent;
  }
  return 0;
}

/* A frame of a client, under a mask as the RFC demands. */
static int send_frame(const client *client, uint8_t code, const uint8_t *content, size_t count) {
  static const uint8_t mask[4] = {0x37, 0xFA, 0x21, 0x3D};
  uint8_t frame[SEND_BYTES], *p = frame;
  if (count > SEND_BYTES - 8) return floor_fail("a message of %zu bytes is too long to be sent", count);
  *p++ = FIN | code;
  if (count < 126) {
    *p++ = MASKED | (uint8_t)count;
  } else {
    *p++ = MASKED | 126;
    p = put16(p, (uint16_t)count);
  }
  p = put_bytes(p, mask, sizeof mask);
  for (size_t i = 0; i < count; i++) *p++ = content[i] ^ mask[i & 3];
  return send_whole(client, frame, (size_t)(p - frame));
}

/* Reads once. Returns the number of bytes, 0 at the end, -1 when there is nothing or it failed. */
static ssize_t fill(client *client, int flags) {
  if (client->start > 0) {
    memmove(client->bytes, client->bytes + client->start, client->count);
    client->start = 0;
  }
  if (client->room - client->count < READ_BYTES) {
    size_t room = client->room * 2 + READ_BYTES;
    uint8_t *bytes = realloc(client->bytes, room);
    if (!bytes) return floor_fail("no memory for a message");
    client->bytes = bytes, client->room = room;
  }
  ssize_t count;
  do {
    count = recv(client->connection, client->bytes + client->count, READ_BYTES, flags);
  } while (count < 0 && errno == EINTR);
  if (count > 0) client->count += (size_t)count, client->seconds = now();
  return count;
}

/* Reads the answer to the request, and leaves what is behind it. */
static int read_answer(client *client) {
  static const char end[] = "\r\n\r\n";
  for (;;) {
    uint8_t *found = memmem(client->bytes, client->count, end, 4);
    if (found) {
      if (client->count < 12 || memcmp(client->bytes, "HTTP/1.1 101", 12) != 0) {
        return floor_fail("the server refused a socket: %.40s", (const char *)client->bytes);
      }
      client->start = (size_t)(found + 4 - client->bytes);
      client->count -= client->start;
      return 0;
    }
    ssize_t count = fill(client, 0);
    if (count == 0) return floor_fail("the server closed a connection instead of a handshake");
    if (count < 0) return floor_fail("a handshake: %s", strerror(errno));
  }
}

int floor_sockets_open(floor_sockets *all, uint32_t *number) {
  if (all->count == SOCKETS) return floor_fail("there are at most %d sockets", SOCKETS);
  client *client = &all->clients[all->count];
  struct timeval limit = {.tv_sec = HANDSHAKE_MILLISECONDS / 1000};
  int one = 1;
  client->connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client->connection < 0) return floor_fail("socket: %s", strerror(errno));
  *number = all->count++;
  setsockopt(client->connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(client->connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (connect(client->connection, (struct sockaddr *)&all->server, sizeof all->server) != 0) {
    return floor_fail("connect: %s", strerror(errno));
  }
  TRY(send_whole(client, all->request, strlen(all->request)));
  TRY(read_answer(client));
  if (client->count > 0) all->readable[all->readables++] = *number;
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = *number};
  if (epoll_ctl(all->epoll, EPOLL_CTL_ADD, client->connection, &event) == 0) return 0;
  return floor_fail("epoll_ctl: %s", strerror(errno));
}

int floor_sockets_send(floor_sockets *all, uint32_t number, const uint8_t *text, size_t bytes) {
  return send_frame(&all->clients[number], OP_TEXT, text, bytes);
}

/* Takes a whole frame. Returns 1 for a message, 0 for none as yet, -1 for a fault. */
static int take(client *client, uint32_t number, floor_heard *heard) {
  while (client->count >= 2) {
    const uint8_t *p = client->bytes + client->start;
    size_t head = 2, size = p[1] & 0x7F;
    if (size == 126) head = 4;
    if (size == 127) head = 10;
    if (client->count < head) return 0;
    if (size == 126) size = get16(p + 2);
    if (size == 127) size = (size_t)get64(p + 2);
    if (size > LIMIT_BYTES) return floor_fail("socket %u: a message of %zu bytes", number, size);
    if (client->count < head + size) return 0;
    client->start += head + size, client->count -= head + size;
    switch (p[0]) {
    case FIN | OP_TEXT:
      *heard = (floor_heard){number, p + head, size, client->seconds};
      return 1;
    case FIN | OP_PING: TRY(send_frame(client, OP_PING + 1, p + head, size)); break;
    case FIN | OP_CLOSE:
      return floor_fail(
        "socket %u was closed: %d %.*s", number, size < 2 ? 0 : get16(p + head), size < 2 ? 0 : (int)size - 2,
        (const char *)p + head + 2);
    default: return floor_fail("socket %u: a frame that begins with %02x", number, p[0]);
    }
  }
  return 0;
}

int floor_sockets_next(floor_sockets *all, int32_t milliseconds, floor_heard *heard) {
  struct epoll_event events[EVENTS];
  double end = now() + milliseconds / 1e3;
  for (;;) {
    for (; all->next < all->readables; all->next++) {
      uint32_t number = all->readable[all->next];
      int taken = take(&all->clients[number], number, heard);
      if (taken != 0) return taken < 0 ? -1 : 0;
    }
    all->next = all->readables = 0;
    double left = (end - now()) * 1e3;
    int count = epoll_wait(all->epoll, events, EVENTS, left > 0 ? (int)left + 1 : 0);
    if (count < 0 && errno != EINTR) return floor_fail("epoll_wait: %s", strerror(errno));
    if (count == 0) {
      *heard = (floor_heard){.socket = UINT32_MAX};
      return 0;
    }
    for (int i = 0; i < count; i++) {
      uint32_t number = events[i].data.u32;
      ssize_t got = fill(&all->clients[number], MSG_DONTWAIT);
      if (got == 0) return floor_fail("socket %u has ended", number);
      if (got < 0 && errno != EAGAIN) return floor_fail("socket %u: %s", number, strerror(errno));
      if (got > 0) all->readable[all->readables++] = number;
    }
  }
}
