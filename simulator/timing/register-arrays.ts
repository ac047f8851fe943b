/**
 * Arrays of a thread that a GPU has no memory for: nvcc writes out loops with few, fixed rounds, and keeps in registers what is then indexed by
 * constants alone. Clang leaves longer bodies as loops.
 */
import type { MemoryRoots } from '../ir/memory-roots.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Block, Instruction, IrFunction, Operand } from '../ir/types.ts';

/** Rounds of a loop that is written out, at most: a guess, well above what arrays of a thread have that programs keep in registers. */
const MOST_ROUNDS = 64;

/** Sites of loads and stores that touch such arrays alone. */
export function sitesInRegisters(fn: IrFunction, roots: MemoryRoots): ReadonlySet<number> {
  const none = new Set<number>();
  const all = fn.blocks.flatMap(({ instructions }) => instructions);
  if (roots.localEscapes || !all.some(({ op }) => op === 'alloca')) return none;
  const indices = new Indices(fn);
  const accesses = all.flatMap((each) => {
    if (each.op !== 'load' && each.op !== 'store') return [];
    const locals = roots.rootsOf(each.pointer).flatMap((root) => (root.kind === 'local' ? [root.id] : []));
    return locals.length > 0 ? [{ site: each.site, locals, isFixed: indices.isFixed(each.pointer) }] : [];
  });
  const inMemory = new Set(accesses.filter(({ isFixed }) => !isFixed).flatMap(({ locals }) => locals));
  return new Set(accesses.filter(({ locals }) => !locals.some((id) => inMemory.has(id))).map(({ site }) => site));
}

/** What is a constant where its operands are. */
const COMPUTED = new Set<Instruction['op']>([
  ...(['add', 'sub', 'mul', 'shl', 'lshr', 'ashr', 'or', 'and', 'xor', 'udiv', 'sdiv', 'urem', 'srem'] as const),
  ...(['sext', 'zext', 'trunc', 'freeze', 'select', 'icmp', 'getelementptr'] as const),
]);

class Indices {
  readonly #definitions = new Map<number, { readonly instruction: Instruction; readonly block: Block }>();
  readonly #known = new Map<number, boolean>();

  constructor({ blocks }: IrFunction) {
    for (const block of blocks) {
      for (const instruction of block.instructions) if (instruction.id >= 0) this.#definitions.set(instruction.id, { instruction, block });
    }
  }

  /** Whether a value is a constant once loops with fixed rounds are written out. */
  isFixed(operand: Operand): boolean {
    if (operand.kind !== 'value') return true;
    const known = this.#known.get(operand.id);
    if (known !== undefined) return known;
    const found = this.#definitions.get(operand.id);
    // A counter comes back to itself.
    this.#known.set(operand.id, true);
    const isFixed = found !== undefined && this.#isConstant(found);
    this.#known.set(operand.id, isFixed);
    return isFixed;
  }

  #isConstant({ instruction, block }: { readonly instruction: Instruction; readonly block: Block }): boolean {
    if (instruction.op === 'alloca') return true;
    if (instruction.op === 'phi') return this.#hasFixedRounds(block) && instruction.incoming.every(({ value }) => this.isFixed(value));
    return COMPUTED.has(instruction.op) && operandsOf(instruction).every((each) => this.isFixed(each));
  }

  /** Whether a counter of the loop that begins here is compared with a constant, or with a counter of a loop around it. */
  #hasFixedRounds({ instructions }: Block): boolean {
    const counters = new Set<number>();
    for (const phi of instructions) {
      if (phi.op !== 'phi') break;
      counters.add(phi.id);
      for (const { value } of phi.incoming) if (value.kind === 'value') counters.add(value.id);
    }
    return [...this.#definitions.values()].some(
      ({ instruction }) =>
        instruction.op === 'icmp' &&
        instruction.a.kind === 'value' &&
        counters.has(instruction.a.id) &&
        (instruction.b.kind === 'int' ? instruction.b.value <= MOST_ROUNDS : this.isFixed(instruction.b)),
    );
  }
}
