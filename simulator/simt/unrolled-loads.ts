/**
 * `x[j] += x[j - 1]`: where a loop has been unrolled, one copy of its body loads what the one before has stored. NVVM unrolls first and
 * then looks for what need not be loaded (GVN), so that only the first copy loads `x[j - 1]`; LLVM 22 looks first. What it does about
 * equal loads when it unrolls leaves those of what an earlier copy has stored (nvcc's PTX of 87 loops).
 *
 * ptxas looks again when it has unrolled a second time, also from a block to the only one that leads on from it, but knows two
 * addresses for one only where they are one register and a number: not those that go on by a size of the launch (its machine code of the
 * same loops, and the requests of adi_field_sweeps in h200-practice.json).
 */
import { storeSizeOf } from '../ir/layout.ts';
import { type MemoryRoots, mayAlias, mayChangeMemory, memoryRoots } from '../ir/memory-roots.ts';
import { isPlain } from '../ir/operands.ts';
import { rebuilt, withOperands } from '../ir/rebuild.ts';
import type { Block, Instruction, IrFunction, IrModule, Operand, Type } from '../ir/types.ts';
import { type LinearAddress, LinearAddresses, mayOverlap } from './linear-address.ts';
import { findLoops } from './loops.ts';
import { isOfRounds } from './unroll-again.ts';

/** What memory is known to hold at a place of a function. */
interface Known {
  readonly pointer: Operand;
  readonly address: LinearAddress;
  readonly type: Type;
  readonly value: Operand;
}

type By = 'optimiser' | 'assembler';
type Load = Extract<Instruction, { op: 'load' }>;

/** Loads of what an earlier copy of a loop's body has stored, as NVVM does without them. */
export function forwardUnrolled(module: IrModule): IrModule {
  return forwardedBy('optimiser', module);
}

/** The same as ptxas does it. */
export function forwardUnrolledAgain(module: IrModule): IrModule {
  return forwardedBy('assembler', module);
}

function forwardedBy(by: By, module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) {
    functions.set(
      name,
      forwarded(by, fn, () => memoryRoots(fn, (variable) => module.globals.get(variable)?.space)),
    );
  }
  return { ...module, functions };
}

function forwarded(by: By, fn: IrFunction, findRoots: () => MemoryRoots): IrFunction {
  if (fn.variables) return fn;
  const { innermost } = findLoops(fn);
  const blocks = fn.blocks.filter(({ index, label }) => innermost[index] >= 0 || isOfRounds(label));
  if (!blocks.some(hasSeveral)) return fn;
  const memory = new BlockMemory(fn, findRoots(), by);
  const values = new Map<number, Operand>();
  for (const block of blocks) memory.forward(block, values);
  return values.size === 0 ? fn : withoutLoads(fn, values);
}

/** Loads, and something that may have loaded or stored the same before. */
function hasSeveral({ instructions }: Block): boolean {
  const accesses = instructions.filter(({ op }) => op === 'load' || op === 'store');
  return accesses.length > 1 && accesses.some(({ op }) => op === 'load');
}

/** The function without loads whose values are known, which may be those of other such loads. */
function withoutLoads(fn: IrFunction, values: ReadonlyMap<number, Operand>): IrFunction {
  const replaced = (operand: Operand): Operand => {
    let at = operand;
    for (let known: Operand | undefined = at; known; known = at.kind === 'value' ? values.get(at.id) : undefined) at = known;
    return at;
  };
  const blocks = fn.blocks.map(({ label, instructions }) => ({
    label,
    instructions: instructions
      .filter(({ id }) => !values.has(id))
      .map(({ site: _, ...draft }) => withOperands(draft as Instruction, replaced)),
  }));
  return rebuilt(fn, blocks, fn.valueCount);
}

/** What is loaded first and last in a block. */
interface OfLoop {
  /** Loads that nothing in front of them in the block may change. */
  readonly first: readonly Load[];
  /** What the block leaves in memory so many bytes behind a load, if it is known. */
  last(load: Load, further: number): Operand | undefined;
}

export class BlockMemory {
  readonly #roots: MemoryRoots;
  readonly #by: By;
  readonly #addresses: LinearAddresses;
  readonly #unchanging: ReadonlySet<number>;
  /** By block that was looked at: what is known at its end. */
  readonly #atEnd = new Map<number, readonly Known[]>();

  constructor(fn: IrFunction, roots: MemoryRoots, by: By = 'optimiser') {
    this.#roots = roots;
    this.#by = by;
    this.#addresses = new LinearAddresses(fn, { products: by === 'optimiser', joins: true });
    this.#unchanging = new Set(fn.parameters.filter(({ unchanging }) => unchanging).map(({ id }) => id));
  }

  /** Adds the values of loads of a block that need not be loaded. */
  forward({ index, instructions, predecessors }: Block, values: Map<number, Operand>): void {
    const [before] = predecessors;
    let known: readonly Known[] = (this.#by === 'assembler' && predecessors.length === 1 && this.#atEnd.get(before)) || [];
    for (const instruction of instructions) {
      if ((instruction.op === 'load' || instruction.op === 'store') && isPlain(instruction)) {
        const { pointer } = instruction;
        const address = this.#addresses.of(pointer);
        if (instruction.op === 'store') {
          const written = { pointer, address, type: instruction.value.type, value: instruction.value };
          known = [...known.filter((each) => !this.#mayMeet(each, written)), written];
        } else {
          const { id, type } = instruction;
          const found = known.find((each) => isSame(each, address, type));
          if (found) values.set(id, found.value);
          else if (this.#by === 'assembler') known = [...known, { pointer, address, type, value: { kind: 'value', id, type } }];
        }
      } else if (mayChangeMemory(instruction)) known = known.filter(({ pointer }) => this.#isUnchanging(pointer));
    }
    this.#atEnd.set(index, known);
  }

  ofLoop({ instructions }: Block): OfLoop {
    const first: Load[] = [];
    const written: Known[] = [];
    let known: readonly Known[] = [];
    let isFirst = true;
    for (const instruction of instructions) {
      if ((instruction.op === 'load' || instruction.op === 'store') && isPlain(instruction)) {
        const { pointer } = instruction;
        const address = this.#addresses.of(pointer);
        if (instruction.op === 'store') {
          const store = { pointer, address, type: instruction.value.type, value: instruction.value };
          written.push(store);
          known = [...known.filter((each) => !this.#mayMeet(each, store)), store];
        } else {
          const { id, type } = instruction;
          const load = { pointer, address, type, value: { kind: 'value', id, type } } as const;
          if (isFirst && !written.some((each) => this.#mayMeet(load, each))) first.push(instruction);
          known = [...known, load];
        }
      } else if (mayChangeMemory(instruction)) {
        isFirst = false;
        known = known.filter(({ pointer }) => this.#isUnchanging(pointer));
      }
    }
    return {
      first,
      last: ({ pointer, type }, further) => {
        const address = this.#addresses.of(pointer);
        return known.find((each) => isSame(each, { ...address, offset: address.offset + further }, type))?.value;
      },
    };
  }

  /** The number that is added to an address. */
  offsetOf(pointer: Operand): number {
    return this.#addresses.of(pointer).offset;
  }

  #mayMeet(read: Known, written: Known): boolean {
    if (this.#isUnchanging(read.pointer) || !mayAlias(this.#roots, read.pointer, written.pointer)) return false;
    return mayOverlap(read.address, storeSizeOf(read.type), written.address, storeSizeOf(written.type));
  }

  /** `ld.global.nc` of PTX. */
  #isUnchanging(pointer: Operand): boolean {
    return this.#roots.rootsOf(pointer).every((root) => root.kind === 'parameter' && this.#unchanging.has(root.id));
  }
}

function isSame({ address, type }: Known, other: LinearAddress, otherType: Type): boolean {
  return address.key === other.key && address.offset === other.offset && JSON.stringify(type) === JSON.stringify(otherType);
}
