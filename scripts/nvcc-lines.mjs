// Makes simulator/counters/nvcc-lines.json: at which line of CUDA's headers nvcc's line table puts the code of each device function that
// those headers define. Each function is called from a kernel of its own, compiled to PTX with -lineinfo; only names and line numbers
// are kept. Needs a CUDA toolkit:   node scripts/nvcc-lines.mjs [path of nvcc]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const nvcc = process.argv[2] ?? '/usr/local/cuda/bin/nvcc';
const include = join(dirname(nvcc), '..', 'include');
const output = new URL('../simulator/counters/nvcc-lines.json', import.meta.url);

const HEADERS = [
  'device_atomic_functions.hpp',
  'sm_20_atomic_functions.hpp',
  'sm_32_atomic_functions.hpp',
  'sm_60_atomic_functions.hpp',
  'sm_20_intrinsics.hpp',
  'sm_30_intrinsics.hpp',
  'sm_32_intrinsics.hpp',
  'sm_61_intrinsics.hpp',
  'crt/sm_70_rt.hpp',
  'crt/sm_80_rt.hpp',
  'crt/device_functions.hpp',
  'crt/math_functions.hpp',
  'cuda_fp16.hpp',
  'cuda_bf16.hpp',
];

/** Methods and templates, which the headers' declarations do not name in one line: the key, and a call of it. */
const CALLS = [
  ['cooperative_groups::thread_block::sync()', 'cg::this_thread_block().sync()'],
  ['cooperative_groups::thread_block::thread_rank()', 'out[0] = cg::this_thread_block().thread_rank()'],
  ['cooperative_groups::thread_block::size()', 'out[0] = cg::this_thread_block().size()'],
  ['cooperative_groups::thread_block::num_threads()', 'out[0] = cg::this_thread_block().num_threads()'],
  ['cooperative_groups::grid_group::sync()', 'cg::this_grid().sync()'],
  ['cooperative_groups::grid_group::thread_rank()', 'out[0] = cg::this_grid().thread_rank()'],
  ['cooperative_groups::grid_group::size()', 'out[0] = cg::this_grid().size()'],
  ['cooperative_groups::coalesced_threads()', 'out[0] = cg::coalesced_threads().size()'],
];

/** Instructions for the sake of which such functions are called. */
const CARRIER = /^(@!?%p\d+ )?(atom|red|ld\.(?!param)|st\.(?!param)|shfl|vote|match|redux|activemask|bar|membar|fence|barrier|nanosleep)\b/;

const scratch = mkdtempSync(join(tmpdir(), 'nvcc-lines-'));
try {
  const cases = [...HEADERS.flatMap(declaredIn), ...CALLS.map(([key, call]) => ({ key, parameters: 'unsigned* out', body: `${call};` }))];
  const unique = [...new Map(cases.map((each) => [each.key, each])).values()];
  const ptx = compile(unique);
  const lines = {};
  for (const [index, { header, line }] of placesOf(ptx)) {
    lines[header] ??= {};
    lines[header][unique[index].key] = line;
  }
  const version = /release (\S+),/.exec(execFileSync(nvcc, ['--version'], { encoding: 'utf8' }))[1];
  const source = `CUDA ${version}: line tables of nvcc -arch=sm_90 -O3 -lineinfo, read by scripts/nvcc-lines.mjs`;
  writeFileSync(output, `${JSON.stringify({ source, lines }, null, 2)}\n`);
  const found = Object.values(lines).reduce((sum, functions) => sum + Object.keys(functions).length, 0);
  console.log(`${found} functions at lines of headers, of ${unique.length} called`);
} finally {
  rmSync(scratch, { recursive: true });
}

/** The functions that a header defines, each with a body that calls it. */
function declaredIn(header) {
  const text = readFileSync(join(include, header), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*/g, '');
  const definition = /^__\w*DECL__\s+([\w\s]+?[\s*&]+)(\w+)\s*\(([^()]*)\)\s*(?:__DEF_IF_HOST)?\s*\{/gm;
  return [...text.matchAll(definition)].flatMap(([, result, name, list]) => {
    if (name.startsWith('__internal_')) return [];
    const types = list
      .split(',')
      .map((parameter) => typeOf(parameter.trim()))
      .filter((type) => type !== '' && type !== 'void');
    const call = `${name}(${types.map((_, index) => `a${index}`).join(', ')})`;
    const returns = result.replace(/\b(extern|static|inline|__inline__)\b/g, '').trim();
    const parameters = types.map((type, index) => `${type.replace('&', '')} a${index}`);
    if (returns === 'void') return [{ key: keyOf(name, types), parameters: parameters.join(', '), body: `${call};` }];
    return [{ key: keyOf(name, types), parameters: [...parameters, `${returns}* out`].join(', '), body: `*out = ${call};` }];
  });
}

/** `unsigned long long int *address` without the name. */
function typeOf(parameter) {
  const text = parameter.replace(/\b(struct|volatile|__restrict__)\b/g, '').replace(/\s*=.*$/, '');
  const named = /^(.*[\s*&])(\w+)$/s.exec(text);
  return (named && !/^(int|char|short|long|unsigned|float|double|bool)$/.test(named[2]) ? named[1] : text).replace(/\s+/g, ' ').trim();
}

/** A signature as the simulator demangles it, without spaces and const. */
function keyOf(name, types) {
  return `${name}(${types.map(plain).join(',')})`;
}

function plain(type) {
  const words = type
    .replace(/\bconst\b/g, '')
    .replace(/([*&])/g, ' $1 ')
    .trim()
    .split(/\s+/);
  const stars = words.filter((word) => /[*&]/.test(word)).join('');
  const base = words.filter((word) => !/[*&]/.test(word)).join(' ');
  const integer = /^(unsigned |signed )?(long long|long|short)( int)?$/.exec(base);
  const name = integer ? `${integer[1] === 'unsigned ' ? 'unsigned ' : ''}${integer[2]}` : base === 'unsigned' ? 'unsigned int' : base;
  return `${name}${stars}`.replaceAll(' ', '');
}

/** PTX of one kernel per case, named k0, k1, ...; what the toolkit refuses (deprecated, or of other architectures) is left out. */
function compile(cases) {
  const file = join(scratch, 'calls.cu');
  const prologue = [
    '#include <cooperative_groups.h>',
    '#include <cuda_bf16.h>',
    '#include <cuda_fp16.h>',
    'namespace cg = cooperative_groups;',
  ];
  const refused = new Set();
  for (;;) {
    const kernels = cases.map(({ parameters, body }, index) =>
      refused.has(index) ? '' : `extern "C" __global__ void k${index}(${parameters}) { ${body} }`,
    );
    writeFileSync(file, [...prologue, ...kernels, ''].join('\n'));
    const run = spawnSync(nvcc, ['-std=c++17', '-O3', '-arch=sm_90', '-lineinfo', '-ptx', '-o', join(scratch, 'calls.ptx'), file], {
      encoding: 'utf8',
    });
    if (run.status === 0) return readFileSync(join(scratch, 'calls.ptx'), 'utf8');
    const before = refused.size;
    for (const [, line] of run.stderr.matchAll(/calls\.cu\((\d+)\): (?:error|warning #1444-D)/g))
      refused.add(Number(line) - 1 - prologue.length);
    if (refused.size === before) throw new Error(run.stderr);
  }
}

/** By case: header and line of the instruction that the function is called for, or of its last one. */
function placesOf(ptx) {
  const files = new Map([...ptx.matchAll(/^\s*\.file\s+(\d+) "([^"]*)"/gm)].map(([, id, path]) => [id, basename(path)]));
  const places = new Map();
  for (const [, index, body] of ptx.matchAll(/^\.visible \.entry k(\d+)\(([\s\S]*?)^\}/gm)) {
    let at;
    const found = { carrier: undefined, last: undefined };
    for (const line of body.split('\n').map((text) => text.trim())) {
      const place = /^\.loc\s+(\d+) (\d+)/.exec(line);
      if (place) at = files.get(place[1]) === 'calls.cu' ? undefined : { header: files.get(place[1]), line: Number(place[2]) };
      else if (at && /^[@a-z{]/.test(line)) {
        found.last = at;
        if (CARRIER.test(line.replace(/^\{\s*/, ''))) found.carrier ??= at;
      }
    }
    const place = found.carrier ?? found.last;
    if (place) places.set(Number(index), place);
  }
  return places;
}
