/**
 * What an engine tells while it executes a launch, to whoever asks. Probes are chosen when a kernel is compiled: code without them is
 * what it would be if there were none. With any of them a launch runs on one thread, in the order of its blocks, and both engines tell
 * the same in the same order.
 */
import { meaningOf } from '../ir/intrinsics.ts';
import { storeSizeOf } from '../ir/layout.ts';
import type { Instruction, Operand } from '../ir/types.ts';
import type { Launch } from '../machine/launch.ts';
import { windowOf } from '../machine/request.ts';
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

export interface AccessEvent extends WarpEvent {
  readonly access: 'read' | 'write' | 'atomic';
  /** Generic address of each active lane. */
  readonly addresses: Uint32Array;
  /** Bytes of each lane; of a copy or fill, whose lanes may have different lengths, of the longest. */
  readonly bytes: number;
  /** Bytes of each active lane of a copy or fill; undefined for other accesses. */
  readonly lengths: Uint32Array | undefined;
  /** What a store writes: for each scalar of its value the lanes, in one word or more each. Empty for other accesses. */
  readonly values: readonly Int32Array[];
  /** Shared memory of the block, as it is before the instruction. */
  readonly shared: () => Uint8Array;
}

export interface ExchangeEvent extends WarpEvent {
  /** The lanes that each lane names. */
  readonly members: Int32Array;
  /** Lanes of the other operands in the order of the call: of a shuffle the lane or distance and the segment. */
  readonly operands: readonly Int32Array[];
}

export interface BarrierEvent extends WarpEvent {
  readonly scope: 'warp' | 'block' | 'grid';
  /** For the barrier of a warp: the lanes that each lane names. */
  readonly members: Int32Array;
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
 * Threads that have waited for each other go on. Lanes of a warp that meet at once, because all that they name are there, have not waited:
 * that is to be seen from the event at which they arrive.
 */
export interface MeetingEvent {
  readonly kernel: string;
  readonly scope: 'warp' | 'block' | 'grid';
  readonly arrivals: readonly Arrival[];
  /** Some of whom the lanes of a warp have named never come: they go on without them. */
  readonly lonely: boolean;
}

export interface BranchEvent extends WarpEvent {
  /** By active lane: 1 or 0 as the condition holds or not, or the low word of what is switched on. */
  readonly values: Int32Array;
}

export interface Probes {
  readonly launchBegin?: (event: LaunchEvent) => void;
  readonly launchEnd?: (event: LaunchEvent & { readonly outcome: LaunchOutcome }) => void;
  readonly blockBegin?: (event: BlockEvent) => void;
  /** Not told of a block that faults. */
  readonly blockEnd?: (event: BlockEvent) => void;
  /** Loads, stores, copies and fills: a copy is a read and then a write. */
  readonly access?: (event: AccessEvent) => void;
  readonly atomic?: (event: AccessEvent) => void;
  readonly fence?: (event: WarpEvent) => void;
  /** Lanes come to a barrier. */
  readonly barrier?: (event: BarrierEvent) => void;
  /** Lanes come to a shuffle, a vote, a match or a reduction. */
  readonly exchange?: (event: ExchangeEvent) => void;
  readonly meeting?: (event: MeetingEvent) => void;
  /** Conditional branches and switches. */
  readonly branch?: (event: BranchEvent) => void;
}

const INSTRUCTION_PROBES = ['access', 'atomic', 'fence', 'barrier', 'exchange', 'meeting', 'branch'] as const;
type InstructionProbe = (typeof INSTRUCTION_PROBES)[number];
type PointProbe = Exclude<InstructionProbe, 'meeting'>;

/** Those of the probes that change a kernel's code. */
export type ChosenProbes = ReadonlySet<InstructionProbe>;

export const NO_PROBES: ChosenProbes = new Set();

export function chosenProbes(probes: Probes | undefined): ChosenProbes {
  return probes ? new Set(INSTRUCTION_PROBES.filter((name) => probes[name])) : NO_PROBES;
}

/** Under which a kernel with these probes is kept. */
export function kernelKey(kernel: string, chosen: ChosenProbes): string {
  return [kernel, ...chosen].join(' ');
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
  /** What a store writes, or what the lanes of an exchange bring, in the order of the call. */
  readonly more?: readonly Operand[];
  readonly scope?: BarrierEvent['scope'];
}

/** What there is to tell of an instruction, to those who have been chosen, in order. */
export function probePoints(instruction: Instruction, chosen: ChosenProbes): readonly ProbePoint[] {
  return chosen.size === 0 ? [] : allPoints(instruction).filter(({ probe }) => chosen.has(probe));
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
  switch (meaningOf(call)?.kind) {
    case 'cachedLoad':
      return [{ probe: 'access', access: 'read', operand: first, bytes: storeSizeOf(call.type) }];
    case 'copyMemory':
      return [
        { probe: 'access', access: 'read', operand: second, length: third },
        { probe: 'access', access: 'write', operand: first, length: third },
      ];
    case 'fillMemory':
      return [{ probe: 'access', access: 'write', operand: first, length: third }];
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
      return [{ probe: 'exchange', operand: first }];
    case 'reduceLanes':
      return [{ probe: 'exchange', operand: second }];
    default:
      return [];
  }
}

/** Which lanes of which warp, and where they are. */
export interface WarpPlace {
  readonly block: number;
  readonly warp: number;
  readonly mask: number;
  readonly alive: number;
  readonly function: string;
  readonly instruction: Instruction;
  /** Whose shared memory it is. */
  readonly memory: { sharedMemory(): Uint8Array };
}

/** Lanes of a point's operands, side by side, in one word or more each. */
export interface ProbedLanes {
  readonly operand?: Int32Array;
  readonly length?: Int32Array;
  readonly more: readonly Int32Array[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Tells the probes of one launch. */
export class Reporter {
  readonly #probes: Probes;
  readonly #launch: Launch;
  readonly #event: Writable<AccessEvent & BarrierEvent & ExchangeEvent>;
  readonly #branch: Writable<BranchEvent>;
  #memory: WarpPlace['memory'] | undefined;
  readonly #lengths = new Uint32Array(32);

  constructor(probes: Probes, launch: Launch) {
    this.#probes = probes;
    this.#launch = launch;
    const nowhere = { block: 0, warp: 0, mask: 0, alive: 0, function: '', instruction: undefined as unknown as Instruction };
    const lanes = { addresses: new Uint32Array(32), members: new Int32Array(32), lengths: undefined, operands: [] };
    const shared = () => this.#memory!.sharedMemory();
    this.#event = { kernel: launch.kernel, access: 'read', bytes: 0, scope: 'block', shared, values: [], ...nowhere, ...lanes };
    this.#branch = { ...this.#event, values: new Int32Array(32) };
  }

  launchBegin(): void {
    this.#probes.launchBegin?.({ launch: this.#launch });
  }

  launchEnd(outcome: LaunchOutcome): void {
    this.#probes.launchEnd?.({ launch: this.#launch, outcome });
  }

  blockBegin(block: number): void {
    this.#probes.blockBegin?.({ kernel: this.#launch.kernel, block });
  }

  blockEnd(block: number): void {
    this.#probes.blockEnd?.({ kernel: this.#launch.kernel, block });
  }

  tell(point: ProbePoint, place: WarpPlace, lanes: ProbedLanes): void {
    const { probe } = point;
    const event = probe === 'branch' ? this.#branch : this.#event;
    this.#memory = place.memory;
    event.block = place.block;
    event.warp = place.warp;
    event.mask = place.mask;
    event.alive = place.alive;
    event.function = place.function;
    event.instruction = place.instruction;
    if (probe === 'branch') {
      copyWords(this.#branch.values, lanes.operand!, place.mask, 0);
      this.#probes.branch!(this.#branch);
      return;
    }
    this.#fill(point, place, lanes);
    this.#probes[probe]!(this.#event);
  }

  #fill(point: ProbePoint, { mask }: WarpPlace, { operand, length, more }: ProbedLanes): void {
    const event = this.#event;
    if (point.probe === 'barrier' || point.probe === 'exchange') {
      event.scope = point.scope ?? 'warp';
      event.operands = more;
      if (operand) copyWords(event.members, operand, mask, 0);
      else event.members.fill(mask);
      return;
    }
    event.access = point.access ?? 'read';
    event.bytes = point.bytes ?? 0;
    event.values = more;
    event.lengths = undefined;
    if (length) this.#takeLengths(length);
    if (operand) copyWords(event.addresses, operand, mask, baseOf(point.operand!));
  }

  meeting(scope: MeetingEvent['scope'], arrivals: readonly Arrival[], lonely = false): void {
    this.#probes.meeting?.({ kernel: this.#launch.kernel, scope, arrivals, lonely });
  }

  get tellsMeetings(): boolean {
    return this.#probes.meeting !== undefined;
  }

  #takeLengths(words: Int32Array): void {
    const event = this.#event;
    copyWords(this.#lengths, words, event.mask, 0);
    event.lengths = this.#lengths;
    event.bytes = Math.max(...this.#lengths);
  }
}

function baseOf({ type }: Operand): number {
  return type.kind === 'ptr' ? windowOf(type.space) : 0;
}

/** The low word of each lane of a mask, and 0 for the others. */
function copyWords(to: Int32Array | Uint32Array, from: Int32Array, mask: number, added: number): void {
  const stride = from.length >> 5;
  if (mask === -1 && stride === 1) {
    for (let lane = 0; lane < 32; lane++) to[lane] = from[lane] + added;
    return;
  }
  for (let lane = 0; lane < 32; lane++) to[lane] = (mask >>> lane) & 1 ? from[lane * stride] + added : 0;
}
