/**
 * What an engine tells while it executes a launch, to whoever asks. Probes are chosen when a kernel is compiled: code without them is
 * what it would be if there were none. With any of them a launch runs on one thread, in the order of its blocks, and both engines tell
 * the same in the same order.
 */
import { meaningOf } from '../ir/intrinsics.ts';
import { storeSizeOf } from '../ir/layout.ts';
import type { Instruction, Operand } from '../ir/types.ts';
import type { ChildLaunch, Launch } from '../machine/launch.ts';
import type { LaunchOutcome } from './engine.ts';

export interface LaunchEvent {
  readonly launch: Launch;
}

export interface BlockEvent {
  readonly kernel: string;
  /** Number of the block in the grid. */
  readonly block: number;
}

/** An instruction that lanes of a warp are about to execute. Valid until the probe returns: an engine has one object for all. */
export interface WarpEvent extends BlockEvent {
  readonly warp: number;
  /** Active lanes. */
  readonly mask: number;
  /** Lanes of the warp that have not exited. */
  readonly alive: number;
  /** Where the instruction is, with its place in the source (`instruction.location`) and what it orders (`order`). */
  readonly function: string;
  readonly instruction: Instruction;
}

/** How the lanes of an access lie. One object stands for all accesses of an instruction whose lanes lie so. */
export interface LanePattern {
  readonly mask: number;
  /** Address of each active lane relative to that of the first. */
  readonly offsets: Int32Array;
  /** What the listener has worked out, for the next time. */
  kept: unknown;
}

export interface AccessEvent extends WarpEvent {
  readonly access: 'read' | 'write' | 'atomic';
  /** Generic address of each active lane. */
  readonly addresses: Uint32Array;
  /** Where the first active lane is. */
  readonly first: number;
  /** Of engines and accesses that know it: what listeners have worked out for an earlier access holds for this one, too. */
  readonly pattern: LanePattern | undefined;
  /** Bytes of each lane; of a copy or fill, whose lanes may have different lengths, of the longest. */
  readonly bytes: number;
  /** Bytes of each active lane of a copy or fill; undefined for other accesses. */
  readonly lengths: Uint32Array | undefined;
  /**
   * What a store writes: for each scalar of its value the lanes, in one word or more each. Of the write of a copy where each lane copies
   * from, of a fill the byte. Empty for other accesses.
   */
  readonly values: readonly Int32Array[];
  /** Shared memory of the block, as it is before the instruction. */
  readonly shared: () => Uint8Array;
}

/** What an engine needs to check accesses of an instruction by itself, with the listener's ledger (ledger.ts). */
export interface LedgerRow {
  /** Number of the site, and its slot in the records of warps. */
  readonly site: number;
  readonly slot: number;
  /** Of an access with a pattern: number of each word that lanes access, relative to that at the first lane's address. */
  readonly words: Int32Array;
  /** The first and the last lane at each word. */
  readonly firstLanes: Int32Array;
  readonly lastLanes: Int32Array;
  /** Lowest byte, and the first byte behind the highest, relative to the first lane's address. */
  readonly low: number;
  readonly high: number;
  /** Of an atomic: what it computes depends on what was there. */
  readonly used: boolean;
}

/**
 * What an engine need not tell of any more. Accesses of the instruction whose lanes lie in the same pattern, or any of an atomic, of which
 * it can check by itself that there is nothing to report (`row`). And reads that say nothing new: those of the instruction whose lanes lie in the same pattern, and
 * all of whose bytes are in a range, during this launch; or those at the same address, by other warps of the block than two, until
 * anything else than a read with a pattern is told.
 */
export type Settled =
  | { readonly kind: 'row'; readonly row: LedgerRow }
  | { readonly kind: 'range'; readonly from: number; readonly to: number; readonly low: number; readonly high: number }
  | { readonly kind: 'repeats'; readonly exceptWarps: readonly [number, number] };

export interface ExchangeEvent extends WarpEvent {
  /** All 32 lanes are here, and each names all of them. */
  readonly whole: boolean;
  /** The lanes that each lane names; of barriers of a block or the grid, those that are there. */
  readonly members: Int32Array;
  /** Lanes of the other operands in the order of the call: of a shuffle the lane or distance and the segment. Barriers have none. */
  readonly operands: readonly Int32Array[];
}

export interface BarrierEvent extends ExchangeEvent {
  readonly scope: 'warp' | 'block' | 'cluster' | 'grid';
}

/** Lanes of a warp that have come to a meeting. */
export interface Arrival {
  readonly block: number;
  readonly warp: number;
  readonly mask: number;
  /** They have not waited (bar.arrive). */
  readonly passing?: true;
}

/**
 * Threads that have waited for each other go on. Valid until the probe returns. Lanes of a warp that meet at once, because all that they name are there, have not waited:
 * that is to be seen from the event at which they arrive.
 */
export interface MeetingEvent {
  readonly kernel: string;
  readonly scope: 'warp' | 'block' | 'cluster' | 'grid';
  readonly arrivals: readonly Arrival[];
  /** Some of whom the lanes of a warp have named never come: they go on without them. */
  readonly lonely: boolean;
}

/** A thread has launched a grid, which runs when its own has ended. */
export interface ChildLaunchEvent extends BlockEvent {
  readonly warp: number;
  readonly lane: number;
  readonly child: ChildLaunch;
  /** Handle of the stream; 0 for the block's default stream. */
  readonly stream: number;
}

export interface BranchEvent extends WarpEvent {
  /** By active lane: 1 or 0 as the condition holds or not, or the low word of what is switched on. */
  readonly values: Int32Array;
}

/** Lanes come to an instruction that somebody has asked for. */
export interface FlowEvent extends WarpEvent {
  /** By active lane: 1 or 0 as the condition of a selection, or the operands of a conjunction or disjunction, hold or not. */
  readonly conditions: readonly Int32Array[];
}

export interface Probes {
  /** Where the listener keeps what `Settled` of kind `row` needs; 0 or undefined if it keeps none. */
  readonly ledger?: number;
  readonly launchBegin?: (event: LaunchEvent) => void;
  readonly launchEnd?: (event: LaunchEvent & { readonly outcome: LaunchOutcome }) => void;
  readonly blockBegin?: (event: BlockEvent) => void;
  /** Not told of a block that faults. */
  readonly blockEnd?: (event: BlockEvent) => void;
  /** Loads, stores, copies and fills: a copy is a read and then a write. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most listeners have nothing to say
  readonly access?: (event: AccessEvent) => Settled | void;
  // biome-ignore lint/suspicious/noConfusingVoidType: most listeners have nothing to say
  readonly atomic?: (event: AccessEvent) => Settled | void;
  readonly fence?: (event: WarpEvent) => void;
  /** Lanes come to a barrier. */
  readonly barrier?: (event: BarrierEvent) => void;
  /** Lanes come to a shuffle, a vote, a match or a reduction. */
  readonly exchange?: (event: ExchangeEvent) => void;
  readonly meeting?: (event: MeetingEvent) => void;
  readonly childLaunch?: (event: ChildLaunchEvent) => void;
  /** Conditional branches and switches. */
  readonly branch?: (event: BranchEvent) => void;
  /** Selections, conjunctions, disjunctions and ends of blocks, of `flows`. */
  readonly flow?: (event: FlowEvent) => void;
  /** Those that are told while the ledger says so (LEDGER.flows). The same set for all launches of a kernel. */
  readonly flows?: ReadonlySet<Instruction>;
  /**
   * Asked at some of the moments at which all blocks that have begun have ended: whether nothing of the others need be told. `steps`:
   * instructions that warps have executed so far.
   */
  readonly enough?: (steps: number) => boolean;
  /** Those that are told; all unless given. The same set for all launches of a kernel. */
  readonly branches?: ReadonlySet<Instruction>;
}

const INSTRUCTION_PROBES = ['access', 'atomic', 'fence', 'barrier', 'exchange', 'meeting', 'branch', 'flow'] as const;
type InstructionProbe = (typeof INSTRUCTION_PROBES)[number];
type PointProbe = Exclude<InstructionProbe, 'meeting'>;

/** Those of the probes that change a kernel's code. */
export type ChosenProbes = ReadonlySet<InstructionProbe> & Pick<Probes, 'branches' | 'flows'>;

export const NO_PROBES: ChosenProbes = new Set();

export function chosenProbes(probes: Probes | undefined): ChosenProbes {
  if (!probes) return NO_PROBES;
  const { branches, flows } = probes;
  return Object.assign(new Set(INSTRUCTION_PROBES.filter((name) => probes[name])), { branches, flows });
}

/** Under which a kernel with these probes is kept. */
export function kernelKey(kernel: string, chosen: ChosenProbes): string {
  return [kernel, ...chosen, ...(chosen.branches ? ['some'] : [])].join(' ');
}

/** Something to tell before an instruction is executed. */
export interface ProbePoint {
  readonly probe: PointProbe;
  readonly access?: AccessEvent['access'];
  /** Whose lanes are the addresses, or the values of a branch. */
  readonly operand?: Operand;
  readonly bytes?: number;
  /** How many bytes each lane copies or fills. */
  readonly length?: Operand;
  /** What a store writes, the second operand of a copy or fill, or what the lanes of an exchange bring, in the order of the call, or the conditions of a flow. */
  readonly more?: readonly Operand[];
  readonly scope?: BarrierEvent['scope'];
}

/**
 * What there is to tell of an instruction, to those who have been chosen, in order. `original`: the instruction as the module has it, where
 * it has been copied into a kernel.
 */
export function probePoints(instruction: Instruction, chosen: ChosenProbes, original = instruction): readonly ProbePoint[] {
  if (chosen.size === 0) return [];
  const isTold = ({ probe }: ProbePoint): boolean => chosen.has(probe) && (probe !== 'branch' || (chosen.branches?.has(original) ?? true));
  const points = allPoints(instruction).filter(isTold);
  return chosen.flows?.has(original) ? [flowPoint(instruction), ...points] : points;
}

/** `more`: conditions. */
function flowPoint(instruction: Instruction): ProbePoint {
  switch (instruction.op) {
    case 'select':
      return { probe: 'flow', more: [instruction.condition] };
    case 'and':
    case 'or':
      return { probe: 'flow', more: [instruction.a, instruction.b] };
    default:
      return { probe: 'flow' };
  }
}

function allPoints(instruction: Instruction): readonly ProbePoint[] {
  switch (instruction.op) {
    case 'load':
      return [{ probe: 'access', access: 'read', operand: instruction.pointer, bytes: storeSizeOf(instruction.type) }];
    case 'store':
      return [
        {
          probe: 'access',
          access: 'write',
          operand: instruction.pointer,
          bytes: storeSizeOf(instruction.value.type),
          more: [instruction.value],
        },
      ];
    case 'atomicrmw':
      return [{ probe: 'atomic', access: 'atomic', operand: instruction.pointer, bytes: storeSizeOf(instruction.type) }];
    case 'cmpxchg':
      return [{ probe: 'atomic', access: 'atomic', operand: instruction.pointer, bytes: storeSizeOf(instruction.expected.type) }];
    case 'fence':
      return [{ probe: 'fence' }];
    case 'condbr':
      return [{ probe: 'branch', operand: instruction.condition }];
    case 'switch':
      return [{ probe: 'branch', operand: instruction.value }];
    case 'call':
      return pointsOfCall(instruction);
    default:
      return [];
  }
}

function pointsOfCall(call: Extract<Instruction, { op: 'call' }>): readonly ProbePoint[] {
  const [first, second, third] = call.args;
  const meaning = meaningOf(call);
  switch (meaning?.kind) {
    case 'cachedLoad':
      return [{ probe: 'access', access: 'read', operand: first, bytes: storeSizeOf(call.type) }];
    case 'copyMemory':
      return [
        { probe: 'access', access: 'read', operand: second, length: third },
        { probe: 'access', access: 'write', operand: first, length: third, more: [second] },
      ];
    case 'fillMemory':
      return [{ probe: 'access', access: 'write', operand: first, length: third, more: [second] }];
    case 'nothing':
      return meaning.copies ? [{ probe: 'fence' }] : [];
    case 'warpBarrier':
      return [{ probe: 'barrier', scope: 'warp', operand: first }];
    case 'blockBarrier':
      return [{ probe: 'barrier', scope: 'block' }];
    case 'gridBarrier':
      return [{ probe: 'barrier', scope: 'grid' }];
    case 'shuffle':
      return [{ probe: 'exchange', operand: first, more: call.args.slice(2) }];
    case 'vote':
      // Before Volta there was no member mask.
      return [{ probe: 'exchange', operand: call.args.length > 1 ? first : undefined }];
    case 'match':
    case 'matrixProduct':
      return [{ probe: 'exchange', operand: first }];
    case 'reduceLanes':
      return [{ probe: 'exchange', operand: second }];
    default:
      return [];
  }
}
