/**
 * Clang's command lines, all in one place. Both sides are 32-bit so that structures agree between host and device. The device side is
 * optimised the way its counters need: what ptxas would merge or unroll is decided here and in simulator/simt.
 */
import { cudaHeaders, type GivenName, sysroot, toVirtualPath } from './virtual-paths.ts';

export type Side = 'device' | 'host';

/**
 * `lines`: !dbg locations with inlining chains. `headers`: those inside our own headers as well, with mangled names of functions; not
 * with the precompiled header. `full`: variables and types as well.
 */
export type Debug = 'lines' | 'headers' | 'full';

export interface FlagOptions {
  readonly includeDirs: readonly string[];
  readonly defines: readonly string[];
  readonly debug: Debug;
  /** The device code launches kernels itself. */
  readonly deviceLaunches: boolean;
  /** Virtual path of a precompiled header that stands for `prologue.h`. */
  readonly precompiledHeader?: string;
  /** What `__FILE__` says of files in these folders. */
  readonly names: readonly GivenName[];
}

const hostTriple = 'wasm32-unknown-wasip1';
const deviceTriple = 'nvptx64-nvidia-cuda';

/** What a source file is written in, by its name as nvcc takes it: .c and .cpp (.cc, .cxx) are for the host alone. */
export type Language = 'cuda' | 'c++' | 'c';

export function languageOf(file: string): Language {
  if (/\.(cpp|cc|cxx|c\+\+|C)$/.test(file)) return 'c++';
  return file.endsWith('.c') ? 'c' : 'cuda';
}

const common = ['-fdeclspec', '-fgnuc-version=4.2.1', '-resource-dir', sysroot, '-isysroot', sysroot, '-internal-isystem', cudaHeaders];
/** Parts of Linux that WASI's C library has as an option: processor time, signals within the program, process numbers, anonymous mappings. */
const emulated = ['signal', 'process-clocks', 'getpid', 'mman'];
const cHeaders = [
  ...emulated.map((part) => `-D_WASI_EMULATED_${part.replace('-', '_').toUpperCase()}`),
  ...[`${cudaHeaders}/linux`, `${sysroot}/include`, `${sysroot}/include/wasm32-wasip1`].flatMap((folder) => ['-internal-isystem', folder]),
];
/** What is an error for Clang alone: nvcc and GCC warn, and go on. */
const warnings = ['c++11-narrowing', 'register', 'reserved-user-defined-literal'].map((name) => `-Wno-error=${name}`);
const cxx = [
  '-std=c++17',
  ...warnings,
  // The standard library is built without exceptions: `try` blocks run plainly and `throw` ends the program.
  ...['-fcxx-exceptions', '-fexceptions', '-fignore-exceptions'],
  ...['-internal-isystem', `${sysroot}/include/wasm32-wasip1/c++/v1`, '-internal-isystem', `${sysroot}/include/c++/v1`],
];

/** Language and header search: what a precompiled header depends on. */
const languages: Readonly<Record<Language, readonly string[]>> = {
  cuda: ['-x', 'cuda', ...common, '-target-sdk-version=12.8', '-D__CUDACC__', ...cxx, ...cHeaders],
  'c++': ['-x', 'c++', ...common, ...cxx, ...cHeaders],
  c: ['-x', 'c', '-std=c17', ...common, ...cHeaders],
};

/** What the two passes do differently. `optimisation` may be varied freely: it changes counters, never meaning. */
const sides = {
  device: {
    target: ['-triple', deviceTriple, '-aux-triple', hostTriple, '-fcuda-is-device', '-target-cpu', 'sm_90', '-target-feature', '+ptx78'],
    // ptxas leaves the stores of two branches where they are; sinking them into one would halve the requests of a split warp
    // (h200-reference.json: stencil). It unrolls loops of known length, up to about this size, and merges and predicates what it finds
    // then (scan, matmul).
    // Loop counters keep their 32 bits: widened ones would have to be narrowed again (simulator/ir/narrow-addresses.ts).
    optimisation: [
      ...['-O1', '-funroll-loops'],
      ...['-simplifycfg-sink-common=false', '-unroll-threshold=400', '-indvars-widen-indvars=false'].flatMap((flag) => ['-mllvm', flag]),
    ],
    output: ['-emit-llvm'],
  },
  host: {
    target: ['-triple', hostTriple, '-aux-triple', deviceTriple, '-fvisibility=hidden'],
    optimisation: ['-O1'],
    output: ['-emit-obj'],
  },
} as const;

const diagnosticStyle = ['-fno-caret-diagnostics', '-ferror-limit', '50'];

/** Makes Clang emit the registration of kernels and variables; its bytes tell the runtime which device module they are of. */
export const gpuBinary = '/.lanewise-in/device.fatbin';
export const output = {
  device: '/.lanewise-out/device.ll',
  host: '/.lanewise-out/host.o',
  link: '/.lanewise-out/program.wasm',
  header: '/.lanewise-out/header.pch',
};

export function compileArgs(side: Side, file: string, options: FlagOptions): string[] {
  const { target, optimisation, output: emit } = sides[side];
  const language = languageOf(file);
  return [
    ...['clang++', '-cc1', ...target, ...optimisation, ...languages[language], ...emit],
    ...debugFlags(side, options.debug),
    ...(language === 'cuda' ? cudaFlags(side, options) : []),
    ...diagnosticStyle,
    ...options.names.map(({ folder, given }) => `-fmacro-prefix-map=${toVirtualPath(folder)}=${given}`),
    ...options.defines.map((define) => `-D${define}`),
    ...options.includeDirs.flatMap((folder) => ['-I', toVirtualPath(folder)]),
    ...['-o', output[side], toVirtualPath(file)],
  ];
}

function cudaFlags(side: Side, { deviceLaunches, precompiledHeader }: FlagOptions): string[] {
  return [
    ...(deviceLaunches ? ['-fgpu-rdc'] : []),
    ...(side === 'host' ? ['-fcuda-include-gpubinary', gpuBinary] : []),
    ...(precompiledHeader ? ['-include-pch', precompiledHeader] : ['-include', `${cudaHeaders}/cuda_runtime.h`]),
  ];
}

/** Makes the header that `precompiledHeader` names. */
export function headerArgs(side: Side): string[] {
  const { target, optimisation } = sides[side];
  const source = `${cudaHeaders}/lanewise/prologue.h`;
  return [
    'clang++',
    '-cc1',
    ...target,
    ...optimisation,
    ...languages.cuda,
    ...debugFlags(side, 'lines'),
    '-emit-pch',
    '-fno-pch-timestamp',
    '-o',
    output.header,
    source,
  ];
}

function debugFlags(side: Side, debug: Debug): string[] {
  if (side === 'host') return [];
  const names = debug === 'headers' ? ['-D__LANEWISE_HEADER_PLACES', '-fdebug-info-for-profiling'] : [];
  return [debug === 'full' ? '-debug-info-kind=limited' : '-debug-info-kind=line-tables-only', '-dwarf-version=4', ...names];
}

/** `objects`: virtual paths. */
export function linkArgs(objects: readonly string[]): string[] {
  const lib = `${sysroot}/lib/wasm32-wasip1`;
  return [
    ...['wasm-ld', '-m', 'wasm32', `-L${lib}`, `${lib}/crt1-command.o`, ...objects],
    ...['-lc++', '-lc++abi', ...emulated.map((part) => `-lwasi-emulated-${part}`), '-lc-printscan-long-double', '-lc'],
    `${sysroot}/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a`,
    ...['--allow-undefined', '--export-table', '--export=malloc', '--export=free', '--export=aligned_alloc', '--export=fflush'],
    // The heap's end is the simulator's to say (sbrk becomes the import __wrap_sbrk): it stays below the device's addresses while
    // unified memory above them has the same address on both sides.
    ...['--wrap=sbrk', '--wrap=__wasilibc_find_relpath'],
    // Random numbers and sorting as glibc does them (simulator/runtime/c-library.ts), so that programs work on the data they have on Linux.
    ...['rand', 'srand', 'random', 'srandom', 'rand_r', 'qsort'].map((name) => `--wrap=${name}`),
    // As large as on Linux; an overflow runs below address 0 and traps.
    ...['-z', 'stack-size=8388608', '--stack-first'],
    ...['-o', output.link],
  ];
}
