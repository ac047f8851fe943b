// Ten loops as host programs have them. Each prints its name, its best time in milliseconds and a number that its work amounts to.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

static uint32_t state = 1;
static uint32_t next() { return state = state * 1664525u + 1013904223u; }

static double sort() {
  std::vector<int> values(400000);
  for (int& value : values) value = next() >> 8;
  std::sort(values.begin(), values.end());
  return values[1000] % 1000;
}

static double hash_map() {
  std::unordered_map<int, int> counts;
  for (int i = 0; i < 300000; ++i) counts[next() >> 12 & 0xffff]++;
  int most = 0;
  for (const auto& [key, count] : counts) most = std::max(most, count);
  return most;
}

static double matrix_product() {
  const int n = 192;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = i % 7, b[i] = i % 5;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  return c[n + 1];
}

static double strings() {
  std::string text;
  for (int i = 0; i < 60000; ++i) {
    text += "item ";
    text += std::to_string(i);
    text += i % 3 ? ", " : ";\n";
  }
  size_t lines = 0;
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; ++at) lines++;
  return lines;
}

static double waves() {
  double sum = 0;
  for (int i = 0; i < 300000; ++i) sum += std::sin(i * 0.01) * std::exp(-i * 1e-6);
  return std::floor(sum * 1000);
}

static double growth() {
  double sum = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<double> values;
    for (int i = 0; i < 100000; ++i) values.push_back(i * 0.5);
    sum += values[round];
  }
  return sum;
}

static double tree() {
  std::map<std::string, int> ages;
  for (int i = 0; i < 40000; ++i) ages["key" + std::to_string(next() >> 16 & 0x3fff)] += i & 7;
  long sum = 0;
  for (const auto& [name, age] : ages) sum += age * name.size();
  return sum % 100000;
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Circle : Shape {
  double radius;
  explicit Circle(double r) : radius(r) {}
  double area() const override { return 3.14159 * radius * radius; }
};
struct Box : Shape {
  double width, height;
  Box(double w, double h) : width(w), height(h) {}
  double area() const override { return width * height; }
};

static double virtual_calls() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 20000; ++i) {
    if (next() >> 31) shapes.push_back(std::make_unique<Circle>(i % 10));
    else shapes.push_back(std::make_unique<Box>(i % 7, i % 3));
  }
  double sum = 0;
  for (int round = 0; round < 100; ++round)
    for (const auto& shape : shapes) sum += shape->area();
  return std::fmod(std::floor(sum), 100000);
}

static double copies() {
  std::vector<unsigned char> from(4 << 20), to(4 << 20);
  for (size_t i = 0; i < from.size(); ++i) from[i] = i * 7;
  static volatile size_t most = 64;
  double sum = 0;
  for (int round = 0; round < 8; ++round) {
    memcpy(to.data(), from.data() + round, from.size() - most);
    for (size_t at = 0; at + 64 < to.size(); at += 40) memcpy(&to[at], &from[at + 20], (at >> 3) % most);
    sum += to[round * 1000];
  }
  return sum;
}

static double mixing() {
  uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint32_t words[64];
  const auto rotate = [](uint32_t x, int n) { return x >> n | x << (32 - n); };
  for (int block = 0; block < 8000; ++block) {
    for (int i = 0; i < 16; ++i) words[i] = block * 16 + i;
    for (int i = 16; i < 64; ++i) {
      const uint32_t a = words[i - 15], b = words[i - 2];
      words[i] = words[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + words[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], last = h[7];
    for (int i = 0; i < 64; ++i) {
      const uint32_t one = last + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + words[i];
      const uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      last = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e, h[5] += f, h[6] += g, h[7] += last;
  }
  return h[0] % 100000;
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 10;
  const struct {
    const char* name;
    double (*run)();
  } loops[] = {{"sort", sort},   {"hash map", hash_map}, {"matrix product", matrix_product}, {"strings", strings}, {"sin and exp", waves},
               {"push_back", growth}, {"map", tree}, {"virtual calls", virtual_calls}, {"memcpy", copies}, {"integer mixing", mixing}};
  for (const auto& loop : loops) {
    double best = 1e9, result = 0;
    for (int round = 0; round < rounds; ++round) {
      state = 1;
      const auto start = std::chrono::steady_clock::now();
      result = loop.run();
      best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    printf("%s\t%.3f\t%.0f\n", loop.name, best, result);
  }
}
