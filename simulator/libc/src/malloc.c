/*
 * The heap: blocks in lists by size (two levels, as TLSF has it), joined with their free neighbours at once, so that every call takes the
 * same short time. A block is a word with its size and two flags, then the user's bytes; a free one repeats its size in its last word.
 * Memory comes from sbrk and is taken from its end ("the rest") where no free block fits.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include "libc.h"

enum {
  ALIGNMENT = 16,
  HEADER_BYTES = 8,
  SMALLEST_BYTES = 32,
  FREE = 1,
  PREVIOUS_FREE = 2,
  FLAGS = FREE | PREVIOUS_FREE,
  /* Below this each size has a list of its own; above, each power of two has 16. */
  EXACT_BYTES = 512,
  EXACT_LOG2 = 9,
  LISTS_LOG2 = 4,
  LISTS = 1 << LISTS_LOG2,
  LEVELS = 48 - EXACT_LOG2 + 2,
  GROWTH_BYTES = 1 << 20,
};

static const size_t LARGEST_BYTES = (size_t)1 << 47;

struct block {
  size_t size_and_flags;
  struct block *next, *previous;
};

/* Level 0 and 1 hold the exact sizes. */
static struct block *lists[LEVELS][LISTS];
static uint64_t levels_with_blocks;
static uint32_t lists_with_blocks[LEVELS];

/* Of the heap's end: where the rest begins (a header would be there) and ends, and what has been given out at any time lies below `used_up_to`. */
static char *rest, *rest_end, *used_up_to;

static inline size_t size_of(const struct block *block) { return block->size_and_flags & ~(size_t)FLAGS; }
static inline struct block *after(const struct block *block) { return (struct block *)((char *)block + size_of(block)); }
static inline size_t *last_word(struct block *block) { return (size_t *)((char *)block + size_of(block)) - 1; }
static inline struct block *before(struct block *block) { return (struct block *)((char *)block - ((size_t *)block)[-1]); }
static inline struct block *block_of(void *user) { return (struct block *)((char *)user - HEADER_BYTES); }
static inline void *user_of(struct block *block) { return (char *)block + HEADER_BYTES; }

static inline void place(size_t size, int *level, int *list) {
  if (size < EXACT_BYTES) {
    *level = size >> 8;
    *list = size >> 4 & (LISTS - 1);
    return;
  }
  int log2 = 63 - __builtin_clzll(size);
  *level = log2 - EXACT_LOG2 + 2;
  *list = size >> (log2 - LISTS_LOG2) & (LISTS - 1);
}

static inline void put(struct block *block) {
  int level, list;
  place(size_of(block), &level, &list);
  struct block *head = lists[level][list];
  block->previous = 0;
  block->next = head;
  if (head) head->previous = block;
  lists[level][list] = block;
  levels_with_blocks |= (uint64_t)1 << level;
  lists_with_blocks[level] |= 1u << list;
}

static inline void take(struct block *block) {
  if (block->next) block->next->previous = block->previous;
  if (block->previous) {
    block->previous->next = block->next;
    return;
  }
  int level, list;
  place(size_of(block), &level, &list);
  lists[level][list] = block->next;
  if (block->next) return;
  lists_with_blocks[level] &= ~(1u << list);
  if (!lists_with_blocks[level]) levels_with_blocks &= ~((uint64_t)1 << level);
}

/* A block that is at least as large, taken out of its list. */
static inline struct block *fitting(size_t size) {
  int level, list;
  /* Larger sizes share a list: any block of the next one fits. */
  place(size < EXACT_BYTES ? size : size + ((size_t)1 << (63 - __builtin_clzll(size) - LISTS_LOG2)) - 1, &level, &list);
  uint32_t in_level = lists_with_blocks[level] & (~0u << list);
  if (!in_level) {
    uint64_t above = levels_with_blocks & (~(uint64_t)1 << level);
    if (!above) return 0;
    level = __builtin_ctzll(above);
    in_level = lists_with_blocks[level];
  }
  struct block *block = lists[level][__builtin_ctz(in_level)];
  take(block);
  return block;
}

/* Makes a free block of what is in no list; its neighbours are in use. */
static void make_free(struct block *block, size_t size) {
  block->size_and_flags = size | FREE;
  *last_word(block) = size;
  after(block)->size_and_flags |= PREVIOUS_FREE;
  put(block);
}

/* Somebody else moved the break: what remains there becomes a block, closed by a header of size 0. */
static void close_rest(void) {
  size_t left = rest_end - rest;
  size_t flags = 0;
  if (left >= SMALLEST_BYTES + HEADER_BYTES) {
    struct block *end = (struct block *)(rest_end - HEADER_BYTES);
    end->size_and_flags = 0;
    make_free((struct block *)rest, left - HEADER_BYTES);
  } else if (left >= HEADER_BYTES) {
    ((struct block *)rest)->size_and_flags = flags;
  }
}

static int grow(size_t size) {
  size_t missing = size - (rest_end - rest) + ALIGNMENT;
  size_t growth = missing + (GROWTH_BYTES - 1) & ~(size_t)(GROWTH_BYTES - 1);
  char *fresh = sbrk(growth);
  if (fresh == (char *)-1) {
    growth = missing + (PAGE_SIZE - 1) & ~(size_t)(PAGE_SIZE - 1);
    fresh = sbrk(growth);
    if (fresh == (char *)-1) return 0;
  }
  if (fresh == rest_end) {
    rest_end += growth;
    return 1;
  }
  if (rest) close_rest();
  char *from = (char *)(((uintptr_t)fresh + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
  rest = from + HEADER_BYTES;
  rest_end = fresh + growth;
  if (used_up_to < rest) used_up_to = rest;
  return (size_t)(rest_end - rest) >= size + HEADER_BYTES || grow(size);
}

static inline struct block *from_rest(size_t size) {
  if ((size_t)(rest_end - rest) < size + HEADER_BYTES && !grow(size)) return 0;
  struct block *block = (struct block *)rest;
  block->size_and_flags = size;
  rest += size;
  if (used_up_to < rest) used_up_to = rest;
  return block;
}

/* Cuts a block in use to `size` and frees what is behind. */
static inline void cut(struct block *block, size_t size) {
  size_t left = size_of(block) - size;
  if (left < SMALLEST_BYTES) return;
  block->size_and_flags -= left;
  make_free(after(block), left);
}

static inline size_t block_bytes(size_t user_bytes) {
  if (user_bytes > LARGEST_BYTES) return 0;
  size_t size = (user_bytes + HEADER_BYTES + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  return size < SMALLEST_BYTES ? SMALLEST_BYTES : size;
}

static void *no_memory(void) {
  errno = ENOMEM;
  return 0;
}

void *malloc(size_t bytes) {
  size_t size = block_bytes(bytes);
  if (!size) return no_memory();
  struct block *block = fitting(size);
  if (!block) {
    block = from_rest(size);
    return block ? user_of(block) : no_memory();
  }
  size_t left = size_of(block) - size;
  if (left >= SMALLEST_BYTES) {
    block->size_and_flags = size | (block->size_and_flags & PREVIOUS_FREE);
    struct block *behind = after(block);
    behind->size_and_flags = left | FREE;
    *last_word(behind) = left;
    put(behind);
  } else {
    block->size_and_flags &= ~(size_t)FREE;
    after(block)->size_and_flags &= ~(size_t)PREVIOUS_FREE;
  }
  return user_of(block);
}

void free(void *user) {
  if (!user) return;
  struct block *block = block_of(user);
  size_t size = size_of(block);
  if (block->size_and_flags & PREVIOUS_FREE) {
    struct block *previous = before(block);
    take(previous);
    size += size_of(previous);
    block = previous;
  }
  char *end = (char *)block + size;
  if (end != rest) {
    struct block *next = (struct block *)end;
    if (next->size_and_flags & FREE) {
      take(next);
      size += size_of(next);
    }
    make_free(block, size);
    return;
  }
  rest = (char *)block;
}

void *calloc(size_t count, size_t bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total)) return no_memory();
  char *touched = used_up_to;
  char *user = malloc(total);
  /* What the system gave and nobody had is 0. */
  if (user && user < touched) memset(user, 0, user + total > touched ? (size_t)(touched - user) : total);
  return user;
}

/* Makes the block larger where it lies. */
static int extend(struct block *block, size_t size) {
  size_t have = size_of(block);
  char *end = (char *)block + have;
  if (end == rest) {
    size_t more = size - have;
    if ((size_t)(rest_end - rest) < more + HEADER_BYTES) {
      char *expected = rest;
      if (!grow(more) || rest != expected) return 0;
    }
    block->size_and_flags += more;
    rest += more;
    if (used_up_to < rest) used_up_to = rest;
    return 1;
  }
  struct block *next = (struct block *)end;
  if (!(next->size_and_flags & FREE) || have + size_of(next) < size) return 0;
  take(next);
  block->size_and_flags += size_of(next);
  after(block)->size_and_flags &= ~(size_t)PREVIOUS_FREE;
  cut(block, size);
  return 1;
}

void *realloc(void *user, size_t bytes) {
  if (!user) return malloc(bytes);
  size_t size = block_bytes(bytes);
  if (!size) return no_memory();
  struct block *block = block_of(user);
  size_t have = size_of(block);
  if (size <= have) {
    char *end = (char *)block + have;
    if (end == rest) {
      block->size_and_flags -= have - size;
      rest -= have - size;
    } else if (have - size >= SMALLEST_BYTES) {
      struct block *next = (struct block *)end;
      block->size_and_flags -= have - size;
      size_t left = have - size;
      if (next->size_and_flags & FREE) {
        take(next);
        left += size_of(next);
      }
      make_free(after(block), left);
    }
    return user;
  }
  if (extend(block, size)) return user;
  void *moved = malloc(bytes);
  if (!moved) return 0;
  memcpy(moved, user, have - HEADER_BYTES);
  free(user);
  return moved;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  if (alignment & (alignment - 1)) {
    errno = EINVAL;
    return 0;
  }
  if (alignment <= ALIGNMENT) return malloc(bytes);
  if (bytes > LARGEST_BYTES || alignment > LARGEST_BYTES) return no_memory();
  char *user = malloc(bytes + alignment + SMALLEST_BYTES);
  if (!user) return 0;
  struct block *block = block_of(user);
  char *aligned = (char *)(((uintptr_t)user + alignment - 1) & -alignment);
  if (aligned != user) {
    if (aligned - user < SMALLEST_BYTES) aligned += alignment;
    size_t front = aligned - user;
    struct block *inner = block_of(aligned);
    inner->size_and_flags = size_of(block) - front;
    block->size_and_flags = front | (block->size_and_flags & PREVIOUS_FREE);
    free(user);
    user = aligned;
  }
  return realloc(user, bytes);
}

void *memalign(size_t alignment, size_t bytes) { return aligned_alloc(alignment, bytes); }

int posix_memalign(void **result, size_t alignment, size_t bytes) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  int before_call = errno;
  void *user = aligned_alloc(alignment, bytes);
  errno = before_call;
  if (!user) return ENOMEM;
  *result = user;
  return 0;
}

void *reallocarray(void *user, size_t count, size_t bytes) {
  size_t total;
  return __builtin_mul_overflow(count, bytes, &total) ? no_memory() : realloc(user, total);
}

size_t malloc_usable_size(void *user) { return user ? size_of(block_of(user)) - HEADER_BYTES : 0; }

/* As musl calls them where a program's own malloc must not be used. */
hidden void *__libc_malloc(size_t bytes) { return malloc(bytes); }
hidden void *__libc_calloc(size_t count, size_t bytes) { return calloc(count, bytes); }
hidden void *__libc_realloc(void *user, size_t bytes) { return realloc(user, bytes); }
hidden void __libc_free(void *user) { free(user); }
