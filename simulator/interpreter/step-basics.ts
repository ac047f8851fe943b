/** What the steps of all kinds of instructions are put together from. */
import type { Instruction } from '../ir/types.ts';
import { copyLanes } from '../machine/cells.ts';
import type { Step } from '../scheduling/program.ts';

/** Instructions with one of some opcodes. */
export type Of<Op extends Instruction['op']> = Instruction & { readonly op: Op };

/** Runs steps one after the other. */
export function sequence(steps: readonly Step[]): Step {
  if (steps.length === 1) return steps[0];
  return (path) => {
    for (const step of steps) step(path);
  };
}

export function move(to: readonly number[], from: readonly number[]): Step {
  return ({ frame: { cells }, mask }) => {
    for (let index = 0; index < to.length; index++) copyLanes(cells[to[index]], cells[from[index]], mask);
  };
}
