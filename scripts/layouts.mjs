// Writes 200 generated structures, enumerations and unions (test/fixtures/layouts/types.h) and what nvcc and g++ say of their layouts on the
// host and on the device (expected.json). The test needs neither: it compares our two sides with expected.json.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fixtures = fileURLToPath(new URL('../test/fixtures/layouts/', import.meta.url));
const COUNT = { enumeration: 30, structure: 135, union: 35 };

/** mulberry32: the same types in every run. */
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const random = generator(12);
const pick = (list) => list[random(list.length)];
const chance = (percent) => random(100) < percent;

const integers = [
  ...['char', 'signed char', 'unsigned char', 'short', 'unsigned short', 'int', 'unsigned int', 'long', 'unsigned long', 'long long'],
  ...['unsigned long long', 'size_t', 'ptrdiff_t', 'int8_t', 'uint16_t', 'int32_t', 'uint64_t', 'intptr_t', 'bool', 'wchar_t', 'char16_t'],
];
const scalars = [...integers, 'long', 'size_t', 'float', 'double', 'void *', 'const char *', 'double *', 'clock_t', 'ssize_t', '__int128'];
const widths = { char: [1, 2, 3, 4].map(String), short: ['2', '3', '4'], int: ['1', '2', '3', '4'], long: ['1', '2', '3', '4'] };
const vectors = [
  ...['char', 'uchar'].flatMap((name) => widths.char.map((n) => name + n)),
  ...['short', 'ushort'].flatMap((name) => widths.short.map((n) => name + n)),
  ...['int', 'uint', 'float'].flatMap((name) => widths.int.map((n) => name + n)),
  ...['long', 'ulong', 'longlong', 'ulonglong', 'double'].flatMap((name) => widths.long.map((n) => name + n)),
  'dim3',
];

/** Types made so far, by what a member may be of. */
const made = { enumerations: [], aggregates: [], bases: [] };
const types = [];

function enumeration(name) {
  const underlying = pick([
    '',
    '',
    '',
    ' : char',
    ' : unsigned short',
    ' : int',
    ' : long',
    ' : unsigned long long',
    ' : int8_t',
    ' : uint32_t',
  ]);
  const large = underlying === '' && chance(40);
  const first = large ? pick(['-5', '3000000000u', '1ll << 40', '-1l - (1l << 33)', '0x7fffffff']) : String(random(100));
  made.enumerations.push(name);
  return {
    name,
    text: `enum ${chance(50) && underlying ? 'class ' : ''}${name}${underlying} { ${name}_a = ${first}, ${name}_b = 7 };`,
    members: [],
  };
}

/** A member's declaration, and its name where it has an offset. */
function member(index, inUnion, plain) {
  const name = `m${index}`;
  if (!inUnion && chance(14)) return bitField(name, plain);
  if (chance(7))
    return { text: `struct { ${pick(scalars)} ${name}_x; ${pick(scalars)} ${name}_y; };`, offsets: [`${name}_x`, `${name}_y`] };
  if (chance(6)) return { text: `union { ${pick(scalars)} ${name}_x; ${pick(vectors)} ${name}_y; };`, offsets: [`${name}_y`] };
  if (chance(5)) return { text: `int (*${name})(float, long);`, offsets: [name] };
  if (!plain && chance(3)) return { text: `int Outer::*${name};`, offsets: [name] };
  if (!plain && chance(3)) return { text: `void (Outer::*${name})(int);`, offsets: [name] };
  const kind = plain ? 99 : random(100);
  const nested = inUnion ? made.aggregates.filter(({ trivial }) => trivial) : made.aggregates;
  let type = pick(scalars);
  if (kind < 20) type = pick(vectors);
  else if (kind < 35 && nested.length > 0) type = pick(nested).name;
  else if (kind < 45) type = pick(made.enumerations);
  const dimensions = chance(25) ? `[${1 + random(5)}]${chance(30) ? `[${1 + random(3)}]` : ''}` : '';
  const aligned = !plain && chance(8) ? `alignas(${pick([8, 16, 32])}) ` : '';
  // An alignment may not be smaller than the type's own.
  return {
    text: `${/^(long|ulong|double)\w*4$|16/.test(type) ? '' : safeAlignment(aligned, type)}${type} ${name}${dimensions};`,
    offsets: [name],
  };
}

function safeAlignment(aligned, type) {
  return made.aggregates.some(({ name }) => name === type) || (type === '__int128' && aligned.includes('(8)')) || vectors.includes(type)
    ? ''
    : aligned;
}

function bitField(name, plain) {
  const [type, most] = pick([
    ['unsigned int', 32],
    ['int', 32],
    ['unsigned long', 64],
    ['long long', 64],
    ['unsigned char', 8],
    ['short', 16],
    ['bool', 1],
  ]);
  const fields = Array.from({ length: 1 + random(4) }, (_, k) => `${type} ${name}_${k} : ${1 + random(most)};`);
  if (!plain && chance(20)) fields.splice(1, 0, `${type} : 0;`);
  return { text: fields.join(' '), offsets: [] };
}

function aggregate(keyword, name) {
  const inUnion = keyword === 'union';
  // In packed classes nvcc's two sides differ about members of other classes, alignments of members and bit-fields without a width.
  const isPacked = chance(7);
  const pack = !isPacked && chance(5) ? pick([1, 2, 4]) : 0;
  const count = inUnion ? 2 + random(4) : chance(7) ? 0 : 1 + random(8);
  const members = Array.from({ length: count }, (_, index) => member(index, inUnion, isPacked || pack > 0));
  const bases =
    !inUnion && !isPacked && pack === 0 && chance(22) ? [...new Set(Array.from({ length: 1 + random(2) }, () => pick(made.bases)))] : [];
  // A base twice, directly and through another, would be no name for an offset.
  const distinct = bases.filter((base) => base && !bases.some((other) => other !== base && other?.ancestors.has(base?.name)));
  const virtual = !inUnion && !isPacked && pack === 0 && chance(10);
  const packed = isPacked ? '__attribute__((packed)) ' : '';
  const aligned =
    !isPacked && pack === 0 && chance(12)
      ? pick(['__align__(8) ', '__align__(16) ', 'alignas(32) ', 'alignas(64) ', '__align__(128) '])
      : '';
  const body =
    members.map(({ text }) => `  ${text}\n`).join('') +
    (virtual ? `  __host__ __device__ virtual int call() { return ${members.length}; }\n` : '');
  const inherits = distinct.length > 0 ? ` : ${distinct.map(({ name: base }) => base).join(', ')}` : '';
  const text = `${keyword} ${aligned}${packed}${name}${inherits} {\n${body}};`;
  const own = { name, trivial: !virtual && distinct.every(({ trivial }) => trivial) && members.every(({ text: of }) => !usesVirtual(of)) };
  const ancestors = new Set(distinct.flatMap((base) => [base.name, ...base.ancestors]));
  made.aggregates.push(own);
  if (!inUnion && aligned === '' && pack === 0) made.bases.push({ ...own, ancestors });
  return {
    name,
    text: pack > 0 ? `#pragma pack(push, ${pack})\n${text}\n#pragma pack(pop)` : text,
    members: members.flatMap(({ offsets }) => offsets),
  };
}

function usesVirtual(text) {
  return made.aggregates.some(({ name, trivial }) => !trivial && new RegExp(`\\b${name}\\b`).test(text));
}

function generate() {
  const order = Object.entries(COUNT).flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
  // Enumerations first, since members are of them; then structures and unions mixed.
  const mixed = order.map((kind, index) => ({ kind, key: kind === 'enumeration' ? index : 1000 + random(100000) }));
  for (const [index, { kind }] of mixed.sort((a, b) => a.key - b.key).entries()) {
    const name = `T${index}`;
    types.push(kind === 'enumeration' ? enumeration(name) : aggregate(kind === 'union' ? 'union' : 'struct', name));
  }
}

/** The size and alignment of every type, then the offsets of its members. */
function questions() {
  return types.flatMap(({ name, members }) => [
    `sizeof(${name})`,
    `alignof(${name})`,
    ...members.map((each) => `__builtin_offsetof(${name}, ${each})`),
  ]);
}

function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${command}: ${stderr || stdout}`);
  return stdout;
}

function answers(folder) {
  const list = questions().join(',\n');
  const source = join(folder, 'layouts.cu');
  const text = `#include "${join(fixtures, 'types.h')}"
#include <cstdio>
unsigned long onHost[] = {\n${list}\n};
__device__ unsigned long onDevice[] = {\n${list}\n};
int main() { for (unsigned long value : onHost) printf("%lu ", value); }
`;
  writeFileSync(source, text);
  const quiet = ['-w', '-std=c++17', source, '-o'];
  run('nvcc', [...quiet, join(folder, 'layouts')]);
  run('nvcc', ['-ptx', ...quiet, join(folder, 'layouts.ptx')]);
  const ptx = readFileSync(join(folder, 'layouts.ptx'), 'utf8');
  const numbers = (values) =>
    values
      .trim()
      .split(/[\s,]+/)
      .map(Number);
  const host = numbers(run(join(folder, 'layouts'), []));
  // PTX has the table as bytes, and leaves out zeros at its end.
  const bytes = new Uint8Array(8 * host.length);
  bytes.set(numbers(/\.b8 onDevice\[\d+\] = \{([^}]*)\}/.exec(ptx)[1]));
  const device = [...new BigUint64Array(bytes.buffer)].map(Number);
  return { host, device };
}

generate();
const folder = mkdtempSync(join(tmpdir(), 'lanewise-layouts-'));
const head = `// Generated by scripts/layouts.mjs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <sys/types.h>
#include <cuda_runtime.h>

struct Outer {
  int field;
};
`;
writeFileSync(join(fixtures, 'types.h'), `${head}\n${types.map(({ text }) => text).join('\n\n')}\n`);
const { host, device } = answers(folder);
rmSync(folder, { recursive: true });
const all = questions();
if (host.length !== all.length) throw new Error('an answer is missing');
const different = all.filter((_, index) => host[index] !== device[index]);
const expected = Object.fromEntries(all.map((question, index) => [question, host[index]]));
writeFileSync(
  join(fixtures, 'expected.json'),
  `${JSON.stringify({ source: run('nvcc', ['--version']).trim().split('\n').at(-2), expected }, undefined, 1)}\n`,
);
console.log(`${types.length} types, ${all.length} values; not the same on the device: ${different.join(' ') || 'none'}`);
