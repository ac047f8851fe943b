/** What the scheduler saw of wrong masks and barriers (scheduling/misuse.ts), as findings: of runs without the sanitizer, which finds it, too. */
import type { Launch } from '../machine/launch.ts';
import type { Misuse } from '../scheduling/misuse.ts';
import { type CountedFinding, FindingLog, placeKey, type RawFinding } from './finding-log.ts';
import { absentMessage, incompleteGridMessage } from './meeting-words.ts';
import { placeIn } from './tasks.ts';

export class MisuseFindings {
  readonly #log = new FindingLog();

  get findings(): readonly CountedFinding[] {
    return this.#log.findings;
  }

  add(launch: Launch, misuses: readonly { readonly misuse: Misuse; readonly count: number }[]): void {
    for (const { misuse, count } of misuses) this.#add(launch, misuse, count);
  }

  #add({ kernel, grid, block: shape }: Launch, misuse: Misuse, count: number): void {
    const { instruction, block, warp, mask, kind } = misuse;
    const { location } = instruction;
    const check = kind === 'absent' ? 'wrong-mask' : 'divergent-barrier';
    const describe = (): RawFinding => {
      const access = kind === 'absent' ? 'exchange' : 'barrier';
      const thread = placeIn(warp * 32 + 31 - Math.clz32(mask & -mask), shape);
      const actor = { location, access, block: placeIn(block, grid), thread };
      return { check, kernel, message: kind === 'absent' ? absentMessage(misuse) : incompleteGridMessage(misuse), actors: [actor] };
    };
    this.#log.add([check, kernel, placeKey(location)].join('|'), describe, 0, count);
  }
}
