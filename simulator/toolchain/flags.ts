/**
 * Clang's command lines, all in one place. Both sides are LP64 as on 64-bit Linux, so that structures agree between host and device. The
 * device side is optimised the way its counters need: what ptxas would merge or unroll is decided here and in simulator/simt.
 */
import type { RunLimits } from '../options/limits.ts';
import { DEFAULT_STANDARD, STANDARDS, type Standard } from '../options/standards.ts';
import { librarySearch } from './system-libraries.ts';
import { clangHeaders, cudaHeaders, type GivenName, sysroot, toVirtualPath } from './virtual-paths.ts';

export type Side = 'device' | 'host';

/**
 * `lines`: !dbg locations with inlining chains. `headers`: those inside our own headers as well, with mangled names of functions; not
 * with the precompiled header. `blocks`: the blocks of the source that they lie in, too. `full`: variables and types as well, in code
 * that is not optimised, so that each variable keeps its place: counters are those of such code.
 */
export type Debug = 'lines' | 'headers' | 'blocks' | 'full';

export interface FlagOptions {
  readonly includeDirs: readonly string[];
  /** Absolute paths: see system-libraries.ts. */
  readonly systemFolders: readonly string[];
  /** `__NVCC__` is defined, as nvcc defines it for .cu files. */
  readonly asNvcc: boolean;
  readonly defines: readonly string[];
  /** Of C++; the default unless given. */
  readonly standard?: Standard;
  readonly debug: Debug;
  /** The device code launches kernels itself. */
  readonly deviceLaunches: boolean;
  /** The device code is to be linked with that of other files: what tells this file's own names from theirs. */
  readonly unit?: number;
  /** Virtual path of a precompiled header that stands for `prologue.h`. */
  readonly precompiledHeader?: string;
  readonly nesting: Pick<RunLimits, 'bracketDepth' | 'templateDepth'>;
  /** What `__FILE__` says of files in these folders. */
  readonly names: readonly GivenName[];
}

const hostTriple = 'wasm64-unknown-unknown';
const deviceTriple = 'nvptx64-nvidia-cuda';

/** The system that programs see: Linux, with the C library of simulator/libc. */
const linux = ['__linux__', '__linux', '__gnu_linux__', '__unix__', '__unix', '_GNU_SOURCE'].map((name) => `-D${name}`);

/**
 * WebAssembly's exceptions as they were first (Node 20 knows no others), and setjmp by them. Without the feature `atomics` Clang makes
 * plain variables of thread-local ones; the memory is not shared, so atomics cost what other accesses do.
 */
const exceptions = ['-exception-model=wasm', '-mllvm', '-wasm-enable-eh', '-mllvm', '-wasm-enable-sjlj'];
const hostFeatures = ['+exception-handling', '+atomics'].flatMap((feature) => ['-target-feature', feature]);

/**
 * Always on, since programs that use OpenMP do not say so before they are read (simulator/libc/src/openmp.c is the library). `_OPENMP`
 * comes with omp.h only: nvcc by itself does not define it, and programs that ask for it declare other things then.
 */
const openMp = ['-fopenmp', '-fopenmp-version=51', '-Wno-pass-failed'];

/** What a source file is written in, by its name as nvcc takes it: .c and .cpp (.cc, .cxx) are for the host alone. */
export type Language = 'cuda' | 'c++' | 'c';

export function languageOf(file: string): Language {
  if (/\.(cpp|cc|cxx|c\+\+|C)$/.test(file)) return 'c++';
  return file.endsWith('.c') ? 'c' : 'cuda';
}

// The GCC that Clang says it is: nvcc's programs meet one of these days' (12 is in Debian 12), and some ask.
const gccVersion = '12.2.0';
/**
 * Code that is undefined only because a value was never set, or a result never returned, stays. CUDA programs rely on it: `int first; if
 * (leader) first = atomicAdd(…); first = __shfl_sync(mask, first, 0)`. Clang alone would take every lane for the leader; nvcc (13.0) and
 * GCC without optimisation do not.
 */
const lenient = ['-no-enable-noundef-analysis', '-fno-strict-return'];
const common = [
  ...lenient,
  ...['-fdeclspec', `-fgnuc-version=${gccVersion}`, ...linux, '-D_REENTRANT', '-U_OPENMP'],
  ...['-resource-dir', clangHeaders, '-isysroot', sysroot, '-internal-isystem', cudaHeaders],
];
const cHeaders = ['-internal-isystem', `${clangHeaders}/include`, '-internal-isystem', `${sysroot}/include`];
/** What is an error for Clang alone: nvcc and GCC warn, and go on. */
const warnings = ['c++11-narrowing', 'register', 'reserved-user-defined-literal'].map((name) => `-Wno-error=${name}`);
/** The same in C, which GCC 12 takes as C17 with its extensions unless it is told another standard. */
const cWarnings = ['implicit-function-declaration', 'implicit-int', 'int-conversion'].map((name) => `-Wno-error=${name}`);
/**
 * Idioms at which nvcc and GCC are silent: `while (atomicCAS(lock, 0, 1) != 0);`, `(float)rand() / RAND_MAX`,
 * `typedef struct { int n = 0; } options;`, and `if (WIDTH % TILE || HEIGHT % TILE)`.
 */
const silent = ['empty-body', 'implicit-const-int-float-conversion', 'non-c-typedef-for-linkage', 'constant-logical-operand'].map(
  (name) => `-Wno-${name}`,
);
const cxx = [
  ...[`-std=${DEFAULT_STANDARD}`, ...warnings, ...silent, '-fcxx-exceptions', '-fexceptions'],
  // Our headers that give programs libstdc++'s data come before libc++'s.
  ...['-internal-isystem', `${cudaHeaders}/libstdcxx`, '-internal-isystem', `${sysroot}/include/c++/v1`],
];
/** The helpers of NVIDIA's samples, for programs that come without them: a program's own are found before. */
const sampleHelpers = ['-internal-isystem', `${cudaHeaders}/samples`];

/** Language and header search: what a precompiled header depends on. */
const languages: Readonly<Record<Language, readonly string[]>> = {
  cuda: ['-x', 'cuda', ...common, '-target-sdk-version=12.8', '-D__CUDACC__', ...cxx, ...cHeaders, ...sampleHelpers],
  'c++': ['-x', 'c++', ...common, ...cxx, ...cHeaders, ...sampleHelpers],
  c: ['-x', 'c', '-std=gnu17', ...cWarnings, ...common, ...cHeaders],
};

/** Older standards than the headers need are taken for the default. */
function withStandard(args: readonly string[], standard: Standard = DEFAULT_STANDARD): readonly string[] {
  const isOlder = STANDARDS.indexOf(standard) < STANDARDS.indexOf(DEFAULT_STANDARD);
  return isOlder ? args : args.map((arg) => (arg === `-std=${DEFAULT_STANDARD}` ? `-std=${standard}` : arg));
}

/** What the two passes do differently. `optimisation` may be varied freely: it changes counters, never meaning. */
const sides = {
  device: {
    target: ['-triple', deviceTriple, '-aux-triple', hostTriple, '-fcuda-is-device', '-target-cpu', 'sm_90', '-target-feature', '+ptx78'],
    // What NVVM does, as far as LLVM 22 has it: loads are kept over loops and forwarded from stores (GVN, DSE, LICM behind inlining), loops
    // whose length is not known are unrolled by four, and every function is inlined.
    optimisation: [
      // Accesses of different types may meet: nvcc (13.0) loads again what a store of another type may have changed.
      ...['-O2', '-funroll-loops', '-relaxed-aliasing'],
      // A value that lane 0 alone has may be given to a shuffle by all lanes: nvcc does not conclude that the others never come there.
      '-no-enable-noundef-analysis',
      ...[
        // nvcc's PTX of 90 programs calls nothing but slow paths of arithmetic.
        '-inline-threshold=20000',
        // A jump that is threaded parts the lanes of a warp for longer; NVVM knows that its target diverges, Clang without it does not.
        // Stores of both sides are merged as NVVM's older LLVM does it: simulator/ir/merge-stores.ts. What a round has stored is loaded
        // again by the next: NVVM does not keep it over the loop, nor has two loops for arrays that may or may not overlap.
        '-opt-disable=jump-threading,mldst-motion,loop-deletion,loop-load-elim',
        // Also where the number of rounds is a quotient that the loop must divide for. The size is where nvcc's PTX of 54 loops, one
        // instruction longer each, goes from four copies to two and to one (52 agree).
        // A known number of rounds that is too large to be written out is divided likewise.
        ...[
          '-unroll-allow-partial',
          '-unroll-runtime',
          '-unroll-max-count=4',
          '-scev-cheap-expansion-budget=1000',
          '-unroll-partial-threshold=190',
        ],
        // The first round of a loop stays in it: NVVM does not take it out for the sake of `i == 0`, after which Clang would forward what it
        // stored to the next (h200-hecbench-third.json: overlap).
        '-unroll-peel-max-count=0',
        // Nor does NVVM copy what follows a loop for those that left it early, because a condition behind it is known of them.
        '-simplifycfg-max-small-block-size=0',
        // A switch stays comparisons: NVVM makes no table of its values, which would be loads (nvcc's PTX of 7 switches).
        '-switch-to-lookup=false',
        // A checksum that is computed bit by bit stays so: LLVM 22 would look it up in a table of 256 words.
        '-disable-loop-idiom-hashrecognize',
        // ptxas leaves the stores of two branches where they are; sinking them into one would halve the requests of a split warp
        // (h200-reference.json: stencil).
        '-simplifycfg-sink-common=false',
        // What both branches begin with moves in front of them, as in NVVM, but not what comes behind something else of theirs: an address
        // that stays in each branch lets their stores become one (simulator/ir/merge-stores.ts).
        '-simplifycfg-hoist-common-skip-limit=0',
        // NVVM looks for stores that a later one of their block makes useless, not for those that one of another block does: `o[i] = 0` in
        // front of a loop whose sum is stored behind it stays a store (nvcc's PTX of 10 kernels).
        '-dse-memoryssa-otherbb-cost=1000',
        // How far back in its block a load may find its value: loops that are written out make blocks of thousands of instructions, and NVVM
        // loads each weight of a filter once in all of them (nvcc's PTX of loops of up to 1,000 products). LLVM's limit is 100.
        '-memdep-block-scan-limit=4000',
        // An address whose index is known not to be zero, by a condition around it, may be that of index 0 for NVVM all the same: of `v + 3 * n`
        // and `v + 4 * n` in a loop that n is the end of, each is loaded again behind a store to the other (nvcc's PTX of simplemoc).
        '-dom-conditions-max-uses=0',
        // Loops of known length are unrolled up to about this size; what ptxas merges and predicates then depends on it (scan, matmul).
        '-unroll-threshold=400',
        // An array that a function fills with constants stays in local memory, where nvcc's front end fills it: not a table in global memory.
        '-instcombine-max-copied-from-constant-users=0',
        // Loop counters keep their 32 bits: widened ones would have to be narrowed again (simulator/ir/narrow-addresses.ts).
        '-indvars-widen-indvars=false',
      ].flatMap((flag) => ['-mllvm', flag]),
    ],
    output: ['-emit-llvm'],
  },
  host: {
    target: ['-triple', hostTriple, '-aux-triple', deviceTriple, ...hostFeatures, ...exceptions, ...openMp, '-fvisibility=hidden'],
    optimisation: ['-O1'],
    output: ['-emit-obj'],
  },
} as const;

/** As Clang's driver has it: the process's memory goes as a whole, and what Clang itself made needs no checking. */
const brief = ['-disable-free', '-clear-ast-before-backend', '-disable-llvm-verifier'];

/** How deep constant expressions may nest, and how long one may take: Clang's own defaults, which docs/security.md promises. */
const constants = ['-fconstexpr-depth=512', '-fconstexpr-steps=1048576'];

/**
 * A loop that does nothing and never ends stays one: nvcc (13.0) keeps such loops in device code, and GCC those without a condition. Where
 * it counts the rounds of a loop, NVVM takes for granted that it ends, whatever the step may be, and so divides and unrolls; so device code
 * says that loops end, and the pass that would delete those that do not is left out.
 */
const endlessLoops: Readonly<Record<Side, string>> = { device: '-ffinite-loops', host: '-fno-finite-loops' };
/** Clang prints what it would write instead only where it prints the source, too. */
const NO_SOURCE = '-fno-caret-diagnostics';
const diagnosticStyle = [NO_SOURCE, '-ferror-limit', '50'];

/** Makes Clang emit the registration of kernels and variables; its bytes tell the runtime which device module they are of. */
export const gpuBinary = '/.lanewise-in/device.fatbin';
export const output = {
  device: '/.lanewise-out/device.ll',
  deviceIr: '/.lanewise-out/unoptimised.ll',
  host: '/.lanewise-out/host.o',
  hostIr: '/.lanewise-out/host.ll',
  link: '/.lanewise-out/program.wasm',
  header: '/.lanewise-out/header.pch',
};

export function compileArgs(side: Side, file: string, options: FlagOptions): string[] {
  const { target, optimisation, output: emit } = sides[side];
  const language = languageOf(file);
  return [
    ...[
      'clang++',
      '-cc1',
      ...brief,
      ...target,
      ...(side === 'device' && options.debug === 'full' ? ['-O0'] : optimisation),
      ...(language === 'c' ? languages.c : withStandard(languages[language], options.standard)),
      ...(side === 'device' && options.unit !== undefined ? ['-emit-llvm-bc', '-disable-llvm-passes'] : emit),
    ],
    ...debugFlags(side, options.debug),
    ...(language === 'cuda' ? cudaFlags(side, options) : []),
    ...['-fbracket-depth', `${options.nesting.bracketDepth}`, `-ftemplate-depth=${options.nesting.templateDepth}`, ...constants],
    endlessLoops[side],
    ...diagnosticStyle,
    ...options.names.map(({ folder, given }) => `-fmacro-prefix-map=${toVirtualPath(folder)}=${given}`),
    ...(language === 'cuda' && options.asNvcc ? ['-D__NVCC__'] : []),
    ...options.defines.map((define) => `-D${define}`),
    ...options.includeDirs.flatMap((folder) => ['-I', toVirtualPath(folder)]),
    ...librarySearch(options.systemFolders),
    ...['-o', output[side], toVirtualPath(file)],
  ];
}

/** `args` of the device's side, for LLVM's text before any pass, which also says what fields structures have that are copied. */
export function unoptimisedArgs(args: readonly string[]): string[] {
  const told = args.filter((arg) => arg !== '-relaxed-aliasing');
  return told.flatMap((arg) => (arg === '-emit-llvm' ? [arg, '-disable-llvm-passes'] : arg === output.device ? [output.deviceIr] : [arg]));
}

/** `args` of the host's side, for LLVM's text instead of an object. */
export function irArgs(args: readonly string[]): string[] {
  return args.map((arg) => (arg === '-emit-obj' ? '-emit-llvm' : arg === output.host ? output.hostIr : arg));
}

/** `args` of either side, for Clang's parser alone. */
export function syntaxArgs(args: readonly string[], further: readonly string[] = []): string[] {
  const kept = args.filter((arg, i) => arg !== '-emit-obj' && arg !== '-emit-llvm' && arg !== '-o' && args[i - 1] !== '-o');
  return [...kept.slice(0, 2), '-fsyntax-only', ...further, ...kept.slice(2)];
}

/** The same, with what Clang would write instead of what is wrong. */
export function remarkArgs(args: readonly string[]): string[] {
  return syntaxArgs(args).map((arg) => (arg === NO_SOURCE ? '-fdiagnostics-parseable-fixits' : arg));
}

/** Makes the object of that text, which is optimised already. */
export function objectArgs(): string[] {
  const { target, optimisation, output: emit } = sides.host;
  return ['clang++', '-cc1', ...target, ...optimisation, '-disable-llvm-passes', ...emit, '-x', 'ir', '-o', output.host, output.hostIr];
}

/** Links the device code of several files, which is not optimised yet, and makes LLVM's text of it, or does so with one. `modules`: virtual paths. */
export function deviceLinkArgs([first, ...others]: readonly string[], debug: Debug): string[] {
  const { target, optimisation, output: emit } = sides.device;
  const optimised = debug === 'full' ? ['-O0'] : optimisation;
  const linked = others.flatMap((path) => ['-mlink-bitcode-file', path]);
  // nvcc is silent, too, where `#pragma unroll` stands before a loop that is not written out.
  const how = [...optimised, ...emit, endlessLoops.device, '-Wno-pass-failed'];
  return ['clang++', '-cc1', ...target, ...how, '-x', 'ir', ...linked, '-o', output.device, first];
}

function cudaFlags(side: Side, { deviceLaunches, precompiledHeader, unit }: FlagOptions): string[] {
  return [
    ...(deviceLaunches ? ['-fgpu-rdc'] : []),
    // Names of what is static, and of kernels that are given lambdas, end in it; by itself Clang makes one that differs from side to side.
    ...(unit === undefined && !deviceLaunches ? [] : [`-cuid=${unit ?? 0}`]),
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
    // Otherwise each program instantiates again what the headers' inline functions use: half a second.
    '-fpch-instantiate-templates',
    '-o',
    output.header,
    source,
  ];
}

/** The host's lines are for faults of the host program (lowering/line-table.ts). */
function debugFlags(side: Side, debug: Debug): string[] {
  const names = side === 'device' && debug === 'headers' ? ['-D__LANEWISE_HEADER_PLACES', '-fdebug-info-for-profiling'] : [];
  const kind = side === 'device' && (debug === 'full' || debug === 'blocks') ? 'limited' : 'line-tables-only';
  return [`-debug-info-kind=${kind}`, '-dwarf-version=4', ...names];
}

/** Of the host program, as on Linux. */
export const HOST_STACK_BYTES = 8 << 20;

/** `objects`: virtual paths. */
export function linkArgs(objects: readonly string[]): string[] {
  const lib = `${sysroot}/lib`;
  return [
    ...['wasm-ld', '-m', 'wasm64', ...objects, `${lib}/libc++.a`, `${lib}/libc.a`],
    ...['--import-undefined', '--export-table', '--export=malloc', '--export=free', '--export=aligned_alloc'],
    ...['--export=fflush', '--export=exit'],
    // By this name a handler for everything knows the program's own exceptions from faults.
    '--export-if-defined=__cpp_exception',
    // What lower-memory64.ts puts where a function that must not throw does.
    ...['--export-if-defined=_ZSt9terminatev', '--export-if-defined=__cxa_begin_catch'],
    // By this one each thread gets data of its own.
    '--export=__tls_base',
    // By this one an overflow of the stack is known.
    '--export=__stack_pointer',
    // Addresses of functions count from here: SIG_IGN is 1, and no function of the program.
    '--table-base=16',
    // As large as on Linux; an overflow runs below address 0 and traps.
    ...['-z', `stack-size=${HOST_STACK_BYTES}`, '--stack-first'],
    ...['-o', output.link],
  ];
}
