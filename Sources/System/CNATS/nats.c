#include "CNATS.h"

#include <dlfcn.h>
#include <stddef.h>

// All of the library's types that we touch are opaque; a status is a C enumeration.
typedef int status;

/// Each function that is used: what it returns, its name, what it takes.
#define FUNCTIONS(F)                                                                              \
  F(const char *, natsStatus_GetText, (status))                                                   \
  F(const char *, nats_GetLastError, (status *))                                                  \
  F(status, natsOptions_Create, (void **))                                                        \
  F(void, natsOptions_Destroy, (void *))                                                          \
  F(status, natsOptions_SetServers, (void *, const char **, int))                                 \
  F(status, natsOptions_SetSecure, (void *, bool))                                                \
  F(status, natsOptions_SetTimeout, (void *, int64_t))                                            \
  F(status, natsOptions_SetName, (void *, const char *))                                          \
  F(status, natsOptions_SetMaxReconnect, (void *, int))                                           \
  F(status, natsOptions_SetReconnectWait, (void *, int64_t))                                      \
  F(status, natsOptions_SetPingInterval, (void *, int64_t))                                       \
  F(status, natsOptions_SetErrorHandler, (void *, void (*)(void *, void *, status, void *), void *)) \
  F(status, natsOptions_LoadCATrustedCertificates, (void *, const char *))                        \
  F(status, natsOptions_LoadCertificatesChain, (void *, const char *, const char *))              \
  F(status, natsOptions_SetUserCredentialsFromFiles, (void *, const char *, const char *))        \
  F(status, natsConnection_Connect, (void **, void *))                                            \
  F(void, natsConnection_Destroy, (void *))                                                       \
  F(status, natsConnection_FlushTimeout, (void *, int64_t))                                       \
  F(int64_t, natsConnection_GetMaxPayload, (void *))                                              \
  F(status, natsConnection_Publish, (void *, const char *, const void *, int))                    \
  F(status, natsConnection_RequestMsg, (void **, void *, void *, int64_t))                        \
  F(int, natsConnection_Status, (void *))                                                         \
  F(status, natsConnection_GetStats, (void *, void *))                                            \
  F(status, natsConnection_SubscribeSync, (void **, void *, const char *))                        \
  F(status, natsSubscription_SetPendingLimits, (void *, int, int))                                \
  F(status, natsSubscription_NextMsg, (void **, void *, int64_t))                                 \
  F(void, natsSubscription_Destroy, (void *))                                                     \
  F(status, natsStatistics_Create, (void **))                                                     \
  F(status, natsStatistics_GetCounts,                                                             \
    (const void *, uint64_t *, uint64_t *, uint64_t *, uint64_t *, uint64_t *))                   \
  F(void, natsStatistics_Destroy, (void *))                                                       \
  F(status, natsMsg_Create, (void **, const char *, const char *, const char *, int))             \
  F(void, natsMsg_Destroy, (void *))                                                              \
  F(const char *, natsMsg_GetData, (const void *))                                                \
  F(int, natsMsg_GetDataLength, (const void *))                                                   \
  F(const char *, natsMsg_GetReply, (const void *))                                               \
  F(status, natsMsgHeader_Set, (void *, const char *, const char *))                              \
  F(status, natsMsgHeader_Get, (void *, const char *, const char **))

#define DECLARE(result, name, arguments) static result(*name) arguments;
FUNCTIONS(DECLARE)

static void *library;

const char *parlor_nats_load(void) {
  if (library != NULL) return NULL;
  // The names that distributions give it: Debian's has two numbers.
  static const char *const names[] = {"libnats.so.3.4", "libnats.so.3", "libnats.so"};
  void *found = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && found == NULL; i++) found = dlopen(names[i], RTLD_NOW);
  if (found == NULL) return "there is no libnats.so.3";
#define LOOK_UP(result, name, arguments)                     \
  *(void **)&name = dlsym(found, #name);                     \
  if (name == NULL) {                                        \
    dlclose(found);                                          \
    return "libnats is too old: it has no " #name;           \
  }
  FUNCTIONS(LOOK_UP)
  library = found;
  return NULL;
}

// What came too fast is dropped, which its reader notices. The library's own handler would write to standard error.
static void ignore(void *connection, void *subscription, status code, void *closure) {
  (void)connection;
  (void)subscription;
  (void)code;
  (void)closure;
}

static status prepare(void *options, const struct parlor_nats_settings *settings) {
  status code = natsOptions_SetServers(options, (const char **)settings->servers, settings->server_count);
  if (code == 0) code = natsOptions_SetTimeout(options, settings->timeout);
  if (code == 0) code = natsOptions_SetName(options, settings->name);
  // A server that went away is looked for as long as the connection is open.
  if (code == 0) code = natsOptions_SetMaxReconnect(options, -1);
  if (code == 0) code = natsOptions_SetReconnectWait(options, 250);
  // A server that says nothing for twice as long is gone, whatever the system thinks of the connection.
  if (code == 0) code = natsOptions_SetPingInterval(options, 10000);
  if (code == 0) code = natsOptions_SetErrorHandler(options, ignore, NULL);
  if (code == 0 && settings->is_secure) code = natsOptions_SetSecure(options, true);
  if (code == 0 && settings->authority != NULL)
    code = natsOptions_LoadCATrustedCertificates(options, settings->authority);
  if (code == 0 && settings->certificate != NULL)
    code = natsOptions_LoadCertificatesChain(options, settings->certificate, settings->key);
  if (code == 0 && settings->credentials != NULL)
    code = natsOptions_SetUserCredentialsFromFiles(options, settings->credentials, NULL);
  return code;
}

int parlor_nats_connect(void **connection, const struct parlor_nats_settings *settings) {
  void *options = NULL;
  status code = natsOptions_Create(&options);
  if (code == 0) code = prepare(options, settings);
  if (code == 0) code = natsConnection_Connect(connection, options);
  natsOptions_Destroy(options);
  return code;
}

int parlor_nats_request(void *connection, const char *subject, const void *data, int length, const char *message_id,
                        int64_t timeout, struct parlor_nats_message *answer) {
  static const struct parlor_nats_message none;
  *answer = none;
  void *request = NULL;
  status code = natsMsg_Create(&request, subject, NULL, data, length);
  if (code == 0 && message_id != NULL) code = natsMsgHeader_Set(request, "Nats-Msg-Id", message_id);
  if (code == 0) code = natsConnection_RequestMsg(&answer->message, connection, request, timeout);
  natsMsg_Destroy(request);
  if (code != 0) return code;
  answer->data = natsMsg_GetData(answer->message);
  answer->length = natsMsg_GetDataLength(answer->message);
  answer->reply = natsMsg_GetReply(answer->message);
  if (natsMsgHeader_Get(answer->message, "Status", &answer->status) != 0) answer->status = NULL;
  return 0;
}

int parlor_nats_publish(void *connection, const char *subject, const void *data, int length) {
  return natsConnection_Publish(connection, subject, data, length);
}

int parlor_nats_flush(void *connection, int64_t timeout) { return natsConnection_FlushTimeout(connection, timeout); }

int parlor_nats_subscribe(void **subscription, void *connection, const char *subject, int limit) {
  status code = natsConnection_SubscribeSync(subscription, connection, subject);
  if (code == 0) code = natsSubscription_SetPendingLimits(*subscription, limit, limit);
  return code;
}

int parlor_nats_next(void *subscription, int64_t timeout, struct parlor_nats_message *message) {
  static const struct parlor_nats_message none;
  *message = none;
  status code = natsSubscription_NextMsg(&message->message, subscription, timeout);
  if (code != 0) return code;
  message->data = natsMsg_GetData(message->message);
  message->length = natsMsg_GetDataLength(message->message);
  return 0;
}

void parlor_nats_unsubscribe(void *subscription) { natsSubscription_Destroy(subscription); }

int parlor_nats_state(void *connection, uint64_t *reconnections) {
  void *statistics = NULL;
  uint64_t others[4];
  if (natsStatistics_Create(&statistics) == 0 && natsConnection_GetStats(connection, statistics) == 0)
    natsStatistics_GetCounts(statistics, &others[0], &others[1], &others[2], &others[3], reconnections);
  natsStatistics_Destroy(statistics);
  // The numbers of the library's natsConnStatus.
  switch (natsConnection_Status(connection)) {
    case 2: return PARLOR_NATS_CONNECTED;
    case 3: return PARLOR_NATS_CLOSED;
    default: return PARLOR_NATS_AWAY;
  }
}

int64_t parlor_nats_limit(void *connection) { return natsConnection_GetMaxPayload(connection); }

void parlor_nats_free(struct parlor_nats_message *message) {
  natsMsg_Destroy(message->message);
  message->message = NULL;
}

void parlor_nats_close(void *connection) { natsConnection_Destroy(connection); }

const char *parlor_nats_text(int code) { return natsStatus_GetText(code); }

const char *parlor_nats_last_error(void) { return nats_GetLastError(NULL); }
