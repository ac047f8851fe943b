/* What a harness, a program around one kernel, needs: buffers with made-up content, comparisons with the host, results for the report. */
#pragma once
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <vector>

/* Hands a buffer to the report: the simulator's own. */
extern "C" void lanewiseShowBuffer(const char *name, const char *type, const void *before, const void *after, const void *expected,
                                   unsigned long count, unsigned long wrong);

namespace lanewise {

enum class Fill { zeros, ones, iota, random };
constexpr Fill zeros = Fill::zeros, ones = Fill::ones, iota = Fill::iota, random = Fill::random;

namespace detail {

inline int failures = 0;

/* Numbers that the report can show: by size and sort, so that aliases do not matter. Others have no name. */
template <class T>
constexpr const char *typeName() {
  if constexpr (std::is_same_v<T, float>) return "float";
  else if constexpr (std::is_same_v<T, double>) return "double";
  else if constexpr (std::is_same_v<T, bool>) return "bool";
  else if constexpr (!std::is_integral_v<T>) return "";
  else if constexpr (sizeof(T) == 1) return std::is_signed_v<T> ? "signed char" : "unsigned char";
  else if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? "short" : "unsigned short";
  else if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? "int" : "unsigned int";
  else return std::is_signed_v<T> ? "long" : "unsigned long";
}

/* Numbers that are no type of C++ (half, bfloat16): made of a float and taken for one. */
template <class T>
constexpr bool isSmallNumber = std::is_class_v<T> && std::is_constructible_v<T, float> && std::is_convertible_v<T, float>;

/* What an element is made of: a vector (float4) has several parts of one type, and everything else is one part. */
template <class T, class = void>
struct Parts {
  using Part = T;
  static constexpr int count = 1;
};
template <class T, class = void>
constexpr bool hasY = false;
template <class T>
constexpr bool hasY<T, std::void_t<decltype(T::y)>> = true;
template <class T, class = void>
constexpr bool hasZ = false;
template <class T>
constexpr bool hasZ<T, std::void_t<decltype(T::z)>> = true;
template <class T, class = void>
constexpr bool hasW = false;
template <class T>
constexpr bool hasW<T, std::void_t<decltype(T::w)>> = true;
template <class T>
struct Parts<T, std::void_t<decltype(T::x)>> {
  using First = std::remove_cv_t<decltype(T::x)>;
  static constexpr int fields = hasW<T> ? 4 : hasZ<T> ? 3 : hasY<T> ? 2 : 1;
  /* A structure that has other fields, too, is one part. */
  static constexpr bool isVector = std::is_trivially_copyable_v<T> && sizeof(T) == fields * sizeof(First);
  using Part = std::conditional_t<isVector, First, T>;
  static constexpr int count = isVector ? fields : 1;
};

inline void check(cudaError_t code, const char *what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}

class Shown {
 public:
  Shown() { all().push_back(this); }
  virtual ~Shown() { all().erase(std::find(all().begin(), all().end(), this)); }
  virtual void show() = 0;
  static std::vector<Shown *> &all() {
    static std::vector<Shown *> list;
    return list;
  }
};

}  // namespace detail

/* An array in device memory, which a kernel takes as a pointer. After finish() its elements can be read. */
template <class T>
class Buffer : detail::Shown {
  /* A vector of bool has no elements in memory. */
  using Kept = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
  using Part = typename detail::Parts<Kept>::Part;
  static constexpr int parts = detail::Parts<Kept>::count;
  static constexpr bool isSmall = detail::isSmallNumber<Part>;
  static constexpr bool isNumber = std::is_arithmetic_v<Part> || isSmall;

 public:
  Buffer(const char *name, std::size_t count, Fill fill = Fill::zeros) : name_(name), before_(count) {
    unsigned state = 12345;
    for (std::size_t i = 0; i < parts * count; i++) {
      state = (state * 1103515245u + 12345u) & 0x7fffffffu;
      const std::size_t value = fill == Fill::zeros ? 0 : fill == Fill::ones ? 1 : fill == Fill::iota ? i : (state >> 8) % 1000;
      if constexpr (isSmall) part(before_, i) = Part(float(value));
      else if constexpr (isNumber) part(before_, i) = Part(value);
    }
    upload();
  }

  Buffer(const char *name, const std::vector<T> &values) : name_(name), before_(values.begin(), values.end()) { upload(); }

  ~Buffer() override { cudaFree(device_); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  operator T *() const { return device_; }
  std::size_t size() const { return before_.size(); }
  T operator[](std::size_t i) const { return after_.empty() ? before_[i] : after_[i]; }

  /* What the buffer began with, in host memory: for a function of the host to work on as the kernel does on the buffer. */
  T *reference() {
    if (expected_.empty()) expected_ = before_;
    return reinterpret_cast<T *>(expected_.data());
  }

  /* The same for a function that works on another type of number: what is compared is made of it again. */
  template <class U>
  U *reference() {
    static_assert(isNumber && parts == 1, "there is no such number for each element");
    if constexpr (std::is_same_v<U, T>) return reference();
    else {
      reference();
      auto others = std::make_shared<std::vector<U>>(size());
      for (std::size_t i = 0; i < size(); i++) (*others)[i] = U(number(expected_[i]));
      remade_ = [this, others] {
        for (std::size_t i = 0; i < size(); i++) {
          if constexpr (isSmall) expected_[i] = Part(float((*others)[i]));
          else expected_[i] = Kept((*others)[i]);
        }
      };
      return others->data();
    }
  }

  /* The kernel's result against what reference() holds now: numbers of floating point up to a relative error, others exactly. */
  void compare(double tolerance = 1e-5) {
    reference();
    if (remade_) remade_();
    download();
    compared_ = true;
    wrong_ = 0;
    for (std::size_t i = 0; i < size(); i++) {
      if (same(after_[i], expected_[i], tolerance)) continue;
      if (wrong_++ == 0) describe(i);
    }
    if (wrong_ == 0) return;
    std::fprintf(stderr, ", %zu of %zu elements differ\n", wrong_, size());
    detail::failures++;
  }

  void show() override {
    download();
    if constexpr (isSmall) {
      const auto [before, after, expected] = std::tuple(floats(before_), floats(after_), floats(expected_));
      lanewiseShowBuffer(name_, "float", before.data(), after.data(), compared_ ? expected.data() : nullptr, parts * size(), wrong_);
    } else {
      constexpr const char *type = parts == 1 ? detail::typeName<T>() : detail::typeName<Part>();
      if (*type)
        lanewiseShowBuffer(name_, type, before_.data(), after_.data(), compared_ ? expected_.data() : nullptr, parts * size(), wrong_);
    }
  }

 private:
  static Part &part(std::vector<Kept> &of, std::size_t i) { return reinterpret_cast<Part *>(of.data())[i]; }

  static auto number(const Part &value) {
    if constexpr (isSmall) return float(value);
    else return value;
  }

  static std::vector<float> floats(std::vector<Kept> &of) {
    std::vector<float> all(parts * of.size());
    for (std::size_t i = 0; i < all.size(); i++) all[i] = float(number(part(of, i)));
    return all;
  }

  void upload() {
    detail::check(cudaMalloc(&device_, size() ? size() * sizeof(T) : 1), name_);
    detail::check(cudaMemcpy(device_, before_.data(), size() * sizeof(T), cudaMemcpyHostToDevice), name_);
  }

  void download() {
    if (!after_.empty()) return;
    after_ = before_;
    detail::check(cudaMemcpy(after_.data(), device_, size() * sizeof(T), cudaMemcpyDeviceToHost), name_);
  }

  static bool same(const Kept &a, const Kept &b, double tolerance) {
    if constexpr (parts > 1 && isNumber) {
      for (int i = 0; i < parts; i++)
        if (!Buffer<Part>::same(reinterpret_cast<const Part *>(&a)[i], reinterpret_cast<const Part *>(&b)[i], tolerance)) return false;
      return true;
    } else if constexpr (isSmall) {
      /* The last of eight bits or more. */
      return Buffer<float>::same(float(a), float(b), std::fmax(tolerance, 0.01));
    } else if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
      return a == b || std::fabs(double(a) - double(b)) <= tolerance * std::fmax(std::fabs(double(a)), std::fabs(double(b)));
    } else if constexpr (std::is_arithmetic_v<T>) {
      return a == b;
    } else {
      const auto *x = reinterpret_cast<const unsigned char *>(&a), *y = reinterpret_cast<const unsigned char *>(&b);
      for (std::size_t i = 0; i < sizeof(T); i++)
        if (x[i] != y[i]) return false;
      return true;
    }
  }

  void describe(std::size_t i) {
    if constexpr (isNumber && parts == 1)
      std::fprintf(stderr, "%s[%zu] is %.9g, and the reference has %.9g", name_, i, double(number(after_[i])), double(number(expected_[i])));
    else
      std::fprintf(stderr, "%s[%zu] is not what the reference has", name_, i);
  }

  const char *name_;
  T *device_ = nullptr;
  std::vector<Kept> before_, after_, expected_;
  std::function<void()> remade_;
  std::size_t wrong_ = 0;
  bool compared_ = false;

  template <class>
  friend class Buffer;
};

/* Waits for the kernel; ends the program with the error, if there is one. */
inline void finish() {
  detail::check(cudaGetLastError(), "launch");
  detail::check(cudaDeviceSynchronize(), "kernel");
}

/* Gives the buffers to the report. The exit code: 0 if all comparisons held. */
inline int result() {
  for (detail::Shown *buffer : detail::Shown::all()) buffer->show();
  return detail::failures == 0 ? 0 : 1;
}

}  // namespace lanewise
