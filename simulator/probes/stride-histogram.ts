/**
 * A sample probe: how far apart in memory neighbouring lanes of a warp are, by instruction. It counts pairs of active lanes with
 * consecutive numbers, in loads and stores; a stride of as many bytes as a lane moves is a request that hardware likes.
 */
import type { Instruction } from '../ir/types.ts';
import type { AccessEvent, Probes } from '../scheduling/probes.ts';

export interface Strides {
  readonly function: string;
  readonly instruction: Instruction;
  /** Bytes from a lane to the next, and how many pairs of lanes are so far apart. */
  readonly pairs: ReadonlyMap<number, number>;
}

export class StrideHistogram {
  readonly probes: Probes = { access: (event) => this.#count(event) };
  readonly #strides = new Map<Instruction, { readonly function: string; readonly pairs: Map<number, number> }>();

  /** In the order in which the instructions were first executed. */
  get strides(): readonly Strides[] {
    return [...this.#strides].map(([instruction, { function: name, pairs }]) => ({ function: name, instruction, pairs }));
  }

  #count({ function: name, instruction, addresses, mask }: AccessEvent): void {
    let entry = this.#strides.get(instruction);
    if (!entry) {
      entry = { function: name, pairs: new Map() };
      this.#strides.set(instruction, entry);
    }
    for (let lane = 0; lane < 31; lane++) {
      if (((mask >>> lane) & 3) !== 3) continue;
      const stride = addresses[lane + 1] - addresses[lane];
      entry.pairs.set(stride, (entry.pairs.get(stride) ?? 0) + 1);
    }
  }
}
