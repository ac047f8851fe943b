/** Small wasm64 modules for tests: built byte by byte, or compiled freestanding by our Clang. */
import { runTool } from '../../simulator/toolchain/clang-pool.ts';
import { sysroot } from '../../simulator/toolchain/virtual-paths.ts';

export const I32 = 0x7f;
export const I64 = 0x7e;
export const FUNCREF = 0x70;

/** Sections by number, in the order in which a module has them: the contents of each. */
export function moduleOf(sections: readonly (readonly [id: number, contents: readonly number[]])[]): Uint8Array<ArrayBuffer> {
  const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  for (const [id, contents] of sections) bytes.push(id, ...leb(contents.length), ...contents);
  return Uint8Array.from(bytes);
}

export function vector(items: readonly (readonly number[])[]): number[] {
  return [...leb(items.length), ...items.flat()];
}

export function text(name: string): number[] {
  return [...leb(name.length), ...new TextEncoder().encode(name)];
}

/** Unsigned, or signed for negative values and where `signed` says so. */
export function leb(value: number | bigint, signed = value < 0): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (;;) {
    const low = Number(rest & 127n);
    rest >>= 7n;
    if (signed ? (rest === 0n && low < 64) || (rest === -1n && low >= 64) : rest === 0n) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

export const i32 = (value: number) => [0x41, ...leb(value, true)];
export const i64 = (value: number | bigint) => [0x42, ...leb(value, true)];

export interface OneFunction {
  readonly parameters?: readonly number[];
  readonly results?: readonly number[];
  readonly locals?: readonly number[];
  /** Without the last `end`. */
  readonly code: readonly number[];
}

/**
 * A module with one 64-bit memory of two pages and one exported function `f`; it may import a function `host.call` (number 0), and have
 * further sections, which stand for those that it has.
 */
export function oneFunction(
  { parameters = [], results = [], locals = [], code }: OneFunction,
  { importing = false, more = [] }: { importing?: boolean; more?: readonly (readonly [number, readonly number[]])[] } = {},
): Uint8Array<ArrayBuffer> {
  const type = [0x60, ...vector(parameters.map((each) => [each])), ...vector(results.map((each) => [each]))];
  const body = [...vector(locals.map((each) => [1, each])), ...code, 0x0b];
  const sections: [number, readonly number[]][] = [
    [1, vector([type, [0x60, 0, 0], [0x60, 1, I64, 0]])],
    ...(importing ? [[2, vector([[...text('host'), ...text('call'), 0, 1]])] as [number, number[]]] : []),
    [3, vector([[0]])],
    [5, vector([[4, 2]])],
    [
      7,
      vector([
        [...text('f'), 0, importing ? 1 : 0],
        [...text('memory'), 2, 0],
      ]),
    ],
    [10, vector([[...leb(body.length), ...body]])],
  ];
  const order = [0, 1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];
  const own = sections.filter(([id]) => !more.some(([other]) => other === id));
  const all = [...own, ...more].sort(([a], [b]) => (a === 0 ? 99 : order.indexOf(a)) - (b === 0 ? 99 : order.indexOf(b)));
  return moduleOf(all);
}

const FEATURES = ['exception-handling', 'bulk-memory', 'sign-ext', 'nontrapping-fptoint', 'reference-types', 'simd128', 'tail-call'];

export interface Freestanding {
  readonly name: string;
  readonly source: string;
  readonly bits?: 32 | 64;
}

/** Compiles and links one file without any library; every global symbol is exported, what is missing is imported from `env`. */
export async function freestanding({ name, source, bits = 64 }: Freestanding): Promise<Uint8Array> {
  const target = `wasm${bits}`;
  const language = name.endsWith('.c') ? ['-x', 'c', '-std=c17'] : ['-x', 'c++', '-std=c++17', '-fcxx-exceptions', '-fexceptions'];
  const exceptions = name.endsWith('.c') ? [] : ['-exception-model=wasm', '-mllvm', '-wasm-enable-eh'];
  const compiled = await run({
    args: [
      ...['clang++', '-cc1', '-triple', `${target}-unknown-unknown`, '-O2', '-emit-obj', '-resource-dir', sysroot],
      ...['-internal-isystem', `${sysroot}/include`, ...language, ...exceptions],
      ...FEATURES.flatMap((feature) => ['-target-feature', `+${feature}`]),
      ...['-o', '/out/a.o', `/in/${name}`],
    ],
    files: [[`/in/${name}`, new TextEncoder().encode(source)]],
    output: '/out/a.o',
  });
  const options = ['--no-entry', '--export-all', '--export-table', '--allow-undefined', '--stack-first', '-z', 'stack-size=65536'];
  return run({
    args: ['wasm-ld', '-m', target, '/in/a.o', ...options, '-o', '/out/a.wasm'],
    files: [['/in/a.o', compiled]],
    output: '/out/a.wasm',
  });
}

async function run(tool: Parameters<typeof runTool>[0]): Promise<Uint8Array> {
  const result = await runTool(tool);
  if (!result.output) throw new Error(result.crash ?? result.errorText);
  return result.output;
}
