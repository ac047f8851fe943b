/** Files that are no sources, or odd ones, for `check` and for `run`. */
import { check, type HostileCase, run, SOUND_FINDING } from './case.ts';

/** The same bytes for the same seed (xorshift). */
function noise(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 255;
  });
}

const NAMES = 'int main() { return 0; }\n';
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const LARGE_LINE = 10_000_000;

/** Each with what `check` says of it, and what `run` does. */
export const ODD_INPUTS: readonly (readonly [
  what: string,
  content: string | Uint8Array,
  checkSays: RegExp,
  runExit: number,
  runSays: RegExp,
])[] = [
  ['an empty file', '', SOUND_FINDING, 1, /no main function/],
  ['a byte order mark alone', '\ufeff', SOUND_FINDING, 1, /no main function/],
  ['a byte order mark before a program', `\ufeff${NAMES}`, SOUND_FINDING, 0, /^/],
  ['carriage returns alone', '// one\rint main() {\rreturn 4;\r}\r', SOUND_FINDING, 4, /^/],
  ['blanks alone', ' \t\n'.repeat(100_000), SOUND_FINDING, 1, /no main function/],
  ['UTF-16', utf16(NAMES), /a\.cu: not analysed: it is encoded in UTF-16; save it as UTF-8/, 1, /is encoded in UTF-16; save it as UTF-8/],
  ['UTF-16, the other way', utf16(NAMES).swap16(), /not analysed: it is encoded in UTF-16/, 1, /is encoded in UTF-16/],
  ['UTF-16 without a mark', Buffer.from(NAMES, 'utf16le'), /not analysed: it has NUL bytes/, 1, /has NUL bytes/],
  ['a NUL byte', `int a;\0${NAMES}`, /not analysed: it has NUL bytes/, 1, /has NUL bytes, so it is not a source text/],
  ['NUL bytes alone', new Uint8Array(100_000), /not analysed: it has NUL bytes/, 1, /has NUL bytes/],
  ['random bytes', noise(200_000, 7), /not analysed: it has NUL bytes/, 1, /has NUL bytes/],
  ['random bytes without NUL', noise(200_000, 11).map((byte) => byte || 1), SOUND_FINDING, 1, /error:/],
  ['random ASCII', noise(100_000, 13).map((byte) => 32 + (byte % 95)), SOUND_FINDING, 1, /error:/],
  ['bytes that are no UTF-8', Buffer.from(`// Gr\xfc\xdfe\n${NAMES}`, 'latin1'), SOUND_FINDING, 0, /^/],
  [
    'the head of a program of Linux',
    Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0', 'latin1'),
    /not analysed: it has NUL bytes/,
    1,
    /has NUL bytes/,
  ],
  [
    'one line of 10 MB',
    `int x = 1${'+1'.repeat(LARGE_LINE / 2)};\n`,
    /not analysed: it has 10 MiB; the limit is 4 MiB/,
    1,
    /error:|cannot be compiled/,
  ],
  ['a comment of 10 MB', `/*${'x'.repeat(LARGE_LINE)}*/ ${NAMES}`, /not analysed: it has 10 MiB; the limit is 4 MiB/, 0, /^/],
  ['an identifier of 3 MB', `int ${'x'.repeat(3_000_000)};\n${NAMES}`, SOUND_FINDING, 0, /^/],
  ['a string of 3 MB', `const char* s = "${'x'.repeat(3_000_000)}";\n${NAMES}`, SOUND_FINDING, 0, /^/],
  ['a number of 3 MB', `int n = ${'1'.repeat(3_000_000)};\n${NAMES}`, SOUND_FINDING, 1, /error:/],
  [
    'a line of 3 MB with a kernel',
    `__global__ void k(float* v) {${'v[threadIdx.x*32]=1;'.repeat(150_000)}}\n`,
    SOUND_FINDING,
    1,
    /cannot be compiled|no main function/,
  ],
  ['a string without an end', '__global__ void k() { const char* s = "', SOUND_FINDING, 1, /error:/],
  ['a comment without an end', `${NAMES}/* `, SOUND_FINDING, 1, /unterminated/],
  ['a raw string without an end', `const char* s = R"(${'x'.repeat(100_000)}\n`, SOUND_FINDING, 1, /error:/],
];

const odd = ODD_INPUTS.flatMap(([what, content, checkSays, runExit, runSays]) => [
  check(`checked: ${what}`, content, checkSays === SOUND_FINDING ? 0 : 1, checkSays, { seconds: 30 }),
  run(`run: ${what}`, content, runExit, runSays, {
    seconds: 75,
    megabytes: 4500,
  }),
]);

const noFile = (name: string, prepare: string): HostileCase[] => [
  check(`checked: ${name}`, '', 1, /a\.cu: not analysed: it is not a regular file/, {
    files: {},
    prepare: `rm a.cu; ${prepare}`,
    args: ['check', 'a.cu', 'sound.cu'],
  }),
  run(`run: ${name}`, '', 1, /is not a regular file/, { prepare: `rm a.cu; ${prepare}` }),
];

const special: readonly HostileCase[] = [
  ...noFile('a pipe', 'mkfifo a.cu'),
  ...noFile('a link to /dev/zero', 'ln -s /dev/zero a.cu'),
  ...noFile('a link to /dev/tty', 'ln -s /dev/tty a.cu'),
  run('run: a folder', '', 1, /is not a regular file/, { prepare: 'rm a.cu; mkdir a.cu' }),
  run('run: a link that leads nowhere', '', 1, /no such file/, { prepare: 'rm a.cu; ln -s nowhere a.cu' }),
  run('run: a link in circles', '', 1, /no such file/, { prepare: 'rm a.cu; ln -s a.cu a.cu' }),
  run('run: 40 MiB', '', 1, /is larger than 32 MiB/, { prepare: 'truncate -s 40M a.cu' }),
  check('checked: 5 MiB', ' '.repeat(5 << 20), 1, /it has 5 MiB; the limit is 4 MiB/),
  check('checked: a link in circles', '', 2, /no such file or folder/, { prepare: 'rm a.cu; ln -s a.cu a.cu', args: ['check', 'a.cu'] }),
  check('checked: a folder in circles', '', 0, SOUND_FINDING, { prepare: 'ln -s . again; ln -s .. above' }),
  check('checked: 2,000 folders deep', '', 0, SOUND_FINDING, {
    prepare: 'd=.; for i in $(seq 1 300); do d=$d/d; done; mkdir -p $d',
  }),
  run('control characters in an error', '#error \x1b[2J\x1b]0;title\x07 bell\nint main() {}\n', 1, /error: <U\+001B>\[2J/),
  run('control characters in an excerpt', 'int main() { return \x1b[2Jnot_there; }\n', 1, /\\u001b/),
  check('control characters in a name', '__global__ void k(float* v) { v[threadIdx.x * 32] = 1; } // \x1b[2J\n', 0, SOUND_FINDING),
];

export const INPUT_CASES = [...odd, ...special];
