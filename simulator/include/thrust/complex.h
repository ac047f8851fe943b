/* Complex numbers for both sides. */
#pragma once
#pragma GCC system_header
#include "../cuda_runtime.h"
#include <cmath>
#include <complex>
#include <ostream>
#include <type_traits>

namespace thrust {

template <class T> struct alignas(2 * sizeof(T)) complex {
  typedef T value_type;
  __host__ __device__ constexpr complex(const T& re = T(), const T& im = T()) : re(re), im(im) {}
  complex(const complex&) = default;
  template <class U> __host__ __device__ constexpr complex(const complex<U>& other) : re((T)other.real()), im((T)other.imag()) {}
  template <class U> complex(const std::complex<U>& other) : re((T)other.real()), im((T)other.imag()) {}
  complex& operator=(const complex&) = default;
  __host__ __device__ complex& operator=(const T& value) { re = value; im = T(); return *this; }
  template <class U> __host__ __device__ complex& operator=(const complex<U>& other) { re = (T)other.real(); im = (T)other.imag(); return *this; }
  __host__ __device__ constexpr T real() const { return re; }
  __host__ __device__ constexpr T imag() const { return im; }
  __host__ __device__ T real() const volatile { return re; }
  __host__ __device__ T imag() const volatile { return im; }
  __host__ __device__ void real(T value) { re = value; }
  __host__ __device__ void imag(T value) { im = value; }
  template <class U> __host__ __device__ complex& operator+=(const U& b) { return *this = *this + complex(b); }
  template <class U> __host__ __device__ complex& operator-=(const U& b) { return *this = *this - complex(b); }
  template <class U> __host__ __device__ complex& operator*=(const U& b) { return *this = *this * complex(b); }
  template <class U> __host__ __device__ complex& operator/=(const U& b) { return *this = *this / complex(b); }
  operator std::complex<T>() const { return std::complex<T>(re, im); }

 private:
  T re, im;
};

#define __LANEWISE_COMPLEX(op, expression) \
  template <class T> __host__ __device__ constexpr complex<T> operator op(const complex<T>& a, const complex<T>& b) { expression } \
  template <class T> __host__ __device__ constexpr complex<T> operator op(const complex<T>& a, const std::common_type_t<T>& b) { return a op complex<T>(b); } \
  template <class T> __host__ __device__ constexpr complex<T> operator op(const std::common_type_t<T>& a, const complex<T>& b) { return complex<T>(a) op b; }
__LANEWISE_COMPLEX(+, return complex<T>(a.real() + b.real(), a.imag() + b.imag());)
__LANEWISE_COMPLEX(-, return complex<T>(a.real() - b.real(), a.imag() - b.imag());)
__LANEWISE_COMPLEX(*, return complex<T>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());)
/* Scaled, so that no square overflows. */
__LANEWISE_COMPLEX(/,
  T c = b.real() < 0 ? -b.real() : b.real(); T d = b.imag() < 0 ? -b.imag() : b.imag();
  T scale = T(1) / (c + d);
  T ar = a.real() * scale; T ai = a.imag() * scale; T br = b.real() * scale; T bi = b.imag() * scale;
  T size = T(1) / (br * br + bi * bi);
  return complex<T>((ar * br + ai * bi) * size, (ai * br - ar * bi) * size);)
#undef __LANEWISE_COMPLEX
template <class T> __host__ __device__ constexpr complex<T> operator+(const complex<T>& a) { return a; }
template <class T> __host__ __device__ constexpr complex<T> operator-(const complex<T>& a) { return complex<T>(-a.real(), -a.imag()); }
template <class T> __host__ __device__ constexpr bool operator==(const complex<T>& a, const complex<T>& b) { return a.real() == b.real() && a.imag() == b.imag(); }
template <class T> __host__ __device__ constexpr bool operator==(const complex<T>& a, const std::common_type_t<T>& b) { return a.real() == b && a.imag() == T(); }
template <class T> __host__ __device__ constexpr bool operator!=(const complex<T>& a, const complex<T>& b) { return !(a == b); }
template <class T> __host__ __device__ constexpr bool operator!=(const complex<T>& a, const std::common_type_t<T>& b) { return !(a == b); }

template <class T> __host__ __device__ T abs(const complex<T>& z) { return (T)::hypot(z.real(), z.imag()); }
template <class T> __host__ __device__ T arg(const complex<T>& z) { return (T)::atan2(z.imag(), z.real()); }
template <class T> __host__ __device__ T norm(const complex<T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> __host__ __device__ constexpr complex<T> conj(const complex<T>& z) { return complex<T>(z.real(), -z.imag()); }
template <class T> __host__ __device__ complex<T> polar(const T& size, const std::common_type_t<T>& angle = T()) { return complex<T>(size * (T)::cos(angle), size * (T)::sin(angle)); }
template <class T> __host__ __device__ complex<T> proj(const complex<T>& z) { return z.real() - z.real() != 0 || z.imag() - z.imag() != 0 ? complex<T>((T)HUGE_VAL, z.imag() < 0 ? T(-0.0) : T()) : z; }
template <class T> __host__ __device__ complex<T> exp(const complex<T>& z) { return thrust::polar((T)::exp(z.real()), z.imag()); }
template <class T> __host__ __device__ complex<T> log(const complex<T>& z) { return complex<T>((T)::log(thrust::abs(z)), thrust::arg(z)); }
template <class T> __host__ __device__ complex<T> log10(const complex<T>& z) { return thrust::log(z) / (T)2.30258509299404568402; }
template <class T> __host__ __device__ complex<T> sqrt(const complex<T>& z) {
  T size = thrust::abs(z);
  if (size == T()) return complex<T>();
  T larger = (T)::sqrt((size + (z.real() < 0 ? -z.real() : z.real())) / 2), smaller = z.imag() / (2 * larger);
  if (z.real() >= 0) return complex<T>(larger, smaller);
  return complex<T>(smaller < 0 ? -smaller : smaller, z.imag() < 0 ? -larger : larger);
}
template <class T> __host__ __device__ complex<T> pow(const complex<T>& x, const complex<T>& y) { return thrust::exp(thrust::log(x) * y); }
template <class T> __host__ __device__ complex<T> pow(const complex<T>& x, const std::common_type_t<T>& y) { return thrust::exp(thrust::log(x) * y); }
template <class T> __host__ __device__ complex<T> pow(const std::common_type_t<T>& x, const complex<T>& y) { return thrust::exp((T)::log(x) * y); }
template <class T> __host__ __device__ complex<T> sinh(const complex<T>& z) { return complex<T>((T)::sinh(z.real()) * (T)::cos(z.imag()), (T)::cosh(z.real()) * (T)::sin(z.imag())); }
template <class T> __host__ __device__ complex<T> cosh(const complex<T>& z) { return complex<T>((T)::cosh(z.real()) * (T)::cos(z.imag()), (T)::sinh(z.real()) * (T)::sin(z.imag())); }
template <class T> __host__ __device__ complex<T> tanh(const complex<T>& z) { return thrust::sinh(z) / thrust::cosh(z); }
template <class T> __host__ __device__ complex<T> sin(const complex<T>& z) { return complex<T>((T)::sin(z.real()) * (T)::cosh(z.imag()), (T)::cos(z.real()) * (T)::sinh(z.imag())); }
template <class T> __host__ __device__ complex<T> cos(const complex<T>& z) { return complex<T>((T)::cos(z.real()) * (T)::cosh(z.imag()), -(T)::sin(z.real()) * (T)::sinh(z.imag())); }
template <class T> __host__ __device__ complex<T> tan(const complex<T>& z) { return thrust::sin(z) / thrust::cos(z); }
template <class T> std::ostream& operator<<(std::ostream& out, const complex<T>& z) { return out << '(' << z.real() << ',' << z.imag() << ')'; }

}  // namespace thrust
