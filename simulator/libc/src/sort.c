/*
 * glibc's qsort is a merge sort (its manual's chapter on searching and sorting), so programs are used to it that equal elements keep their
 * order, and that a comparison which says 1 or 0, never less, still sorts.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct job {
  size_t bytes;
  int (*compare)(const void *, const void *, void *);
  void *context;
  char *buffer;
};

static void copy(char *to, const char *from, size_t bytes) {
  if (bytes == 4) *(uint32_t *)memcpy(to, from, 4);
  else if (bytes == 8) memcpy(to, from, 8);
  else memcpy(to, from, bytes);
}

static void sorted(char *base, size_t count, const struct job *job) {
  if (count < 2) return;
  size_t left = count / 2, right = count - left, bytes = job->bytes;
  char *first = base, *second = base + left * bytes, *to = job->buffer;
  sorted(first, left, job);
  sorted(second, right, job);
  for (; left > 0 && right > 0; to += bytes) {
    if (job->compare(first, second, job->context) <= 0) {
      copy(to, first, bytes);
      first += bytes;
      left--;
    } else {
      copy(to, second, bytes);
      second += bytes;
      right--;
    }
  }
  if (left > 0) memcpy(to, first, left * bytes);
  memcpy(base, job->buffer, (count - right) * bytes);
}

void qsort_r(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *, void *), void *context) {
  char on_stack[1024];
  size_t total;
  if (count < 2 || bytes == 0 || __builtin_mul_overflow(count, bytes, &total)) return;
  char *buffer = total <= sizeof on_stack ? on_stack : malloc(total);
  if (!buffer) abort();
  sorted(base, count, &(struct job){ bytes, compare, context, buffer });
  if (buffer != on_stack) free(buffer);
}

static int without_context(const void *a, const void *b, void *compare) { return ((int (*)(const void *, const void *))compare)(a, b); }

void qsort(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *)) {
  qsort_r(base, count, bytes, without_context, (void *)compare);
}
