/** Intrinsics that compute each lane's result from the lane's own operands. */

import { type Cell, copyLanes, getBits, type Leaf, leavesOf, setBits } from '../machine/cells.ts';
import { forLanes } from '../machine/lanes.ts';
import type { Step } from '../scheduling/program.ts';
import { saturateWide } from './casts.ts';
import { floatView, reader } from './floats.ts';
import { truncateTo } from './integers.ts';
import type { Call, HowOf } from './intrinsics.ts';
import { type LaneOperation, loopTable } from './lane-loop.ts';
import { sequence } from './step-basics.ts';
import { floatStep, formatOf, intLoopStep } from './steps.ts';
import type { Translation } from './translate.ts';

const signed = (bits: number, value: bigint): bigint => BigInt.asIntN(bits, value);

const loops = loopTable();

/** A function of numbers of the result's own format, for each element of a vector. */
export function numberStep(t: Translation, call: Call, { arity, operation, double = operation }: HowOf<'float'>): Step {
  const run = formatOf(call.type) === 'double' ? double : operation;
  return floatStep(t, call, arity, call.args, call.callee, run);
}

export function integerStep(t: Translation, call: Call, { arity, operation }: HowOf<'integer'>): Step {
  const leaves = leavesOf(call.type);
  const inputs = call.args.slice(0, arity).map((a) => t.cells(a));
  const operands = leavesOf(call.args[0].type);
  return sequence(
    t.results(call).map((result, index) => {
      const leaf = leaves[index];
      const { bits } = operands[index];
      const places = inputs.map((i) => i[index]);
      if (operands[index].kind !== leaf.kind) return mixedStep(operation(bits), operands[index], leaf, result, places);
      const loop = loops(`${call.callee} ${bits}`, arity, () => operation(bits));
      const step = intLoopStep(loop, leaf, result, places);
      return leaf.bits >= bits ? step : fitted(step, result, leaf.bits);
    }),
  );
}

/** The result of a step cut to fewer bits than its operands have. */
function fitted(step: Step, result: number, bits: number): Step {
  const fit = truncateTo(bits);
  return (path) => {
    step(path);
    const words = path.frame.cells[result].i;
    forLanes(path.mask, (lane) => {
      words[lane] = fit(words[lane]);
    });
  };
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

/** Changes sign bits and nothing else: a NaN keeps its payload. `sign` computes the result's from the operand's and the second operand's. */
export function signStep(t: Translation, call: Call, sign: (own: number, other: number) => number): Step {
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
export function overflowStep(t: Translation, call: Call, { signed: isSigned, operator }: HowOf<'overflow'>): Step {
  const count = leavesOf(call.args[0].type).length;
  const leaf = leavesOf(call.args[0].type)[0];
  const [a, b] = call.args.map((arg) => t.cells(arg));
  const results = t.results(call);
  const { bits } = leaf;
  return ({ frame: { cells }, mask }) => {
    for (let index = 0; index < count; index++) {
      forLanes(mask, (lane) => {
        const read = (cell: Cell): bigint => (isSigned ? signed(bits, getBits(cell, leaf.kind, lane)) : getBits(cell, leaf.kind, lane));
        const [x, y] = [read(cells[a[index]]), read(cells[b[index]])];
        const exact = operator === 'add' ? x + y : operator === 'sub' ? x - y : x * y;
        const wrapped = BigInt.asUintN(bits, exact);
        setBits(cells[results[index]], leaf.kind, lane, wrapped);
        cells[results[count + index]].i[lane] = (isSigned ? signed(bits, wrapped) : wrapped) === exact ? 0 : 1;
      });
    }
  };
}

/** Bits of llvm.is.fpclass, lowest first: signalling and quiet NaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf. */
export function classStep(t: Translation, call: Call): Step {
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

export function saturatingStep(t: Translation, call: Call, isSigned: boolean): Step {
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

/** A reduction over the elements of a vector. */
export function reduceStep(t: Translation, call: Call, combine: HowOf<'reduceVector'>['combine']): Step {
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
          all.reduce((a, b) => combine(leaf.bits, a, b)),
        ),
      );
    });
  };
}
