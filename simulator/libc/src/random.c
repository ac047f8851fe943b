/*
 * glibc's random numbers, so that programs work on the data they have on Linux: an additive feedback generator, seeded by the minimal
 * standard generator (its manual's chapter on pseudo-random numbers; five sizes of state, 128 bytes by default), and rand_r, a linear
 * congruential one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* By type: how many words, and how far apart the two that are added lie. Type 0 is linear congruential. */
static const struct {
  int words, distance, smallest_bytes;
} kinds[] = { { 0, 0, 8 }, { 7, 3, 32 }, { 15, 1, 64 }, { 31, 3, 128 }, { 63, 1, 256 } };

enum { KINDS = 5, DEFAULT_KIND = 3, DEFAULT_WORDS = 31 };

/* The first word says the kind and where the generator stands, for setstate. */
static int32_t default_state[1 + DEFAULT_WORDS];
static int32_t *state = default_state + 1;
static int kind = DEFAULT_KIND, front, rear, seeded;

static int32_t next_number(void) {
  if (kind == 0) return state[0] = (uint32_t)state[0] * 1103515245 + 12345 & 0x7fffffff;
  uint32_t sum = (uint32_t)state[front] + (uint32_t)state[rear];
  state[front] = sum;
  front = (front + 1) % kinds[kind].words;
  rear = (rear + 1) % kinds[kind].words;
  return sum >> 1;
}

void srandom(unsigned seed) {
  seeded = 1;
  state[0] = seed ? seed : 1;
  if (kind == 0) return;
  int words = kinds[kind].words;
  for (int i = 1; i < words; i++) {
    int64_t word = 16807LL * (state[i - 1] % 127773) - 2836LL * (state[i - 1] / 127773);
    state[i] = word < 0 ? word + 2147483647 : word;
  }
  front = kinds[kind].distance;
  rear = 0;
  for (int i = 0; i < 10 * words; i++) next_number();
}

long random(void) {
  if (!seeded) srandom(1);
  return next_number();
}

int rand(void) { return random(); }
void srand(unsigned seed) { srandom(seed); }

static void note_place(void) { state[-1] = kind == 0 ? 0 : KINDS * rear + kind; }

char *initstate(unsigned seed, char *buffer, size_t bytes) {
  int chosen = KINDS - 1;
  while (chosen >= 0 && bytes < (size_t)kinds[chosen].smallest_bytes) chosen--;
  if (chosen < 0) {
    errno = EINVAL;
    return 0;
  }
  if (!seeded) srandom(1);
  note_place();
  char *before = (char *)(state - 1);
  state = (int32_t *)buffer + 1;
  kind = chosen;
  srandom(seed);
  note_place();
  return before;
}

char *setstate(char *buffer) {
  int32_t *words = (int32_t *)buffer;
  int chosen = words[0] % KINDS;
  if (chosen < 0 || chosen >= KINDS) {
    errno = EINVAL;
    return 0;
  }
  if (!seeded) srandom(1);
  note_place();
  char *before = (char *)(state - 1);
  state = words + 1;
  kind = chosen;
  if (kind) {
    rear = words[0] / KINDS;
    front = (rear + kinds[kind].distance) % kinds[kind].words;
  }
  return before;
}

int rand_r(unsigned *seed) {
  unsigned word = *seed, value = 0;
  static const unsigned parts[] = { 2048, 1024, 1024 };
  for (int i = 0; i < 3; i++) {
    word = word * 1103515245 + 12345;
    value = value << 10 ^ (word >> 16) % parts[i];
  }
  *seed = word;
  return value;
}
