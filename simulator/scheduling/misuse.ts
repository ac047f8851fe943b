/**
 * Wrong use of masks and of the grid's barrier that the scheduler comes to see while it executes. That costs nothing, so it is told of every
 * launch; what else is wrong with barriers and masks takes probes (simulator/sanitizer).
 */
import type { Instruction } from '../ir/types.ts';

/** Where it was seen first. */
interface MisuseAt {
  readonly instruction: Instruction;
  readonly block: number;
  readonly warp: number;
  /** Lanes that were there. */
  readonly mask: number;
}

/** A mask names lanes that had not exited and never came; or threads of a grid have exited for which others wait at its barrier. */
export type Misuse = MisuseAt &
  (
    | { readonly kind: 'absent'; readonly members: number; readonly absent: number }
    | { readonly kind: 'incomplete-grid'; readonly arrived: number; readonly expected: number }
  );

/** Of one launch: each instruction once, with how often. */
export class Misuses {
  readonly #seen = new Map<Instruction, { readonly misuse: Misuse; count: number }>();

  add(misuse: Misuse): void {
    const known = this.#seen.get(misuse.instruction);
    if (known) known.count++;
    else this.#seen.set(misuse.instruction, { misuse, count: 1 });
  }

  get all(): readonly { readonly misuse: Misuse; readonly count: number }[] {
    return [...this.#seen.values()];
  }
}
