// libwebsockets, and what of it Swift cannot import: one computed macro, socket options, and what it leaves to OpenSSL.
#pragma once

#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <sys/socket.h>

/// Bytes that must be free in front of a buffer given to lws_write: the frame header goes there.
static inline size_t parley_lws_pre(void) { return LWS_PRE; }

/// Send small frames at once, keep the buffers of TLS, and give the connection up when the other side's kernel has
/// acknowledged nothing for so long: a pulled cable or a dead network is noticed in seconds, while a server that is merely
/// slow is left alone.
static inline void parley_tune_socket(struct lws *wsi, unsigned int unacknowledged_milliseconds) {
  // libwebsockets has OpenSSL get a buffer for each record: good for a thousand idle connections, not for a few busy ones.
  SSL *ssl = lws_get_ssl(wsi);
  if (ssl) SSL_clear_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
  int fd = lws_get_socket_fd(wsi);
  if (fd < 0) return;
  int yes = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
#if defined(TCP_USER_TIMEOUT)
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged_milliseconds, sizeof unacknowledged_milliseconds);
#elif defined(TCP_RXT_CONNDROPTIME)
  int seconds = (int)(unacknowledged_milliseconds / 1000);
  setsockopt(fd, IPPROTO_TCP, TCP_RXT_CONNDROPTIME, &seconds, sizeof seconds);
#endif
}

/// Why OpenSSL refuses the certificate that is being verified.
static inline const char *parley_certificate_refusal(void *verification) {
  return X509_verify_cert_error_string(X509_STORE_CTX_get_error((X509_STORE_CTX *)verification));
}

/// Whether a PEM file holds at least one certificate: libwebsockets itself goes on without one.
static inline int parley_holds_certificates(const char *file) {
  X509_STORE *store = X509_STORE_new();
  if (!store) return 0;
  int holds = X509_STORE_load_locations(store, file, NULL);
  X509_STORE_free(store);
  return holds == 1;
}
