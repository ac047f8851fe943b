/**
 * A kernel with the functions that it calls written into it, so that the compiler has to do with one function only. Blocks know which
 * function's they were, and sites keep their origin, because counters, meeting points and what the analyses found stay those of the
 * functions as they are in the module.
 */

import { alignUp, sizeOf, storeSizeOf } from '../ir/layout.ts';
import { FUNCTION_END, reconvergenceBlocks } from '../ir/reconvergence.ts';
import {
  type Block,
  type Instruction,
  type IrFunction,
  type IrModule,
  type Operand,
  type Parameter,
  type Type,
  UnsupportedIr,
} from '../ir/types.ts';
import { byvalOffsets, CALL_BYTES } from '../machine/stack.ts';
import { waitingBackEdges } from '../simt/waiting-loops.ts';

export interface Origin {
  readonly fn: IrFunction;
  readonly site: number;
}

export interface InlinedKernel {
  readonly fn: IrFunction;
  /** By block: where lanes that part at its end meet again, or FUNCTION_END. */
  readonly meeting: Int32Array;
  /** By site: the instruction in the module; undefined for what only inlining has put there. */
  readonly origins: readonly (Origin | undefined)[];
  /** Offset in local memory of each variable of constant size. */
  readonly locals: ReadonlyMap<Instruction, number>;
  /** Bytes of local memory of a lane. */
  readonly localBytes: number;
  /** Blocks that end where a function was called: the block to which it returns. */
  readonly calls: ReadonlyMap<number, number>;
  /** Blocks that end where a called function returns. */
  readonly returns: ReadonlySet<number>;
  /** Back edges, as "from to", of loops in which lanes may be waiting for others. */
  readonly waitingEdges: ReadonlySet<string>;
}

const WORD = { kind: 'int', bits: 32 } as const;
const BYTE = { kind: 'int', bits: 8 } as const;
const POINTER = { kind: 'ptr', space: 0 } as const;
/** More code than this is left to the interpreter. */
const MOST_INSTRUCTIONS = 30_000;

/** `stackBase`: bytes of local memory before the kernel's own frame. Throws UnsupportedIr for what cannot be inlined. */
export function inlineCalls(module: IrModule, kernel: IrFunction, stackBase: number): InlinedKernel {
  const inliner = new Inliner(module);
  return inliner.kernel(kernel, stackBase);
}

interface DraftBlock {
  label: string;
  instructions: Instruction[];
  successors: number[];
  meeting: number;
}

/** One copy of a function in the kernel. */
interface Copy {
  readonly fn: IrFunction;
  /** By the function's values: what stands for them. */
  readonly values: (Operand | undefined)[];
  /** First and last piece of each block. */
  readonly first: number[];
  readonly last: number[];
  readonly meetings: Int32Array;
  /** Block that the lanes go to when the function returns; undefined for the kernel. */
  readonly next: number | undefined;
  readonly frame: ReadonlyMap<Instruction, number>;
  readonly stackTop: number;
}

class Inliner {
  readonly #module: IrModule;
  readonly #blocks: DraftBlock[] = [];
  readonly #origins: (Origin | undefined)[] = [];
  readonly #locals = new Map<Instruction, number>();
  #values = 0;
  #localBytes = 0;
  readonly #active = new Set<string>();
  readonly #calls = new Map<number, number>();
  readonly #returns = new Set<number>();
  readonly #waitingEdges = new Set<string>();

  constructor(module: IrModule) {
    this.#module = module;
  }

  kernel(kernel: IrFunction, stackBase: number): InlinedKernel {
    this.#values = kernel.parameters.length;
    const values: (Operand | undefined)[] = new Array(kernel.valueCount);
    kernel.parameters.forEach(({ type }, id) => {
      values[kernel.parameters[id].id] = { kind: 'value', id, type };
    });
    this.#copy(kernel, { values, next: undefined, stackBase });
    const predecessors = this.#blocks.map(() => [] as number[]);
    this.#blocks.forEach(({ successors }, index) => {
      for (const s of successors) predecessors[s].push(index);
    });
    const blocks = this.#blocks.map(
      ({ label, instructions, successors }, index): Block => ({
        index,
        label,
        instructions,
        successors,
        predecessors: predecessors[index],
      }),
    );
    const fn: IrFunction = {
      ...kernel,
      parameters: kernel.parameters.map((p, id) => ({ ...p, id })),
      blocks,
      valueCount: this.#values,
      siteCount: this.#origins.length,
    };
    const meeting = Int32Array.from(this.#blocks, (b) => b.meeting);
    return {
      fn,
      meeting,
      origins: this.#origins,
      locals: this.#locals,
      localBytes: this.#localBytes,
      calls: this.#calls,
      returns: this.#returns,
      waitingEdges: this.#waitingEdges,
    };
  }

  /** Appends the blocks of a function; returns the entry and, by its block, the values it returns. */
  #copy(
    fn: IrFunction,
    { values, next, stackBase }: { values: (Operand | undefined)[]; next: number | undefined; stackBase: number },
  ): { entry: number; returns: { block: number; value: Operand | undefined }[] } {
    if (this.#active.has(fn.name)) throw new UnsupportedIr(`recursion is not compiled (${fn.name})`);
    this.#active.add(fn.name);
    const { frame, stackTop } = layOutFrame(fn, stackBase);
    this.#localBytes = Math.max(this.#localBytes, stackTop);
    const copy: Copy = {
      fn,
      values,
      first: fn.blocks.map(() => this.#addBlock()),
      last: [],
      meetings: reconvergenceBlocks(fn),
      next,
      frame,
      stackTop,
    };
    // Values first: a phi may name one that comes later.
    for (const block of fn.blocks) {
      for (const { id, type } of block.instructions) if (id >= 0) values[id] = { kind: 'value', id: this.#values++, type };
    }
    const returns: { block: number; value: Operand | undefined }[] = [];
    const phis: { readonly at: DraftBlock; readonly index: number; readonly phi: Extract<Instruction, { op: 'phi' }> }[] = [];
    for (const block of fn.blocks) {
      let at = copy.first[block.index];
      this.#blocks[at].label = block.label;
      for (const instruction of block.instructions) {
        if (instruction.op === 'call' && this.#module.functions.has(instruction.callee)) {
          at = this.#inlineCall(copy, instruction, at);
          continue;
        }
        if (instruction.op === 'phi') phis.push({ at: this.#blocks[at], index: this.#blocks[at].instructions.length, phi: instruction });
        this.#emit(copy, instruction, at, returns);
      }
      copy.last[block.index] = at;
      const meeting = copy.meetings[block.index];
      this.#blocks[at].meeting = meeting !== FUNCTION_END ? copy.first[meeting] : (next ?? FUNCTION_END);
    }
    for (const { at, index, phi } of phis) {
      const incoming = phi.incoming.map(({ value, block }) => ({ value: operandIn(copy, value), block: copy.last[block] }));
      at.instructions[index] = { ...(at.instructions[index] as typeof phi), incoming };
    }
    for (const edge of waitingBackEdges(fn, this.#module)) {
      const [from, to] = edge.split(' ').map(Number);
      this.#waitingEdges.add(`${copy.last[from]} ${copy.first[to]}`);
    }
    this.#active.delete(fn.name);
    return { entry: copy.first[0], returns };
  }

  /** Ends the current block at a call and continues in a new one; returns that. */
  #inlineCall(copy: Copy, call: Extract<Instruction, { op: 'call' }>, at: number): number {
    const callee = this.#module.functions.get(call.callee)!;
    if (callee.parameters.length !== call.args.length)
      throw new UnsupportedIr(`a call with other arguments than ${callee.name} has`, call.location);
    const after = this.#addBlock();
    const values: (Operand | undefined)[] = new Array(callee.valueCount);
    const { offsets, bytes } = byvalOffsets(callee.parameters);
    callee.parameters.forEach(({ id, byval }, index) => {
      const argument = operandIn(copy, call.args[index]);
      values[id] = byval ? this.#copyStructure(at, argument, { ...byval, offset: copy.stackTop + offsets[index]! }) : argument;
    });
    const site = this.#site({ fn: copy.fn, site: call.site });
    const before = this.#blocks[at];
    const { entry, returns } = this.#copy(callee, { values, next: after, stackBase: copy.stackTop + bytes });
    before.instructions.push({ op: 'br', target: entry, id: -1, type: { kind: 'void' }, site, location: call.location });
    before.successors.push(entry);
    this.#calls.set(at, after);
    before.meeting = FUNCTION_END;
    this.#blocks[after].label = `${before.label}.after.${callee.name}`;
    if (call.id >= 0) {
      const result = copy.values[call.id]!;
      if (result.kind !== 'value') throw new Error('a call defines a value');
      const incoming = returns.map(({ block, value }) => ({ block, value: value ?? ({ kind: 'undef', type: call.type } as const) }));
      this.#blocks[after].instructions.push({
        op: 'phi',
        incoming,
        id: result.id,
        type: call.type,
        site: this.#site(undefined),
        location: call.location,
      });
    }
    return after;
  }

  /** Gives a callee its own copy of a structure, in local memory; the instructions that do it count for nothing. A pointer to the copy. */
  #copyStructure(
    at: number,
    from: Operand,
    { type, align, offset }: NonNullable<Parameter['byval']> & { readonly offset: number },
  ): Operand {
    const { instructions } = this.#blocks[at];
    const base = (of: Type) => ({ id: this.#values++, type: of, site: this.#site(undefined) });
    const count = { kind: 'int', type: WORD, value: 1n } as const;
    const variable: Instruction = { op: 'alloca', allocated: type, count, align, ...base(POINTER) };
    this.#locals.set(variable, offset);
    instructions.push(variable);
    const to: Operand = { kind: 'value', id: variable.id, type: POINTER };
    const place = (start: Operand, distance: number): Operand => {
      const address: Instruction = { op: 'getelementptr', base: start, offset: distance, terms: [], ...base(POINTER) };
      instructions.push(address);
      return { kind: 'value', id: address.id, type: POINTER };
    };
    const end = sizeOf(type);
    for (let done = 0; done < end; ) {
      const piece = align >= 4 && done + 4 <= end ? WORD : BYTE;
      const moved = { align: piece.bits / 8, volatile: false };
      const load: Instruction = { op: 'load', pointer: place(from, done), ...moved, ...base(piece) };
      const value: Operand = { kind: 'value', id: load.id, type: piece };
      const site = this.#site(undefined);
      instructions.push(load, { op: 'store', value, pointer: place(to, done), ...moved, id: -1, type: { kind: 'void' }, site });
      done += piece.bits / 8;
    }
    return to;
  }

  #emit(copy: Copy, instruction: Instruction, at: number, returns: { block: number; value: Operand | undefined }[]): void {
    const block = this.#blocks[at];
    const site = this.#site({ fn: copy.fn, site: instruction.site });
    if (instruction.op === 'ret' && copy.next !== undefined) {
      returns.push({ block: at, value: instruction.value && operandIn(copy, instruction.value) });
      this.#returns.add(at);
      block.instructions.push({ op: 'br', target: copy.next, id: -1, type: { kind: 'void' }, site, location: instruction.location });
      block.successors.push(copy.next);
      return;
    }
    const id = instruction.id < 0 ? -1 : (copy.values[instruction.id] as { id: number }).id;
    const moved = moveInstruction(copy, { ...instruction, id, site });
    if (instruction.op === 'alloca') {
      const offset = copy.frame.get(instruction);
      if (offset !== undefined) this.#locals.set(moved, offset);
    }
    block.instructions.push(moved);
    block.successors.push(...successorsOf(moved));
  }

  #addBlock(): number {
    this.#blocks.push({ label: '', instructions: [], successors: [], meeting: FUNCTION_END });
    return this.#blocks.length - 1;
  }

  #site(origin: Origin | undefined): number {
    this.#origins.push(origin);
    if (this.#origins.length > MOST_INSTRUCTIONS) throw new UnsupportedIr('the kernel is too large to be compiled');
    return this.#origins.length - 1;
  }
}

function layOutFrame(fn: IrFunction, stackBase: number): { frame: ReadonlyMap<Instruction, number>; stackTop: number } {
  const frame = new Map<Instruction, number>();
  let bytes = CALL_BYTES;
  for (const block of fn.blocks) {
    for (const instruction of block.instructions) {
      if (instruction.op !== 'alloca' || instruction.count.kind !== 'int') continue;
      bytes = alignUp(bytes, instruction.align);
      frame.set(instruction, stackBase + bytes);
      bytes += storeSizeOf(instruction.allocated) * Number(instruction.count.value);
    }
  }
  return { frame, stackTop: alignUp(stackBase + bytes, 16) };
}

function operandIn(copy: Copy, operand: Operand): Operand {
  if (operand.kind !== 'value') return operand;
  const value = copy.values[operand.id];
  if (!value) throw new UnsupportedIr(`use of an undefined value in ${copy.fn.name}`);
  return value;
}

function successorsOf(instruction: Instruction): readonly number[] {
  switch (instruction.op) {
    case 'br':
      return [instruction.target];
    case 'condbr':
      return instruction.then === instruction.else ? [instruction.then] : [instruction.then, instruction.else];
    case 'switch':
      return [...new Set([instruction.default, ...instruction.cases.map((c) => c.block)])];
    default:
      return [];
  }
}

/** The instruction with its operands and targets in the kernel; a phi keeps its incoming values, which are not all known yet. */
function moveInstruction(copy: Copy, i: Instruction): Instruction {
  const o = (operand: Operand): Operand => operandIn(copy, operand);
  const b = (block: number): number => copy.first[block];
  switch (i.op) {
    case 'phi':
      return i;
    case 'br':
      return { ...i, target: b(i.target) };
    case 'condbr':
      // biome-ignore lint/suspicious/noThenProperty: a branch has a then
      return { ...i, condition: o(i.condition), then: b(i.then), else: b(i.else) };
    case 'switch':
      return { ...i, value: o(i.value), default: b(i.default), cases: i.cases.map((c) => ({ ...c, block: b(c.block) })) };
    case 'select':
      return { ...i, condition: o(i.condition), a: o(i.a), b: o(i.b) };
    case 'alloca':
      return { ...i, count: o(i.count) };
    case 'load':
      return { ...i, pointer: o(i.pointer) };
    case 'store':
      return { ...i, value: o(i.value), pointer: o(i.pointer) };
    case 'getelementptr':
      return { ...i, base: o(i.base), terms: i.terms.map((t) => ({ ...t, index: o(t.index) })) };
    case 'atomicrmw':
      return { ...i, pointer: o(i.pointer), value: o(i.value) };
    case 'cmpxchg':
      return { ...i, pointer: o(i.pointer), expected: o(i.expected), replacement: o(i.replacement) };
    case 'extractvalue':
      return { ...i, aggregate: o(i.aggregate) };
    case 'insertvalue':
      return { ...i, aggregate: o(i.aggregate), value: o(i.value) };
    case 'extractelement':
      return { ...i, vector: o(i.vector), index: o(i.index) };
    case 'insertelement':
      return { ...i, vector: o(i.vector), value: o(i.value), index: o(i.index) };
    case 'call':
      return { ...i, args: i.args.map(o) };
    case 'callIndirect':
      return { ...i, callee: o(i.callee), args: i.args.map(o) };
    case 'ret':
      return i.value ? { ...i, value: o(i.value) } : i;
    case 'fence':
    case 'unreachable':
      return i;
    default:
      return 'b' in i ? { ...i, a: o(i.a), b: o(i.b) } : { ...i, a: o(i.a) };
  }
}
