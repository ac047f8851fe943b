/** a * b + c as compiled code computes it, for operands whose rounding is hard, against integers of any size. */
import { describe, expect, it } from 'vitest';
import { hasFusedInstructions, withoutFusedInstructions } from '../../simulator/compiler/fused-instructions.ts';
import { fmaDouble, fmaSingle } from '../../simulator/ir/math/fma.ts';
import { ENGINES, machine } from '../interpreter/engine-harness.ts';

const LANES = 32;
const kernel = (type: string, suffix: string, bytes: number) => `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ${type} @llvm.fma.${suffix}(${type}, ${type}, ${type})
define ptx_kernel void @k(ptr %x, ptr %own, ptr %shared) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr [3 x ${type}], ptr %x, i32 %tid
  %a = load ${type}, ptr %at, align ${bytes}
  %at1 = getelementptr i8, ptr %at, i32 ${bytes}
  %b = load ${type}, ptr %at1, align ${bytes}
  %at2 = getelementptr i8, ptr %at, i32 ${2 * bytes}
  %c = load ${type}, ptr %at2, align ${bytes}
  %r = call ${type} @llvm.fma.${suffix}(${type} %a, ${type} %b, ${type} %c)
  %to = getelementptr ${type}, ptr %own, i32 %tid
  store ${type} %r, ptr %to, align ${bytes}
  %x1 = getelementptr i8, ptr %x, i32 ${bytes}
  %x2 = getelementptr i8, ptr %x, i32 ${2 * bytes}
  %ua = load ${type}, ptr %x, align ${bytes}
  %ub = load ${type}, ptr %x1, align ${bytes}
  %uc = load ${type}, ptr %x2, align ${bytes}
  %u = call ${type} @llvm.fma.${suffix}(${type} %ua, ${type} %ub, ${type} %uc)
  store ${type} %u, ptr %shared, align ${bytes}
  ret void
}`;

interface Format {
  readonly fraction: number;
  readonly least: number;
  readonly largest: number;
}
const SINGLE: Format = { fraction: 23, least: -149, largest: 127 };
const DOUBLE: Format = { fraction: 52, least: -1074, largest: 1023 };

/** mantissa * 2^exponent. */
function parts(x: number): readonly [bigint, number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const field = Number((bits >> 52n) & 2047n);
  const mantissa = (bits & ((1n << 52n) - 1n)) | (field ? 1n << 52n : 0n);
  return [x < 0 ? -mantissa : mantissa, Math.max(field, 1) - 1075];
}

/** Of finite operands; zeros as JavaScript has them. */
function exact(a: number, b: number, c: number, { fraction, least, largest }: Format): number {
  const [[am, ae], [bm, be], [cm, ce]] = [parts(a), parts(b), parts(c)];
  const low = Math.min(ae + be, ce);
  const sum = ((am * bm) << BigInt(ae + be - low)) + (cm << BigInt(ce - low));
  if (sum === 0n) return a * b === 0 ? (a === 0 || b === 0 ? a * b + c : 0) : 0;
  const size = sum < 0n ? -sum : sum;
  const drop = Math.max(size.toString(2).length - fraction - 1, least - low);
  let kept = drop > 0 ? size >> BigInt(drop) : size << BigInt(-drop);
  if (drop > 0) {
    const [rest, middle] = [size - (kept << BigInt(drop)), 1n << BigInt(drop - 1)];
    if (rest > middle || (rest === middle && (kept & 1n) === 1n)) kept += 1n;
  }
  const [first, second] = [Math.trunc((low + drop) / 2), low + drop - Math.trunc((low + drop) / 2)];
  const value = Number(kept) * 2 ** first * 2 ** second;
  return Math.sign(Number(sum > 0n) - 0.5) * (value >= 2 ** largest * 2 ? Number.POSITIVE_INFINITY : value);
}

let state = 1;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const choose = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
const sign = () => (random() < 0.5 ? -1 : 1);

/** Few bits, so that exact sums lie in the middle between two numbers, or next to it by the product's error. */
function operands(format: Format): readonly [number, number, number] {
  const { fraction, least, largest } = format;
  const ulp = 2 ** -fraction;
  const number = () => sign() * (1 + Math.floor(random() * 2 ** fraction) * ulp);
  const short = () => sign() * (1 + Math.floor(random() * 8) / 8);
  const near = () => sign() * (1 + choose([0, 1, 2, 3, -1, 2 ** (fraction - 1), 2 ** Math.floor(fraction / 2)]) * ulp);
  const power = (low: number, high: number) => 2 ** Math.floor(low + random() * (high - low));
  const a = choose([number, short, near])();
  const b = choose([number, short, near])();
  const c = choose([number, short, near])();
  switch (Math.floor(random() * 8)) {
    case 0:
      return [a, b, c];
    case 1:
      return [a, b, c * power(-fraction - 3, fraction + 3)];
    case 2:
      return [a, b * ulp * choose([1, 0.5, 0.25]), c];
    case 3:
      return [a, b, -a * b];
    case 4:
      return [
        a * 2 ** Math.ceil(least / 2),
        b * power(least / 2 + fraction, least / 2 + fraction + 8),
        c * power(least + fraction, least + fraction + 4),
      ];
    case 5:
      return [a * 2 ** Math.ceil(least / 2), b * 2 ** Math.floor(least / 2), Math.floor(random() * 64) * 2 ** least];
    case 6:
      return [a * 2 ** (largest >> 1), b * 2 ** (largest >> 1), -c * 2 ** largest];
    default:
      return [choose([0, -0, a, 1, 3]), choose([0, b, 1, 2]), choose([0, -0, c, 1, -6])];
  }
}

describe.each([
  ['float', 'f32', SINGLE, 4],
  ['double', 'f64', DOUBLE, 8],
] as const)('%s', (type, suffix, format, bytes) => {
  const rounds = 120;
  const round = (x: number) => (bytes === 4 ? Math.fround(x) : x);
  const inputs = Array.from({ length: rounds * LANES }, () => operands(format).map(round) as [number, number, number]);
  const expected = inputs.map(([a, b, c]) => exact(a, b, c, format));

  it('function', () => {
    const fma = bytes === 4 ? fmaSingle : fmaDouble;
    expect(inputs.filter((each, k) => !Object.is(fma(...each), expected[k]))).toEqual([]);
  });

  const check = (createEngine: (typeof ENGINES)[number][1]): void => {
    const m = machine(createEngine, kernel(type, suffix, bytes));
    const words = bytes / 4;
    const [x, own, shared] = [m.words(3 * LANES * words), m.words(LANES * words), m.words(words)];
    const wrong: unknown[] = [];
    for (let k = 0; k < rounds; k++) {
      const flat = inputs.slice(k * LANES, (k + 1) * LANES).flat();
      const numbers = bytes === 4 ? Float32Array.from(flat) : Float64Array.from(flat);
      m.write(x, [...new Int32Array(numbers.buffer)]);
      expect(m.launch('k', { args: [x, own, shared] }).fault).toBeUndefined();
      const bits = Int32Array.from([...m.read(own, LANES * words), ...m.read(shared, words)]);
      const results = bytes === 4 ? new Float32Array(bits.buffer) : new Float64Array(bits.buffer);
      const wanted = [...expected.slice(k * LANES, (k + 1) * LANES), expected[k * LANES]];
      for (const [lane, want] of wanted.entries())
        if (!Object.is(results[lane], want)) wrong.push([inputs[k * LANES + (lane % LANES)], results[lane], want]);
    }
    m.engine.close();
    expect(wrong).toEqual([]);
  };

  it.each(ENGINES)('%s', (_, createEngine) => check(createEngine));

  it.each(ENGINES)('%s on a machine without instructions for it', (_, createEngine) => withoutFusedInstructions(() => check(createEngine)));
});

it('a NaN has the bits that the GPU gives it, however it came', () => {
  const ends = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 1, -3e38];
  const operands = ends.flatMap((a) => ends.flatMap((b) => ends.map((c) => [a, b, c])));
  const bitsOf = (createEngine: (typeof ENGINES)[number][1], type: string, suffix: string, bytes: 4 | 8): number[] => {
    const m = machine(createEngine, kernel(type, suffix, bytes));
    const [x, own, shared] = [m.words((3 * LANES * bytes) / 4), m.words((LANES * bytes) / 4), m.words(bytes / 4)];
    const all: number[] = [];
    for (let k = 0; k < operands.length; k += LANES) {
      const flat = Array.from({ length: LANES }, (_, lane) => operands[(k + lane) % operands.length]).flat();
      const numbers = bytes === 4 ? Float32Array.from(flat) : Float64Array.from(flat);
      m.write(x, [...new Int32Array(numbers.buffer)]);
      expect(m.launch('k', { args: [x, own, shared] }).fault).toBeUndefined();
      all.push(...m.read(own, (LANES * bytes) / 4), ...m.read(shared, bytes / 4));
    }
    m.engine.close();
    return all;
  };
  for (const [type, suffix, bytes] of [
    ['float', 'f32', 4],
    ['double', 'f64', 8],
  ] as const) {
    const [expected, ...others] = ENGINES.map(([, createEngine]) => bitsOf(createEngine, type, suffix, bytes));
    for (const other of others) expect(other).toEqual(expected);
    expect(withoutFusedInstructions(() => bitsOf(ENGINES[1][1], type, suffix, bytes))).toEqual(expected);
  }
});

it('this machine has instructions for it', () => {
  // All that run the tests do: else half of them would test nothing.
  expect(hasFusedInstructions()).toBe(true);
});
