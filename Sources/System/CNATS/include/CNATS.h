#ifndef PARLOR_NATS_H
#define PARLOR_NATS_H

#include <stdbool.h>
#include <stdint.h>

// The few calls of libnats that Parlor makes. The library is looked for when it is wanted, so that neither a build nor
// a program that uses no servers of NATS needs it.

/// How to connect. Texts that are not wanted are NULL.
struct parlor_nats_settings {
  const char *_Nullable const *_Nonnull servers;
  int server_count;
  /// Whether TLS is demanded.
  bool is_secure;
  const char *_Nullable credentials;
  const char *_Nullable authority;
  const char *_Nullable certificate;
  const char *_Nullable key;
  const char *_Nonnull name;
  /// How long to wait for a server, in milliseconds.
  int64_t timeout;
};

/// A message that came. All pointers are the message's and live until it is freed.
struct parlor_nats_message {
  void *_Nullable message;
  const void *_Nullable data;
  int length;
  const char *_Nullable reply;
  /// The status with which a server answers instead of a message, such as 404; NULL where there is none.
  const char *_Nullable status;
};

enum { PARLOR_NATS_OK = 0 };

/// How a connection stands: it is there, it is being made again, or the library has given it up.
enum { PARLOR_NATS_CONNECTED = 0, PARLOR_NATS_AWAY = 1, PARLOR_NATS_CLOSED = 2 };

/// Looks for the library. Call it before all else; it may be called again, and from one thread at a time.
/// \return NULL when it is there, else why it is not.
const char *_Nullable parlor_nats_load(void);

/// Connects; the connection is kept up until it is closed.
/// \return 0, or the library's number of what went wrong.
int parlor_nats_connect(void *_Nullable *_Nonnull connection, const struct parlor_nats_settings *_Nonnull settings);

/// Sends a request and waits for one answer. `message_id` goes into the header by which servers know what they have.
int parlor_nats_request(void *_Nonnull connection, const char *_Nonnull subject, const void *_Nullable data, int length,
                        const char *_Nullable message_id, int64_t timeout,
                        struct parlor_nats_message *_Nonnull answer);

/// Sends a message that nobody answers.
int parlor_nats_publish(void *_Nonnull connection, const char *_Nonnull subject, const void *_Nullable data,
                        int length);

/// Waits until the server has all that was sent.
int parlor_nats_flush(void *_Nonnull connection, int64_t timeout);

/// Has messages of a subject kept until they are taken; of more than `limit` messages or bytes the newest are dropped.
int parlor_nats_subscribe(void *_Nullable *_Nonnull subscription, void *_Nonnull connection,
                          const char *_Nonnull subject, int limit);

/// Waits for the next message of a subject.
/// \return 0, or the library's number of why there is none.
int parlor_nats_next(void *_Nonnull subscription, int64_t timeout, struct parlor_nats_message *_Nonnull message);

/// Ends a subscription; nobody may use it any more.
void parlor_nats_unsubscribe(void *_Nonnull subscription);

/// How a connection stands, and how often it was made again.
int parlor_nats_state(void *_Nonnull connection, uint64_t *_Nonnull reconnections);

/// The most bytes of a message that the server takes.
int64_t parlor_nats_limit(void *_Nonnull connection);

/// Frees a message that came.
void parlor_nats_free(struct parlor_nats_message *_Nonnull message);

/// Ends a connection; nobody may use it any more.
void parlor_nats_close(void *_Nonnull connection);

/// A number of the library's in words.
const char *_Nonnull parlor_nats_text(int status);

/// What this thread's last failure was, in words of the library; may be NULL or empty.
const char *_Nullable parlor_nats_last_error(void);

#endif
