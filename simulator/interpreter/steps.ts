/** What each instruction does to the cells of a frame. Instructions that move lanes (branches, calls) are in control.ts and calls.ts. */
import { elementAt, storeSizeOf } from '../ir/layout.ts';
import { type CastOp, type Instruction, type IntBinary, type Operand, type Type, UnsupportedIr } from '../ir/types.ts';
import { LOCAL_BASE, SHARED_BASE } from '../machine/address-map.ts';
import { functionFacts } from '../simt/analyze.ts';
import { spinsInShared } from '../simt/atomics.ts';
import { atomicStep, cmpxchgStep } from './atomics.ts';
import { MAX_LOCAL_BYTES } from './calls.ts';
import { castLanes } from './casts.ts';
import { copyLane, copyLanes, getBits, type Leaf, leavesOf, setBits } from './cells.ts';
import { FLOAT_BINARY, FLOAT_COMPARE, type FloatFormat, floatLoop, floatTestLoop, floatView } from './floats.ts';
import { icmpLoop, intBinaryLoop } from './integers.ts';
import type { LaneLoop } from './lane-loop.ts';
import { type AccessSite, loadLanes, storeLanes } from './memory-access.ts';
import type { Step } from './program.ts';
import type { Translation } from './translate.ts';
import { FaultSignal } from './warp.ts';

export function stepFor(t: Translation, instruction: Instruction): Step {
  switch (instruction.op) {
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
      return floatStep(t, instruction, 2, [instruction.a, instruction.b], instruction.op, FLOAT_BINARY[instruction.op]);
    case 'fneg':
      return fnegStep(t, instruction, instruction.a);
    case 'icmp':
      return icmpStep(t, instruction);
    case 'fcmp':
      return fcmpStep(t, instruction);
    case 'freeze':
      return move(t.results(instruction), t.cells(instruction.a));
    case 'select':
      return selectStep(t, instruction);
    case 'alloca':
      return allocaStep(t, instruction);
    case 'load':
    case 'store':
      return memoryStep(t, instruction);
    case 'getelementptr':
      return addressStep(t, instruction);
    case 'atomicrmw':
      return atomicStep(t, instruction);
    case 'cmpxchg':
      return cmpxchgStep(t, instruction);
    case 'fence':
      return () => {};
    case 'extractvalue':
      return extractValueStep(t, instruction);
    case 'insertvalue':
      return insertValueStep(t, instruction);
    case 'extractelement':
    case 'insertelement':
      return elementStep(t, instruction);
    case 'shufflevector':
      return shuffleStep(t, instruction);
    default:
      if (isIntBinary(instruction)) return intStep(t, instruction);
      if (isCast(instruction)) return castStep(t, instruction);
      throw new UnsupportedIr(`${instruction.op} is not supported`, instruction.location);
  }
}

type Of<Op extends Instruction['op']> = Instruction & { readonly op: Op };

const INT_BINARY: ReadonlySet<string> = new Set([
  'add',
  'sub',
  'mul',
  'udiv',
  'sdiv',
  'urem',
  'srem',
  'shl',
  'lshr',
  'ashr',
  'and',
  'or',
  'xor',
]);

function isIntBinary(instruction: Instruction): instruction is Of<IntBinary> {
  return INT_BINARY.has(instruction.op);
}

function isCast(instruction: Instruction): instruction is Of<CastOp> {
  return /^(trunc|zext|sext|fptrunc|fpext|fptoui|fptosi|uitofp|sitofp|ptrtoint|inttoptr|bitcast|addrspacecast)$/.test(instruction.op);
}

/** Runs steps one after the other. */
export function sequence(steps: readonly Step[]): Step {
  if (steps.length === 1) return steps[0];
  return (path) => {
    for (const step of steps) step(path);
  };
}

export function move(to: readonly number[], from: readonly number[]): Step {
  return ({ frame: { cells }, mask }) => {
    for (let index = 0; index < to.length; index++) copyLanes(cells[to[index]], cells[from[index]], mask);
  };
}

function intStep(t: Translation, instruction: Of<IntBinary>): Step {
  const a = t.cells(instruction.a);
  const b = t.cells(instruction.b);
  const leaves = leavesOf(instruction.type);
  return sequence(
    t.results(instruction).map((result, index) => {
      const loop = intBinaryLoop(instruction.op, leaves[index].bits);
      return intLoopStep(loop, leaves[index], result, [a[index], b[index]]);
    }),
  );
}

/** A loop over integers of a leaf's width; 128-bit values go through pairs of words. */
export function intLoopStep(loop: LaneLoop, leaf: Leaf, result: number, [a, b, c]: readonly number[]): Step {
  if (leaf.kind === 'i32') {
    if (c !== undefined) return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, cells[a].i, cells[b].i, cells[c].i);
    if (b !== undefined) return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, cells[a].i, cells[b].i);
    return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, cells[a].i);
  }
  if (leaf.kind === 'i64') {
    return ({ frame: { cells }, mask }) => loop(mask, cells[result].q, cells[a].q, cells[b ?? a].q, cells[c ?? a].q);
  }
  return ({ frame: { cells }, mask }) => {
    const out: bigint[] = [];
    loop(mask, out, pairs(cells[a].q), pairs(cells[b ?? a].q), pairs(cells[c ?? a].q));
    out.forEach((value, lane) => {
      cells[result].q[2 * lane] = value;
      cells[result].q[2 * lane + 1] = value >> 64n;
    });
  };
}

function pairs(words: BigUint64Array): bigint[] {
  return Array.from({ length: 32 }, (_, lane) => words[2 * lane] | (words[2 * lane + 1] << 64n));
}

/** An operation on numbers of the format of the result, for every scalar of a type. */
export function floatStep(
  t: Translation,
  instruction: Instruction,
  arity: 1 | 2 | 3,
  operands: readonly Operand[],
  name: string,
  operation: (a: number, b: number, c: number) => number,
): Step {
  const inputs = operands.map((o) => t.cells(o));
  const format = formatOf(instruction.type);
  const loop = floatLoop(name, format, arity, operation);
  return sequence(
    t.results(instruction).map((result, index) => {
      const [a, b, c] = inputs.map((cells) => cells[index]);
      return ({ frame: { cells }, mask }) =>
        loop(
          mask,
          floatView(cells[result], format),
          floatView(cells[a], format),
          arity > 1 ? floatView(cells[b], format) : undefined,
          arity > 2 ? floatView(cells[c], format) : undefined,
        );
    }),
  );
}

/** Format of a floating-point type or of the elements of a vector of them. */
export function formatOf(type: Type): FloatFormat {
  const leaf = leavesOf(type)[0].type;
  if (leaf.kind !== 'float') throw new Error('not a floating-point type');
  return leaf.format;
}

/** Changes the sign bit and nothing else: a NaN keeps its payload. */
function fnegStep(t: Translation, instruction: Instruction, operand: Operand): Step {
  const from = t.cells(operand);
  const leaves = leavesOf(instruction.type);
  return ({ frame: { cells }, mask }) => {
    t.results(instruction).forEach((result, index) => {
      copyLanes(cells[result], cells[from[index]], mask);
      const { bits } = leaves[index];
      const words = cells[result].i;
      for (let lane = 0; lane < 32; lane++) {
        if (((mask >>> lane) & 1) === 0) continue;
        if (bits === 64) words[2 * lane + 1] ^= 0x80000000;
        else words[lane] ^= 1 << (bits - 1);
      }
    });
  };
}

function icmpStep(t: Translation, instruction: Of<'icmp'>): Step {
  const a = t.cells(instruction.a);
  const b = t.cells(instruction.b);
  const leaves = leavesOf(instruction.a.type);
  return sequence(
    t.results(instruction).map((result, index) => {
      const { kind, bits } = leaves[index];
      const loop = icmpLoop(instruction.predicate, bits);
      const [left, right] = [a[index], b[index]];
      if (kind === 'i32') return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, cells[left].i, cells[right].i);
      if (kind === 'i64') return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, cells[left].q, cells[right].q);
      return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, pairs(cells[left].q), pairs(cells[right].q));
    }),
  );
}

function fcmpStep(t: Translation, instruction: Of<'fcmp'>): Step {
  const a = t.cells(instruction.a);
  const b = t.cells(instruction.b);
  const format = formatOf(instruction.a.type);
  const loop = floatTestLoop(`fcmp ${instruction.predicate}`, format, 2, FLOAT_COMPARE[instruction.predicate]);
  return sequence(
    t.results(instruction).map(
      (result, index) =>
        ({ frame: { cells }, mask }) =>
          loop(mask, cells[result].i, floatView(cells[a[index]], format), floatView(cells[b[index]], format)),
    ),
  );
}

function castStep(t: Translation, instruction: Of<CastOp>): Step {
  const from = t.cells(instruction.a);
  const to = t.results(instruction);
  const fromLeaves = leavesOf(instruction.a.type);
  const toLeaves = leavesOf(instruction.type);
  if (instruction.op === 'addrspacecast') return spaceCastStep(instruction, from[0], to[0]);
  if (
    instruction.op === 'bitcast' &&
    fromLeaves.some((leaf, i) => toLeaves.length !== fromLeaves.length || leaf.bits !== toLeaves[i].bits)
  ) {
    return regroupStep(from, fromLeaves, to, toLeaves);
  }
  return sequence(
    to.map((result, index) => {
      const cast = castLanes(instruction.op, fromLeaves[index], toLeaves[index]);
      if (!cast) return move([result], [from[index]]);
      return ({ frame: { cells }, mask }) => cast(mask, cells[result], cells[from[index]]);
    }),
  );
}

/** A bitcast between vectors (or a vector and a scalar) of different element widths: bits are regrouped. */
function regroupStep(from: readonly number[], fromLeaves: readonly Leaf[], to: readonly number[], toLeaves: readonly Leaf[]): Step {
  return ({ frame: { cells }, mask }) => {
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      let all = 0n;
      let at = 0n;
      from.forEach((cell, index) => {
        all |= getBits(cells[cell], fromLeaves[index].kind, lane) << at;
        at += BigInt(fromLeaves[index].bits);
      });
      to.forEach((cell, index) => {
        setBits(cells[cell], toLeaves[index].kind, lane, BigInt.asUintN(toLeaves[index].bits, all));
        all >>= BigInt(toLeaves[index].bits);
      });
    }
  };
}

/** Pointers of the shared and local spaces count from their window's start. */
function spaceCastStep(instruction: Of<CastOp>, from: number, to: number): Step {
  const base = windowBase(instruction.type) - windowBase(instruction.a.type);
  return ({ frame: { cells }, mask }) => {
    const source = cells[from].i;
    const target = cells[to].i;
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) target[lane] = source[lane] - base;
  };
}

function windowBase(type: Type): number {
  if (type.kind !== 'ptr') throw new Error('an address space cast of something that is no pointer');
  return type.space === 3 ? SHARED_BASE : type.space === 5 ? LOCAL_BASE : 0;
}

function selectStep(t: Translation, instruction: Of<'select'>): Step {
  const conditions = t.cells(instruction.condition);
  const a = t.cells(instruction.a);
  const b = t.cells(instruction.b);
  return sequence(
    t.results(instruction).map((result, index) => {
      const condition = conditions[conditions.length === 1 ? 0 : index];
      return ({ frame: { cells }, mask }) => {
        const holds = cells[condition].i;
        let chosen = 0;
        for (let lane = 0; lane < 32; lane++) if (holds[lane] !== 0) chosen |= 1 << lane;
        copyLanes(cells[result], cells[a[index]], mask & chosen);
        copyLanes(cells[result], cells[b[index]], mask & ~chosen);
      };
    }),
  );
}

/** Variables of constant size have their place in the frame; others are pushed on top of it. */
function allocaStep(t: Translation, instruction: Of<'alloca'>): Step {
  const result = t.results(instruction)[0];
  const base = instruction.type.kind === 'ptr' && instruction.type.space === 5 ? 0 : LOCAL_BASE;
  const elementBytes = storeSizeOf(instruction.allocated);
  const { count } = instruction;
  if (count.kind === 'int') {
    const offset = t.reserve(elementBytes * Number(count.value), instruction.align);
    return ({ frame }) => {
      frame.cells[result].i.fill(base + frame.stackBase + offset);
    };
  }
  const counts = t.cell(count);
  return (path) => {
    const { frame, mask, warp } = path;
    let most = 0;
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) most = Math.max(most, frame.cells[counts].i[lane] >>> 0);
    const start = Math.ceil(frame.stackTop / instruction.align) * instruction.align;
    const top = Math.ceil((start + most * elementBytes) / 16) * 16;
    if (top > MAX_LOCAL_BYTES) {
      const lane = 31 - Math.clz32(mask & -mask);
      const message = `a local array of ${most * elementBytes} bytes does not fit into the thread's ${MAX_LOCAL_BYTES / 1024} KB of local memory`;
      throw new FaultSignal(path, { kind: 'stack-overflow', message, lane, location: instruction.location });
    }
    frame.stackTop = top;
    warp.local.reserve(top);
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) frame.cells[result].i[lane] = base + start;
  };
}

function memoryStep(t: Translation, instruction: Of<'load'> | Of<'store'>): Step {
  const isLoad = instruction.op === 'load';
  const type = isLoad ? instruction.type : instruction.value.type;
  const leaves = leavesOf(type);
  const bytes = storeSizeOf(type);
  if (leaves.some((leaf, index) => index > 0 && leaf.offset < leaves[index - 1].offset + leaf.bytes)) {
    throw new UnsupportedIr(`${instruction.op} of a vector with elements of less than a byte`, instruction.location);
  }
  const pointer = t.cell(instruction.pointer);
  const values = isLoad ? t.results(instruction) : t.cells(instruction.value);
  const { align } = instruction;
  const site = accessSite(t, instruction, { access: isLoad ? 'read' : 'write', pointer: instruction.pointer, bytes, align });
  const move = isLoad ? loadLanes : storeLanes;
  return (path) => {
    const { cells } = path.frame;
    const chosen = new Array(values.length);
    for (let index = 0; index < values.length; index++) chosen[index] = cells[values[index]];
    move(path, cells[pointer].i, site, leaves, chosen);
  };
}

export interface AccessOptions {
  readonly access: AccessSite['access'];
  readonly pointer: Operand;
  readonly bytes: number;
  readonly align: number;
}

export function accessSite(t: Translation, instruction: Instruction, { access, pointer, bytes, align }: AccessOptions): AccessSite {
  const { site, location } = instruction;
  const { merged, aggregated, counting } = functionFacts(t.fn, t.set.module.ir);
  const group = merged.get(site);
  const alone = group ? undefined : { bytes, offset: 0 };
  return {
    site,
    location,
    access,
    space: pointer.type.kind === 'ptr' ? pointer.type.space : 0,
    bytes,
    align: Math.min(align, powerOfTwoUpTo(bytes)),
    counted: group?.leader === site ? { bytes: group.bytes, offset: -group.leaderOffset } : alone,
    aggregation: aggregated.get(site),
    countsUp: counting.has(site),
    spins: instruction.op === 'atomicrmw' && spinsInShared(instruction),
    cache: { allocation: undefined, generation: -1 },
  };
}

/** Hardware accesses are of 1, 2, 4, 8 or 16 bytes: nothing needs to be aligned to more than what it moves. */
function powerOfTwoUpTo(bytes: number): number {
  return bytes >= 16 ? 16 : bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;
}

function addressStep(t: Translation, instruction: Of<'getelementptr'>): Step {
  const base = t.cell(instruction.base);
  const result = t.results(instruction)[0];
  const terms = instruction.terms.map(({ index, scale }) => ({ cell: t.cell(index), leaf: leavesOf(index.type)[0], scale }));
  const { offset } = instruction;
  return ({ frame: { cells }, mask }) => {
    const target = cells[result].i;
    const from = cells[base].i;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      let address = from[lane] + offset;
      for (let k = 0; k < terms.length; k++) {
        const { cell, leaf, scale } = terms[k];
        const shift = 32 - Math.min(32, leaf.bits);
        const word = cells[cell].i[leaf.kind === 'i32' ? lane : 2 * lane];
        address = (address + Math.imul((word << shift) >> shift, scale)) | 0;
      }
      target[lane] = address;
    }
  };
}

/** Scalars of a type before the part that a path of indices names, and the type of that part. */
function partOf(type: Type, path: readonly number[]): { first: number; type: Type } {
  let first = 0;
  let current = type;
  for (const index of path) {
    for (let before = 0; before < index; before++) first += leavesOf(elementAt(current, before).type).length;
    current = elementAt(current, index).type;
  }
  return { first, type: current };
}

function extractValueStep(t: Translation, instruction: Of<'extractvalue'>): Step {
  const { first } = partOf(instruction.aggregate.type, instruction.path);
  const results = t.results(instruction);
  return move(results, t.cells(instruction.aggregate).slice(first, first + results.length));
}

function insertValueStep(t: Translation, instruction: Of<'insertvalue'>): Step {
  const { first } = partOf(instruction.aggregate.type, instruction.path);
  const from = [...t.cells(instruction.aggregate)];
  const values = t.cells(instruction.value);
  from.splice(first, values.length, ...values);
  return move(t.results(instruction), from);
}

function elementStep(t: Translation, instruction: Of<'extractelement'> | Of<'insertelement'>): Step {
  const vector = t.cells(instruction.vector);
  const results = t.results(instruction);
  const { index } = instruction;
  const value = instruction.op === 'insertelement' ? t.cell(instruction.value) : undefined;
  if (index.kind === 'int') {
    const at = Number(index.value);
    if (value === undefined) return move(results, [vector[at] ?? vector[0]]);
    return move(
      results,
      vector.map((cell, i) => (i === at ? value : cell)),
    );
  }
  const indices = t.cell(index);
  const wide = leavesOf(index.type)[0].bits > 32;
  return ({ frame: { cells }, mask }) => {
    if (value !== undefined) for (const [i, result] of results.entries()) copyLanes(cells[result], cells[vector[i]], mask);
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const at = cells[indices].i[wide ? 2 * lane : lane];
      if (vector[at] === undefined) continue;
      if (value === undefined) copyLane(cells[results[0]], lane, cells[vector[at]], lane);
      else copyLane(cells[results[at]], lane, cells[value], lane);
    }
  };
}

function shuffleStep(t: Translation, instruction: Of<'shufflevector'>): Step {
  const both = [...t.cells(instruction.a), ...t.cells(instruction.b)];
  return move(
    t.results(instruction),
    instruction.mask.map((from) => both[Math.max(0, from)]),
  );
}
