#include <curl/curl.h>

// Swift cannot call variadic functions: one inline function for each shape of argument that is used.

static inline CURLcode parley_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode parley_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode parley_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode parley_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode parley_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

typedef size_t (*parley_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode parley_curl_set_receiver(CURL *handle, CURLoption option, parley_curl_receiver value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode parley_curl_set_announcer(CURL *handle, CURLoption option, curl_prereq_callback value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode parley_curl_get_number(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
