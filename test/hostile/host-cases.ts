/** Host programs that reach outside, or take without end. */
import { type HostileCase, host, run } from './case.ts';

const REFUSED = /it is outside the program's folders\. To allow it, pass --allow-|may not (read|write)/;

/** Tries, and says with what number it failed. */
function attempt(name: string, call: string, changes: Partial<HostileCase> = {}): HostileCase {
  return run(
    `escape: ${name}`,
    host(
      `long r = (long)(${call});\nprintf("%s %d\\n", r == -1 || r == 0 ? "failed" : "done", errno);\nif (r > 0 && r < 1000) { char b[200] = {}; read((int)r, b, 199); puts(b); }`,
      BEFORE,
    ),
    0,
    /^failed (?:1|2|6|13|38|40|95|97)\n/,
    changes,
  );
}

/** What there is not: the program ends there, and is told. */
function unsupported(name: string, call: string, fn: string): HostileCase {
  const says = new RegExp(
    `^\\nunsupported: the program calls ${fn}\\(\\), which the simulator does not support\\n {2}line {5}a\\.cu:\\d+ .*\\n$`,
  );
  return run(`escape: ${name}`, host(`printf("%ld\\n", (long)(${call}));`, BEFORE), 1, says);
}

const BEFORE =
  '#include <sys/socket.h>\n#include <sys/wait.h>\n#include <dirent.h>\n#include <signal.h>\n#include <spawn.h>\n#include <sys/mman.h>\n#include <utime.h>\nextern char** environ;\n';

const OPENED: readonly (readonly [how: string, path: string, prepare?: string])[] = [
  ['..', '../outside/secret'],
  ['a link', 'link', 'ln -s ../outside/secret link'],
  ['a link to its folder', 'way/secret', 'ln -s ../outside way'],
  ['a link to a link', 'second', 'ln -s ../outside/secret first; ln -s first second'],
  ['/proc/self/cwd', '/proc/self/cwd/../outside/secret'],
  ['/proc/self/root', '/proc/self/root/etc/passwd'],
  ['/proc/self/environ', '/proc/self/environ'],
  ['/proc/self/mem', '/proc/self/mem'],
  ['/proc/1/cmdline', '/proc/1/cmdline'],
  ['/etc/passwd', '/etc/passwd'],
  ['/dev/mem', '/dev/mem'],
  ['/dev/tty', '/dev/tty'],
  ['a pipe', 'pipe', 'mkfifo pipe'],
];
const opened = OPENED.map(([how, path, prepare]) => attempt(`read by ${how}`, `open("${path}", O_RDONLY)`, { prepare }));

const written: readonly HostileCase[] = [
  attempt('written by ..', 'open("../outside/secret", O_WRONLY)'),
  attempt('cut by ..', 'open("../outside/secret", O_WRONLY | O_TRUNC)'),
  attempt('made by ..', 'open("../outside/new", O_WRONLY | O_CREAT, 0644)'),
  attempt('made behind a link to a folder', 'open("way/new", O_WRONLY | O_CREAT, 0644)', { prepare: 'ln -s ../outside way' }),
  attempt('made through a link that leads nowhere', 'open("link", O_WRONLY | O_CREAT, 0644)', { prepare: 'ln -s ../outside/new link' }),
  attempt('.git/config', 'open(".git/config", O_WRONLY | O_APPEND)'),
  attempt('.git/hooks', 'open(".git/hooks/pre-commit", O_WRONLY | O_CREAT, 0755)'),
  attempt('.vscode/tasks.json', 'open(".vscode/tasks.json", O_WRONLY | O_CREAT, 0644)'),
  attempt('node_modules', 'open("node_modules/x/index.js", O_WRONLY | O_CREAT, 0644)'),
  attempt('.bashrc', 'open(".bashrc", O_WRONLY | O_CREAT, 0644)'),
  attempt('rename out', 'rename("own", "../outside/taken")'),
  attempt('rename in', 'rename("../outside/secret", "taken")'),
  attempt('rename into .git', 'rename("own", ".git/hooks/pre-commit")'),
  attempt('rename of .git', 'rename(".git", "git")'),
  attempt('a link to outside', 'symlink("../outside/secret", "link") ? -1 : open("link", O_RDONLY)'),
  attempt('a hard link to outside', 'link("../outside/secret", "taken")'),
  attempt('unlink outside', 'unlink("../outside/secret")'),
  attempt('mkdir outside', 'mkdir("../outside/new", 0755)'),
  attempt('rmdir outside', 'rmdir("../outside/sub")'),
  attempt('chmod outside', 'chmod("../outside/secret", 0777)'),
  attempt('truncate outside', 'truncate("../outside/secret", 0)'),
  attempt('utime outside', 'utime("../outside/secret", nullptr)'),
  attempt('chdir outside', 'chdir("../outside")'),
  attempt('opendir outside', 'opendir("../outside")'),
  attempt('fopen outside', 'fopen("../outside/secret", "r")'),
  attempt('openat below a folder', 'openat(open("sub", O_RDONLY | O_DIRECTORY), "../../outside/secret", O_RDONLY)'),
  attempt('stat outside', '[] { struct stat s; return stat("../outside/secret", &s); }()'),
  attempt('a device made', 'mknod("disk", S_IFBLK | 0644, 0x800)'),
  unsupported('socket', 'socket(AF_INET, SOCK_STREAM, 0)', 'socket'),
  unsupported('a socket of the machine', 'socket(AF_UNIX, SOCK_STREAM, 0)', 'socket'),
  unsupported('fork', 'fork()', 'fork'),
  unsupported('execve', 'execve("/bin/sh", argv, environ)', 'execve'),
  unsupported('popen', 'popen("touch ../outside/new", "r")', 'popen'),
  unsupported('system', 'system("touch ../outside/new")', 'system'),
  unsupported('posix_spawn', 'posix_spawn(new pid_t, "/bin/sh", nullptr, nullptr, argv, environ)', 'posix_spawn'),
  run('escape: kill of all', host('printf("%d\\n", kill(-1, SIGKILL));', BEFORE), 137, /^/),
  run('escape: kill of its parent', host('printf("%d\\n", kill(getppid(), SIGKILL));', BEFORE), 137, /^/),
  run(
    'escape: the environment',
    host('puts(getenv("SECRET_OF_USER") ? "there" : "nothing"); puts(environ[0] ? "some" : "none");', BEFORE),
    0,
    /^nothing\nnone\n/,
  ),
  run('escape: inline assembly', host('asm volatile("syscall"); return 0;'), 1, /error/),
  run(
    'escape: an import of its own',
    host('return host_exit(7);', 'extern "C" __attribute__((import_module("linux"), import_name("host_exit"))) int host_exit(int);'),
    1,
    /the program calls host_exit\(\), which the simulator does not support/,
  ),
  run('escape: a refusal is told', host('fopen("../outside/secret", "r"); return 0;'), 0, REFUSED),
  run(
    'escape: a folder that is swapped for a link meanwhile',
    host(
      'char b[100]; for (int i = 0; i < 20000; i++) { FILE* f = fopen("x/secret", "r"); if (f) { if (fgets(b, 100, f)) if (strcmp(b, "mine\\n")) puts(b); fclose(f); } f = fopen("x/new", "w"); if (f) fclose(f); } puts("ran");',
    ),
    0,
    /^ran/,
    { prepare: 'mkdir x; cp own x/secret', meanwhile: 'while :; do mv x z; ln -s ../outside x; rm x; mv z x; done', seconds: 90 },
  ),
  run(
    'escape: a link that it swaps itself, in turns',
    host(
      'for (int i = 0; i < 5000; i++) { unlink("l"); symlink(i & 1 ? "own" : "../outside/secret", "l"); FILE* f = fopen("l", "r"); char b[100]; if (f) { if (fgets(b, 100, f)) if (strcmp(b, "mine\\n")) puts(b); fclose(f); } } puts("ran");',
    ),
    0,
    /^ran/,
    { seconds: 90 },
  ),
];

const bomb = (name: string, body: string, exit: number | undefined, says: RegExp, changes: Partial<HostileCase> = {}): HostileCase =>
  run(`host: ${name}`, host(body, LIBRARY), exit, says, { megabytes: 2000, ...changes });

const LIBRARY = `${BEFORE}#include <vector>\n#include <string>\n#include <thread>\n#include <csetjmp>\n#include <stdexcept>\n#include <pthread.h>\nstatic void* volatile kept;\n`;

const CANCELLED = { interruptAt: 'now' };
const SAY = 'puts("now"); fflush(stdout);';

const taking: readonly HostileCase[] = [
  bomb(
    'malloc until there is no more, touched',
    'size_t n = 0; while ((kept = malloc(16 << 20))) { memset(kept, 1, 16 << 20); n++; } printf("%d\\n", n > 100);',
    0,
    /^1\n/,
    { megabytes: 5500, seconds: 60 },
  ),
  bomb('malloc of small pieces without end', 'size_t n = 0; while ((kept = malloc(100))) n++; printf("%d\\n", n > 1000000);', 0, /^1\n/, {
    megabytes: 5500,
    seconds: 90,
  }),
  bomb(
    'malloc of everything',
    'kept = malloc(~0ul); bool first = kept; kept = calloc(~0ul, ~0ul); printf("%d %d\\n", !first, !kept);',
    0,
    /^1 1\n/,
  ),
  bomb(
    'new of everything',
    'volatile size_t size = 1ul << 62; try { kept = new char[size]; } catch (std::bad_alloc&) { puts("no"); }',
    0,
    /^no\n/,
  ),
  bomb(
    'mmap without end',
    'size_t n = 0; while (n < 1000000 && mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) n++; printf("%d\\n", n < 1000);',
    0,
    /^1\n/,
    { megabytes: 5500 },
  ),
  bomb(
    'a vector that grows without end',
    'std::vector<int> v; try { for (;;) v.push_back(1); } catch (std::bad_alloc&) { puts("no"); }',
    0,
    /^no\n/,
    { megabytes: 5500, seconds: 90 },
  ),
  bomb('a string that doubles', 'std::string s = "x"; try { for (;;) s += s; } catch (std::exception&) { puts("no"); }', 0, /^no\n/, {
    megabytes: 5500,
  }),
  bomb(
    'static arrays of 200 MiB',
    'static char a[200 << 20], b[200 << 20]; for (size_t i = 0; i < sizeof a; i += 4096) a[i] = b[i] = 1; return a[5];',
    0,
    /^/,
    { megabytes: 2000 },
  ),
  bomb(
    'recursion without end',
    'struct F { static int f(volatile int n) { volatile char a[100]; a[n % 100] = 1; return f(n + 1) + a[0]; } }; return F::f(1);',
    1,
    /stack overflow|host-fault/,
  ),
  bomb('alloca without end', 'volatile char* p; for (;;) { p = (char*)__builtin_alloca(4096); p[0] = 1; }', 1, /stack overflow|host-fault/),
  bomb(
    'an array larger than the stack',
    'volatile char a[64 << 20]; for (size_t i = 0; i < sizeof a; i += 4096) a[i] = 1; return 0;',
    1,
    /stack overflow|segmentation|host-fault/,
  ),
  bomb(
    'threads without end',
    'int n = 0; try { for (; n < 20000; n++) std::thread([] {}).detach(); } catch (std::system_error&) {} printf("%d\\n", n > 100);',
    0,
    /^1\n/,
    { seconds: 90 },
  ),
  bomb(
    'threads that start threads',
    `static void (*f)(int) = [](int n) { if (n < 100000) std::thread(f, n + 1).join(); }; ${SAY} f(0);`,
    undefined,
    /^now/,
    CANCELLED,
  ),
  bomb('a loop without end', `${SAY} for (volatile int i = 0;; i = i + 1);`, 130, /cancelled/, CANCELLED),
  bomb('a loop without a body', `${SAY} for (;;);`, 130, /cancelled/, CANCELLED),
  bomb('sleep for ever', `${SAY} for (;;) sleep(1000000);`, 130, /cancelled/, CANCELLED),
  bomb(
    'a lock that is never opened',
    `${SAY} pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_lock(&m);`,
    1,
    /./,
  ),
  bomb(
    'signals ignored',
    `signal(SIGINT, SIG_IGN); signal(SIGTERM, SIG_IGN); ${SAY} for (volatile int i = 0;; i = i + 1);`,
    130,
    /cancelled/,
    CANCELLED,
  ),
  bomb(
    'exit handlers without end',
    'static void (*f)() = [] { atexit(f); }; atexit(f); puts("now"); fflush(stdout); return 0;',
    130,
    /now/,
    CANCELLED,
  ),
  bomb('output without end', `${SAY} for (;;) puts("a line of some length that says nothing");`, 130, /cancelled/, {
    ...CANCELLED,
    megabytes: 1200,
  }),
  bomb('output of 300 MB', 'for (int i = 0; i < 3000000; i++) printf("%99d\\n", i); return 4;', 4, /2999999/, {
    megabytes: 1200,
    seconds: 90,
  }),
  bomb('output of 300 MB in one line', 'for (int i = 0; i < 3000000; i++) printf("%100d", i); return 4;', 4, /2999999/, {
    megabytes: 1200,
    seconds: 90,
  }),
  bomb('errors of 10 MB', 'for (int i = 0; i < 100000; i++) fprintf(stderr, "%99d\\n", i); return 4;', 4, /99999/, {
    megabytes: 1200,
    seconds: 90,
  }),
  bomb('a column of two billion', `${SAY} printf("%2000000000d\\n", 1);`, 130, /cancelled/, CANCELLED),
  bomb(
    'files without end',
    'char n[40]; int i = 0; for (; i < 3000; i++) { sprintf(n, "sub/f%d", i); FILE* f = fopen(n, "w"); if (!f) break; } printf("%d\\n", i); return 4;',
    4,
    /^\d+\n/,
    { seconds: 90 },
  ),
  bomb(
    'a file of 1 TiB with a hole',
    'int f = open("hole", O_RDWR | O_CREAT, 0644); lseek(f, 1l << 40, SEEK_SET); printf("%ld\\n", write(f, "x", 1)); return 4;',
    4,
    /^-?1\n/,
  ),
  bomb('a write to null', '*(volatile int*)nullptr = 1; return 0;', 1, /null|segmentation|host-fault/i),
  bomb(
    'a write to everywhere',
    'for (long a = 1; a; a <<= 1) *(volatile char*)a = 1; return 0;',
    1,
    /segmentation|null|address|host-fault/i,
  ),
  bomb('a function that is none', '((void (*)())0x123456)(); return 0;', 1, /./),
  bomb('a function of another type', 'extern int main(int, char**); return ((int (*)(double, double))(void*)printf)(1, 2);', 1, /./),
  bomb('free twice', 'void* p = malloc(10); free(p); free(p); puts("still"); return 0;', 0, /./, { exit: undefined }),
  bomb(
    'memory overwritten',
    'char* p = (char*)malloc(16); memset(p, 255, 100000); for (int i = 0; i < 1000; i++) { void* q = malloc(i); if (i & 1) free(q); } return 0;',
    0,
    /^/,
    { exit: undefined },
  ),
  bomb('memset of everything', 'static char a[16]; kept = a; memset(kept, 255, ~0u); return a[3];', undefined, /^/),
  bomb('the stack overwritten', 'char a[16]; memset(a, 255, 7 << 20); return a[3];', 0, /^/, { exit: undefined }),
  bomb('abort', 'abort();', 134, /^/),
  bomb('raise(SIGKILL)', 'raise(SIGKILL); return 0;', 137, /^/),
  bomb('a handler that faults', 'signal(SIGSEGV, [](int) { *(volatile int*)nullptr = 1; }); raise(SIGSEGV); return 0;', 1, /./),
  bomb(
    'longjmp to where nobody is',
    'static jmp_buf b; struct F { static void f() { setjmp(b); } }; F::f(); static int n; if (n++ < 10) longjmp(b, 1); return 0;',
    0,
    /^/,
    { exit: undefined },
  ),
  bomb('longjmp without setjmp', 'static jmp_buf b; longjmp(b, 1);', undefined, /^/),
  bomb('an exception that nobody catches', 'throw std::runtime_error("thrown");', 134, /thrown/),
  bomb(
    'an exception in a destructor',
    'struct S { ~S() noexcept(false) { throw 2; } }; try { S s; throw 1; } catch (...) {} return 0;',
    134,
    /./,
  ),
  bomb(
    'exceptions in exceptions',
    'static int n; static void (*f)() = [] { try { throw 1; } catch (...) { if (n++ < 100000) f(); } }; f(); return 0;',
    0,
    /^/,
    { exit: undefined, seconds: 90 },
  ),
  bomb(
    'exceptions out of qsort',
    'int a[100] = {}; try { qsort(a, 100, 4, [](const void*, const void*) -> int { throw 1; }); } catch (int) { puts("caught"); } return 0;',
    0,
    /caught|terminat|uncaught/,
    { exit: undefined },
  ),
  bomb('arguments as long as can be', 'return argc;', 2, /^/, {
    args: ['run', 'a.cu', '--quiet', '--no-cache', '--', 'x'.repeat(100_000)],
  }),
];

export const HOST_CASES: readonly HostileCase[] = [...opened, ...written, ...taking];
