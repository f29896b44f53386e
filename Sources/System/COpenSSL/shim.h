#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

/* A macro that Swift does not import. */
static const unsigned long long parlor_ssl_no_renegotiation = SSL_OP_NO_RENEGOTIATION;
