/* Where a program begins: what the system hands over, static constructors, main, exit. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libc.h"
#include "pthread_impl.h"

/* `which`: 0 for the arguments, 1 for the environment. Writes strings, each with its final zero, where `size` has room for all of them;
   returns how many bytes they have. */
__attribute__((import_module("linux"), import_name("strings")))
long __linux_strings(long which, char *buffer, long size);

void __wasm_call_ctors(void);
void __lanewise_keep_thread_data(void);
int __main_void(void);
int __main_argc_argv(int, char **);

static int arguments_count;
static char **arguments;

/* What Clang calls a main without parameters; one that has some is __main_argc_argv. */
weak int __main_void(void) { return __main_argc_argv(arguments_count, arguments); }

/* Of the C++ library, where it is linked: ends the program for an exception that nobody catches. */
weak void __lanewise_guarded(void (*run)(void));

static int result;

static void run(void) {
  __wasm_call_ctors();
  result = __main_void();
}

static char **strings_of(long which, int *count) {
  long size = __linux_strings(which, 0, 0);
  char *text = malloc(size + 1);
  __linux_strings(which, text, size);
  int n = 0;
  for (long i = 0; i < size; i++) n += text[i] == 0;
  char **list = malloc((n + 1) * sizeof *list);
  for (int i = 0; i < n; i++, text += strlen(text) + 1) list[i] = text;
  list[n] = 0;
  *count = n;
  return list;
}

__attribute__((export_name("_start"))) void _start(void) {
  static size_t no_auxiliary_values[2];
  int count;
  libc.auxv = no_auxiliary_values;
  libc.page_size = PAGE_SIZE;
  __lanewise_keep_thread_data();
  __environ = strings_of(1, &count);
  arguments = strings_of(0, &arguments_count);
  char *name = arguments_count ? arguments[0] : "";
  __progname = __progname_full = name;
  for (; *name; name++)
    if (*name == '/') __progname = name + 1;
  if (__lanewise_guarded) __lanewise_guarded(run);
  else run();
  exit(result);
}
