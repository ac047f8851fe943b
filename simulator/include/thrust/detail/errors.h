/* CUDA's errors as exceptions. */
#pragma once
#pragma GCC system_header
#include "../../cuda_runtime.h"
#include <new>
#include <string>
#include <system_error>

namespace thrust {

using std::error_category;
using std::error_code;
using std::error_condition;
using std::generic_category;
using std::system_category;

namespace detail {
struct cuda_errors : std::error_category {
  const char* name() const noexcept override { return "cuda"; }
  std::string message(int code) const override { return std::string(cudaGetErrorName((cudaError_t)code)) + ": " + cudaGetErrorString((cudaError_t)code); }
};
}  // namespace detail
inline const std::error_category& cuda_category() {
  static const detail::cuda_errors category;
  return category;
}
class system_error : public std::runtime_error {
  error_code kept;

 public:
  system_error(error_code code, const std::string& what) : std::runtime_error(what + ": " + code.message()), kept(code) {}
  explicit system_error(error_code code) : std::runtime_error(code.message()), kept(code) {}
  system_error(int code, const error_category& category, const std::string& what) : system_error(error_code(code, category), what) {}
  system_error(int code, const error_category& category) : system_error(error_code(code, category)) {}
  const error_code& code() const noexcept { return kept; }
};
namespace system {
using thrust::cuda_category;
using thrust::error_category;
using thrust::error_code;
using thrust::system_error;
namespace detail {
class bad_alloc : public std::bad_alloc {
  std::string text;

 public:
  explicit bad_alloc(const std::string& what) : text("std::bad_alloc: " + what) {}
  const char* what() const noexcept override { return text.c_str(); }
};
}  // namespace detail
}  // namespace system
}  // namespace thrust
