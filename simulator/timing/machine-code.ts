/**
 * What an instruction of the IR becomes on hardware, as far as time goes: how many machine instructions, on which pipe, how long until its
 * result can be used. Counts come from the one table of prices (devices/prices.ts).
 */
import { type SlowPathPrice, SM_90 } from '../../devices/prices.ts';
import type { Pipe, Timings } from '../../devices/timings.ts';
import { intrinsicOf, meaningOf } from '../ir/intrinsics.ts';
import { type MemoryRoots, memoryRoots } from '../ir/memory-roots.ts';
import { operandsOf } from '../ir/operands.ts';
import { slowPathsOf } from '../ir/slow-paths.ts';
import type { Block, Instruction, IrFunction, IrModule, MemoryOrder, Operand, Type } from '../ir/types.ts';
import { functionFacts } from '../simt/analyze.ts';
import { spinsInShared } from '../simt/atomics.ts';
import { liveValues } from '../simt/live-values.ts';
import { findLoops, type Loops } from '../simt/loops.ts';

export interface MachineCost {
  /** Warp instructions that are issued. */
  readonly issues: number;
  /** Of these, visits of a pipe. */
  readonly pipe: Pipe | undefined;
  /** Share of them that visits it; all unless given. */
  readonly visits?: number;
  /** Visits of the special function units besides. */
  readonly special?: number;
  /** Cycles until the result can be used, without memory. */
  readonly latency: number;
  /** Goes to memory; its time depends on where it leads. */
  readonly memory?: 'load' | 'store' | 'atomic' | 'reduction';
  /** Reads or writes texels: counts no requests to global memory, though caches hold them. */
  readonly image?: true;
  /** Waits for all warps of the block, the cluster or the grid, or for the warp's own accesses alone. */
  readonly barrier?: 'block' | 'cluster' | 'grid' | 'own';
  /** Has a slow path or a loop behind a branch: what comes after it in the program stays behind it. */
  readonly inOrder?: true;
  /** An atomic of shared memory that is a loop of compare-and-swaps. */
  readonly spins?: true;
  /** What it takes more where lanes take its slow path. */
  readonly slow?: SlowPathPrice;
}

/** Machine instructions of a round of a shared atomic that spins: LDS, an addition, ATOMS.CAST.SPIN, ISETP, BRA. */
const SPIN_INSTRUCTIONS = 5;

/** Two barriers of the block, and between them an atomic and a loop that waits, of one thread: nvcc 13's code for grid.sync(). */
const GRID_BARRIER_INSTRUCTIONS = 20;

const NOTHING: MachineCost = { issues: 0, pipe: undefined, latency: 0 };
const { classes, functions, doubleFunctions, doubleFunctionFactor, fastFunctions, slowPaths } = SM_90;
/** MUFU.RCP and FCHK. Measured: 6.5 divisions per clock and multiprocessor, 57.6 cycles from one to the next (h200-microbenchmarks.json). */
const DIVISION_VISITS = 2;
const DIVISION_CHAIN = 8.3;
/** Measured: 8 cycles of a multiprocessor for one, an addition and a fused product (h200-waits.json, arithmetic). */
const WIDE_DIVISION_VISITS = 13 / 24;
/** Of the double-precision instructions of a function, those that wait for each other. */
const CHAINED_SHARE = 0.8;

const known = new WeakMap<IrFunction, readonly MachineCost[]>();

/** By site. */
export function machineCode(fn: IrFunction, module: IrModule, timings: Timings): readonly MachineCost[] {
  let costs = known.get(fn);
  if (!costs) {
    costs = new Coder(fn, module, timings).costs();
    known.set(fn, costs);
  }
  return costs;
}

class Coder {
  readonly #fn: IrFunction;
  readonly #module: IrModule;
  readonly #latency: Timings['latency'];
  readonly #live: ReadonlySet<number>;
  readonly #uses = new Map<number, Instruction[]>();
  readonly #sources = new Map<number, Instruction>();
  #roots: MemoryRoots | undefined;

  constructor(fn: IrFunction, module: IrModule, { latency }: Timings) {
    this.#fn = fn;
    this.#module = module;
    this.#latency = latency;
    this.#live = liveValues(fn);
    for (const { instructions } of fn.blocks) {
      for (const instruction of instructions) {
        if (instruction.id >= 0) this.#sources.set(instruction.id, instruction);
        for (const operand of operandsOf(instruction)) {
          if (operand.kind === 'value') this.#uses.set(operand.id, [...(this.#uses.get(operand.id) ?? []), instruction]);
        }
      }
    }
  }

  costs(): readonly MachineCost[] {
    const { predicated, merged } = functionFacts(this.#fn, this.#module);
    const found = findLoops(this.#fn);
    const written = writtenOut(this.#fn, found);
    const asking = new Set([...written].flatMap(([block, { latch }]) => (block === latch ? [] : [latch])));
    const turning = turningBlocks(this.#fn, found);
    return this.#fn.blocks.flatMap(({ index, instructions }) =>
      instructions.map((instruction): MachineCost => {
        if (
          instruction.id >= 0 &&
          !this.#live.has(instruction.id) &&
          instruction.op !== 'atomicrmw' &&
          instruction.op !== 'cmpxchg' &&
          instruction.op !== 'call'
        )
          return NOTHING;
        if (instruction.op === 'condbr') {
          if (predicated.has(instruction.site)) return NOTHING;
          const { rounds = 1 } = written.get(index) ?? {};
          const isTurn = (turning.has(index) && !asking.has(index)) || rounds > 1;
          return { issues: 1 / rounds, pipe: undefined, latency: isTurn ? this.#latency.branch / rounds : this.#latency.test };
        }
        const group = merged.get(instruction.site);
        const cost = withSlowPath(this.#costOf(instruction), instruction);
        // Parts of a merged access come with the whole.
        return group && group.leader !== instruction.site ? { ...cost, issues: 0 } : cost;
      }),
    );
  }

  #costOf(instruction: Instruction): MachineCost {
    const { alu } = this.#latency;
    switch (instruction.op) {
      case 'phi':
      case 'br':
      case 'freeze':
      case 'bitcast':
      case 'addrspacecast':
      case 'ptrtoint':
      case 'inttoptr':
      case 'extractvalue':
      case 'insertvalue':
      case 'extractelement':
      case 'insertelement':
      case 'shufflevector':
      case 'trunc':
      case 'unreachable':
      case 'alloca':
      case 'zext':
        return NOTHING;
      case 'ret':
        return { issues: 1, pipe: undefined, latency: 0 };
      case 'switch':
        if (instruction.isCall) return { issues: 1, pipe: 'int', latency: 0 };
        return { issues: 2 + instruction.cases.length / 2, pipe: 'int', latency: this.#latency.branch };
      case 'getelementptr':
        // A constant distance is part of the access; IMAD.WIDE or LEA multiply and add at once.
        return instruction.terms.length === 0
          ? NOTHING
          : { issues: instruction.terms.length, pipe: 'int', latency: alu * instruction.terms.length };
      case 'load':
        return { issues: 1, pipe: undefined, latency: 0, memory: 'load' };
      case 'store':
        return { issues: 1, pipe: undefined, latency: 0, memory: 'store' };
      case 'atomicrmw':
        if (spinsInShared(instruction) && this.#isShared(instruction.pointer))
          return { issues: SPIN_INSTRUCTIONS, pipe: undefined, latency: 0, memory: 'atomic', spins: true, inOrder: true };
        return { issues: 1, pipe: undefined, latency: 0, memory: this.#live.has(instruction.id) ? 'atomic' : 'reduction' };
      case 'cmpxchg':
        return { issues: 1, pipe: undefined, latency: 0, memory: 'atomic' };
      case 'fence':
        return { issues: 1, pipe: undefined, latency: this.#fenceCycles(instruction.order), barrier: 'own' };
      case 'call':
        return this.#callCost(instruction);
      case 'fadd':
      case 'fsub':
      case 'fmul':
      case 'fneg':
      case 'fcmp':
      case 'fdiv':
      case 'frem':
      case 'fptosi':
      case 'fptoui':
      case 'sitofp':
      case 'uitofp':
      case 'fptrunc':
      case 'fpext':
        return this.#floatCost(instruction);
      case 'udiv':
      case 'sdiv':
      case 'urem':
      case 'srem':
        return this.#divisionCost(instruction);
      case 'mul':
        return isWide(instruction.type)
          ? { issues: classes.wideProduct.instructions, pipe: 'int', latency: 3 * alu }
          : { issues: 1, pipe: 'int', latency: alu };
      case 'shl':
        return instruction.b.kind === 'int' && !isWide(instruction.type) && this.#isAddress(instruction.id)
          ? NOTHING
          : this.#simple(instruction.type);
      case 'and':
        return this.#remainderCost(instruction) ?? this.#simple(instruction.type);
      default:
        return this.#simple(instruction.op === 'icmp' ? instruction.a.type : instruction.type);
    }
  }

  /** Threads of a block share L1: only wider fences wait for L2. */
  #fenceCycles({ scope }: MemoryOrder): number {
    return scope === 'device' || scope === 'system' ? this.#latency.fence : 2 * this.#latency.alu;
  }

  #isShared(pointer: Operand): boolean {
    this.#roots ??= memoryRoots(this.#fn, (name) => this.#module.globals.get(name)?.space);
    return this.#roots.spaceOf(pointer) === 3;
  }

  #simple(type: Type): MachineCost {
    const { alu } = this.#latency;
    const count = type.kind === 'vector' ? type.count : 1;
    return isWide(type) ? { issues: 2 * count, pipe: 'int', latency: 1.5 * alu } : { issues: count, pipe: 'int', latency: alu };
  }

  /** Clang makes `a % b` a mask where it knows that b is a power of two, as in a loop that doubles it. nvcc divides. */
  #remainderCost({ a, b, location, type }: Extract<Instruction, { a: Operand; b: Operand }>): MachineCost | undefined {
    if (a.kind === 'int' || b.kind === 'int') return undefined;
    const isMask = [a, b].some((operand) => {
      const source = operand.kind === 'value' ? this.#sources.get(operand.id) : undefined;
      if (source?.op !== 'add' || source.b.kind !== 'int') return false;
      return (
        source.location === location ||
        (location !== undefined && source.location?.line === location.line && source.location.column === location.column)
      );
    });
    if (!isMask) return undefined;
    const { instructions } = classes[isWide(type) ? 'wideDivision' : 'division'];
    return { issues: instructions, pipe: 'int', visits: 0.6, latency: 2 * this.#latency.special + 0.6 * instructions * this.#latency.alu };
  }

  #isAddress(id: number): boolean {
    return (this.#uses.get(id) ?? []).every(({ op }) => op === 'getelementptr');
  }

  #floatCost(instruction: Instruction): MachineCost {
    const latency = this.#latency;
    const operand = operandsOf(instruction)[0].type;
    const wide = isDouble(operand) || isDouble(instruction.type);
    const count = instruction.type.kind === 'vector' ? instruction.type.count : 1;
    switch (instruction.op) {
      case 'fneg':
        return NOTHING;
      case 'fdiv':
      case 'frem':
        return wide
          ? {
              issues: 2 * classes.doubleDivision.instructions,
              pipe: 'fp64',
              visits: WIDE_DIVISION_VISITS,
              latency: 14 * latency.fp64,
              inOrder: true,
            }
          : {
              issues: classes.floatDivision.instructions,
              pipe: 'fp32',
              special: DIVISION_VISITS,
              latency: latency.special + DIVISION_CHAIN * latency.alu,
              inOrder: true,
            };
      case 'fptosi':
      case 'fptoui':
      case 'sitofp':
      case 'uitofp':
      case 'fptrunc':
      case 'fpext':
        // F2FP and HADD2.F32 are none of the special function units: addBiasQKV of HeCBench on an H200 converts 23 lanes per clock or more.
        if (!wide && isShort(operand) && isSingle(instruction.type)) return { issues: count, pipe: 'fp32', latency: latency.alu };
        if (!wide && isSingle(operand) && isShort(instruction.type)) return { issues: count, pipe: 'int', latency: latency.alu };
        return { issues: 1, pipe: 'special', latency: wide ? 2 * latency.special : latency.special / 2 };
      default:
    }
    return wide ? { issues: count, pipe: 'fp64', latency: latency.fp64 } : { issues: count, pipe: 'fp32', latency: latency.alu };
  }

  #divisionCost(instruction: Extract<Instruction, { a: Operand; b: Operand }>): MachineCost {
    const { alu, special } = this.#latency;
    const wide = isWide(instruction.type);
    if (instruction.b.kind === 'int') {
      const isPower = (instruction.b.value & (instruction.b.value - 1n)) === 0n;
      const kind = isPower
        ? instruction.op[0] === 'u'
          ? 'shiftDivision'
          : 'signedShiftDivision'
        : wide
          ? 'wideConstantDivision'
          : 'constantDivision';
      const { instructions } = classes[kind];
      return { issues: instructions, pipe: 'int', latency: instructions * alu };
    }
    const { instructions } = classes[wide ? 'wideDivision' : 'division'];
    // The estimate of the reciprocal is floating point.
    const cost = {
      issues: instructions,
      pipe: 'int',
      visits: 0.6,
      latency: (wide ? 2 : 1) * (2 * special + 0.6 * instructions * alu),
    } as const;
    // One of 64 bits is a branch to a short way or a call of a long one.
    return wide ? { ...cost, inOrder: true } : cost;
  }

  #callCost(call: Extract<Instruction, { op: 'call' }>): MachineCost {
    const latency = this.#latency;
    const intrinsic = intrinsicOf(call.callee);
    const meant = meaningOf(call);
    const meaning = meant?.kind;
    if (!intrinsic) return { issues: classes.call.instructions, pipe: 'int', latency: 40 };
    switch (meaning) {
      case 'cachedLoad':
        return { issues: 1, pipe: undefined, latency: 0, memory: 'load' };
      case 'image':
        if (meant?.kind !== 'image' || meant.call === 'level') break;
        return { issues: 1, pipe: undefined, latency: 0, memory: meant.call === 'surfaceWrite' ? 'store' : 'load', image: true };
      case 'copyMemory':
      case 'fillMemory':
        return { issues: 4, pipe: undefined, latency: 0, memory: 'store' };
      case 'blockBarrier':
        return { issues: 1, pipe: undefined, latency: latency.barrier, barrier: 'block' };
      case 'clusterBarrier':
        return { issues: 1, pipe: undefined, latency: latency.barrier, barrier: 'cluster' };
      case 'gridBarrier':
        return { issues: GRID_BARRIER_INSTRUCTIONS, pipe: undefined, latency: latency.barrier, barrier: 'grid' };
      case 'warpBarrier':
        return { issues: 1, pipe: undefined, latency: latency.alu };
      case 'register':
        return NOTHING;
      case 'shuffle':
      case 'vote':
      case 'match':
      case 'reduceLanes':
      case 'activeMask':
        return { issues: 1, pipe: undefined, latency: latency.exchange };
      default:
    }
    const fast = fastFunctions.get(/^__nv_fast_(\w+)f$/.exec(call.callee)?.[1] ?? '');
    if (fast) {
      const { instructions, special } = fast;
      const others = instructions - special;
      const chain = special * latency.special + others * latency.alu;
      return { issues: instructions, pipe: 'fp32', visits: others / instructions, special, latency: chain };
    }
    const wide = isDouble(call.type) || call.args.some(({ type }) => isDouble(type));
    const named = priceOf(functions, call.callee);
    const double = wide ? priceOf(doubleFunctions, call.callee) : undefined;
    if (double) {
      const { instructions, fp64 } = double;
      const waits = latency.special + CHAINED_SHARE * fp64 * latency.fp64;
      return { issues: instructions, pipe: 'fp64', visits: fp64 / instructions, latency: waits, inOrder: true };
    }
    const instructions =
      (named?.instructions ?? classes[intrinsic.cost].instructions) * (wide && (named?.instructions ?? 0) > 1 ? doubleFunctionFactor : 1);
    if (intrinsic.cost === 'function' || named !== undefined) {
      const step = wide ? latency.fp64 : latency.alu;
      const cost = { issues: instructions, pipe: wide ? 'fp64' : 'fp32', latency: latency.special + 0.7 * instructions * step } as const;
      return named?.branches ? { ...cost, inOrder: true } : cost;
    }
    if (intrinsic.cost === 'fastFunction') return { issues: 2, pipe: 'special', latency: latency.special + latency.alu };
    return { issues: instructions, pipe: wide ? 'fp64' : 'fp32', latency: instructions * (wide ? latency.fp64 : latency.alu) };
  }
}

function withSlowPath(cost: MachineCost, instruction: Instruction): MachineCost {
  const slow = slowPathsOf(instruction)
    .map(({ name }) => slowPaths.get(name))
    .find((each) => each !== undefined);
  return slow ? { ...cost, slow } : cost;
}

/** Blocks that end with the branch by which a loop goes round: nvcc tests at the end of a loop what Clang may test at its head. */
function turningBlocks(fn: IrFunction, { loops }: Loops): ReadonlySet<number> {
  const isTest = (block: number): boolean => fn.blocks[block].instructions.at(-1)?.op === 'condbr';
  return new Set(
    loops.flatMap(({ header, latches, exits }) => {
      const tests = latches.filter(isTest);
      return tests.length > 0 ? tests : isTest(header) ? [header] : exits.map(({ from }) => from).slice(0, 1);
    }),
  );
}

/** Instructions of the IR that a loop has when it is written out, and how often it is at most. */
const LONGEST_WRITTEN = 200;
const MOST_WRITTEN = 16;

/**
 * Loops of several blocks that count up to a constant and that lanes may leave before (`break`): NVVM writes them out, and what is left of counting
 * is one branch for all of these rounds. By the block in which they ask whether they have counted far enough.
 */
function writtenOut({ blocks }: IrFunction, { loops }: Loops): ReadonlyMap<number, { readonly rounds: number; readonly latch: number }> {
  const written = new Map<number, { readonly rounds: number; readonly latch: number }>();
  loops.forEach(({ header, blocks: members, latches, exits }, index) => {
    if (members.length < 2 || latches.length !== 1 || loops.some(({ outer }) => outer === index)) return;
    const inside = members.flatMap((block) => blocks[block].instructions);
    if (inside.some((each) => each.op === 'condbr' && each.keepsRounds)) return;
    const size = inside.filter(({ op }) => op !== 'phi').length;
    for (const { from } of exits) {
      const rounds = constantRounds(blocks[header], blocks[from], inside);
      if (rounds === undefined) continue;
      written.set(from, { rounds: Math.max(1, Math.min(MOST_WRITTEN, rounds, Math.floor(LONGEST_WRITTEN / size))), latch: latches[0] });
      return;
    }
  });
  return written;
}

/** How often a loop goes round whose counter starts at a constant and is compared with one in a block that leaves the loop. */
function constantRounds(header: Block, leaving: Block, inside: readonly Instruction[]): number | undefined {
  const end = leaving.instructions.at(-1)!;
  const condition = end.op === 'condbr' && end.condition.kind === 'value' ? end.condition.id : undefined;
  const test = inside.find(({ id }) => id === condition);
  if (test?.op !== 'icmp' || test.b.kind !== 'int' || test.a.kind !== 'value') return undefined;
  const { a: tested, b: limit } = test;
  for (const phi of header.instructions) {
    if (phi.op !== 'phi') break;
    const isPhi = (operand: Operand): boolean => operand.kind === 'value' && operand.id === phi.id;
    const next = inside.find((each) => each.op === 'add' && isPhi(each.a) && (isPhi(tested) || each.id === tested.id));
    const start = phi.incoming.find(({ value }) => value.kind === 'int')?.value;
    if (next?.op !== 'add' || next.b.kind !== 'int' || next.type.kind !== 'int' || start?.kind !== 'int') continue;
    const step = BigInt.asIntN(next.type.bits, next.b.value);
    const rounds =
      step === 0n ? 0 : Number((BigInt.asIntN(next.type.bits, limit.value) - BigInt.asIntN(next.type.bits, start.value)) / step);
    return rounds > 1 ? rounds : undefined;
  }
  return undefined;
}

/** Of a function of the mathematics library by its plain name: `__nv_sqrtf`, `llvm.sqrt.f32`, `sqrt.rn`. */
function priceOf<Price>(prices: ReadonlyMap<string, Price>, callee: string): Price | undefined {
  const name = callee.replace(/^__nv_|^llvm\.(nvvm\.)?/, '').replace(/\.(rn|approx|f32|f64|ftz).*$/, '');
  return prices.get(name) ?? prices.get(name.replace(/f$/, ''));
}

function isWide(type: Type): boolean {
  return type.kind === 'int' && type.bits > 32;
}

function isSingle(type: Type): boolean {
  return type.kind === 'float' && type.format === 'float';
}

/** A number of 16 bits. */
function isShort(type: Type): boolean {
  return type.kind === 'float' && (type.format === 'half' || type.format === 'bfloat');
}

function isDouble(type: Type): boolean {
  return type.kind === 'float' && type.format === 'double';
}
