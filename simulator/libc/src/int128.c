/* Arithmetic of __int128, under the names by which Clang calls it (compiler-rt's documentation lists them). */
#include "wide.h"

u128 __multi3(u128 a, u128 b) {
  wide x = halves(a), y = halves(b), low = product(x.low, y.low);
  low.high += x.high * y.low + x.low * y.high;
  return joined(low);
}

u128 __ashlti3(u128 a, int count) { return joined(wide_left(halves(a), count)); }
u128 __lshrti3(u128 a, int count) { return joined(wide_right(halves(a), count)); }

s128 __ashrti3(s128 a, int count) {
  wide x = halves(a);
  if (count == 0) return a;
  int64_t high = x.high;
  if (count >= 64) return joined((wide){ high >> (count - 64), high >> 63 });
  return joined((wide){ x.low >> count | x.high << (64 - count), high >> count });
}

/* `high:low` by `by`, whose top bit is set, where `high` is less than `by`: Knuth's algorithm D with two digits of 32 bits. */
static u64 quotient_of_two(u64 high, u64 low, u64 by, u64 *rest) {
  u64 top = by >> 32, bottom = (uint32_t)by, digits[2];
  u64 remainder = high;
  for (int i = 0; i < 2; i++) {
    u64 next = i == 0 ? low >> 32 : (uint32_t)low;
    u64 digit = remainder / top, left = remainder % top;
    while (digit >> 32 || digit * bottom > (left << 32 | next)) {
      digit--;
      left += top;
      if (left >> 32) break;
    }
    remainder = (remainder << 32 | next) - digit * by;
    digits[i] = digit;
  }
  *rest = remainder;
  return digits[0] << 32 | digits[1];
}

u128 __udivmodti4(u128 a, u128 b, u128 *rest) {
  wide x = halves(a), y = halves(b);
  wide quotient = { 0, 0 }, remainder;
  if (wide_less(x, y)) {
    remainder = x;
  } else if (y.high == 0) {
    u64 high = x.high % y.low;
    quotient.high = x.high / y.low;
    remainder.high = 0;
    if (high == 0) {
      quotient.low = x.low / y.low;
      remainder.low = x.low % y.low;
    } else {
      int shift = __builtin_clzll(y.low);
      wide shifted = wide_left((wide){ x.low, high }, shift);
      quotient.low = quotient_of_two(shifted.high, shifted.low, y.low << shift, &remainder.low);
      remainder.low >>= shift;
    }
  } else {
    int shift = wide_leading_zeros(y) - wide_leading_zeros(x);
    wide part = wide_left(y, shift);
    remainder = x;
    for (; shift >= 0; shift--, part = wide_right(part, 1)) {
      if (wide_less(remainder, part)) continue;
      remainder = wide_subtract(remainder, part);
      quotient.low |= (u64)1 << shift;
    }
  }
  if (rest) *rest = joined(remainder);
  return joined(quotient);
}

u128 __udivti3(u128 a, u128 b) { return __udivmodti4(a, b, 0); }

u128 __umodti3(u128 a, u128 b) {
  u128 rest;
  __udivmodti4(a, b, &rest);
  return rest;
}

s128 __divti3(s128 a, s128 b) {
  u128 quotient = __udivmodti4(a < 0 ? -(u128)a : a, b < 0 ? -(u128)b : b, 0);
  return (a < 0) != (b < 0) ? -quotient : quotient;
}

s128 __modti3(s128 a, s128 b) {
  u128 rest;
  __udivmodti4(a < 0 ? -(u128)a : a, b < 0 ? -(u128)b : b, &rest);
  return a < 0 ? -rest : rest;
}

s128 __muloti4(s128 a, s128 b, int *overflow) {
  u128 x = a < 0 ? -(u128)a : a, y = b < 0 ? -(u128)b : b;
  int negative = (a < 0) != (b < 0);
  u128 limit = ((u128)1 << 127) - !negative;
  *overflow = x != 0 && y > __udivmodti4(limit, x, 0);
  return __multi3(a, b);
}
