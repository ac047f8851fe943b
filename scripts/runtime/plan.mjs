// What the C and C++ libraries are made of, and how each part is compiled.

/** Where the sources lie while they are compiled. */
export const sourceRoot = '/.lanewise/src';
export const headerRoot = '/.lanewise/usr/include';
export const clangRoot = '/.lanewise/clang';

const target = [
  ...[
    '-triple',
    'wasm64-unknown-unknown',
    '-target-feature',
    '+atomics',
    '-O2',
    '-fvisibility=hidden',
    '-ffunction-sections',
    '-fdata-sections',
  ],
  ...['-fgnuc-version=4.2.1', '-D__linux__', '-D__linux', '-D__unix__', '-D__unix', '-D__gnu_linux__', '-w', '-ferror-limit', '5'],
];
const exceptions = ['-exception-model=wasm', '-mllvm', '-wasm-enable-eh', '-target-feature', '+exception-handling'];
const jumps = ['-mllvm', '-wasm-enable-sjlj'];
const system = (folders) => folders.flatMap((folder) => ['-internal-isystem', folder]);
const from = (folders) => folders.flatMap((folder) => ['-I', `${sourceRoot}/${folder}`]);

const c = ['-x', 'c', '-std=gnu17', ...target, ...exceptions];
const musl = [
  ...[...c, '-ffreestanding', '-D_XOPEN_SOURCE=700'],
  ...from(['libc/internal', 'musl/src/include', 'musl/src/internal']),
  ...system([headerRoot]),
  // Behind the rest: only what is no public header comes from there.
  ...['-idirafter', `${sourceRoot}/musl/arch/x86_64`, '-idirafter', `${sourceRoot}/musl/arch/generic`],
];
const cxx = [
  ...['-x', 'c++', ...target, ...exceptions, '-fcxx-exceptions', '-fexceptions', '-nostdsysteminc'],
  ...system([`${headerRoot}/c++/v1`, headerRoot]),
];
const libcxx = [
  ...[
    ...cxx,
    '-std=c++23',
    '-D_LIBCPP_BUILDING_LIBRARY',
    '-D_LIBCPP_DISABLE_EXTERN_TEMPLATE',
    '-DLIBCXX_BUILDING_LIBCXXABI',
    '-D_GNU_SOURCE',
  ],
  ...from(['libcxx/src', 'libcxx/libc', 'libcxxabi/include']),
];
const libcxxabi = [
  ...[
    ...cxx,
    '-std=c++23',
    '-D_LIBCXXABI_BUILDING_LIBRARY',
    '-DNDEBUG',
    '-D_LIBCPP_ENABLE_CXX17_REMOVED_UNEXPECTED_FUNCTIONS',
    '-D_GNU_SOURCE',
  ],
  ...from(['libcxxabi/include', 'libcxxabi/src', 'libcxx/src']),
];
const libunwind = [
  ...c,
  '-std=gnu23',
  '-D_GNU_SOURCE',
  '-D__WASM_EXCEPTIONS__',
  '-D_LIBUNWIND_HIDE_SYMBOLS',
  '-DNDEBUG',
  ...from(['libunwind/include', 'libunwind/src']),
  ...system([headerRoot]),
];

const muslFolders =
  'complex|conf|ctype|dirent|env|errno|exit|fcntl|fenv|internal|legacy|linux|locale|math|misc|mman|multibyte|passwd|prng|process|regex|sched|search|select|signal|stat|stdio|stdlib|string|temp|termios|thread|time|unistd';
const muslFile = new RegExp(`^musl/src/(${muslFolders})/[^/]+\\.c$`);
/** What is ours (simulator/libc/src), or cannot be in a program without a second process, a second thread's stack or a loader. */
const muslLeftOut = new RegExp(
  `^musl/src/(${[
    'env/(__libc_start_main|__init_tls|__reset_tls|__stack_chk_fail)',
    'internal/vdso',
    'string/(memcpy|memmove|memset|strerror_r|strsignal)',
    'errno/strerror',
    'exit/(abort|assert)',
    'stdlib/(qsort|qsort_nr)',
    'prng/(rand|rand_r|random)',
    'math/(sqrt|floor|ceil|trunc|rint|nearbyint|fabs|copysign)f?',
    'thread/(__set_thread_area|__tls_get_addr|__unmapself|clone|pthread_create|pthread_cancel|pthread_self|synccall|syscall_cp|tls|pthread_getattr_np)',
    'process/.*',
    'linux/(brk|sbrk|clone|ioperm|iopl|cache|cap|module|mount|ptrace|swap|setgroups|settimeofday|fanotify|inotify|reboot|quotactl|pivot_root|chroot|klogctl|adjtimex?|clock_adjtime|setns|unshare|vhangup|personality|signalfd|timerfd|xattr|splice|tee|vmsplice|name_to_handle_at|open_by_handle_at|process_vm|remap_file_pages|readahead|stime|setfs[ug]id|sethostname|wait[34]|arch_prctl|membarrier)',
    'legacy/(utmpx|getusershell|isastream|daemon)',
    'misc/(forkpty|openpty|login_tty|wordexp|initgroups|ptsname|pty|syslog|mntent)',
    'stdio/popen|stdio/pclose',
    'conf/legacy',
    'passwd/(?!getpw|nscd|getgr)\\w*',
    'signal/(restore|sigsetjmp|sigsetjmp_tail|siglongjmp)',
  ].join('|')})\\.c$`,
);

/** Files of libc++ that are compiled as one, because reading its headers takes longer than compiling most of them. */
const libcxxGroups = [
  ['locale', 'ios', 'ios.instantiations', 'ostream', 'fstream'],
  [
    'string',
    'charconv',
    'ryu/d2fixed',
    'ryu/d2s',
    'ryu/f2s',
    'regex',
    'random',
    'hash',
    'valarray',
    'vector',
    'variant',
    'optional',
    'any',
    'bind',
  ],
  ['algorithm', 'functional', 'expected', 'typeinfo', 'stdexcept', 'system_error', 'error_category', 'new_handler', 'new_helpers'],
  [
    'filesystem/operations',
    'filesystem/path',
    'filesystem/directory_iterator',
    'filesystem/directory_entry',
    'filesystem/filesystem_error',
    'filesystem/filesystem_clock',
  ],
  [
    'thread',
    'mutex',
    'condition_variable',
    'future',
    'barrier',
    'shared_mutex',
    'call_once',
    'atomic',
    'chrono',
    'memory',
    'memory_resource',
  ],
  // The operators new and delete are libc++abi's.
  ['verbose_abort', 'print'],
  ['iostream'],
  // Knows std::unexpected as the function of old.
  ['exception'],
  ['strstream'],
];
const libcxxAlone = /^libcxx\/src\/(random_shuffle|mutex_destructor|condition_variable_destructor)\.cpp$/;

/** Libraries by name: files, by what says whether a path belongs to it, with their flags. */
export const libraries = [
  {
    name: 'libc.a',
    parts: [
      { flags: musl, files: (path) => muslFile.test(path) && !muslLeftOut.test(path) },
      // pthread_exit is a longjmp.
      { flags: [...musl, '-D_GNU_SOURCE', ...jumps], files: (path) => /^libc\/src\/[^/]+\.c$/.test(path) },
    ],
  },
  {
    name: 'libc++.a',
    parts: [
      ...libcxxGroups.map((group) => ({ flags: libcxx, together: group.map((name) => `libcxx/src/${name}.cpp`) })),
      { flags: libcxx, files: (path) => libcxxAlone.test(path), batch: 1 },
      {
        flags: libcxxabi,
        files: (path) =>
          /^libcxxabi\/src\/[^/]+\.cpp$/.test(path) && !/(cxa_noexception|cxa_default_handlers|cxa_virtual)\.cpp$/.test(path),
        batch: 4,
      },
      { flags: libcxxabi, files: (path) => /^libc\/src\/[^/]+\.cpp$/.test(path) },
      { flags: libunwind, files: (path) => path === 'libunwind/src/Unwind-wasm.c' },
    ],
  },
];
