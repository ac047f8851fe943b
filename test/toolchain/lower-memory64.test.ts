import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { lowerMemory64 } from '../../simulator/toolchain/lower-memory64.ts';
import { FUNCREF, freestanding, I32, I64, i32, i64, leb, moduleOf, type OneFunction, oneFunction, text, vector } from './wasm64.ts';

afterAll(releaseClang);

type Exports = Record<string, (...args: (number | bigint)[]) => number | bigint | undefined>;

function instance(module: Uint8Array, imports: WebAssembly.Imports = {}): WebAssembly.Instance {
  return new WebAssembly.Instance(new WebAssembly.Module(lowerMemory64(module)), imports);
}

/** The function's result, and the memory after it. */
function call(of: OneFunction, ...args: (number | bigint)[]) {
  const { f, memory } = instance(oneFunction(of)).exports as unknown as { f: Exports[string]; memory: WebAssembly.Memory };
  return { result: f(...args), view: new DataView(memory.buffer) };
}

const get = (local: number) => [0x20, local];
const LOAD32 = [0x28, 2];
const STORE32 = [0x36, 2];

describe('an access to a 64-bit memory', () => {
  it('goes to the lower 32 bits of its address', () => {
    const store = call({ parameters: [I64, I32], code: [...get(0), ...get(1), ...STORE32, 4] }, 0x1_0000_0010n, 77);
    expect(store.view.getInt32(20, true)).toBe(77);
    const load = { parameters: [I64], results: [I32], code: [...i64(8), ...i32(5), ...STORE32, 0, ...get(0), ...LOAD32, 8] };
    expect(call(load, 0n).result).toBe(5);
  });

  it('traps behind the end, for a negative address, and for an offset that 32 bits do not hold', () => {
    const load = (offset: number[]) => ({ parameters: [I64], results: [I32], code: [...get(0), ...LOAD32, ...offset] });
    expect(() => call(load([0]), 131069n)).toThrow(/out of bounds/);
    expect(() => call(load([0]), -4n)).toThrow(/out of bounds/);
    expect(() => call(load([0]), 0x8000_0000n)).toThrow(/out of bounds/);
    expect(() => call(load(leb(2 ** 32)), 0n)).toThrow(/unreachable/);
    expect(() => call({ code: [...i64(0), ...i32(0), ...STORE32, ...leb(2 ** 40)] })).toThrow(/unreachable/);
  });

  it('may have constants for address and value, negative ones too', () => {
    const { view } = call({ code: [...i64(0x1_0000_0104n), ...i32(-7), ...STORE32, 0, ...i64(-0x1_0000_0000n), ...i32(9), ...STORE32, 0] });
    expect(view.getInt32(0x104, true)).toBe(-7);
    expect(view.getInt32(0, true)).toBe(9);
  });

  it('keeps values of every type that are computed above the address', () => {
    const sum = [...get(1), ...get(1), 0x6a];
    const code = [
      ...[...get(0), ...sum, 0x36, 2, 0], // i32.store
      ...[...get(0), ...sum, 0xac, 0x37, 3, 8], // i64.store
      ...[...get(0), ...sum, 0xb2, 0x38, 2, 16], // f32.store
      ...[...get(0), ...sum, 0xb7, 0x39, 3, 24], // f64.store
      ...[...get(0), ...sum, 0xfd, 17, 0xfd, 11, 4, 32], // i32x4.splat, v128.store
      ...[...get(0), ...sum, 0xfd, 17, 0xfd, 90, 2, 48, 3], // v128.store32_lane
    ];
    const { view } = call({ parameters: [I64, I32], code }, 0x2_0000_0040n, 21);
    expect([view.getInt32(64, true), view.getBigInt64(72, true), view.getFloat32(80, true), view.getFloat64(88, true)]).toEqual([
      42,
      42n,
      42,
      42,
    ]);
    expect([0, 4, 8, 12, 16].map((at) => view.getInt32(96 + at, true))).toEqual([42, 42, 42, 42, 42]);
  });

  it('of two values above the address is an atomic or a vector', () => {
    const exchange = [...get(0), ...i32(0), ...get(1), ...get(1), 0x6a, 0xfe, 0x48, 2, 0];
    const atomic = call({ parameters: [I64, I32], results: [I32], code: exchange }, 16n, 4);
    expect([atomic.result, atomic.view.getInt32(16, true)]).toEqual([0, 8]);
    const lane = [...i64(32), ...i32(6), ...STORE32, 0, ...get(0), ...i32(1), 0xfd, 17, 0xfd, 86, 2, 0, 2, 0xfd, 27, 2];
    expect(call({ parameters: [I64], results: [I32], code: lane }, 32n).result).toBe(6);
  });

  it('in bulk checks all of its 64 bits', () => {
    const fill = { parameters: [I64, I32, I64], code: [...get(0), ...get(1), ...get(2), 0xfc, 11, 0] };
    expect(call(fill, 8n, 0xab, 2n).view.getUint32(6, true)).toBe(0xabab0000);
    expect(() => call(fill, 8n, 1, 0x1_0000_0000n)).toThrow(/out of bounds/);
    expect(() => call(fill, 8n, 1, -1n)).toThrow(/out of bounds/);
    const copy = {
      parameters: [I64, I64, I64],
      code: [...i64(0), ...i32(0x01020304), ...STORE32, 0, ...get(0), ...get(1), ...get(2), 0xfc, 10, 0, 0],
    };
    expect(call(copy, 9n, 0n, 3n).view.getUint32(8, true)).toBe(0x02030400);
    expect(() => call(copy, 9n, 0x1_0000_0000n, 3n)).toThrow(/out of bounds/);
  });

  it('can ask for the size and for more', () => {
    expect(call({ results: [I64], code: [0x3f, 0] }).result).toBe(2n);
    expect(call({ results: [I64], code: [...i64(3), 0x40, 0] }).result).toBe(2n);
    expect(call({ results: [I64], code: [...i64(65536), 0x40, 0] }).result).toBe(-1n);
  });
});

/** A table of 64-bit indices whose elements 1 and 2 are the function itself. */
const table64: [number, number[]][] = [
  [4, vector([[FUNCREF, 4, 4]])],
  [9, vector([[0, ...i64(1), 0x0b, 2, 0, 0]])],
];

it('tables of 64-bit indices become narrow', () => {
  const run = (code: number[], results: number[] = [], ...args: bigint[]) =>
    (instance(oneFunction({ parameters: [I64], results, code }, { more: table64 })).exports as unknown as Exports).f(...args);
  expect(run([0xfc, 16, 0], [I64], 0n)).toBe(4n);
  expect(run([0xd0, 0x70, ...i64(2), 0xfc, 15, 0], [I64], 0n)).toBe(4n);
  expect(run([...get(0), 0x25, 0, 0xd1], [I32], 2n)).toBe(0);
  expect(run([...get(0), 0x25, 0, 0xd1], [I32], 3n)).toBe(1);
  expect(run([...get(0), 0xd0, 0x70, 0x26, 0, ...get(0), 0x25, 0, 0xd1], [I32], 1n)).toBe(1);
  expect(run([...i64(0), ...get(0), ...i64(1), 0xfc, 14, 0, 0, ...i64(0), 0x25, 0, 0xd1], [I32], 1n)).toBe(0);
  expect(run([...get(0), 0xd2, 0, ...i64(1), 0xfc, 17, 0, ...get(0), 0x25, 0, 0xd1], [I32], 3n)).toBe(0);
  // Type 1 takes and gives nothing: the function is of another.
  expect(() => run([...get(0), 0x11, 1, 0], [], 1n)).toThrow(/signature|null function/);
});

describe('what the program catches', () => {
  const tag: [number, number[]] = [13, vector([[0, 2]])];
  /** try { call(); } catch_all { *(int*)16 = 1; } */
  const code = [0x06, 0x40, 0x10, 0, 0x19, ...i64(16), ...i32(1), ...STORE32, 0, 0x0b];

  function run(call: () => void, more: [number, number[]][]) {
    const { f, memory } = instance(oneFunction({ code }, { importing: true, more }), { host: { call } }).exports as unknown as {
      f(): void;
      memory: WebAssembly.Memory;
    };
    let thrown: unknown;
    try {
      f();
    } catch (error) {
      thrown = error;
    }
    return { thrown, cleanedUp: new DataView(memory.buffer).getInt32(16, true) === 1 };
  }

  it('is never what the simulator throws to end it', () => {
    const end = new Error('exit');
    const ending = () => {
      throw end;
    };
    for (const more of [[tag], []] as [number, number[]][][]) expect(run(ending, more)).toEqual({ thrown: end, cleanedUp: false });
  });

  it('is what it throws itself', () => {
    const thrower = oneFunction(
      { code: [...i64(5), 0x08, 0] },
      {
        more: [
          tag,
          [
            7,
            vector([
              [...text('f'), 0, 0],
              [...text('__cpp_exception'), 4, 0],
            ]),
          ],
        ],
      },
    );
    expect(() => (instance(thrower).exports as unknown as Exports).f()).toThrow(WebAssembly.Exception);
    const own = oneFunction({ code: [0x06, 0x40, ...i64(5), 0x08, 0, 0x19, ...i64(16), ...i32(1), ...STORE32, 0, 0x0b] }, { more: [tag] });
    const { f, memory } = instance(own).exports as unknown as { f(): void; memory: WebAssembly.Memory };
    f();
    expect(new DataView(memory.buffer).getInt32(16, true)).toBe(1);
  });
});

describe('a module', () => {
  it('keeps the names of functions and no other custom section', () => {
    const names = [...text('name'), 1, ...leb(4), 1, 0, 1, 0x66];
    const lowered = new WebAssembly.Module(
      lowerMemory64(
        oneFunction(
          { code: [] },
          {
            more: [
              [0, names],
              [0, [...text('producers'), 1, 2, 3]],
            ],
          },
        ),
      ),
    );
    expect(WebAssembly.Module.customSections(lowered, 'name')).toHaveLength(1);
    expect(WebAssembly.Module.customSections(lowered, 'producers')).toHaveLength(0);
  });

  it('may compute where its data lie from constant globals', () => {
    const globals: [number, number[]] = [
      6,
      vector([
        [I64, 0, ...i64(100), 0x0b],
        [I64, 0, 0x23, 0, ...i64(28), 0x7c, 0x0b],
      ]),
    ];
    const data: [number, number[]] = [11, vector([[0, 0x23, 1, ...i64(2), 0x7e, 0x0b, 2, 7, 8]])];
    const code = [0x23, 1, 0x2d, 0, ...leb(128)];
    const { f } = instance(oneFunction({ results: [I32], code }, { more: [globals, data] })).exports as unknown as Exports;
    expect(f()).toBe(7);
  });

  it.each([
    ['try_table (0x1f)', oneFunction({ code: [0x1f, 0x40, 0, 0x0b] })],
    ['the instruction 0xfd 300', oneFunction({ code: [0xfd, 0xac, 2] })],
    ['several memories', oneFunction({ code: [...i64(0), 0x28, 0x42, 1, 0, 0x1a] })],
    [
      'exports none of them as __cpp_exception',
      oneFunction(
        { code: [] },
        {
          more: [
            [
              13,
              vector([
                [0, 2],
                [0, 2],
              ]),
            ],
          ],
        },
      ),
    ],
    ['an address that is not constant', oneFunction({ code: [] }, { more: [[11, vector([[0, 0x23, 7, 0x0b, 0]])]] })],
    ['a type of the form 0x5f', moduleOf([[1, vector([[0x5f, 0]])]])],
  ])('with what is not known is refused by name: %s', (message, module) => {
    expect(() => lowerMemory64(module)).toThrow(message);
  });
});

describe('programs that Clang compiles for wasm64', () => {
  const folder = join(import.meta.dirname, '..', 'fixtures', 'toolchain');
  const source = readFileSync(join(folder, 'lp64.cpp'), 'utf8');
  // What g++ 12 on x86_64 makes of the same file (compiled with -DMAIN).
  const expected = Object.entries(JSON.parse(readFileSync(join(folder, 'lp64.json'), 'utf8')) as Record<string, string>);
  let exported: Exports;

  beforeAll(async () => {
    exported = instance(await freestanding({ name: 'lp64.cpp', source: `#define FREESTANDING\n${source}` })).exports as unknown as Exports;
  }, 60_000);

  it.each(expected)('%s', (name, value) => {
    expect(String(exported[name]())).toBe(value);
  });

  it('has no check without an expected value', () => {
    const checks = Object.keys(exported).filter((name) => name.startsWith('check_'));
    expect(expected.map(([name]) => name).sort()).toEqual(checks.sort());
  });
});
