/**
 * Lines as nvcc's line table has them, which Nsight Compute shows: code of CUDA's own headers at the line of the header that carries it
 * (nvcc-lines.json: CUDA 13.0), instead of the line that calls it. Functions that the table does not know, and those that nvcc builds
 * in (`__syncthreads`, `sinf`), stay at the call.
 *
 * Where nvcc first enters the code of an inlined call, of a header or of the program itself, its table has the lines of the calls as
 * well for the same address, and they stand until the next entry: so the first machine instructions of a call count at each of these
 * lines, and those that follow in the same line of the callee. Machine code of nvcc 13.0 for two dozen atomics, and rows of an H200
 * (atomics.cu, histogram.cu; ne, projectile, rainflow and bincount of HeCBench). An atomic of a header is that first instruction, or
 * in one piece with it where the compiler aggregates it or makes a loop of it; but where an operand must be brought into a register
 * first (a constant, a parameter that nothing else reads) and another is computed, ptxas puts the computation between the two.
 */
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction, Location, Operand } from '../ir/types.ts';
import type { FunctionFacts } from '../simt/analyze.ts';
import { spinsInShared } from '../simt/atomics.ts';
import { demangle } from '../toolchain/demangle.ts';
import table from './nvcc-lines.json' with { type: 'json' };

const LINES: ReadonlyMap<string, string> = new Map(
  Object.entries(table.lines).flatMap(([header, functions]) =>
    Object.entries(functions).map(([signature, line]) => [signature, `${header}:${line}`] as const),
  ),
);

/** `header:line` of the innermost function of CUDA's headers that a location was inlined from, if the table has it. */
export function headerLine(location: Location | undefined): string | undefined {
  for (let at = location; at; at = at.inlinedAt) {
    const line = at.linkageName && LINES.get(signature(at.linkageName));
    if (line) return line;
  }
  return undefined;
}

/** How the table spells a function: name and parameters, without spaces, `const`, template arguments and result. */
export function signature(linkageName: string): string {
  const text = demangle(linkageName);
  const open = text.indexOf('(');
  const name = text.slice(0, open).replace(/<.*>/, '').split(' ').at(-1);
  return `${name}${text
    .slice(open)
    .replace(/\bconst\b/g, '')
    .replace(/ /g, '')}`;
}

const knownEntries = new WeakMap<IrFunction, Entries>();

/** By site: the calls whose lines count an instruction as well, because it is where nvcc first enters their code. */
export type Entries = ReadonlyMap<number, readonly Location[]>;

export function entriesOf(fn: IrFunction): Entries {
  const known = knownEntries.get(fn);
  if (known) return known;
  const entries = new Map<number, readonly Location[]>();
  knownEntries.set(fn, entries);
  const entered = new Set<Location>();
  for (const { instructions } of fn.blocks) {
    let last: Location | undefined;
    let calls: readonly Location[] = [];
    for (const { site, op, location } of instructions) {
      // A phi or a cast is no machine instruction, and line 0 no entry of the table.
      if (!location || location.line === 0 || NO_CODE.has(op)) continue;
      if (last?.line !== location.line || last.file !== location.file || last.inlinedAt !== location.inlinedAt) {
        calls = callsTo(location).filter((call) => !entered.has(call));
        for (const call of calls) entered.add(call);
        last = location;
      }
      if (calls.length > 0) entries.set(site, calls);
    }
  }
  return entries;
}

const NO_CODE: ReadonlySet<Instruction['op']> = new Set(['phi', 'freeze', 'bitcast', 'addrspacecast', 'extractvalue', 'insertvalue']);

function callsTo({ inlinedAt }: Location): readonly Location[] {
  return inlinedAt ? [inlinedAt, ...callsTo(inlinedAt)] : [];
}

/** By value: how many operands of a function it is. */
export type Uses = ReadonlyMap<number, number>;

/** Programs may launch a kernel thousands of times. */
const knownUses = new WeakMap<IrFunction, Uses>();

export function usesOf(fn: IrFunction): Uses {
  const known = knownUses.get(fn);
  if (known) return known;
  const uses = new Map<number, number>();
  knownUses.set(fn, uses);
  for (const { instructions } of fn.blocks) {
    for (const operand of instructions.flatMap(operandsOf)) {
      if (operand.kind === 'value') uses.set(operand.id, (uses.get(operand.id) ?? 0) + 1);
    }
  }
  return uses;
}

interface Surroundings {
  readonly fn: IrFunction;
  readonly uses: Uses;
  readonly facts: FunctionFacts;
  /** The instruction went to shared memory in this launch. */
  readonly inShared: boolean;
}

/** Does ptxas put other code between the first machine instruction of an inlined call and this one, of that call? */
export function isSetApart(instruction: Instruction, { fn, uses, facts, inShared }: Surroundings): boolean {
  if (instruction.op !== 'store' && instruction.op !== 'atomicrmw' && instruction.op !== 'cmpxchg') return false;
  // One lane's ATOM whose result all need stands behind a branch.
  if (facts.aggregated.has(instruction.site)) return uses.has(instruction.id);
  // Counting up by one takes no operand in shared memory.
  if (inShared && facts.counting.has(instruction.site)) return false;
  if (inShared && instruction.op === 'atomicrmw' && spinsInShared(instruction)) return false;
  const parameters = new Set(fn.parameters.map(({ id }) => id));
  const isParameter = (operand: Operand) => operand.kind === 'value' && parameters.has(operand.id);
  const isBrought = (operand: Operand) => {
    if (operand.kind === 'value') return isParameter(operand) && uses.get(operand.id) === 1;
    // Zero is a register of its own; a compare-and-swap wants its two values side by side in ordinary ones.
    return instruction.op === 'cmpxchg' || !isZero(operand);
  };
  const operands = operandsOf(instruction);
  return operands.some(isBrought) && operands.some((operand) => operand.kind === 'value' && !isParameter(operand));
}

function isZero(operand: Operand): boolean {
  if (operand.kind === 'int') return operand.value === 0n;
  if (operand.kind === 'float') return operand.bits === 0n;
  return operand.kind === 'zero' || operand.kind === 'undef';
}
