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
}

export interface BarrierEvent extends WarpEvent {
  readonly scope: 'warp' | 'block' | 'grid';
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
  readonly exchange?: (event: WarpEvent) => void;
  /** Conditional branches and switches. */
  readonly branch?: (event: BranchEvent) => void;
}

const INSTRUCTION_PROBES = ['access', 'atomic', 'fence', 'barrier', 'exchange', 'branch'] as const;
type InstructionProbe = (typeof INSTRUCTION_PROBES)[number];

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
  readonly probe: InstructionProbe;
  readonly access?: AccessEvent['access'];
  /** Whose lanes are the addresses, or the values of a branch. */
  readonly operand?: Operand;
  readonly bytes?: number;
  /** How many bytes each lane copies or fills. */
  readonly length?: Operand;
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
      return [{ probe: 'access', access: 'write', operand: instruction.pointer, bytes: storeSizeOf(instruction.value.type) }];
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
      return [{ probe: 'barrier', scope: 'warp' }];
    case 'blockBarrier':
      return [{ probe: 'barrier', scope: 'block' }];
    case 'gridBarrier':
      return [{ probe: 'barrier', scope: 'grid' }];
    case 'shuffle':
    case 'vote':
    case 'match':
    case 'reduceLanes':
      return [{ probe: 'exchange' }];
    default:
      return [];
  }
}

/** Which lanes of which warp, and where they are. */
export interface WarpPlace {
  readonly block: number;
  readonly warp: number;
  readonly mask: number;
  readonly function: string;
  readonly instruction: Instruction;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type AnyEvent = Writable<AccessEvent & BarrierEvent & BranchEvent>;

/** Tells the probes of one launch. */
export class Reporter {
  readonly #probes: Probes;
  readonly #launch: Launch;
  readonly #event: AnyEvent;
  readonly #lengths = new Uint32Array(32);

  constructor(probes: Probes, launch: Launch) {
    this.#probes = probes;
    this.#launch = launch;
    const nowhere = { block: 0, warp: 0, mask: 0, function: '', instruction: undefined as unknown as Instruction };
    const lanes = { addresses: new Uint32Array(32), values: new Int32Array(32), lengths: undefined };
    this.#event = { kernel: launch.kernel, access: 'read', bytes: 0, scope: 'block', ...nowhere, ...lanes };
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

  /** `words` and `lengths`: lanes of the point's operands, side by side, in one word or two each. */
  tell(point: ProbePoint, place: WarpPlace, words: Int32Array | undefined, lengths: Int32Array | undefined): void {
    const event = this.#event;
    event.block = place.block;
    event.warp = place.warp;
    event.mask = place.mask;
    event.function = place.function;
    event.instruction = place.instruction;
    event.access = point.access ?? 'read';
    event.bytes = point.bytes ?? 0;
    event.scope = point.scope ?? 'block';
    event.lengths = undefined;
    if (lengths) this.#takeLengths(lengths);
    if (words && point.probe === 'branch') copyWords(event.values, words, place.mask, 0);
    else if (words) copyWords(event.addresses, words, place.mask, baseOf(point.operand!));
    this.#probes[point.probe]!(event);
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
  for (let lane = 0; lane < 32; lane++) to[lane] = (mask >>> lane) & 1 ? from[lane * stride] + added : 0;
}
