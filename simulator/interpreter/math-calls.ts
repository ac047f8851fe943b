/** Calls of the math library: each lane's operands as numbers, the result rounded to its type by storing it. */
import type { MathFunction } from '../machine/math.ts';
import { forLanes } from './casts.ts';
import { type Cell, type Leaf, leavesOf } from './cells.ts';
import type { Call } from './intrinsics.ts';
import type { Step } from './program.ts';
import type { Translation } from './translate.ts';

export function mathStep(t: Translation, call: Call, run: MathFunction): Step {
  const inputs = call.args.map((arg) => ({ cell: t.cell(arg), kind: leavesOf(arg.type)[0].kind }));
  const result = t.results(call)[0];
  const { kind } = leavesOf(call.type)[0];
  return ({ frame: { cells }, mask }) => {
    const sources = inputs.map((input) => numbers(cells[input.cell], input.kind));
    const target = numbers(cells[result], kind);
    forLanes(mask, (lane) => {
      target[lane] = run(...sources.map((source) => source[lane]));
    });
  };
}

/** The view of a cell that holds values of its kind. */
function numbers(cell: Cell, kind: Leaf['kind']): { [lane: number]: number | bigint } {
  if (kind === 'f32') return cell.f;
  if (kind === 'f64') return cell.d;
  return kind === 'i32' ? cell.i : cell.q;
}
