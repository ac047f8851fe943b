/** Calls of the math library: each lane's operands as numbers, the result rounded to its type by storing it. */

import { GENERATED_NAN, type MathFunction, QUIET_BIT } from '../ir/math/libdevice.ts';
import { typeName } from '../ir/type-table.ts';
import { type Type, UnsupportedIr } from '../ir/types.ts';
import { type Cell, type Leaf, leavesOf } from '../machine/cells.ts';
import { forLanes } from '../machine/lanes.ts';
import type { Step } from '../scheduling/program.ts';
import type { Call } from './intrinsics.ts';
import type { Translation } from './translate.ts';

export function mathStep(t: Translation, call: Call, run: MathFunction): Step {
  for (const { type } of [call, ...call.args]) {
    if (!isScalar(type)) throw new UnsupportedIr(`${call.callee} of ${typeName(type)} is not supported`, call.location);
  }
  const inputs = call.args.map((arg) => ({ cell: t.cell(arg), kind: leavesOf(arg.type)[0].kind }));
  const result = t.results(call)[0];
  const { kind } = leavesOf(call.type)[0];
  return ({ frame: { cells }, mask }) => {
    const sources = inputs.map((input) => numbers(cells[input.cell], input.kind));
    const target = numbers(cells[result], kind);
    forLanes(mask, (lane) => {
      const value = run(...sources.map((source) => source[lane]));
      target[lane] = value;
      if (Number.isNaN(value))
        storeNaN(cells[result], lane, kind, () => inputs.flatMap((input) => (input.kind === 'f64' ? [cells[input.cell]] : [])));
    });
  };
}

/** What a function of JavaScript takes as it is held. */
function isScalar(type: Type): boolean {
  if (type.kind === 'float') return type.format === 'float' || type.format === 'double';
  return type.kind === 'int' && (type.bits === 32 || type.bits === 64);
}

function storeNaN(target: Cell, lane: number, kind: Leaf['kind'], doubles: () => readonly Cell[]): void {
  if (kind === 'f32') target.i[lane] = GENERATED_NAN.single;
  else if (kind === 'f64') {
    const given = doubles().find((operand) => Number.isNaN(operand.d[lane]));
    target.q[lane] = given ? given.q[lane] | QUIET_BIT : GENERATED_NAN.double;
  }
}

/** The view of a cell that holds values of its kind. */
function numbers(cell: Cell, kind: Leaf['kind']): { [lane: number]: number | bigint } {
  if (kind === 'f32') return cell.f;
  if (kind === 'f64') return cell.d;
  return kind === 'i32' ? cell.i : cell.q;
}
