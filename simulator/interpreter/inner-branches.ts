/** Counts lanes that part inside of an instruction: see ../ir/intrinsics/slow-paths.ts. */
import { BROADCAST_FIELDS, FIELD, SITE_FIELDS } from '../counters/site-counters.ts';
import { holds } from '../ir/intrinsics/slow-paths.ts';
import { slowPathsOf } from '../ir/slow-paths.ts';
import type { Instruction } from '../ir/types.ts';
import type { Cell } from '../machine/cells.ts';
import { leavesOf } from '../machine/cells.ts';
import { forLanes } from '../machine/lanes.ts';
import type { Step } from '../scheduling/program.ts';
import type { Translation } from './translate.ts';

/** What comes behind the instruction's own step. */
export function innerBranchSteps(t: Translation, instruction: Instruction): readonly Step[] {
  const row = instruction.site * SITE_FIELDS.length;
  return slowPathsOf(instruction).map(({ words, conditions: { slow, apart, reads = 0, isUsual } }): Step => {
    const places = words.map((operand) => ({ cell: t.cell(operand), isWide: leavesOf(operand.type)[0].bits === 64 }));
    return ({ frame, mask }) => {
      let [fast, slower, special] = [0, 0, 0];
      const sources = places.map(({ cell }): Cell => frame.cells[cell]);
      forLanes(mask, (lane) => {
        const values = sources.map(({ i }, index) => i[places[index].isWide ? 2 * lane + 1 : lane]);
        if (!holds(slow, values)) fast = 1;
        else if (apart && holds(apart, values)) special = 1;
        else slower = 1;
      });
      const { rows } = frame.counts;
      rows[row + FIELD.divergent] += fast + slower + special - 1;
      if (slower + special === 0) return;
      if (!isUsual) rows[row + FIELD.slowPaths]++;
      for (const field of BROADCAST_FIELDS) rows[row + field] += reads;
    };
  });
}
