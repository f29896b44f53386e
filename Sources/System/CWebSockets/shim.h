#include <libwebsockets.h>

/* Macros that Swift does not import. */
static const int parlor_lws_pre = LWS_PRE;
static const unsigned long long parlor_lws_options =
    LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_UV_NO_SIGSEGV_SIGFPE_SPIN;
static const unsigned long long parlor_lws_fourth_version_alone = LWS_SERVER_OPTION_DISABLE_IPV6;
static const unsigned long long parlor_lws_tls =
    LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX;

/* The library's number for a frame that closes. Its header leaves it out in favour of lws_close_reason, whose frame is
   lost where the loop is libuv's (version 4.1). */
static const unsigned parlor_lws_write_close = 4;
