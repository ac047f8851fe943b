/* glibc's messages of errors, which musl leaves out. */
#ifndef _ERROR_H
#define _ERROR_H 1
#pragma GCC system_header
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((weak)) unsigned int error_message_count;
__attribute__((weak)) int error_one_per_line;

static inline __attribute__((unused)) void __lanewise_error(int status, int number, const char* file, unsigned int line, const char* format, va_list arguments) {
  fflush(stdout);
  fprintf(stderr, "%s:", program_invocation_name);
  if (file) fprintf(stderr, "%s:%u: ", file, line);
  else fputc(' ', stderr);
  vfprintf(stderr, format, arguments);
  if (number) fprintf(stderr, ": %s", strerror(number));
  fputc('\n', stderr);
  error_message_count++;
  if (status) exit(status);
}
__attribute__((format(printf, 3, 4))) static inline __attribute__((unused)) void error(int status, int errnum, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  __lanewise_error(status, errnum, 0, 0, format, arguments);
  va_end(arguments);
}
__attribute__((format(printf, 5, 6))) static inline __attribute__((unused)) void error_at_line(int status, int errnum, const char* file, unsigned int line, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  __lanewise_error(status, errnum, file, line, format, arguments);
  va_end(arguments);
}
#endif
