/** Sources that reach for files outside while they are compiled or checked. */
import { check, type HostileCase, host, run, SOUND_FINDING } from './case.ts';

const OUTSIDE = /is outside the program's folders\. To allow it, pass --allow-read=|'\/proc\/self\/cwd\/.*' file not found/;
const NO_FILE = /is not a regular file/;

/** Prints what it can of the secret, if it gets it. */
const printing = (directive: string): string => `${directive}\n${host('#ifdef SECRET\nputs(SECRET);\n#endif\nputs("ran");')}`;
const embedded = (path: string): string => host(`static const char s[] = {\n#embed "${path}"\n, 0};\nputs(s);`);

const WAYS: readonly (readonly [how: string, path: string, prepare?: string])[] = [
  ['..', '../outside/secret.h'],
  ['.. behind a folder', 'sub/../../outside/secret.h'],
  ['double slashes', './/..//outside//secret.h'],
  ['a link', 'out.h', 'ln -s ../outside/secret.h out.h'],
  ['a link to a link', 'second.h', 'ln -s ../outside/secret.h first.h; ln -s first.h second.h'],
  ['a link to its folder', 'way/secret.h', 'ln -s ../outside way'],
  ['the process', '/proc/self/cwd/../outside/secret.h'],
];

const byPath = WAYS.flatMap(([how, path, prepare]) => [
  run(`#include by ${how}`, printing(`#include "${path}"`), 1, OUTSIDE, { prepare }),
  run(`#embed by ${how}`, embedded(path), 1, OUTSIDE, { prepare }),
]);

const system: readonly HostileCase[] = [
  run('#include of /etc/passwd', '#include "/etc/passwd"\nint main() {}\n', 1, OUTSIDE),
  run('#include of /proc/self/environ', '#include </proc/self/environ>\nint main() {}\n', 1, OUTSIDE),
  run('#embed of /proc/self/environ', embedded('/proc/self/environ'), 1, OUTSIDE),
  run('#embed of /dev/urandom without end', embedded('/dev/urandom'), 1, OUTSIDE),
  run('#include of /dev/zero', '#include "/dev/zero"\nint main() {}\n', 1, OUTSIDE),
  run('#include of /dev/stdin', '#include "/dev/stdin"\nint main() {}\n', 1, /cannot be included|file not found/),
  run('#include of a device with everything allowed', '#include "/dev/zero"\nint main() {}\n', 1, NO_FILE, {
    args: ['run', 'a.cu', '--allow-all', '--no-cache'],
  }),
  run('#include of a pipe', '#include "pipe.h"\nint main() {}\n', 1, NO_FILE, { prepare: 'mkfifo pipe.h' }),
  run('#embed of a pipe', embedded('pipe'), 1, NO_FILE, { prepare: 'mkfifo pipe' }),
  run('#include of a link to a pipe', '#include "out.h"\nint main() {}\n', 1, NO_FILE, { prepare: 'mkfifo pipe; ln -s pipe out.h' }),
  run('#include of a folder', '#include "sub"\nint main() {}\n', 1, /'sub' file not found/),
  run('#include of a link in circles', '#include "circle.h"\nint main() {}\n', 1, /'circle.h' file not found/, {
    prepare: 'ln -s circle.h circle.h',
  }),
  run('#include of 40 MiB', '#include "large.h"\nint main() {}\n', 1, /is larger than 32 MiB/, { prepare: 'truncate -s 40M large.h' }),
  run('#include of 1 TiB', '#include "large.h"\nint main() {}\n', 1, /is larger than 32 MiB/, { prepare: 'truncate -s 1T large.h' }),
  run('a name of 100,000 characters', `#include "${'x/'.repeat(50_000)}"\nint main() {}\n`, 1, /file not found/),
];

const otherWays: readonly HostileCase[] = [
  run('.incbin', `asm(".data\\n.incbin \\"../outside/secret\\"\\n");\nint main() {}\n`, 1, OUTSIDE),
  run('#include through a macro', printing('#define WHERE "../outside/secret.h"\n#include WHERE'), 1, OUTSIDE),
  run('#import', printing('#import "../outside/secret.h"'), 1, OUTSIDE),
  run('#include_next', printing('#include_next "../outside/secret.h"'), 1, OUTSIDE),
  run(
    '__has_include and __has_embed',
    host('#if __has_include("../outside/secret.h") || __has_embed("../outside/secret")\nputs("there");\n#else\nputs("not there");\n#endif'),
    0,
    /^not there/,
  ),
  run('#pragma GCC dependency', '#pragma GCC dependency "../outside/secret.h"\nint main() { return 0; }\n', 1, OUTSIDE),
  run('an excerpt by #line', 'int main() {}\n#line 1 "../outside/secret"\n#error here\n', 1, /error: here/),
  run('an excerpt of a pipe by #line', 'int main() {}\n#line 1 "pipe"\n#error here\n', 1, /error: here/, { prepare: 'mkfifo pipe' }),
  run('an excerpt of a device by #line', 'int main() {}\n#line 1 "/dev/zero"\n#error here\n', 1, /error: here/),
  run('a second file that includes', 'int main() {}\n', 1, OUTSIDE, {
    files: { 'a.cu': 'int main() {}\n', 'b.c': '#include "../outside/secret.h"\n' },
    args: ['run', 'a.cu', 'b.c', '--no-cache'],
  }),
  run('lanewise.json names a folder above', printing('#include <secret.h>'), 1, OUTSIDE, {
    files: { 'a.cu': printing('#include <secret.h>'), 'lanewise.json': '{ "includePaths": ["../outside"] }' },
  }),
  run('lanewise.json names a link', printing('#include <secret.h>'), 1, OUTSIDE, {
    files: { 'a.cu': printing('#include <secret.h>'), 'lanewise.json': '{ "includePaths": ["way"] }' },
    prepare: 'ln -s ../outside way',
  }),
  run('lanewise.json names /etc', '#include <passwd>\nint main() {}\n', 1, OUTSIDE, {
    files: { 'a.cu': '#include <passwd>\nint main() {}\n', 'lanewise.json': '{ "includePaths": ["/etc"] }' },
  }),
  run('lanewise.json is a pipe', 'int main() { return 3; }\n', 3, /^/, { prepare: 'mkfifo lanewise.json' }),
  run('lanewise.json of 1 GiB', 'int main() {}\n', 2, /lanewise\.json:1:1: cannot be read: it is larger than 1 MiB/, {
    prepare: 'truncate -s 1G lanewise.json',
  }),
  run(
    'a folder that is swapped for a link meanwhile',
    printing('#include "x/secret.h"'),
    undefined,
    // Swapped between Clang's look and its opening, it is refused where it is opened.
    /ran|file not found|cannot be included|cannot open file '.*secret\.h': Permission denied/,
    {
      files: { 'a.cu': printing('#include "x/secret.h"'), 'y/secret.h': '#define OWN 1\n' },
      prepare: 'cp -r y x',
      meanwhile: 'while :; do mv x z; ln -s ../outside x; rm x; mv z x; done',
    },
  ),
  check('a header by ..', '#include "../outside/secret.h"\n__global__ void k(float* v) { v[0] = SECRET[0]; }\n', 0, SOUND_FINDING),
  check('a header that is a pipe', '#include "pipe.h"\n', 0, SOUND_FINDING, { prepare: 'mkfifo pipe.h' }),
  check('a header that is a device', '#include "zero.h"\n', 0, SOUND_FINDING, { prepare: 'ln -s /dev/zero zero.h' }),
  check('a header that includes itself', '#include "a.h"\n', 0, SOUND_FINDING, { files: { 'a.h': '#include "a.h"\n#include "a.h"\n' } }),
];

export const INCLUDE_CASES = [...byPath, ...system, ...otherWays];
