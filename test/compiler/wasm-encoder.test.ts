/** What the encoder writes, V8 accepts and runs as meant. */
import { describe, expect, it } from 'vitest';
import { type FunctionBuilder, ModuleBuilder, type ValueType } from '../../simulator/compiler/wasm-encoder.ts';

const memory = new WebAssembly.Memory({ initial: 1, maximum: 32768, shared: true });

function compile(parameters: readonly ValueType[], result: ValueType, body: (f: FunctionBuilder) => void): (...args: unknown[]) => unknown {
  const module = new ModuleBuilder();
  const f = module.function('f', { parameters, results: [result] });
  body(f);
  module.export(f);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode()), { host: { memory } });
  return instance.exports.f as (...args: unknown[]) => unknown;
}

describe('constants', () => {
  it.each([0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, 2 ** 31 - 1, -(2 ** 31)])('i32 %d', (value) => {
    expect(compile([], 'i32', (f) => f.i32(value))()).toBe(value);
  });

  it.each([0n, -1n, 2n ** 62n, -(2n ** 63n), 2n ** 63n - 1n, 300n])('i64 %d', (value) => {
    expect(compile([], 'i64', (f) => f.i64(value))()).toBe(value);
  });

  it('floats by their bits', () => {
    expect(compile([], 'f32', (f) => f.f32(0xc0490fdb))()).toBe(Math.fround(-Math.PI));
    expect(compile([], 'f64', (f) => f.f64(0x400921fb54442d18n))()).toBe(Math.PI);
  });

  it('vectors by their words', () => {
    const third = compile([], 'i32', (f) => f.v128([1, 2, -3, 4]).lane('i32x4.extract_lane', 2));
    expect(third()).toBe(-3);
  });
});

describe('control flow', () => {
  it('counts branch depths from where blocks were opened', () => {
    const sum = compile(['i32'], 'i32', (f) => {
      const total = f.local('i32');
      const end = f.depth;
      f.block();
      const head = f.depth;
      f.loop();
      f.get(0).op('i32.eqz').brIf(end);
      f.get(total).get(0).op('i32.add').set(total);
      f.get(0).i32(1).op('i32.sub').set(0).br(head);
      f.end();
      f.end();
      f.get(total);
    });
    expect(sum(10)).toBe(55);
  });

  it('chooses by a table', () => {
    const choose = compile(['i32'], 'i32', (f) => {
      const depths = [2, 1, 0];
      f.block();
      f.block();
      f.block();
      f.get(0).brTable(depths, 0);
      f.end();
      f.i32(10).op('return').end();
      f.i32(20).op('return').end();
      f.i32(30);
    });
    expect([0, 1, 2, 7].map((k) => choose(k))).toEqual([10, 20, 30, 30]);
  });
});

it('gives released locals out again', () => {
  const module = new ModuleBuilder();
  const f = module.function('f', { parameters: ['i32'], results: [] });
  const first = f.local('i32');
  const other = f.local('v128');
  f.release('i32', first);
  expect(f.local('v128')).not.toBe(other);
  expect(f.local('i32')).toBe(first);
});

it('refuses instructions that it does not know', () => {
  const f = new ModuleBuilder().function('f', { parameters: [], results: [] });
  expect(() => f.op('i32.divide')).toThrow('unknown WebAssembly instruction i32.divide');
});
