/* Exceptions of NVIDIA's samples, which know where they were thrown. */
#ifndef COMMON_EXCEPTION_H_
#define COMMON_EXCEPTION_H_
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

template <class Standard> class Exception : public Standard {
public:
  explicit Exception(const std::string& text) : Standard(text) {}
  [[noreturn]] static void throw_it(const char* file, int line, const char* details = "-") {
    std::ostringstream text;
    text << "Exception in file '" << file << "' in line " << line << "\nDetailed description: " << details << "\n";
    throw Exception(text.str());
  }
  [[noreturn]] static void throw_it(const char* file, int line, const std::string& details) { throw_it(file, line, details.c_str()); }
};
typedef Exception<std::runtime_error> RuntimeException;
typedef Exception<std::range_error> RangeException;
typedef Exception<std::logic_error> LogicException;

template <class Thrown> void handleException(const Thrown& thrown) {
  std::cerr << thrown.what() << std::endl;
  exit(EXIT_FAILURE);
}

#define RUNTIME_EXCEPTION(details) RuntimeException::throw_it(__FILE__, __LINE__, details)
#define RANGE_EXCEPTION(details) RangeException::throw_it(__FILE__, __LINE__, details)
#define LOGIC_EXCEPTION(details) LogicException::throw_it(__FILE__, __LINE__, details)
#endif
