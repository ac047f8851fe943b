/** Intrinsics that compute each lane's result from the lane's own operands. */

import { UnsupportedIr } from '../ir/types.ts';
import { bitReverse, byteSwap, countLeadingZeros, countTrailingZeros, findNthSet, permuteBytes, popcountBig } from '../machine/bits.ts';
import { type Cell, copyLanes, getBits, type Leaf, leavesOf, setBits } from '../machine/cells.ts';
import { NVVM_FLOAT, ROUNDING } from '../machine/float-functions.ts';
import { fmaDouble, fmaSingle } from '../machine/fma.ts';
import { forLanes, popcount } from '../machine/lanes.ts';
import type { Meaning, Step } from '../scheduling/program.ts';
import { saturateWide } from './casts.ts';
import { floatView, reader } from './floats.ts';
import { truncateTo } from './integers.ts';
import type { Call } from './intrinsics.ts';
import { type LaneOperation, loopTable } from './lane-loop.ts';
import { sequence } from './step-basics.ts';
import { floatStep, formatOf, intLoopStep } from './steps.ts';
import type { Translation } from './translate.ts';

const loops = loopTable();

export function arithmeticIntrinsic(t: Translation, call: Call): Meaning | undefined {
  const name = call.callee.replace(/(\.(i\d+|f\d+|bf16|v\d+(i|f|bf)\d+|p\d))+$/, '');
  const integer = INTEGER[name] ?? NVVM_INTEGER[call.callee];
  if (integer) return { step: integerStep(t, call, name, integer) };
  const float = ROUNDING[name] ?? NVVM_FLOAT[call.callee];
  if (float) return { step: floatStep(t, call, Math.min(3, float.length) as 1 | 2 | 3, call.args, name, float) };
  if (name === 'llvm.fma' || name === 'llvm.fmuladd' || /^llvm\.nvvm\.fma\.rn(\.ftz)?\.[fd]$/.test(call.callee)) {
    return { step: floatStep(t, call, 3, call.args, 'fma', formatOf(call.type) === 'double' ? fmaDouble : fmaSingle) };
  }
  if (name === 'llvm.fabs' || name === 'llvm.nvvm.fabs') return { step: signStep(t, call, () => 0) };
  if (name === 'llvm.copysign') return { step: signStep(t, call, (_, sign) => sign) };
  if (/^llvm\.[us](add|sub|mul)\.with\.overflow$/.test(name)) return { step: overflowStep(t, call, name) };
  if (name === 'llvm.is.fpclass') return { step: classStep(t, call) };
  if (/^llvm\.fpto[us]i\.sat$/.test(name)) return { step: saturatingStep(t, call, name.includes('fptosi')) };
  if (/^llvm\.vector\.reduce\./.test(name)) return { step: reduceStep(t, call, name.slice('llvm.vector.reduce.'.length)) };
  return undefined;
}

/** An operation on integers of a width, held as the cells hold them. */
type Integer = (bits: number) => LaneOperation;

/** The same operation for both holdings: numbers up to 32 bits, bigints above. */
function both(narrow: (bits: number) => LaneOperation, wide: (bits: number) => LaneOperation): Integer {
  return (bits) => (bits <= 32 ? narrow(bits) : wide(bits));
}

/** An operation written for bigints, used for every width. */
function big(operation: (bits: number, a: bigint, b: bigint, c: bigint) => bigint | number): Integer {
  return (bits) => {
    const run = (a: bigint, b: bigint, c: bigint): bigint => BigInt.asUintN(bits, BigInt(operation(bits, a, b, c)));
    if (bits > 32) return (a, b, c) => run(a, b ?? 0n, c ?? 0n);
    return (a, b, c) => Number(run(BigInt(a >>> 0), BigInt((b ?? 0) >>> 0), BigInt((c ?? 0) >>> 0)));
  };
}

const signed = (bits: number, value: bigint): bigint => BigInt.asIntN(bits, value);
const clamp = (value: bigint, low: bigint, high: bigint): bigint => (value < low ? low : value > high ? high : value);
const highest = (bits: number): bigint => (1n << BigInt(bits)) - 1n;
const clampSigned = (bits: number, value: bigint): bigint => clamp(value, -(1n << BigInt(bits - 1)), highest(bits - 1));

const INTEGER: Readonly<Record<string, Integer>> = {
  'llvm.ctpop': both(
    () => (a) => popcount(a),
    () => (a) => BigInt(popcountBig(a)),
  ),
  'llvm.ctlz': both(
    (bits) => (a) => Math.clz32(a) - (32 - bits),
    (bits) => (a) => BigInt(countLeadingZeros(a, bits)),
  ),
  'llvm.cttz': both(
    (bits) => (a) => (a === 0 ? bits : 31 - Math.clz32(a & -a)),
    (bits) => (a) => BigInt(countTrailingZeros(a, bits)),
  ),
  'llvm.bitreverse': big((bits, a) => bitReverse(a, bits)),
  'llvm.bswap': big((bits, a) => byteSwap(a, bits)),
  'llvm.fshl': big((bits, a, b, c) => (((a << BigInt(bits)) | b) << (c % BigInt(bits))) >> BigInt(bits)),
  'llvm.fshr': big((bits, a, b, c) => ((a << BigInt(bits)) | b) >> (c % BigInt(bits))),
  'llvm.abs': both(
    (bits) => {
      const shift = 32 - bits;
      const fit = truncateTo(bits);
      return (a) => fit(Math.abs((a << shift) >> shift));
    },
    (bits) => (a) => BigInt.asUintN(bits, signed(bits, a) < 0n ? -a : a),
  ),
  'llvm.smax': both(
    (bits) => (a, b) => (a << (32 - bits) > b << (32 - bits) ? a : b),
    (bits) => (a, b) => (signed(bits, a) > signed(bits, b) ? a : b),
  ),
  'llvm.smin': both(
    (bits) => (a, b) => (a << (32 - bits) < b << (32 - bits) ? a : b),
    (bits) => (a, b) => (signed(bits, a) < signed(bits, b) ? a : b),
  ),
  'llvm.umax': both(
    () => (a, b) => (a >>> 0 > b >>> 0 ? a : b),
    () => larger,
  ),
  'llvm.umin': both(
    () => (a, b) => (a >>> 0 < b >>> 0 ? a : b),
    () => (a, b) => (larger(a, b) === a ? b : a),
  ),
  'llvm.sadd.sat': big((bits, a, b) => clampSigned(bits, signed(bits, a) + signed(bits, b))),
  'llvm.ssub.sat': big((bits, a, b) => clampSigned(bits, signed(bits, a) - signed(bits, b))),
  'llvm.uadd.sat': big((bits, a, b) => clamp(a + b, 0n, highest(bits))),
  'llvm.usub.sat': big((bits, a, b) => clamp(a - b, 0n, highest(bits))),
  'llvm.sshl.sat': big((bits, a, b) => clampSigned(bits, signed(bits, a) << b)),
  'llvm.ushl.sat': big((bits, a, b) => clamp(a << b, 0n, highest(bits))),
  'llvm.scmp': big((bits, a, b) => (signed(bits, a) < signed(bits, b) ? -1n : signed(bits, a) > signed(bits, b) ? 1n : 0n)),
  'llvm.ucmp': big((_, a, b) => (a < b ? -1n : a > b ? 1n : 0n)),
};

const NVVM_INTEGER: Readonly<Record<string, Integer>> = {
  'llvm.nvvm.prmt': () => permuteBytes,
  'llvm.nvvm.fns': () => (mask, base, n) => findNthSet(mask, base, n),
  'llvm.nvvm.mulhi.s': big((bits, a, b) => (signed(bits, a) * signed(bits, b)) >> BigInt(bits)),
  'llvm.nvvm.mulhi.us': big((bits, a, b) => (a * b) >> BigInt(bits)),
  'llvm.nvvm.mulhi.i': big((bits, a, b) => (signed(bits, a) * signed(bits, b)) >> BigInt(bits)),
  'llvm.nvvm.mulhi.ui': big((bits, a, b) => (a * b) >> BigInt(bits)),
  'llvm.nvvm.mulhi.ll': big((bits, a, b) => (signed(bits, a) * signed(bits, b)) >> BigInt(bits)),
  'llvm.nvvm.mulhi.ull': big((bits, a, b) => (a * b) >> BigInt(bits)),
  'llvm.nvvm.mul24.i': () => (a, b) => Math.imul((a << 8) >> 8, (b << 8) >> 8),
  'llvm.nvvm.mul24.ui': () => (a, b) => Math.imul(a & 0xffffff, b & 0xffffff),
  'llvm.nvvm.sad.i': () => (a, b, c) => (Math.abs(a - b) + c) | 0,
  'llvm.nvvm.sad.ui': () => (a, b, c) => (Math.abs((a >>> 0) - (b >>> 0)) + c) | 0,
};

function integerStep(t: Translation, call: Call, name: string, operation: Integer): Step {
  const leaves = leavesOf(call.type);
  // Of cttz, ctlz and abs the second operand says what is undefined: nothing here is.
  const args = /^llvm\.(ctlz|cttz|abs)$/.test(name) ? call.args.slice(0, 1) : call.args;
  const inputs = args.map((a) => t.cells(a));
  const operands = leavesOf(call.args[0].type);
  return sequence(
    t.results(call).map((result, index) => {
      const leaf = leaves[index];
      const { bits } = operands[index];
      if (operands[index].kind !== leaf.kind)
        return mixedStep(
          operation(bits),
          operands[index],
          leaf,
          result,
          inputs.map((i) => i[index]),
        );
      const loop = loops(`${name} ${bits}`, args.length as 1 | 2 | 3, () => operation(bits));
      const step = intLoopStep(
        loop,
        leaf,
        result,
        inputs.map((i) => i[index]),
      );
      if (leaf.bits >= bits) return step;
      const fit = truncateTo(leaf.bits);
      return (path) => {
        step(path);
        const words = path.frame.cells[result].i;
        forLanes(path.mask, (lane) => {
          words[lane] = fit(words[lane]);
        });
      };
    }),
  );
}

/** Operands are held otherwise than the result (llvm.scmp.i32.i64). */
function mixedStep(operation: LaneOperation, from: Leaf, to: Leaf, result: number, inputs: readonly number[]): Step {
  const wide = from.bits > 32;
  return ({ frame: { cells }, mask }) => {
    forLanes(mask, (lane) => {
      const values = inputs.map((input) => (wide ? getBits(cells[input], from.kind, lane) : cells[input].i[lane]));
      setBits(cells[result], to.kind, lane, BigInt.asUintN(to.bits, BigInt(operation(values[0], values[1], values[2]))));
    });
  };
}

/** Changes sign bits and nothing else: a NaN keeps its payload. `sign`: of the operand's and the second operand's sign bits. */
function signStep(t: Translation, call: Call, sign: (own: number, other: number) => number): Step {
  const inputs = call.args.map((a) => t.cells(a));
  const results = t.results(call);
  const leaves = leavesOf(call.type);
  return ({ frame: { cells }, mask }) => {
    results.forEach((result, index) => {
      const { bits } = leaves[index];
      const words = cells[result].i;
      const other = inputs[1] ? cells[inputs[1][index]].i : undefined;
      const [step, first, shift] = bits === 64 ? [2, 1, 31] : [1, 0, bits - 1];
      const signs = Int32Array.from({ length: 32 }, (_, lane) => ((other?.[step * lane + first] ?? 0) >>> shift) & 1);
      copyLanes(cells[result], cells[inputs[0][index]], mask);
      forLanes(mask, (lane) => {
        const at = step * lane + first;
        const own = (words[at] >>> shift) & 1;
        words[at] = (words[at] & ~(1 << shift)) | (sign(own, signs[lane]) << shift);
      });
    });
  };
}

/** Structure { wrapped result, overflow }. */
function overflowStep(t: Translation, call: Call, name: string): Step {
  const [, kind, operator] = /^llvm\.([us])(add|sub|mul)/.exec(name)!;
  const count = leavesOf(call.args[0].type).length;
  const leaf = leavesOf(call.args[0].type)[0];
  const [a, b] = call.args.map((arg) => t.cells(arg));
  const results = t.results(call);
  const { bits } = leaf;
  return ({ frame: { cells }, mask }) => {
    for (let index = 0; index < count; index++) {
      forLanes(mask, (lane) => {
        const read = (cell: Cell): bigint => (kind === 's' ? signed(bits, getBits(cell, leaf.kind, lane)) : getBits(cell, leaf.kind, lane));
        const [x, y] = [read(cells[a[index]]), read(cells[b[index]])];
        const exact = operator === 'add' ? x + y : operator === 'sub' ? x - y : x * y;
        const wrapped = BigInt.asUintN(bits, exact);
        setBits(cells[results[index]], leaf.kind, lane, wrapped);
        cells[results[count + index]].i[lane] = (kind === 's' ? signed(bits, wrapped) : wrapped) === exact ? 0 : 1;
      });
    }
  };
}

/** Bits of llvm.is.fpclass, lowest first: signalling and quiet NaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf. */
function classStep(t: Translation, call: Call): Step {
  const inputs = t.cells(call.args[0]);
  const leaves = leavesOf(call.args[0].type);
  const wanted = call.args[1].kind === 'int' ? Number(call.args[1].value) : 0;
  const results = t.results(call);
  return ({ frame: { cells }, mask }) => {
    results.forEach((result, index) => {
      const leaf = leaves[index];
      forLanes(mask, (lane) => {
        const which = floatClass(getBits(cells[inputs[index]], leaf.kind, lane), leaf);
        cells[result].i[lane] = (wanted >> which) & 1;
      });
    });
  };
}

function floatClass(bits: bigint, leaf: Leaf): number {
  const fractionBits = { half: 10n, bfloat: 7n, float: 23n, double: 52n }[formatOf(leaf.type)];
  const exponentBits = BigInt(leaf.bits) - 1n - fractionBits;
  const fraction = bits & ((1n << fractionBits) - 1n);
  const exponent = (bits >> fractionBits) & ((1n << exponentBits) - 1n);
  const negative = bits >> BigInt(leaf.bits - 1) === 1n;
  const allOnes = exponent === (1n << exponentBits) - 1n;
  if (allOnes && fraction !== 0n) return fraction >> (fractionBits - 1n) === 1n ? 1 : 0;
  const magnitude = allOnes ? 3 : exponent !== 0n ? 2 : fraction !== 0n ? 1 : 0;
  return negative ? 5 - magnitude : 6 + magnitude;
}

function saturatingStep(t: Translation, call: Call, isSigned: boolean): Step {
  const inputs = t.cells(call.args[0]);
  const format = formatOf(call.args[0].type);
  const read = reader(format);
  const leaves = leavesOf(call.type);
  const results = t.results(call);
  return ({ frame: { cells }, mask }) => {
    results.forEach((result, index) => {
      const from = floatView(cells[inputs[index]], format);
      forLanes(mask, (lane) => {
        const value = read ? read(from[lane]) : from[lane];
        setBits(cells[result], leaves[index].kind, lane, saturateWide(value, leaves[index].bits, isSigned));
      });
    });
  };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

const REDUCTIONS: Readonly<Record<string, (bits: number, a: bigint, b: bigint) => bigint>> = {
  add: (_, a, b) => a + b,
  mul: (_, a, b) => a * b,
  and: (_, a, b) => a & b,
  or: (_, a, b) => a | b,
  xor: (_, a, b) => a ^ b,
  smax: (bits, a, b) => (signed(bits, a) > signed(bits, b) ? a : b),
  smin: (bits, a, b) => (signed(bits, a) < signed(bits, b) ? a : b),
  umax: (_, a, b) => larger(a, b),
  umin: (_, a, b) => (a === larger(a, b) ? b : a),
};

/** Reductions over the elements of a vector; of floats only those that Clang makes of integer code do not occur. */
function reduceStep(t: Translation, call: Call, name: string): Step {
  const operation = REDUCTIONS[name];
  if (!operation) throw new UnsupportedIr(`${call.callee} is not supported`, call.location);
  const inputs = t.cells(call.args[0]);
  const leaf = leavesOf(call.type)[0];
  const result = t.results(call)[0];
  return ({ frame: { cells }, mask }) => {
    forLanes(mask, (lane) => {
      const all = inputs.map((input) => getBits(cells[input], leaf.kind, lane));
      setBits(
        cells[result],
        leaf.kind,
        lane,
        BigInt.asUintN(
          leaf.bits,
          all.reduce((a, b) => operation(leaf.bits, a, b)),
        ),
      );
    });
  };
}
