/** Tells the probes of one launch what an engine executes. */
import type { Instruction, Operand } from '../ir/types.ts';
import type { Launch } from '../machine/launch.ts';
import { windowOf } from '../machine/request.ts';
import type { LaunchOutcome } from './engine.ts';
import type {
  AccessEvent,
  Arrival,
  BarrierEvent,
  BranchEvent,
  ChildLaunchEvent,
  FlowEvent,
  LanePattern,
  MeetingEvent,
  ProbePoint,
  Probes,
} from './probes.ts';

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

/** What an event's lanes are computed from when somebody asks for them: most listeners to most events do not. */
export type LaneSource = () => ProbedLanes;

const NO_LANES: readonly Int32Array[] = [];
const ALL_LANES = new Int32Array(32).fill(-1);

/** The one event of a launch: what is told now. */
class CurrentEvent implements AccessEvent, BarrierEvent, FlowEvent {
  readonly kernel: string;
  block = 0;
  warp = 0;
  mask = 0;
  alive = 0;
  function = '';
  instruction = undefined as unknown as Instruction;
  access: AccessEvent['access'] = 'read';
  scope: BarrierEvent['scope'] = 'block';
  bytes = 0;
  lengths: Uint32Array | undefined;
  first = 0;
  pattern: LanePattern | undefined;
  whole = false;
  memory: WarpPlace['memory'] | undefined;
  /** Where the lanes of its operands are. */
  source: LaneSource = () => ({ more: NO_LANES });
  /** What is added to the addresses. */
  base = 0;
  /** The lanes that it names are those that are there. */
  namesThere = false;
  readonly shared = (): Uint8Array => this.memory!.sharedMemory();
  readonly #addresses = new Uint32Array(32);
  readonly #members = new Int32Array(32);
  #addressesKnown = false;
  #membersKnown = false;

  constructor(kernel: string) {
    this.kernel = kernel;
  }

  /** What was computed for the last event does not hold any more. */
  renew(): void {
    this.#addressesKnown = false;
    this.#membersKnown = false;
  }

  get addresses(): Uint32Array {
    if (this.#addressesKnown) return this.#addresses;
    this.#addressesKnown = true;
    const { pattern, mask } = this;
    if (pattern) copyWords(this.#addresses, pattern.offsets, mask, this.first);
    else copyWords(this.#addresses, this.source().operand!, mask, this.base);
    return this.#addresses;
  }

  get members(): Int32Array {
    if (this.whole) return ALL_LANES;
    if (this.#membersKnown) return this.#members;
    this.#membersKnown = true;
    const operand = this.namesThere ? undefined : this.source().operand;
    if (operand) copyWords(this.#members, operand, this.mask, 0);
    else this.#members.fill(this.mask);
    return this.#members;
  }

  get values(): readonly Int32Array[] {
    return this.source().more;
  }

  get operands(): readonly Int32Array[] {
    return this.source().more;
  }

  get conditions(): readonly Int32Array[] {
    return this.source().more;
  }
}

const nothing = (): undefined => undefined;
const MUTE: Probes = {
  access: nothing,
  atomic: nothing,
  fence: nothing,
  barrier: nothing,
  exchange: nothing,
  meeting: nothing,
  branch: nothing,
  flow: nothing,
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export class Reporter {
  /** An engine may fill it in by itself and tell a probe of it. */
  readonly event: CurrentEvent;
  probes: Probes;
  readonly #launch: Launch;
  readonly #branch: Writable<BranchEvent>;
  readonly #lengths = new Uint32Array(32);

  constructor(probes: Probes, launch: Launch) {
    this.probes = probes;
    this.#launch = launch;
    this.event = new CurrentEvent(launch.kernel);
    const { kernel, block, warp, mask, alive, instruction } = this.event;
    this.#branch = { kernel, block, warp, mask, alive, instruction, function: '', values: new Int32Array(32) };
  }

  launchBegin(): void {
    this.probes.launchBegin?.({ launch: this.#launch });
  }

  launchEnd(outcome: LaunchOutcome): void {
    this.probes.launchEnd?.({ launch: this.#launch, outcome });
  }

  blockBegin(block: number): void {
    this.probes.blockBegin?.({ kernel: this.#launch.kernel, block });
  }

  blockEnd(block: number): void {
    this.probes.blockEnd?.({ kernel: this.#launch.kernel, block });
  }

  /** Of moments at which all blocks that have begun, so many, have ended: whether nothing more is to be told. */
  hasEnough(begun: number, steps: () => number): boolean {
    const { enough } = this.probes;
    return enough !== undefined && (begun < 16 || begun % 16 === 0) && enough(steps());
  }

  /** Tells nothing more. Compiled code may go on to say what happens. */
  mute(): void {
    const { ledger, blockBegin, blockEnd, launchEnd } = this.probes;
    this.probes = { ...MUTE, ledger, blockBegin, blockEnd, launchEnd };
  }

  tell(point: ProbePoint, place: WarpPlace, lanes: ProbedLanes): void {
    const { probe } = point;
    const event = probe === 'branch' ? this.#branch : this.event;
    event.block = place.block;
    event.warp = place.warp;
    event.mask = place.mask;
    event.alive = place.alive;
    event.function = place.function;
    event.instruction = place.instruction;
    if (probe === 'branch') {
      copyWords(this.#branch.values, lanes.operand!, place.mask, 0);
      this.probes.branch!(this.#branch);
      return;
    }
    this.#fill(point, place, lanes);
    this.probes[probe]!(this.event);
  }

  #fill(point: ProbePoint, { mask, memory }: WarpPlace, lanes: ProbedLanes): void {
    const { event } = this;
    const { operand } = lanes;
    event.renew();
    event.memory = memory;
    event.source = () => lanes;
    event.whole = false;
    event.pattern = undefined;
    event.scope = point.scope ?? 'warp';
    event.namesThere = !operand;
    event.access = point.access ?? 'read';
    event.bytes = point.bytes ?? 0;
    event.lengths = undefined;
    if (lanes.length) this.#takeLengths(lanes.length);
    if (!operand || !point.access) return;
    event.base = baseOf(point.operand!);
    event.first = (operand[(31 - Math.clz32(mask & -mask)) * (operand.length >> 5)] + event.base) >>> 0;
  }

  meeting(scope: MeetingEvent['scope'], arrivals: readonly Arrival[], lonely = false): void {
    this.probes.meeting?.({ kernel: this.#launch.kernel, scope, arrivals, lonely });
  }

  childLaunch(event: Omit<ChildLaunchEvent, 'kernel'>): void {
    this.probes.childLaunch?.({ kernel: this.#launch.kernel, ...event });
  }

  get tellsMeetings(): boolean {
    return this.probes.meeting !== undefined;
  }

  #takeLengths(words: Int32Array): void {
    const { event } = this;
    copyWords(this.#lengths, words, event.mask, 0);
    event.lengths = this.#lengths;
    event.bytes = Math.max(...this.#lengths);
  }
}

/** What makes an operand's addresses generic. */
export function baseOf({ type }: Operand): number {
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
