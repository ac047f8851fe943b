/** Parts of structures, arrays and vectors: cells are moved, nothing is computed. */
import { elementAt } from '../ir/layout.ts';
import type { Type } from '../ir/types.ts';
import { copyLane, copyLanes, leavesOf } from '../machine/cells.ts';
import type { Step } from '../scheduling/program.ts';
import { move, type Of } from './step-basics.ts';
import type { Translation } from './translate.ts';

/** Scalars of a type before the part that a path of indices names, and the type of that part. */
function partOf(type: Type, path: readonly number[]): { first: number; type: Type } {
  let first = 0;
  let current = type;
  for (const index of path) {
    for (let before = 0; before < index; before++) first += leavesOf(elementAt(current, before).type).length;
    current = elementAt(current, index).type;
  }
  return { first, type: current };
}

export function extractValueStep(t: Translation, instruction: Of<'extractvalue'>): Step {
  const { first } = partOf(instruction.aggregate.type, instruction.path);
  const results = t.results(instruction);
  return move(results, t.cells(instruction.aggregate).slice(first, first + results.length));
}

export function insertValueStep(t: Translation, instruction: Of<'insertvalue'>): Step {
  const { first } = partOf(instruction.aggregate.type, instruction.path);
  const from = [...t.cells(instruction.aggregate)];
  const values = t.cells(instruction.value);
  from.splice(first, values.length, ...values);
  return move(t.results(instruction), from);
}

export function elementStep(t: Translation, instruction: Of<'extractelement'> | Of<'insertelement'>): Step {
  const vector = t.cells(instruction.vector);
  const results = t.results(instruction);
  const { index } = instruction;
  const value = instruction.op === 'insertelement' ? t.cell(instruction.value) : undefined;
  if (index.kind === 'int') {
    const at = Number(index.value);
    if (value === undefined) return move(results, [vector[at] ?? vector[0]]);
    return move(
      results,
      vector.map((cell, i) => (i === at ? value : cell)),
    );
  }
  const indices = t.cell(index);
  const wide = leavesOf(index.type)[0].bits > 32;
  return ({ frame: { cells }, mask }) => {
    if (value !== undefined) for (const [i, result] of results.entries()) copyLanes(cells[result], cells[vector[i]], mask);
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const at = cells[indices].i[wide ? 2 * lane : lane];
      if (vector[at] === undefined) continue;
      if (value === undefined) copyLane(cells[results[0]], lane, cells[vector[at]], lane);
      else copyLane(cells[results[at]], lane, cells[value], lane);
    }
  };
}

export function shuffleStep(t: Translation, instruction: Of<'shufflevector'>): Step {
  const both = [...t.cells(instruction.a), ...t.cells(instruction.b)];
  return move(
    t.results(instruction),
    instruction.mask.map((from) => both[Math.max(0, from)]),
  );
}
