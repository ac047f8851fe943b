/* Blocks of memory. WebAssembly's own instructions cost a call each, which short blocks do not repay. */
#include <stddef.h>
#include <stdint.h>

enum { SHORT_BYTES = 32 };

typedef uint64_t __attribute__((aligned(1), may_alias)) word;

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  if (count > SHORT_BYTES) {
    __asm__("local.get %0\nlocal.get %1\nlocal.get %2\nmemory.copy 0, 0\n" ::"r"(to), "r"(from), "r"(count) : "memory");
    return to;
  }
  unsigned char *d = to;
  const unsigned char *s = from;
  if (count >= 8) {
    size_t last = count - 8;
    word end = *(const word *)(s + last);
    for (size_t i = 0; i < last; i += 8) *(word *)(d + i) = *(const word *)(s + i);
    *(word *)(d + last) = end;
    return to;
  }
  for (size_t i = 0; i < count; i++) d[i] = s[i];
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  if (count > SHORT_BYTES || (uintptr_t)to - (uintptr_t)from < count) {
    __asm__("local.get %0\nlocal.get %1\nlocal.get %2\nmemory.copy 0, 0\n" ::"r"(to), "r"(from), "r"(count) : "memory");
    return to;
  }
  return memcpy(to, from, count);
}

void *memset(void *to, int value, size_t count) {
  if (count > SHORT_BYTES) {
    __asm__("local.get %0\nlocal.get %1\nlocal.get %2\nmemory.fill 0\n" ::"r"(to), "r"(value), "r"(count) : "memory");
    return to;
  }
  unsigned char *d = to;
  for (size_t i = 0; i < count; i++) d[i] = value;
  return to;
}
