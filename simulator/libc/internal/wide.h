/* 128-bit words as two halves: what the functions that implement 128-bit arithmetic are written with. */
#pragma once
#include <stdint.h>

typedef uint64_t u64;
typedef struct {
  u64 low, high;
} wide;

typedef __int128 s128;
typedef unsigned __int128 u128;

static inline wide halves(u128 value) { return (union { u128 whole; wide parts; }){ .whole = value }.parts; }
static inline u128 joined(wide parts) { return (union { wide parts; u128 whole; }){ .parts = parts }.whole; }

static inline wide wide_add(wide a, wide b) {
  u64 low = a.low + b.low;
  return (wide){ low, a.high + b.high + (low < a.low) };
}

static inline wide wide_subtract(wide a, wide b) { return (wide){ a.low - b.low, a.high - b.high - (a.low < b.low) }; }

static inline int wide_less(wide a, wide b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }

static inline int wide_is_zero(wide a) { return (a.low | a.high) == 0; }

/* Shifts by 0 to 127. */
static inline wide wide_left(wide a, int count) {
  if (count == 0) return a;
  if (count >= 64) return (wide){ 0, a.low << (count - 64) };
  return (wide){ a.low << count, a.high << count | a.low >> (64 - count) };
}

static inline wide wide_right(wide a, int count) {
  if (count == 0) return a;
  if (count >= 64) return (wide){ a.high >> (count - 64), 0 };
  return (wide){ a.low >> count | a.high << (64 - count), a.high >> count };
}

/* Of a word that is not 0. */
static inline int wide_leading_zeros(wide a) { return a.high ? __builtin_clzll(a.high) : 64 + __builtin_clzll(a.low); }

static inline wide product(u64 a, u64 b) {
  u64 al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  u64 low = al * bl, first = ah * bl + (low >> 32), second = al * bh + (uint32_t)first;
  return (wide){ second << 32 | (uint32_t)low, ah * bh + (first >> 32) + (second >> 32) };
}
