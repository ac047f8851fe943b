/** What instructions do to what is known of a warp: values, and what accesses ask of memory. */
import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import type { BlockBarrier, Register } from '../ir/intrinsics/description.ts';
import { intrinsicOf } from '../ir/intrinsics.ts';
import { sizeOf } from '../ir/layout.ts';
import type { SlowPath } from '../ir/slow-paths.ts';
import type { Instruction, Operand, Type } from '../ir/types.ts';
import type { Dim3 } from '../machine/launch.ts';
import { type LoadedModule, resolveSymbol } from '../machine/load-module.ts';
import { isCombined } from '../machine/request.ts';
import {
  add,
  cast,
  compareFloats,
  compareIntegers,
  fit,
  floatBinary,
  intBinary,
  lanesOfTruth,
  laneWise,
  pureCall,
  sameForAll,
  scale,
  select,
} from './arithmetic.ts';
import { innerParting } from './inner-branches.ts';
import type { AccessPlan } from './plan.ts';
import { boundsOf, costOf, type KnownCosts, noKnownCosts, type Reach, UNKNOWN_COST } from './requests.ts';
import type { State } from './states.ts';
import type { Tally } from './tally.ts';
import { constant, isUniform, NOTHING, perLane, sameNumber, uniform, type Value, written } from './values.ts';
import type { Evaluator, Frame, Walker } from './walk.ts';

type Of<Op extends Instruction['op']> = Extract<Instruction, { readonly op: Op }>;

/** The block and warp that is walked. */
export interface Place {
  /** undefined along an axis: any. */
  readonly block: readonly (number | undefined)[];
  readonly grid: readonly (number | undefined)[];
  readonly blockSize: Dim3;
  readonly warp: number;
  readonly warps: number;
  /** threadIdx of each lane. */
  readonly thread: readonly Value[];
}

export interface Surroundings {
  readonly module: LoadedModule;
  readonly kernel: string;
  readonly place: Place;
  readonly reach: Reach;
  /** Bytes of a structure passed by value, at an offset in local memory; undefined where they are not known. */
  parameterBytes(offset: number, bytes: number): Uint8Array | undefined;
  readonly dynamicSharedBytes: number | undefined;
  tallyOf(name: string): Tally;
}

const LANES = perLane((lane) => lane);
const MASKS: Readonly<Record<string, Value>> = {
  'lanemask.eq': perLane((lane) => 1 << lane),
  'lanemask.lt': perLane((lane) => (1 << lane) - 1),
  'lanemask.le': perLane((lane) => (2 << lane) - 1),
  'lanemask.ge': perLane((lane) => -1 << lane),
  'lanemask.gt': perLane((lane) => -2 << lane),
};
const AXES = ['x', 'y', 'z'];
/** Calls of functions are followed so deep. */
const MOST_DEPTH = 8;
const WORD: Type = { kind: 'int', bits: 64 };

export class WarpEvaluator implements Evaluator {
  readonly #constants = new Map<Operand, Value>();
  /** By axis: the block's index and the grid's size where they are not known. */
  readonly #blockIndex: readonly Value[];
  readonly #gridSize: readonly Value[];
  /** Where variables lie in local memory, and how much of it they have got. */
  readonly #places = new Map<Instruction, number>();
  #localBytes: number;
  /** By function and site. */
  readonly #costs = new Map<Frame['plan'], KnownCosts[]>();

  constructor(readonly around: Surroundings) {
    const { block, grid } = around.place;
    this.#blockIndex = block.map((index) => (index === undefined ? uniform('block') : constant(index)));
    this.#gridSize = grid.map((size) => (size === undefined ? uniform('argument') : constant(size)));
    this.#localBytes = around.reach.parameterBytes;
  }

  operand(operand: Operand, values: State['values']): Value {
    if (operand.kind === 'value') return values[operand.id] ?? NOTHING;
    let known = this.#constants.get(operand);
    if (!known) {
      known = this.#constant(operand);
      this.#constants.set(operand, known);
    }
    return known;
  }

  #constant(operand: Exclude<Operand, { readonly kind: 'value' }>): Value {
    switch (operand.kind) {
      case 'int': {
        const bits = operand.type.kind === 'int' ? operand.type.bits : 64;
        const number = operand.type.kind === 'ptr' ? Number(operand.value) : Number(BigInt.asIntN(bits === 1 ? 2 : bits, operand.value));
        return fit(operand.type, number) === undefined ? uniform('argument') : constant(number);
      }
      case 'float':
        return floatConstant(operand.type, operand.bits);
      case 'undef':
      case 'zero':
        return operand.type.kind === 'int' || operand.type.kind === 'float' || operand.type.kind === 'ptr' ? constant(0) : NOTHING;
      case 'symbol': {
        const { module, kernel } = this.around;
        // What another file of the program defines is somewhere.
        if (!module.ir.globals.has(operand.name) && !module.addresses.has(operand.name)) return uniform('argument');
        const space = operand.type.kind === 'ptr' ? operand.type.space : 0;
        return constant(resolveSymbol(module, kernel, operand.name, space) + operand.offset);
      }
      case 'aggregate':
        return NOTHING;
    }
  }

  evaluate(instruction: Instruction, frame: Frame, state: State, walker: Walker): void {
    const access = frame.plan.accesses.get(instruction.site);
    if (access) this.#access(access, instruction, frame, state, walker);
    if (instruction.id < 0 && instruction.op !== 'call') return;
    const found = this.#value(instruction, frame, state, walker);
    // One lane agrees with itself.
    const isAlone = (state.mask & (state.mask - 1)) === 0;
    const value = isAlone && (found.known & state.mask) === 0 ? uniform('data') : found;
    if (instruction.id >= 0) state.values[instruction.id] = written(state.values[instruction.id], value, state.mask);
    const paths = frame.plan.innerBranches.get(instruction.site);
    if (paths && walker.isTold) this.#tellInnerBranches(paths, instruction, frame, state, walker);
  }

  /** What is told is whether lanes part in any of the instruction's branches. */
  #tellInnerBranches(paths: readonly SlowPath[], { site }: Instruction, { tally }: Frame, state: State, walker: Walker): void {
    const { mask, certain, values } = state;
    const ways = paths.map((path) => innerParting(path, (operand) => this.operand(operand, values), mask));
    const parts = ways.includes('yes');
    const isKnown = parts ? certain : ways.every((way) => way === 'no');
    const parting = parts && certain ? 'sure' : parts || ways.includes('likely') ? 'data' : undefined;
    tally.add(site, isKnown ? [Number(parts), 0] : undefined, walker.weight, walker.isWeighted, { parting });
  }

  #access({ pointer, shape, atomic }: AccessPlan, { site }: Instruction, frame: Frame, state: State, walker: Walker): void {
    if (!walker.isTold || !shape.counted) return;
    const { mask, certain, open, values } = state;
    const pointers = this.operand(pointer, values);
    const rules = atomic && { ...atomic, combined: isCombined(atomic.aggregation, mask) };
    // Lanes on one address cost the same however many they are, unless they take turns.
    const isSure = certain || (isUniform(pointers, mask) && (!rules || atomic?.aggregation === 'always'));
    const cost = isSure ? costOf(this.#knownCosts(frame, site), pointers, mask, shape, rules, this.around.reach) : UNKNOWN_COST;
    const { weight, isWeighted } = walker;
    if (cost !== UNKNOWN_COST) frame.tally.add(site, cost, weight, isWeighted, { pointers, mask });
    else {
      const bounds = boundsOf(pointers, mask, shape, rules, this.around.reach);
      const isData = (mask & ~pointers.known) !== 0 && pointer.kind === 'value' && frame.plan.data.has(pointer.id);
      frame.tally.add(site, undefined, weight, isWeighted, {
        ...bounds,
        pointers,
        mask,
        chosenBy: certain ? undefined : open ? 'data' : 'edge',
        parting: isData ? 'data' : undefined,
      });
    }
  }

  #knownCosts({ plan }: Frame, site: number): KnownCosts {
    let ofFunction = this.#costs.get(plan);
    if (!ofFunction) {
      ofFunction = [];
      this.#costs.set(plan, ofFunction);
    }
    ofFunction[site] ??= noKnownCosts();
    return ofFunction[site];
  }

  #value(instruction: Instruction, frame: Frame, state: State, walker: Walker): Value {
    const { values, mask } = state;
    const of = (operand: Operand) => this.operand(operand, values);
    switch (instruction.op) {
      case 'add':
      case 'sub':
      case 'mul':
      case 'udiv':
      case 'sdiv':
      case 'urem':
      case 'srem':
      case 'shl':
      case 'lshr':
      case 'ashr':
      case 'and':
      case 'or':
      case 'xor':
        if (instruction.type.kind !== 'int') return sameForAll([of(instruction.a), of(instruction.b)], mask);
        return intBinary(instruction.op, instruction.type, of(instruction.a), of(instruction.b), mask);
      case 'fadd':
      case 'fsub':
      case 'fmul':
      case 'fdiv':
      case 'frem':
        return floatBinary(instruction.op, instruction.type, of(instruction.a), of(instruction.b), mask);
      case 'fneg':
        return laneWise(instruction.type, [of(instruction.a)], mask, (lane) => -lane);
      case 'freeze':
      case 'addrspacecast':
        return instruction.op === 'freeze' ? of(instruction.a) : castSpace(instruction.a.type, instruction.type, of(instruction.a), mask);
      case 'ptrtoint':
      case 'inttoptr':
        return of(instruction.a);
      case 'bitcast':
        return isInteger(instruction.type) && isInteger(instruction.a.type) ? of(instruction.a) : sameForAll([of(instruction.a)], mask);
      case 'icmp':
        return compareIntegers(instruction.predicate, instruction.a.type, of(instruction.a), of(instruction.b), mask);
      case 'fcmp':
        return compareFloats(instruction.predicate, of(instruction.a), of(instruction.b), mask);
      case 'trunc':
      case 'zext':
      case 'sext':
      case 'fptrunc':
      case 'fpext':
      case 'fptoui':
      case 'fptosi':
      case 'uitofp':
      case 'sitofp':
        return cast(instruction, of(instruction.a), mask);
      case 'select':
        return select(of(instruction.condition), of(instruction.a), of(instruction.b), mask);
      case 'alloca':
        return this.#local(instruction);
      case 'getelementptr':
        return this.#address(instruction, state);
      case 'load':
        return this.#load(of(instruction.pointer), instruction.type, mask);
      case 'extractvalue':
        return sameForAll([of(instruction.aggregate)], mask);
      case 'extractelement':
        return sameForAll([of(instruction.vector), of(instruction.index)], mask);
      case 'insertvalue':
        return sameForAll([of(instruction.aggregate), of(instruction.value)], mask);
      case 'insertelement':
        return sameForAll([of(instruction.vector), of(instruction.value), of(instruction.index)], mask);
      case 'shufflevector':
        return sameForAll([of(instruction.a), of(instruction.b)], mask);
      case 'call':
        return this.#call(instruction, frame, state, walker);
      default:
        return NOTHING;
    }
  }

  #local(variable: Of<'alloca'>): Value {
    const { type, allocated, count, align } = variable;
    let place = this.#places.get(variable);
    if (place === undefined) {
      place = Math.ceil(this.#localBytes / align) * align;
      this.#places.set(variable, place);
      this.#localBytes = place + sizeOf(allocated) * (count.kind === 'int' ? Number(count.value) : 1);
    }
    return constant((type.kind === 'ptr' && type.space === 5 ? 0 : LOCAL_BASE) + place);
  }

  #address({ base, offset, terms }: Of<'getelementptr'>, { values, mask }: State): Value {
    let sum = this.operand(base, values);
    if (offset !== 0) sum = add(WORD, sum, constant(offset), 1, mask);
    for (const { index, scale: factor, unsigned } of terms) {
      let value = this.operand(index, values);
      const bits = index.type.kind === 'int' ? index.type.bits : 64;
      if (unsigned && bits <= 32 && value.terms.length === 0)
        value = laneWise(WORD, [value], mask, (lane) => (lane < 0 ? lane + 2 ** bits : lane));
      // An index of 64 bits is not scaled by itself.
      sum = value.terms.length === 0 ? add(WORD, sum, value, factor, mask) : add(WORD, sum, scale(WORD, value, factor, mask), 1, mask);
    }
    return sum;
  }

  /** What memory holds is not known, but for the launch's arguments. */
  #load(pointer: Value, type: Type, mask: number): Value {
    if (!isUniform(pointer, mask)) return NOTHING;
    const address = sameNumber(pointer, mask);
    if (address === undefined || address < LOCAL_BASE) return uniform('data');
    if (address >= SHARED_BASE) return uniform('data');
    const offset = address - LOCAL_BASE;
    // Other local memory is each lane's own.
    if (offset >= this.around.reach.parameterBytes) return NOTHING;
    const bytes = this.around.parameterBytes(offset, sizeOf(type));
    return bytes ? numberIn(bytes, type) : uniform('argument');
  }

  #call(call: Of<'call'>, frame: Frame, state: State, walker: Walker): Value {
    const operands = call.args.map((arg) => this.operand(arg, state.values));
    const pure = pureCall(call, operands, state.mask);
    if (pure) return pure;
    const intrinsic = intrinsicOf(call.callee);
    if (!intrinsic) return this.#function(call, operands, frame, state, walker);
    const { meaning } = intrinsic;
    const { mask } = state;
    switch (meaning.kind) {
      case 'register':
        return this.#register(meaning.register);
      case 'activeMask':
        return state.certain ? constant(mask) : uniform('data');
      case 'shuffle':
        return shuffled(meaning.mode, operands, state);
      case 'vote':
        return voted(meaning.vote, operands[meaning.withMask ? 1 : 0], state);
      case 'cachedLoad':
        return this.#load(operands[0], call.type, mask);
      case 'blockBarrier':
        return barrierResult(meaning);
      case 'isInSpace':
        return spaceTest(meaning.space, operands[0], mask);
      case 'reduceLanes':
      case 'gridIsCooperative':
        return uniform('data');
      default:
        return intrinsic.result === 'uniform' ? uniform('data') : NOTHING;
    }
  }

  /** A function of the module that is not inlined. */
  #function(call: Of<'call'>, operands: readonly Value[], frame: Frame, { mask, certain, open }: State, walker: Walker): Value {
    const fn = this.around.module.ir.functions.get(call.callee);
    if (!fn || frame.depth >= MOST_DEPTH || fn.parameters.some(({ byval }) => byval)) return NOTHING;
    const called = walker.frameOf(call.callee, this.around.tallyOf(call.callee), frame.depth + 1);
    const values: (Value | undefined)[] = new Array(fn.valueCount);
    fn.parameters.forEach(({ id }, index) => {
      values[id] = operands[index];
    });
    walker.walk(called, { values, mask, certain, open });
    return called.result;
  }

  #register(register: Register): Value {
    const { place, dynamicSharedBytes } = this.around;
    const [name, axisName] = register.split('.');
    const axis = AXES.indexOf(axisName);
    if (axis >= 0) {
      if (name === 'tid') return place.thread[axis];
      if (name === 'ntid') return constant(place.blockSize[axis]);
      if (name === 'ctaid') return this.#blockIndex[axis];
      if (name === 'nctaid') return this.#gridSize[axis];
    }
    if (register === 'laneid') return LANES;
    if (register === 'warpsize') return constant(32);
    if (register === 'warpid') return constant(place.warp);
    if (register === 'nwarpid') return constant(place.warps);
    if (register === 'dynamic_smem_size' && dynamicSharedBytes !== undefined) return constant(dynamicSharedBytes);
    // A clock is read once for all lanes.
    return MASKS[register] ?? uniform('data');
  }
}

function isInteger(type: Type): boolean {
  return type.kind === 'int' || type.kind === 'ptr';
}

function floatConstant(type: Type, bits: bigint): Value {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  if (type.kind !== 'float') return NOTHING;
  if (type.format === 'double') return constant(view.getFloat64(0));
  return type.format === 'float' ? constant(view.getFloat32(4)) : uniform('argument');
}

/** The number of a type that lies in memory so. */
export function numberIn(bytes: Uint8Array, type: Type): Value {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type.kind === 'float') {
    if (type.format === 'double') return constant(view.getFloat64(0, true));
    return type.format === 'float' ? constant(view.getFloat32(0, true)) : uniform('argument');
  }
  if (type.kind !== 'int' && type.kind !== 'ptr') return uniform('argument');
  const held = bytes.length === 8 ? view.getBigInt64(0, true) : undefined;
  const number = held === undefined ? smallInteger(view, bytes.length, type) : Number(held);
  return number === undefined || !Number.isSafeInteger(number) ? uniform('argument') : constant(number);
}

function smallInteger(view: DataView, bytes: number, type: Type): number | undefined {
  const number = bytes === 4 ? view.getInt32(0, true) : bytes === 2 ? view.getInt16(0, true) : bytes === 1 ? view.getInt8(0) : undefined;
  return number === undefined ? undefined : fit(type, number);
}

/** Pointers of shared and local memory count from their windows' start. */
function castSpace(from: Type, to: Type, value: Value, mask: number): Value {
  const base = (type: Type) => (type.kind !== 'ptr' ? 0 : type.space === 3 ? SHARED_BASE : type.space === 5 ? LOCAL_BASE : 0);
  const distance = base(from) - base(to);
  return distance === 0 ? value : add(WORD, value, constant(distance), 1, mask);
}

function spaceTest(space: string, pointer: Value, mask: number): Value {
  const number = pointer.lanes[31 - Math.clz32(mask & -mask)];
  if ((mask & ~pointer.known) !== 0) return uniform('data');
  const is = number >= SHARED_BASE ? 'shared' : number >= LOCAL_BASE ? 'local' : 'global';
  return constant(Number(is === space));
}

function barrierResult({ reduction }: BlockBarrier): Value {
  return reduction ? uniform('data') : NOTHING;
}

/** Follows the pseudocode of shfl.sync in the PTX manual. */
function shuffled(mode: string, operands: readonly Value[], { mask, certain }: State): Value {
  const [, value, operand, control] = operands;
  const by = sameNumber(control, mask);
  if (by === undefined || (mask & ~operand.known) !== 0 || operand.terms.length > 0)
    return isUniform(value, -1) && mode === 'idx' ? value : NOTHING;
  if (isUniform(value, mask) && mode !== 'idx') return value;
  const segment = (by >>> 8) & 31;
  const clamp = by & 31;
  const lanes = new Float64Array(32);
  let known = 0;
  for (let lane = 0; lane < 32; lane++) {
    const b = operand.lanes[lane] & 31;
    const last = (lane & segment) | (clamp & ~segment);
    const source = mode === 'up' ? lane - b : mode === 'down' ? lane + b : mode === 'bfly' ? lane ^ b : (lane & segment) | (b & ~segment);
    const isInside = mode === 'up' ? source >= last : source <= last;
    const from = isInside && source >= 0 && source < 32 && (mask >>> source) & 1 ? source : lane;
    lanes[lane] = value.lanes[from];
    if ((value.known >>> from) & 1) known |= 1 << lane;
  }
  const isFromOne = mode === 'idx' && isUniform(operand, mask) && segment === 0;
  if (isFromOne && (known & mask) !== mask) return uniform('data');
  return certain || isUniform(value, mask) ? { lanes, known: known & mask, terms: value.terms } : NOTHING;
}

function voted(kind: 'all' | 'any' | 'uni' | 'ballot', value: Value, { mask, certain }: State): Value {
  if (!certain || value.terms.length > 0 || (mask & ~value.known) !== 0)
    return uniform(value.terms.length > 0 && isUniform(value, mask) ? value.terms[0].unknown.origin : 'data');
  const holding = lanesOfTruth(value) & mask;
  if (kind === 'ballot') return constant(holding);
  if (kind === 'any') return constant(Number(holding !== 0));
  if (kind === 'all') return constant(Number(holding === mask));
  return constant(Number(holding === 0 || holding === mask));
}
