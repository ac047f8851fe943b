/*
 * The angle that is left of a large one. musl computes it with some twenty words of 24 bits, each of them a double, which takes most of
 * the time of sin and cos; here the digits of 2/pi that matter are three words of 64 bits (Payne and Hanek).
 */
#include <math.h>
#include "wide.h"

/* The digits of 2/pi behind the point, with 64 zeros before them: enough for the largest double. */
static const u64 two_over_pi[] = {
  0,
  0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
  0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
  0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
  0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
};
/* pi/2, the highest bit being 1. */
static const wide half_pi = { 0xc4c6628b80dc1cd1, 0xc90fdaa22168c234 };

static u64 digits(int from) {
  int word = from >> 6, shift = from & 63;
  return shift == 0 ? two_over_pi[word] : two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift);
}

static double power_of_two(int exponent) {
  return (union { u64 bits; double value; }){ .bits = (u64)(1023 + exponent) << 52 }.value;
}

/* As musl's __rem_pio2 for |x| from 2^20 on: x less a multiple of pi/2, as two doubles, and the multiple's last bits. */
int __lanewise_reduced(double x, double *y) {
  u64 bits = (union { double value; u64 bits; }){ .value = x }.bits;
  u64 mantissa = (bits & ((u64)1 << 52) - 1) | (u64)1 << 52;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
  /* x * 2/pi with 190 bits behind the point; what is a multiple of 4 falls away at the left. */
  int from = exponent + 62;
  wide low = product(mantissa, digits(from + 128)), middle = product(mantissa, digits(from + 64));
  u64 parts[3] = { low.low, low.high + middle.low, middle.high + mantissa * digits(from) };
  parts[2] += parts[1] < middle.low;
  int quadrant = parts[2] >> 62;
  wide rest = { parts[1] << 2 | parts[0] >> 62, parts[2] << 2 | parts[1] >> 62 };
  u64 last = parts[0] << 2;
  /* From a half on, the angle is what is missing to the next multiple. */
  int negative = rest.high >> 63;
  if (negative) {
    quadrant++;
    last = -last;
    rest = wide_subtract((wide){ 0, 0 }, wide_add(rest, (wide){ last != 0, 0 }));
  }
  int zeros = wide_leading_zeros(rest);
  rest = wide_left(rest, zeros);
  if (zeros > 0 && zeros < 64) rest.low |= last >> (64 - zeros);
  else if (zeros >= 64) rest.low |= last << (zeros - 64);
  wide angle = wide_add(product(rest.high, half_pi.high), (wide){ product(rest.high, half_pi.low).high, 0 });
  angle = wide_add(angle, (wide){ product(rest.low, half_pi.high).high, 0 });
  double scale = power_of_two(-63 - zeros);
  double first = (double)(angle.high & ~(u64)0x7ff) * scale;
  double second = (double)((angle.high & 0x7ff) << 53 | angle.low >> 11) * (scale * 0x1p-53);
  if (negative != (int)(bits >> 63)) first = -first, second = -second;
  y[0] = first + second;
  y[1] = first - y[0] + second;
  return bits >> 63 ? -quadrant : quadrant;
}
