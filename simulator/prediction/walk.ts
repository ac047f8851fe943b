/**
 * Executes a function for one warp on what is known of its values, and tells the tally what each access costs and which branches part
 * lanes. Lanes part and meet as in the simulator. Where a condition hangs on what nobody knows, both ways are followed: with the same
 * lanes if all of them go one way, otherwise with lanes of which nothing is certain any more, until the ways meet. A loop of which it is
 * not known when it ends is walked until what it carries from iteration to iteration changes no more (`widen`), and then once for all.
 */
import { popcount } from '../ir/math/bits.ts';
import { FUNCTION_END } from '../ir/reconvergence.ts';
import type { Instruction, IrModule, Operand } from '../ir/types.ts';
import { lanesOfTruth } from './arithmetic.ts';
import { type FunctionPlan, planOf } from './plan.ts';
import { type Meeting, merged, type State, widened } from './states.ts';
import type { Parting, Tally } from './tally.ts';
import { AT_EDGE, hasOrigin, isUniform, NOTHING, type Value, written } from './values.ts';

/** What instructions do that are no end of a block. */
export interface Evaluator {
  evaluate(instruction: Instruction, frame: Frame, state: State, walker: Walker): void;
  operand(operand: Operand, values: State['values']): Value;
}

/** A function being walked. */
export interface Frame {
  readonly plan: FunctionPlan;
  readonly tally: Tally;
  /** By header of a loop: iterations since it was entered. */
  readonly iterations: Map<number, number>;
  /** What lanes have returned. */
  result: Value;
  returned: number;
  readonly depth: number;
  /** How many conditions that nobody knows stood around the call. */
  readonly forks: number;
}

/** A path that has come to a block where others may wait. */
interface Arrival {
  readonly block: number;
  readonly state: State;
}

/** Blocks where a walk stops, and those where the walk around it does. */
interface Stops {
  readonly around: Stops | undefined;
  has(block: number): boolean;
}

/** More than a warp, or a launch, can be followed. */
export class TooLong extends Error {}

export interface Budget {
  /** Instructions of warps that may still be walked. Loops are cut short when it runs low. */
  steps: number;
}

/** Iterations of a loop that are walked one by one. */
const MOST_ITERATIONS = 1100;
/** Of a loop in a walk that has used up its share. */
const FEW_ITERATIONS = 2;
/** Values change in few rounds: alignments only shrink. */
const MOST_ROUNDS = 16;

const NO_STOPS: Stops = { around: undefined, has: () => false };

interface Way {
  readonly target: number;
  readonly mask: number;
}

type Decision =
  /** Lanes of which it is known where they go. */
  | { readonly kind: 'known'; readonly ways: readonly Way[] }
  /** All lanes go one way, or each its own. `parts`: some of them surely do. */
  | { readonly kind: 'together'; readonly targets: readonly number[]; readonly parts: false; readonly isEdge: boolean }
  | { readonly kind: 'apart'; readonly targets: readonly number[]; readonly parts: boolean; readonly isEdge: boolean };

export class Walker {
  /** Above 0: a loop is looked for its end, and nothing is told. */
  #quiet = 0;
  /** Above 0: how often the code is executed is not known. */
  #unweighted = 0;
  /** Lanes have left the function where nobody knows which. */
  #lost = 0;
  #left: number;

  constructor(
    readonly module: IrModule,
    readonly budget: Budget,
    readonly weight: number,
    /** Of the budget's steps, those that this warp may use before its loops are cut short. */
    share: number,
    readonly evaluator: Evaluator,
  ) {
    this.#left = share;
  }

  /** Walks a function to its end, which all lanes come back from. */
  walk(frame: Frame, state: State): void {
    const lost = this.#lost;
    this.#run(frame, { block: 0, state }, NO_STOPS);
    this.#lost = lost;
  }

  get isTold(): boolean {
    return this.#quiet === 0;
  }

  get isWeighted(): boolean {
    return this.#unweighted === 0;
  }

  /** A walk of a function that this one calls. */
  frameOf(name: string, tally: Tally, depth: number): Frame {
    const plan = planOf(this.module.functions.get(name)!, this.module);
    return { plan, tally, iterations: new Map(), result: NOTHING, returned: 0, depth, forks: this.#unweighted };
  }

  /** Follows a path to its end or to the stops; where it has come to. */
  #run(frame: Frame, start: Arrival, stops: Stops): Arrival[] {
    const arrivals: Arrival[] = [];
    let { block, state } = start;
    for (let first = true; ; first = false) {
      if (!first && hasStop(stops, block)) return [...arrivals, { block, state }];
      const { instructions } = frame.plan.fn.blocks[block];
      this.#spend(instructions.length);
      for (const instruction of instructions) if (instruction.op !== 'phi') this.evaluator.evaluate(instruction, frame, state, this);
      const end = instructions[instructions.length - 1];
      if (end.op === 'ret') return this.#return(frame, end, state, arrivals);
      if (end.op !== 'br' && end.op !== 'condbr' && end.op !== 'switch') {
        // Nobody comes here, or it is a fault.
        if (!state.certain) this.#lost++;
        return arrivals;
      }
      const next = this.#next(frame, { block, state }, end, stops, arrivals);
      if (!next) return arrivals;
      ({ block, state } = next);
      if (state.mask === 0) return arrivals;
    }
  }

  #spend(steps: number): void {
    this.#left -= steps;
    this.budget.steps -= steps;
    if (this.budget.steps < 0) throw new TooLong();
  }

  #return(frame: Frame, end: Extract<Instruction, { op: 'ret' }>, { values, mask, certain }: State, arrivals: Arrival[]): Arrival[] {
    if (!certain) this.#lost++;
    if (end.value) {
      const value = this.evaluator.operand(end.value, values);
      const isSure = certain && this.#unweighted === frame.forks;
      frame.result = !isSure ? NOTHING : frame.returned === 0 ? value : written(frame.result, value, mask);
    }
    frame.returned |= mask;
    return arrivals;
  }

  /** Where a path goes on after the end of a block; what stops before is added to the arrivals. */
  #next(
    frame: Frame,
    { block, state }: Arrival,
    end: Extract<Instruction, { op: 'br' | 'condbr' | 'switch' }>,
    stops: Stops,
    arrivals: Arrival[],
  ): Arrival | undefined {
    if (end.op === 'br') return this.#enter(frame, block, end.target, state, stops, arrivals);
    const operand = end.op === 'condbr' ? end.condition : end.value;
    const decision = decide(end, this.evaluator.operand(operand, state.values), state.mask);
    this.#tellBranch(frame, end, decision, state);
    if (decision.kind === 'known') {
      if (decision.ways.length === 1) return this.#enter(frame, block, decision.ways[0].target, state, stops, arrivals);
      return this.#part(frame, { block, state }, decision.ways, stops, arrivals);
    }
    return this.#both(frame, { block, state }, decision, stops, arrivals);
  }

  #tellBranch(frame: Frame, end: Instruction, decision: Decision, state: State): void {
    if (!this.isTold) return;
    const splits = decision.kind === 'known' ? decision.ways.length > 1 : decision.parts;
    // Where all go one way, so do any of them.
    const isSure = decision.kind === 'apart' ? state.certain && decision.parts : state.certain || !splits;
    // How many warps lie at an edge is not known.
    const known = isSure && !(decision.kind === 'together' && decision.isEdge);
    const smaller = decision.kind === 'known' && splits ? Math.min(...decision.ways.map(({ mask }) => popcount(mask))) : 0;
    frame.tally.add(end.site, known ? [splits ? 1 : 0, smaller] : undefined, this.weight, this.isWeighted, {
      parting: partingOf(decision, known && splits, isOnData(frame, end)),
    });
  }

  /** Takes an edge. A loop that has gone on for long is walked to its end at once. */
  #enter(frame: Frame, from: number, to: number, state: State, stops: Stops, arrivals: Arrival[]): Arrival | undefined {
    this.#takeEdge(frame, from, to, state);
    const loop = frame.plan.loops.innermost[to];
    const isHeader = loop >= 0 && frame.plan.loops.loops[loop].header === to;
    if (!isHeader || hasStop(stops, to)) return { block: to, state };
    if (!frame.plan.members[loop].has(from)) {
      frame.iterations.set(to, 0);
      return { block: to, state };
    }
    const iterations = (frame.iterations.get(to) ?? 0) + 1;
    frame.iterations.set(to, iterations);
    if (iterations < (this.#left > 0 ? MOST_ITERATIONS : FEW_ITERATIONS)) return { block: to, state };
    const before = { ...state };
    const lost = this.#lost;
    const exits = this.#wholeLoop(frame, loop, state, stops);
    const meeting = this.#exitMeeting(frame, loop);
    return this.#join(frame, exits, { meeting, together: true, isEdge: false, before, lost }, stops, arrivals);
  }

  /** Lanes of which it is known where each goes: one side after the other, and on where they meet. */
  #part(frame: Frame, { block, state }: Arrival, ways: readonly Way[], stops: Stops, arrivals: Arrival[]): Arrival | undefined {
    const meeting = frame.plan.meeting[block];
    const before: State = { ...state };
    const lost = this.#lost;
    const inside = meeting === FUNCTION_END ? stops : stopsAt(meeting, stops);
    const came: Arrival[] = [];
    for (const { target, mask } of ways) {
      const side = { ...state, mask };
      const entered = this.#enter(frame, block, target, side, inside, came);
      if (entered) came.push(...(hasStop(inside, entered.block) ? [entered] : this.#run(frame, entered, inside)));
    }
    return this.#join(frame, came, { meeting, together: false, isEdge: false, before, lost }, stops, arrivals);
  }

  /** A condition that nobody knows. */
  #both(
    frame: Frame,
    { block, state }: Arrival,
    { kind, targets, isEdge }: Extract<Decision, { readonly targets: readonly number[] }>,
    stops: Stops,
    arrivals: Arrival[],
  ): Arrival | undefined {
    const meeting = frame.plan.meeting[block];
    const together = kind === 'together';
    const before: State = { ...state };
    const lost = this.#lost;
    const loop = this.#loopLeftBy(frame, block, meeting, stops);
    const outer = loop === undefined ? stops : stopsOfLoop(frame.plan, loop, stops);
    const inside = meeting === FUNCTION_END ? outer : stopsAt(meeting, outer);
    let came: Arrival[] = [];
    this.#unweighted++;
    targets.forEach((target, index) => {
      const side: State = {
        values: index === 0 ? state.values : before.values.slice(),
        mask: state.mask,
        certain: state.certain && together,
        open: state.open || !(together || isEdge),
      };
      // The first side writes into the values.
      if (index === 0) before.values = state.values.slice();
      const entered = this.#enter(frame, block, target, side, inside, came);
      if (entered) came.push(...(hasStop(inside, entered.block) ? [entered] : this.#run(frame, entered, inside)));
    });
    if (loop !== undefined) {
      const { header } = frame.plan.loops.loops[loop];
      const again = came.filter((arrival) => arrival.block === header);
      came = came.filter((arrival) => arrival.block !== header);
      if (again.length > 0) came.push(...this.#wholeLoop(frame, loop, mergedAll(again, { together, isEdge }), stops));
    }
    this.#unweighted--;
    return this.#join(frame, came, { meeting, together, isEdge, before, lost }, stops, arrivals);
  }

  /** The outermost loop that a branch may leave and come back to before its lanes meet, unless it is being walked as a whole already. */
  #loopLeftBy({ plan: { loops, members } }: Frame, block: number, meeting: number, stops: Stops): number | undefined {
    let found: number | undefined;
    for (let loop = loops.innermost[block]; loop >= 0; loop = loops.loops[loop].outer) {
      if (members[loop].has(meeting) || hasStop(stops, loops.loops[loop].header)) break;
      found = loop;
    }
    return found;
  }

  /** Walks a loop from the state at its header until nothing changes; where its lanes leave it. */
  #wholeLoop(frame: Frame, loop: number, start: State, stops: Stops): Arrival[] {
    const { header } = frame.plan.loops.loops[loop];
    const inside = stopsOfLoop(frame.plan, loop, stops);
    const carried = new Map<number, Value>();
    let state = start;
    this.#quiet++;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const again = this.#run(frame, { block: header, state: copyOf(state) }, inside).filter(({ block }) => block === header);
      if (again.length === 0) break;
      const next = widened(
        state,
        mergedAll(again, { together: true, isEdge: false }),
        frame.plan.fn.blocks[header],
        carried,
        round === MOST_ROUNDS - 1,
      );
      if (!next) break;
      state = next;
    }
    this.#quiet--;
    this.#unweighted++;
    const arrivals = this.#run(frame, { block: header, state: copyOf(state) }, inside).filter(({ block }) => block !== header);
    this.#unweighted--;
    return arrivals;
  }

  /** Gives the target's phis their values, all at once. */
  #takeEdge({ plan: { fn } }: Frame, from: number, to: number, { values, mask }: State): void {
    const next: [number, Value][] = [];
    for (const phi of fn.blocks[to].instructions) {
      if (phi.op !== 'phi') break;
      const incoming = phi.incoming.find((i) => i.block === from);
      if (incoming) next.push([phi.id, this.evaluator.operand(incoming.value, values)]);
    }
    for (const [id, value] of next) values[id] = written(values[id], value, mask);
  }

  /** Where lanes that leave a loop meet. */
  #exitMeeting({ plan: { loops, members, meeting } }: Frame, loop: number): number {
    let found: number | undefined;
    for (const { from } of loops.loops[loop].exits) {
      const at = meeting[from];
      if (at === FUNCTION_END) return FUNCTION_END;
      if (!members[loop].has(at)) found = found === undefined || found === at ? at : FUNCTION_END;
    }
    return found ?? FUNCTION_END;
  }

  /** Brings paths to the place where they meet, and makes them one. */
  #join(
    frame: Frame,
    came: readonly Arrival[],
    { meeting, before, lost, ...how }: Meeting & { readonly meeting: number; readonly before: State; readonly lost: number },
    stops: Stops,
    arrivals: Arrival[],
  ): Arrival | undefined {
    const inside = meeting === FUNCTION_END ? stops : stopsAt(meeting, stops);
    const met: Arrival[] = [];
    for (const arrival of came) {
      const ends = hasStop(inside, arrival.block) ? [arrival] : this.#run(frame, arrival, inside);
      for (const end of ends) (end.block === meeting ? met : arrivals).push(end);
    }
    if (met.length === 0) return undefined;
    const state = mergedAll(met, how);
    // What every lane comes back from is certain again.
    if (lost === this.#lost && state.mask === before.mask) {
      if (before.certain && arrivals.every((arrival) => arrival.state.certain)) state.certain = true;
      if (!before.open && !arrivals.some((arrival) => arrival.state.open)) state.open = false;
    }
    return { block: meeting, state };
  }
}

function hasStop(stops: Stops | undefined, block: number): boolean {
  for (let at = stops; at; at = at.around) if (at.has(block)) return true;
  return false;
}

function stopsAt(stop: number, around: Stops): Stops {
  return { around, has: (block) => block === stop };
}

/** A loop's header and all that is outside of it. */
function stopsOfLoop({ loops, members }: FunctionPlan, loop: number, around: Stops): Stops {
  const { header } = loops.loops[loop];
  return { around, has: (block) => block === header || !members[loop].has(block) };
}

function copyOf(state: State): State {
  return { ...state, values: state.values.slice() };
}

function mergedAll(arrivals: readonly Arrival[], how: Meeting): State {
  return arrivals.map(({ state }) => state).reduce((a, b) => merged(a, b, how));
}

function decide(end: Extract<Instruction, { op: 'condbr' | 'switch' }>, value: Value, mask: number): Decision {
  const targets = end.op === 'condbr' ? [end.then, end.else] : [...new Set([...end.cases.map(({ block }) => block), end.default])];
  if (new Set(targets).size === 1) return { kind: 'known', ways: [{ target: targets[0], mask }] };
  const isKnown = (mask & ~value.known) === 0;
  if (isKnown && value.terms.length === 0) return { kind: 'known', ways: waysOf(end, value, mask) };
  if (isKnown && isUniform(value, mask)) return { kind: 'together', targets, parts: false, isEdge: hasOrigin(value, 'edge') };
  const certain = value.terms.length === 0 ? value.known & mask : 0;
  return { kind: 'apart', targets, parts: certain !== 0 && waysOf(end, value, certain).length > 1, isEdge: value === AT_EDGE };
}

/** Of a value that is not known for lack of a form nothing is said. */
function isOnData({ plan: { data } }: Frame, end: Instruction): boolean {
  const operand = end.op === 'condbr' ? end.condition : end.op === 'switch' ? end.value : undefined;
  return operand?.kind === 'value' && data.has(operand.id);
}

function partingOf(decision: Decision, isSure: boolean, isData: boolean): Parting | undefined {
  if (isSure) return 'sure';
  if (decision.kind !== 'known') return decision.isEdge ? 'edge' : decision.kind === 'apart' && isData ? 'data' : undefined;
  return decision.ways.length > 1 ? 'some' : undefined;
}

function targetOf(end: Extract<Instruction, { op: 'condbr' | 'switch' }>, value: number): number {
  if (end.op === 'condbr') return value !== 0 ? end.then : end.else;
  const bits = end.value.type.kind === 'int' ? end.value.type.bits : 32;
  return end.cases.find((c) => Number(BigInt.asIntN(bits, c.value)) === value)?.block ?? end.default;
}

/** In the order in which the engines run them. */
function waysOf(end: Extract<Instruction, { op: 'condbr' | 'switch' }>, value: Value, mask: number): Way[] {
  if (end.op === 'condbr') {
    const taken = lanesOfTruth(value) & mask;
    const ways = [
      { target: end.then, mask: taken },
      { target: end.else, mask: mask & ~taken },
    ];
    return ways.filter((way) => way.mask !== 0);
  }
  const masks = new Map<number, number>();
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const target = targetOf(end, value.lanes[31 - Math.clz32(bit)]);
    masks.set(target, (masks.get(target) ?? 0) | bit);
  }
  return [...masks].map(([target, lanes]) => ({ target, mask: lanes }));
}
