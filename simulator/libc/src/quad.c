/* Arithmetic of long double, which has 128 bits (IEEE 754 binary128), rounded to nearest even, under the names by which Clang calls it. */
#include "wide.h"

typedef long double quad;

enum { FRACTION_BITS = 112, BIAS = 16383, SPECIAL = 0x7fff, GUARD_BITS = 14 };

static const u64 hidden_bit = (u64)1 << 48, quiet_bit = (u64)1 << 47, sign_bit = (u64)1 << 63;

static inline wide bits(quad value) { return (union { quad value; wide parts; }){ .value = value }.parts; }
static inline quad number(wide parts) { return (union { wide parts; quad value; }){ .parts = parts }.value; }

/* As x86 makes it: the sign is set. */
static quad invalid(void) { return number((wide){ 0, sign_bit | (u64)SPECIAL << 48 | quiet_bit }); }
static quad infinity(u64 sign) { return number((wide){ 0, sign | (u64)SPECIAL << 48 }); }
static quad zero(u64 sign) { return number((wide){ 0, sign }); }

static inline int exponent_field(wide x) { return x.high >> 48 & SPECIAL; }
static inline wide fraction_field(wide x) { return (wide){ x.low, x.high & (hidden_bit - 1) }; }
static inline int is_nan(wide x) { return exponent_field(x) == SPECIAL && !wide_is_zero(fraction_field(x)); }
static inline int is_infinite(wide x) { return exponent_field(x) == SPECIAL && wide_is_zero(fraction_field(x)); }
static inline int is_zero(wide x) { return wide_is_zero((wide){ x.low, x.high & ~sign_bit }); }
static quad quieted(wide x) { return number((wide){ x.low, x.high | quiet_bit }); }

/* A finite number that is not 0: the significand's top bit is bit 126 (14 guard bits below the last place). */
typedef struct {
  u64 sign;
  int exponent;
  wide significand;
} unpacked;

static unpacked unpack(wide x) {
  int exponent = exponent_field(x);
  wide fraction = fraction_field(x);
  if (exponent != 0) {
    fraction.high |= hidden_bit;
    return (unpacked){ x.high & sign_bit, exponent, wide_left(fraction, GUARD_BITS) };
  }
  int shift = wide_leading_zeros(fraction) - 1;
  return (unpacked){ x.high & sign_bit, 1 - (shift - GUARD_BITS), wide_left(fraction, shift) };
}

/* Shifts right; what is lost stays as a set last bit. */
static wide sticky_right(wide x, int count) {
  if (count <= 0) return x;
  if (count > 127) return (wide){ !wide_is_zero(x), 0 };
  wide shifted = wide_right(x, count);
  shifted.low |= !wide_is_zero(wide_left(x, 128 - count > 127 ? 127 : 128 - count));
  return shifted;
}

/* `significand`: any word that is not 0, of the value significand * 2^(exponent - BIAS - 126). */
static quad pack(u64 sign, int exponent, wide significand) {
  int shift = wide_leading_zeros(significand) - 1;
  if (shift < 0) significand = sticky_right(significand, 1);
  else significand = wide_left(significand, shift);
  exponent -= shift;
  if (exponent <= 0) {
    significand = sticky_right(significand, 1 - exponent);
    exponent = 0;
  }
  u64 guard = significand.low & ((1 << GUARD_BITS) - 1), half = 1 << (GUARD_BITS - 1);
  wide result = wide_right(significand, GUARD_BITS);
  /* A subnormal has no hidden bit; rounding up into it makes the smallest normal number by itself. */
  if (exponent > 0) result.high += (u64)(exponent - 1) << 48;
  if (guard > half || (guard == half && (result.low & 1))) result = wide_add(result, (wide){ 1, 0 });
  if (result.high >> 48 >= SPECIAL) return infinity(sign);
  result.high |= sign;
  return number(result);
}

quad __addtf3(quad a, quad b) {
  wide x = bits(a), y = bits(b);
  if (is_nan(x)) return quieted(x);
  if (is_nan(y)) return quieted(y);
  if (is_infinite(x)) return is_infinite(y) && x.high != y.high ? invalid() : a;
  if (is_infinite(y)) return b;
  if (is_zero(x)) return is_zero(y) ? zero(x.high & y.high & sign_bit) : b;
  if (is_zero(y)) return a;
  unpacked p = unpack(x), q = unpack(y);
  if (p.exponent < q.exponent || (p.exponent == q.exponent && wide_less(p.significand, q.significand))) {
    unpacked other = p;
    p = q;
    q = other;
  }
  q.significand = sticky_right(q.significand, p.exponent - q.exponent);
  if (p.sign == q.sign) return pack(p.sign, p.exponent, wide_add(p.significand, q.significand));
  wide difference = wide_subtract(p.significand, q.significand);
  return wide_is_zero(difference) ? zero(0) : pack(p.sign, p.exponent, difference);
}

quad __negtf2(quad a) {
  wide x = bits(a);
  x.high ^= sign_bit;
  return number(x);
}

quad __subtf3(quad a, quad b) { return is_nan(bits(b)) ? __addtf3(a, b) : __addtf3(a, __negtf2(b)); }

quad __multf3(quad a, quad b) {
  wide x = bits(a), y = bits(b);
  u64 sign = (x.high ^ y.high) & sign_bit;
  if (is_nan(x)) return quieted(x);
  if (is_nan(y)) return quieted(y);
  if (is_infinite(x) || is_infinite(y)) return is_zero(x) || is_zero(y) ? invalid() : infinity(sign);
  if (is_zero(x) || is_zero(y)) return zero(sign);
  unpacked p = unpack(x), q = unpack(y);
  wide s = wide_left(p.significand, 1), t = wide_left(q.significand, 1);
  wide low = product(s.low, t.low), first = product(s.high, t.low), second = product(s.low, t.high);
  wide middle = wide_add((wide){ low.high, 0 }, (wide){ first.low, 0 });
  middle = wide_add(middle, (wide){ second.low, 0 });
  wide high = wide_add(product(s.high, t.high), (wide){ first.high, 0 });
  high = wide_add(wide_add(high, (wide){ second.high, 0 }), (wide){ middle.high, 0 });
  /* The product's top bit is bit 127 or 126 of the upper half. */
  high.low |= (low.low | middle.low) != 0;
  return pack(sign, p.exponent + q.exponent - BIAS, high);
}

quad __divtf3(quad a, quad b) {
  wide x = bits(a), y = bits(b);
  u64 sign = (x.high ^ y.high) & sign_bit;
  if (is_nan(x)) return quieted(x);
  if (is_nan(y)) return quieted(y);
  if (is_infinite(x)) return is_infinite(y) ? invalid() : infinity(sign);
  if (is_infinite(y)) return zero(sign);
  if (is_zero(y)) return is_zero(x) ? invalid() : infinity(sign);
  if (is_zero(x)) return zero(sign);
  unpacked p = unpack(x), q = unpack(y);
  wide rest = p.significand, quotient = { 0, 0 };
  int exponent = p.exponent - q.exponent + BIAS;
  if (wide_less(rest, q.significand)) {
    rest = wide_left(rest, 1);
    exponent--;
  }
  for (int i = 0; i < 127; i++) {
    quotient = wide_left(quotient, 1);
    if (!wide_less(rest, q.significand)) {
      rest = wide_subtract(rest, q.significand);
      quotient.low |= 1;
    }
    rest = wide_left(rest, 1);
  }
  quotient.low |= !wide_is_zero(rest);
  return pack(sign, exponent, quotient);
}

/* -1, 0 or 1; 2 where one is no number. */
static int comparison(quad a, quad b) {
  wide x = bits(a), y = bits(b);
  if (is_nan(x) || is_nan(y)) return 2;
  if (is_zero(x) && is_zero(y)) return 0;
  int negative = x.high >> 63;
  if (negative != (int)(y.high >> 63)) return negative ? -1 : 1;
  if (x.high == y.high && x.low == y.low) return 0;
  return wide_less(x, y) != negative ? -1 : 1;
}

int __unordtf2(quad a, quad b) { return comparison(a, b) == 2; }
int __eqtf2(quad a, quad b) { return comparison(a, b); }
int __netf2(quad a, quad b) { return comparison(a, b); }
int __lttf2(quad a, quad b) { return comparison(a, b); }
int __letf2(quad a, quad b) { return comparison(a, b); }
int __cmptf2(quad a, quad b) { return comparison(a, b); }
static int not_greater_if_nan(quad a, quad b) {
  int order = comparison(a, b);
  return order == 2 ? -2 : order;
}
int __gttf2(quad a, quad b) { return not_greater_if_nan(a, b); }
int __getf2(quad a, quad b) { return not_greater_if_nan(a, b); }

/* From other floating-point types, which are exact: their fraction's bits move to the top. */
static quad extended(u64 value, int fraction_bits, int exponent_bits) {
  u64 sign = value >> (fraction_bits + exponent_bits) << 63;
  int special = (1 << exponent_bits) - 1, exponent = value >> fraction_bits & special;
  u64 fraction = value & (((u64)1 << fraction_bits) - 1);
  wide moved = wide_left((wide){ fraction, 0 }, FRACTION_BITS - fraction_bits);
  if (exponent == special) {
    moved.high |= sign | (u64)SPECIAL << 48 | (fraction ? quiet_bit : 0);
    return number(moved);
  }
  if (exponent == 0 && fraction == 0) return zero(sign);
  int bias = special >> 1;
  if (exponent == 0) return pack(sign, 1 - bias + BIAS, wide_left(moved, GUARD_BITS));
  moved.high |= sign | (u64)(exponent - bias + BIAS) << 48;
  return number(moved);
}

quad __extenddftf2(double value) { return extended((union { double value; u64 bits; }){ value }.bits, 52, 11); }
quad __extendsftf2(float value) { return extended((union { float value; uint32_t bits; }){ value }.bits, 23, 8); }

static u64 truncated(quad value, int fraction_bits, int exponent_bits) {
  wide x = bits(value);
  u64 sign = x.high >> 63 << (fraction_bits + exponent_bits);
  u64 special = (u64)((1 << exponent_bits) - 1) << fraction_bits;
  int bias = (1 << (exponent_bits - 1)) - 1;
  if (is_nan(x)) {
    u64 payload = wide_right(fraction_field(x), FRACTION_BITS - fraction_bits).low;
    return sign | special | (u64)1 << (fraction_bits - 1) | payload;
  }
  if (is_infinite(x)) return sign | special;
  if (is_zero(x)) return sign;
  unpacked p = unpack(x);
  int exponent = p.exponent - BIAS + bias, dropped = 126 - fraction_bits;
  if (exponent > 2 * bias) return sign | special;
  if (exponent <= 0) {
    p.significand = sticky_right(p.significand, 1 - exponent);
    exponent = 1;
    if (wide_is_zero(p.significand)) return sign;
  }
  u64 result = wide_right(p.significand, dropped).low + ((u64)(exponent - 1) << fraction_bits);
  wide rest = wide_left(p.significand, 128 - dropped);
  if (rest.high > sign_bit || (rest.high == sign_bit && rest.low != 0) || (rest.high == sign_bit && rest.low == 0 && (result & 1))) result++;
  return sign | (result > special ? special : result);
}

double __trunctfdf2(quad value) { return (union { u64 bits; double value; }){ truncated(value, 52, 11) }.value; }
float __trunctfsf2(quad value) { return (union { uint32_t bits; float value; }){ truncated(value, 23, 8) }.value; }

static quad from_integer(u64 sign, wide magnitude) {
  return wide_is_zero(magnitude) ? zero(0) : pack(sign, BIAS + 126, magnitude);
}
static wide magnitude(s128 value) { return halves(value < 0 ? -(u128)value : value); }

quad __floattitf(s128 value) { return from_integer(value < 0 ? sign_bit : 0, magnitude(value)); }
quad __floatuntitf(u128 value) { return from_integer(0, halves(value)); }
quad __floatditf(int64_t value) { return __floattitf(value); }
quad __floatunditf(uint64_t value) { return __floatuntitf(value); }
quad __floatsitf(int32_t value) { return __floattitf(value); }
quad __floatunsitf(uint32_t value) { return __floatuntitf(value); }

/* Towards 0, and to the nearest that `bits` can hold. */
static u128 to_integer(quad value, int width, int is_signed) {
  wide x = bits(value);
  int negative = x.high >> 63, exponent = exponent_field(x) - BIAS;
  u128 largest = is_signed ? ((u128)1 << (width - 1)) - 1 : width == 128 ? ~(u128)0 : ((u128)1 << width) - 1;
  u128 smallest = is_signed ? ~largest : 0;
  if (is_nan(x)) return smallest;
  if (exponent < 0) return 0;
  if (exponent >= width - is_signed) return negative ? smallest : largest;
  wide fraction = fraction_field(x);
  fraction.high |= hidden_bit;
  wide whole = exponent <= FRACTION_BITS ? wide_right(fraction, FRACTION_BITS - exponent) : wide_left(fraction, exponent - FRACTION_BITS);
  u128 result = joined(whole);
  if (!negative) return result;
  return is_signed ? -result : 0;
}

int32_t __fixtfsi(quad value) { return to_integer(value, 32, 1); }
int64_t __fixtfdi(quad value) { return to_integer(value, 64, 1); }
s128 __fixtfti(quad value) { return to_integer(value, 128, 1); }
uint32_t __fixunstfsi(quad value) { return to_integer(value, 32, 0); }
uint64_t __fixunstfdi(quad value) { return to_integer(value, 64, 0); }
u128 __fixunstfti(quad value) { return to_integer(value, 128, 0); }

quad __powitf2(quad base, int exponent) {
  quad result = 1;
  for (unsigned left = exponent < 0 ? -(unsigned)exponent : exponent; left; left >>= 1, base *= base)
    if (left & 1) result *= base;
  return exponent < 0 ? 1 / result : result;
}
