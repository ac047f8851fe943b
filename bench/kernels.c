// The same computations in scalar C, for comparison: prints a name and the median of five times in milliseconds per line.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 1048576, BINS = 256, SIDE = 256, ROUNDS = 5 };
static float a[N], b[N], out[N], ma[SIDE * SIDE], mb[SIDE * SIDE], mc[SIDE * SIDE];
static int in[N], data[N];
static unsigned bins[BINS];
static volatile int sink;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void vectorAdd(void) { for (int i = 0; i < N; ++i) out[i] = a[i] + b[i]; }
static void reduce(void) { int sum = 0; for (int i = 0; i < N; ++i) sum += in[i]; sink = sum; }
static void histogram(void) { for (int i = 0; i < BINS; ++i) bins[i] = 0; for (int i = 0; i < N; ++i) ++bins[data[i]]; }
static void matrixProduct(void) {
  for (int row = 0; row < SIDE; ++row)
    for (int column = 0; column < SIDE; ++column) {
      float sum = 0;
      for (int k = 0; k < SIDE; ++k) sum += ma[row * SIDE + k] * mb[k * SIDE + column];
      mc[row * SIDE + column] = sum;
    }
}

static int ascending(const void* x, const void* y) { double d = *(const double*)x - *(const double*)y; return (d > 0) - (d < 0); }

static void measure(const char* name, void (*run)(void)) {
  double times[ROUNDS];
  run();
  for (int r = 0; r < ROUNDS; ++r) {
    double start = now();
    run();
    // Nothing is computed ahead or left out: memory may be read here.
    __asm__ volatile("" ::: "memory");
    times[r] = now() - start;
  }
  sink += out[N / 2] + mc[SIDE] + bins[7];
  qsort(times, ROUNDS, sizeof *times, ascending);
  printf("%s %f\n", name, times[ROUNDS / 2]);
}

int main(void) {
  unsigned state = 1;
  for (int i = 0; i < N; ++i) {
    a[i] = i % 1000; b[i] = i % 500; in[i] = (i * 37u) % 101;
    state = state * 1664525u + 1013904223u;
    data[i] = (state >> 8) % BINS;
  }
  for (int i = 0; i < SIDE * SIDE; ++i) { ma[i] = i % 7 - 3; mb[i] = i % 5 - 2; }
  measure("vectorAdd", vectorAdd);
  measure("reduceModulo", reduce);
  measure("reduceShuffle", reduce);
  measure("histogramGlobal", histogram);
  measure("histogramShared", histogram);
  measure("matrixProduct", matrixProduct);
  return sink == 42;
}
