/**
 * How long one warp takes to execute straight code by itself: instructions wait for what they use, independent ones that stand near each
 * other overlap, and one is issued per cycle. What it begins with is taken to be there. A counted loop of one block is looked
 * at for several iterations at once, as ptxas writes them out.
 */
import type { Timings } from '../../devices/timings.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Block, Instruction, Operand } from '../ir/types.ts';
import type { MachineCost } from './machine-code.ts';
import type { Piece } from './straight-code.ts';

export interface Waits {
  /** Cycles until the value of an access can be used. */
  readonly latencyOf: (instruction: Instruction) => number;
  /** Cycles that an instruction takes longer than where its lanes all go the usual way. */
  readonly detourOf: (instruction: Instruction) => number;
  /** Cycles for which an access keeps its warp from issuing the next. */
  readonly busyOf: (instruction: Instruction) => number;
  /** Instructions among which ptxas finds something else to do while one waits. */
  readonly window: number;
  /** As how many of the loads from global memory that ptxas lets be under way one counts, without its address: 0 of other instructions. */
  readonly holds: (instruction: Instruction) => number;
  readonly loadsAhead: Pick<Timings['loadsAhead'], 'loads' | 'ownAddress'>;
  /** Cycles from the answer to one load from global memory to that to the next, at least. */
  readonly spacingOf: (load: Instruction) => number;
  /** Cycles until all warps have come to a barrier that they reach together. */
  readonly barrierCycles: Readonly<Record<'block' | 'cluster' | 'grid', number>>;
  /** An access that may not move before an earlier store. */
  readonly staysBehind: (load: Instruction, store: Instruction) => boolean;
}

/** Cycles from the first instruction of a piece to its last result; of a loop that is written out `rounds` times, for each iteration. */
export function pieceCycles(
  piece: Piece,
  costs: readonly MachineCost[],
  waits: Waits,
  { written, arrivals = NONE, later = NOBODY }: PieceInput,
): ChainCycles {
  const chain = new Chain(piece, costs, waits, { arrivals, later });
  const cycles = chain.run(written);
  return { cycles, left: chain.left(), bySite: () => chain.shares() };
}

export interface PieceInput {
  readonly written: WrittenOut;
  /** By value that was loaded before: cycles from the start of the piece until it is there. */
  readonly arrivals?: ReadonlyMap<number, number>;
  /** Values for which later pieces wait: this one ends without them. */
  readonly later?: ReadonlySet<number>;
}

const NONE: ReadonlyMap<number, number> = new Map();
const NOBODY: ReadonlySet<number> = new Set();

/** How many iterations of a loop of one block are written out behind each other, and whether all of their loads come first. */
export interface WrittenOut {
  readonly rounds: number;
  readonly isFar: boolean;
}

export const ONCE: WrittenOut = { rounds: 1, isFar: false };

export interface ChainCycles {
  readonly cycles: number;
  /** By value for which later pieces wait: cycles from the end of the piece until it is there. */
  readonly left: ReadonlyMap<number, number>;
  /** By site, what instructions add to the longest chain; those that are only issued share the rest by their number. */
  bySite(): ReadonlyMap<number, number>;
}

/** An instruction that was executed. */
interface Step {
  readonly site: number;
  readonly start: number;
  readonly done: number;
  /** What it waited for. */
  readonly behind: Step | undefined;
}

/** An instruction of one of the iterations that are written out. */
interface Instance {
  readonly instruction: Instruction;
  readonly round: number;
  /** Numbers of those whose values it uses, or whose condition it waits for. */
  readonly needs: readonly number[];
}

class Chain {
  readonly #piece: Piece;
  readonly #costs: readonly MachineCost[];
  readonly #waits: Waits;
  readonly #instances: Instance[] = [];
  /** By instance. */
  readonly #steps: Step[] = [];
  /** When the latest instructions were issued. */
  readonly #issued: Step[] = [];
  readonly #stores: { readonly store: Instruction; readonly issued: Step; readonly round: number }[] = [];
  /** Loads under way, and as how many they count. */
  readonly #loading: { readonly step: Step; readonly count: number }[] = [];
  #ahead = 0;
  /** Of loads so far: a later answer comes some cycles after theirs. */
  readonly #answers: Step[] = [];
  /** As how many loads may be under way: all of a loop that is written out so far. */
  #most = 0;
  #slots = 0;
  #end = 0;
  /** The one that ends last, and a barrier. */
  #last: Step | undefined;
  #floor: Step | undefined;
  #known: ReadonlyMap<number, string> | undefined;
  #made: ReadonlyMap<number, Instruction> | undefined;
  /** What addresses of loads so far are computed from, without constant distances. */
  readonly #bases = new Set<string>();
  #rounds = 1;

  readonly #arrivals: ReadonlyMap<number, number>;
  readonly #later: ReadonlySet<number>;

  constructor(
    piece: Piece,
    costs: readonly MachineCost[],
    waits: Waits,
    { arrivals, later }: Required<Pick<PieceInput, 'arrivals' | 'later'>>,
  ) {
    this.#arrivals = arrivals;
    this.#later = later;
    this.#piece = piece;
    this.#costs = costs;
    this.#waits = waits;
  }

  run({ rounds, isFar }: WrittenOut): number {
    this.#rounds = rounds;
    this.#most = isFar ? Number.POSITIVE_INFINITY : this.#waits.loadsAhead.loads;
    this.#writeOut();
    for (const index of this.#order()) this.#execute(index);
    return Math.max(this.#end, this.#slots) / rounds;
  }

  left(): ReadonlyMap<number, number> {
    const end = Math.max(this.#end, this.#slots);
    return new Map(
      this.#instances.flatMap(({ instruction: { id } }, index) => {
        const cycles = this.#later.has(id) ? this.#steps[index].done - end : 0;
        return cycles > 0 ? [[id, cycles] as const] : [];
      }),
    );
  }

  shares(): ReadonlyMap<number, number> {
    const shares = new Map<number, number>();
    const add = (site: number, cycles: number) => shares.set(site, (shares.get(site) ?? 0) + cycles / this.#rounds);
    if (this.#slots > this.#end) {
      const instructions = this.#piece.flatMap((block) => block.instructions);
      const issues = instructions.reduce((sum, { site }) => sum + this.#costs[site].issues, 0);
      for (const { site } of instructions) if (issues > 0) add(site, (this.#slots * this.#costs[site].issues) / issues);
      return shares;
    }
    let end = this.#end;
    for (let step = this.#last; step; step = step.behind) {
      add(step.site, end - step.start);
      end = step.start;
    }
    return shares;
  }

  /** All rounds, one after the other, with what each instruction needs. Values from before the piece are there. */
  #writeOut(): void {
    const [head] = this.#piece;
    const latch = this.#piece[this.#piece.length - 1].index;
    // Where a value comes from: of one that is merged from several ways, from all of these.
    let made = new Map<number, readonly number[]>();
    const from = (operand: Operand | undefined): readonly number[] => (operand?.kind === 'value' ? (made.get(operand.id) ?? []) : []);
    for (let round = 0; round < this.#rounds; round++) {
      const next = new Map(made);
      for (const phi of head.instructions) {
        if (phi.op !== 'phi') break;
        next.set(phi.id, round > 0 ? from(phi.incoming.find(({ block }) => block === latch)?.value) : []);
      }
      made = next;
      for (const [place, block] of this.#piece.entries()) {
        const guard = place > 0 ? from(this.#guardOf(block)) : [];
        for (const instruction of block.instructions) {
          if (instruction.op === 'phi') {
            if (place > 0)
              made.set(
                instruction.id,
                instruction.incoming.flatMap(({ value }) => from(value)),
              );
            continue;
          }
          const needs = [...guard, ...operandsOf(instruction).flatMap(from)];
          const index = this.#instances.push({ instruction, round, needs }) - 1;
          if (instruction.id >= 0) made.set(instruction.id, [index]);
        }
      }
    }
  }

  /** A side waits for the condition; where both meet, nothing does. */
  #guardOf(block: Block): Operand | undefined {
    const before = this.#piece.find(({ index }) => index === block.predecessors[0])?.instructions.at(-1);
    return block.predecessors.length === 1 && before?.op === 'condbr' ? before.condition : undefined;
  }

  /** As ptxas orders them: between what keeps its place, loads come first, those first that have the longest way behind them. */
  #order(): readonly number[] {
    const heights = this.#heights();
    const order: number[] = [];
    const taken = new Set<number>();
    const take = (index: number, start: number): void => {
      if (taken.has(index) || index < start) return;
      taken.add(index);
      for (const need of this.#instances[index].needs) take(need, start);
      order.push(index);
    };
    let start = 0;
    for (let end = 0; end <= this.#instances.length; end++) {
      if (end < this.#instances.length && !this.#staysInPlace(this.#instances[end].instruction)) continue;
      const loads: number[] = [];
      for (let index = start; index < end; index++)
        if (this.#costs[this.#instances[index].instruction.site].memory === 'load') loads.push(index);
      for (const load of loads.sort((a, b) => heights[b] - heights[a] || a - b)) take(load, start);
      for (let index = start; index < Math.min(end + 1, this.#instances.length); index++) take(index, start);
      start = end + 1;
    }
    return order;
  }

  /** Cycles from the start of each to the end of all that needs it. */
  #heights(): Float64Array {
    const heights = new Float64Array(this.#instances.length);
    for (let index = this.#instances.length - 1; index >= 0; index--) {
      const { instruction, needs } = this.#instances[index];
      const { memory, latency } = this.#costs[instruction.site];
      heights[index] += memory ? this.#waits.latencyOf(instruction) : latency;
      for (const need of needs) heights[need] = Math.max(heights[need], heights[index]);
    }
    return heights;
  }

  #staysInPlace({ site }: Instruction): boolean {
    const { memory, barrier, inOrder } = this.#costs[site];
    return barrier !== undefined || inOrder !== undefined || (memory !== undefined && memory !== 'load');
  }

  /** Of an array at one index: of another round, it is another element. */
  #isSameElement(a: Instruction, b: Instruction): boolean {
    const [one, other] = [a, b].map((each) => {
      const pointer = 'pointer' in each ? each.pointer : undefined;
      return pointer?.kind === 'value' ? this.#addresses.get(pointer.id) : undefined;
    });
    return one !== undefined && one === other;
  }

  /** By value: what the address is computed from. */
  get #addresses(): ReadonlyMap<number, string> {
    this.#known ??= new Map(
      this.#piece.flatMap(({ instructions }) =>
        instructions.flatMap((each) => {
          if (each.op !== 'getelementptr' || each.terms.length === 0) return [];
          const parts = [each.base, ...each.terms.map(({ index }) => index)].map((part) => ('id' in part ? part.id : part.kind));
          return [[each.id, `${parts.join()} ${each.offset} ${each.terms.map(({ scale }) => scale).join()}`] as const];
        }),
      ),
    );
    return this.#known;
  }

  #execute(index: number): void {
    const { instruction, round, needs } = this.#instances[index];
    const { issues, pipe, latency, memory, barrier, inOrder } = this.#costs[instruction.site];
    let behind = this.#floor;
    let start = this.#floor?.done ?? 0;
    const after = (step: Step | undefined, at: number | undefined): void => {
      if (at === undefined || at <= start) return;
      start = at;
      behind = step;
    };
    for (const need of needs) after(this.#steps[need], this.#steps[need]?.done);
    if (round === 0 && this.#arrivals.size > 0) {
      for (const operand of operandsOf(instruction)) if (operand.kind === 'value') after(undefined, this.#arrivals.get(operand.id));
    }
    if (memory === 'load' || memory === 'atomic') {
      for (const { store, issued, round: before } of this.#stores) {
        if (issued.start <= start || (before < round && this.#isSameElement(instruction, store))) continue;
        if (this.#waits.staysBehind(instruction, store)) after(issued, issued.start);
      }
    }
    // Loads and what their addresses need come first.
    if (issues > 0 && pipe !== 'int' && memory !== 'load') {
      const before = this.#issued[this.#issued.length - Math.round(this.#waits.window)];
      after(before, before?.start);
    }
    const count = memory === 'load' && issues > 0 ? this.#countOf(instruction) : 0;
    while (count > 0 && this.#ahead + count > this.#most && this.#loading.length > 0) {
      const earliest = this.#loading.shift()!;
      this.#ahead -= earliest.count;
      after(earliest.step, earliest.step.done);
    }
    this.#slots += issues + (memory ? this.#waits.busyOf(instruction) : 0);
    const isStore = memory === 'store' || memory === 'reduction';
    const own = memory ? this.#waits.latencyOf(instruction) : latency + (issues > 0 ? this.#waits.detourOf(instruction) : 0);
    let done = start + own;
    if (count > 0) {
      const spacing = this.#waits.spacingOf(instruction);
      for (const answer of this.#answers) if (answer.start <= start) done = Math.max(done, answer.done + spacing);
    }
    const step: Step = { site: instruction.site, start, done, behind };
    this.#steps[index] = step;
    if (issues > 0) this.#issued.push(step);
    if (count > 0) {
      this.#answers.push(step);
      this.#loading.push({ step, count });
      this.#ahead += count;
    }
    if (isStore || memory === 'atomic') this.#stores.push({ store: instruction, issued: step, round });
    if (!this.#later.has(instruction.id)) this.#ends(step, isStore ? start : step.done);
    if (inOrder && step.done > (this.#floor?.done ?? 0)) this.#floor = step;
    if (barrier) {
      this.#floor = {
        ...step,
        start: Math.max(this.#end, start),
        done: Math.max(this.#end, this.#slots) + (barrier === 'own' ? latency : this.#waits.barrierCycles[barrier]),
        behind: this.#last,
      };
      this.#ends(this.#floor, this.#floor.done);
    }
  }

  /** Of a load that is under way; of those that have one address but for a constant distance, the first has it. */
  #countOf(load: Instruction): number {
    const held = this.#waits.holds(load);
    if (held === 0 || !('pointer' in load)) return held;
    const base = this.#baseOf(load.pointer);
    if (this.#bases.has(base)) return held;
    this.#bases.add(base);
    return held + this.#waits.loadsAhead.ownAddress;
  }

  #baseOf(pointer: Operand): string {
    if (pointer.kind !== 'value') return pointer.kind;
    const source = this.#sources.get(pointer.id);
    if (source?.op !== 'getelementptr') return `${pointer.id}`;
    const terms = source.terms.map(({ index, scale }) => `${scale} ${this.#countedFrom(index)}`);
    return [this.#baseOf(source.base), ...terms].join();
  }

  /** An index without what is added to it. */
  #countedFrom(index: Operand): string {
    if (index.kind !== 'value') return index.kind;
    const source = this.#sources.get(index.id);
    if (source?.op === 'sext' || source?.op === 'zext') return this.#countedFrom(source.a);
    if ((source?.op === 'add' || source?.op === 'or') && source.b.kind === 'int') return this.#countedFrom(source.a);
    return `${index.id}`;
  }

  get #sources(): ReadonlyMap<number, Instruction> {
    this.#made ??= new Map(this.#piece.flatMap(({ instructions }) => instructions.map((each) => [each.id, each] as const)));
    return this.#made;
  }

  #ends(step: Step, at: number): void {
    if (at <= this.#end) return;
    this.#end = at;
    this.#last = step;
  }
}
