/**
 * What nothing has written and somebody has read, on its way through registers: such a value is reported when it decides something. By
 * lane, with where it was read, along the plans of flow-plan.ts. What is stored as it was read is unwritten-bytes.ts's.
 */
import type { Instruction } from '../ir/types.ts';
import type { FlowEvent } from '../scheduling/probes.ts';
import type { WarpClock } from './block-clocks.ts';
import type { FlowBlock, FlowPlan, FlowPlans, FlowStep } from './flow-plan.ts';

/** A lane has used what it has read at an address, by one of the followed loads. */
export interface UsedValue {
  readonly load: Instruction;
  readonly function: string;
  readonly warp: WarpClock;
  readonly lane: number;
  readonly address: number;
}

export interface FollowedParts {
  readonly plans: FlowPlans;
  /** Something is followed, or nothing any more. */
  readonly follows: (any: boolean) => void;
  /** A lane has read what is followed from then on. */
  readonly read: () => void;
  readonly used: (value: UsedValue) => void;
}

const COMPUTED = 1;

/** What the lanes of a warp have in a function: for each value of its plan 32 lanes. */
interface Values {
  readonly plan: FlowPlan;
  /** 0, or 2 * (number of the load + 1), and COMPUTED if it is no copy any more. */
  readonly from: Int32Array;
  readonly addresses: Uint32Array;
  /** Which lanes have read what is unwritten since their block began, by load. */
  readonly fresh: Int32Array;
  /** Lanes whose condition holds, by gate. */
  readonly holds: Int32Array;
  /** By lane: the last block that it has gone through; -1 for none. */
  readonly last: Int32Array;
}

export class FollowedValues {
  readonly #parts: FollowedParts;
  /** By number of the warp, and function. */
  readonly #warps = new Map<number, Map<string, Values>>();

  constructor(parts: FollowedParts) {
    this.#parts = parts;
  }

  /** Whether its value is reported only when it is used. */
  follows(load: Instruction, name: string): boolean {
    return this.#parts.plans.follows(load, name);
  }

  /** A lane reads what nothing has written. */
  read(load: Instruction, name: string, { number }: WarpClock, lane: number, address: number): void {
    this.#parts.read();
    const values = this.#valuesOf(number, name);
    const at = values.plan.loads.get(load)!;
    values.fresh[at] |= 1 << lane;
    values.addresses[32 * at + lane] = address;
  }

  #valuesOf(warp: number, name: string): Values {
    if (this.#warps.size === 0) this.#parts.follows(true);
    const functions = this.#warps.get(warp) ?? new Map<string, Values>();
    this.#warps.set(warp, functions);
    const values = functions.get(name) ?? valuesOf(this.#parts.plans.of(name)!);
    functions.set(name, values);
    return values;
  }

  /** Lanes come to a choice, or to the end of a block. */
  flow(event: FlowEvent, warp: WarpClock): void {
    const values = this.#warps.get(warp.number)?.get(event.function);
    if (!values) return;
    const { plan } = values;
    const block = plan.blocks.get(event.instruction);
    if (block) this.#end(block, values, event, warp);
    else {
      const choice = plan.choices.get(event.instruction);
      if (choice) keepCondition(values, choice, event);
    }
  }

  /** The warps of a block have ended. */
  endBlock(firstWarp: number, warps: number): void {
    if (this.#warps.size === 0) return;
    for (let warp = firstWarp; warp < firstWarp + warps; warp++) this.#warps.delete(warp);
    if (this.#warps.size === 0) this.#parts.follows(false);
  }

  #end({ index, steps }: FlowBlock, values: Values, event: FlowEvent, warp: WarpClock): void {
    for (let rest = event.mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      meet(steps, values, lane);
      for (const step of steps) {
        if (step.kind === 'use') this.#use(step, values, { name: event.function, warp, lane });
        else take(step, values, lane);
      }
      values.last[lane] = index;
    }
  }

  #use(
    { of, computedOnly }: Extract<FlowStep, { kind: 'use' }>,
    values: Values,
    { name, warp, lane }: { readonly name: string; readonly warp: WarpClock; readonly lane: number },
  ): void {
    const { plan, from, addresses } = values;
    for (const value of of) {
      const found = from[32 * value + lane];
      if (found === 0 || (computedOnly && (found & COMPUTED) === 0)) continue;
      const address = addresses[32 * value + lane];
      // Once for each time that it was read.
      for (let at = lane; at < from.length; at += 32) if (from[at] >> 1 === found >> 1 && addresses[at] === address) from[at] = 0;
      for (const [load, number] of plan.loads) {
        if (number === (found >> 1) - 1) this.#parts.used({ load, function: name, warp, lane, address });
      }
    }
  }
}

function valuesOf(plan: FlowPlan): Values {
  return {
    plan,
    from: new Int32Array(32 * plan.values),
    addresses: new Uint32Array(32 * plan.values),
    fresh: new Int32Array(plan.loads.size),
    holds: new Int32Array(plan.choices.size),
    last: new Int32Array(32).fill(-1),
  };
}

function keepCondition({ holds }: Values, { gate, by }: { readonly gate: number; readonly by: number }, event: FlowEvent): void {
  const condition = event.conditions[by];
  for (let rest = event.mask; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    if (condition[31 - Math.clz32(bit)] & 1) holds[gate] |= bit;
    else holds[gate] &= ~bit;
  }
}

/** Values that meet others at a block's start, all at once. */
function meet(steps: readonly FlowStep[], { from, addresses, last }: Values, lane: number): void {
  const brought = steps.flatMap((step) => {
    if (step.kind !== 'meeting') return [];
    const value = step.from.get(last[lane]);
    const at = 32 * (value ?? 0) + lane;
    return [[32 * step.result + lane, value === undefined ? 0 : from[at], addresses[at]]];
  });
  for (const [to, what, address] of brought) {
    from[to] = what;
    addresses[to] = address;
  }
}

function take(step: Exclude<FlowStep, { kind: 'use' }>, values: Values, lane: number): void {
  const { from, addresses, fresh, holds } = values;
  const to = 32 * step.result + lane;
  const give = (value: number | undefined, computed: boolean): void => {
    const at = 32 * (value ?? 0) + lane;
    const what = value === undefined ? 0 : from[at];
    from[to] = what !== 0 && computed ? what | COMPUTED : what;
    addresses[to] = addresses[at];
  };
  switch (step.kind) {
    case 'meeting':
      return;
    case 'load': {
      const bit = 1 << lane;
      from[to] = fresh[step.result] & bit ? 2 * (step.result + 1) : 0;
      fresh[step.result] &= ~bit;
      return;
    }
    case 'choice': {
      const [first, second] = step.values;
      give((holds[step.gate] >>> lane) & 1 ? first : second, step.computed);
      return;
    }
    case 'result':
      give(
        step.of.find((value) => from[32 * value + lane] !== 0),
        step.computed,
      );
  }
}
