// How a program ends that has an exception which nobody catches, in libstdc++'s words.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>
#include <unistd.h>
#include "cxxabi.h"
#include "cxa_exception.h"
#include "cxa_handlers.h"

namespace {

void say(const char* text) { write(STDERR_FILENO, text, strlen(text)); }

// As the demangler writes them; the whole of it is large and few exceptions are templates.
struct Names {
  char text[512];
  size_t length = 0;

  void add(const char* part, size_t size) {
    size_t room = sizeof text - 1 - length;
    if (size > room) size = room;
    memcpy(text + length, part, size);
    length += size;
    text[length] = 0;
  }
  void add(const char* part) { add(part, strlen(part)); }

  // One length and name; where it ends, or null.
  const char* source(const char* at) {
    size_t size = 0;
    for (; *at >= '0' && *at <= '9'; at++) size = size * 10 + (*at - '0');
    if (size == 0 || strlen(at) < size) return nullptr;
    if (!strncmp(at, "_GLOBAL__N_", 11)) {
      add("(anonymous namespace)");
    } else {
      add(at, size);
    }
    return at + size;
  }

  const char* type(const char* at) {
    static const char* const simple[][2] = {
      {"i", "int"}, {"j", "unsigned int"}, {"l", "long"}, {"m", "unsigned long"}, {"x", "long long"}, {"y", "unsigned long long"},
      {"c", "char"}, {"a", "signed char"}, {"h", "unsigned char"}, {"s", "short"}, {"t", "unsigned short"}, {"b", "bool"},
      {"f", "float"}, {"d", "double"}, {"e", "long double"}, {"w", "wchar_t"}, {"v", "void"}, {"Dn", "decltype(nullptr)"}};
    for (auto& [code, name] : simple) {
      if (strncmp(at, code, strlen(code))) continue;
      add(name);
      return at + strlen(code);
    }
    if (*at == 'P') return suffixed(at + 1, "*");
    if (*at == 'K') return suffixed(at + 1, " const");
    if (!strncmp(at, "Ss", 2)) {
      add("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >");
      return at + 2;
    }
    if (*at == 'N') {
      at++;
      bool first = true;
      if (!strncmp(at, "St", 2)) {
        add("std");
        at += 2;
        first = false;
      }
      for (; at && *at != 'E'; first = false) {
        if (!first) add("::");
        at = source(at);
      }
      return at ? at + 1 : nullptr;
    }
    if (!strncmp(at, "St", 2)) {
      add("std::");
      return source(at + 2);
    }
    return source(at);
  }

  const char* suffixed(const char* at, const char* suffix) {
    at = type(at);
    if (at) add(suffix);
    return at;
  }
};

void sayType(const std::type_info& type) {
  Names names;
  const char* end = names.type(type.name());
  say(end && *end == 0 ? names.text : type.name());
}

[[noreturn]] void endByException() {
  static bool ending = false;
  std::fflush(nullptr);
  if (ending) {
    say("terminate called recursively\n");
    std::abort();
  }
  ending = true;
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (!type) {
    say("terminate called without an active exception\n");
    std::abort();
  }
  say("terminate called after throwing an instance of '");
  sayType(*type);
  say("'\n");
  try {
    throw;
  } catch (const std::exception& error) {
    say("  what():  ");
    say(error.what());
    say("\n");
  } catch (...) {
  }
  std::abort();
}

}  // namespace

extern "C" {

std::terminate_handler __cxa_terminate_handler = endByException;
std::unexpected_handler __cxa_unexpected_handler = std::terminate;
std::new_handler __cxa_new_handler = nullptr;

_LIBCXXABI_FUNC_VIS void __cxa_pure_virtual() {
  say("pure virtual method called\n");
  std::terminate();
}

_LIBCXXABI_FUNC_VIS void __cxa_deleted_virtual() {
  say("deleted virtual method called\n");
  std::terminate();
}

// Called by _start where a program has exceptions at all: a handler around everything, for what __linux_handled() does not see.
void __lanewise_guarded(void (*run)()) {
  try {
    run();
  } catch (...) {
    std::terminate();
  }
}
}

namespace std {

terminate_handler set_terminate(terminate_handler handler) noexcept {
  terminate_handler before = __cxa_terminate_handler;
  __cxa_terminate_handler = handler ? handler : endByException;
  return before;
}

unexpected_handler set_unexpected(unexpected_handler handler) noexcept {
  unexpected_handler before = __cxa_unexpected_handler;
  __cxa_unexpected_handler = handler ? handler : terminate;
  return before;
}

new_handler set_new_handler(new_handler handler) noexcept {
  new_handler before = __cxa_new_handler;
  __cxa_new_handler = handler;
  return before;
}

}  // namespace std
