/**
 * Which loops nvcc leaves as they are, said to LLVM before it optimises. NVVM unrolls a loop of unknown length only if it can count the
 * rounds by what the source says of the counter, where LLVM 22 proves more (from ranges, or from the loop's having to end). Read from
 * nvcc's PTX (13.0) of some 180 small loops; none of these is unrolled:
 *
 *   - a counter that goes on by anything but 1 and may wrap round, as unsigned ones may: `i += blockDim.x`, also of an `int`; with a number for
 *     step and end it may not if the end is near enough (`i < 1000; i += 32`, `n > 12; n -= 12`, but not `n > 4; n -= 12`);
 *   - one that is widened to be compared (`int i < long n`), if it has no sign, another step than 1 or does not start at a number;
 *   - one that is compared by `<=` with another step than 1 or without a sign;
 *   - one of 64 bits that starts at an index of the launch and goes on by a size of it (`long i = threadIdx.x; …; i += blockDim.x`);
 *   - a pointer that is compared by `<`;
 *   - a loop around another one, unless that goes from a number to a number and so may be unrolled as a whole.
 *
 * A loop whose length is known is unrolled as before, but never in threes: of 126 rounds NVVM makes two copies, of 127 or 255 four with a
 * way out before the last (PTX of 40 loops); LLVM 22 takes the largest number up to four that divides them. The text is what Clang writes before any pass, in which each variable has its alloca.
 */
import { withAtomicsAsCalls, withAtomicsOfCalls } from './atomic-calls.ts';
import { withBarrierScopes } from './barrier-scopes.ts';
import { withChosenLoads, withLoadsOfChoices } from './chosen-loads.ts';
import { withTablesInGlobalMemory } from './constant-tables.ts';
import { withEmptyEnds } from './empty-ends.ts';
import { deviceLinkArgs, output, unoptimisedArgs } from './flags.ts';
import { withSplitLoops } from './loop-splitting.ts';
import { withNaturalAlignments } from './natural-alignment.ts';
import { withOwnSharedVariables, withSizesOfLaunches } from './shared-variables.ts';
import { withRegistersAsCalls, withRegistersOfCalls } from './special-registers.ts';
import { withLoadsAfterCopies } from './stored-loads.ts';
import { withStructuresByField } from './structure-copies.ts';
import type { ToolResult, ToolRun } from './tool-run.ts';

interface Block {
  readonly label: string;
  readonly lines: readonly string[];
  readonly successors: readonly string[];
}

interface Loop {
  /** Number of its node of metadata. */
  readonly node: string;
  readonly header: Block;
  readonly latch: Block;
  readonly blocks: ReadonlySet<Block>;
  /** Those outside it. */
  readonly others: readonly Block[];
}

const [IN_TWOS, IN_FOURS] = [2, 4].map((count) => `!{!"llvm.loop.unroll.count", i32 ${count}}`);
/** Up to so many rounds, a loop may be written out; with more than so many lines of text, it may be too large for two or four copies. */
const [MOST_WRITTEN_OUT, MOST_LINES] = [66n, 90];
/** A loop of fewer rounds stays as it is, where a counter without a sign shows how many there can be. */
const FEWEST_ROUNDS = 20n;
const DISABLED = '!{!"llvm.loop.unroll.runtime.disable"}';
/** Of loops that index an array of the thread's own: NVVM writes them out as long as all rounds together have about so many instructions. */
const WRITTEN_OUT = '!{!"llvm.loop.unroll.full"}';
const MOST_INSTRUCTIONS = 3050;

/** Compiles device code in two steps, between which loops are marked, tables moved, accesses made as wide as their types and structures copied by field. */
export async function compileAsNvcc(run: ToolRun, execute: (run: ToolRun) => Promise<ToolResult>): Promise<ToolResult> {
  const written = await execute({ ...run, args: unoptimisedArgs(run.args), output: output.deviceIr });
  if (!written.output) return written;
  const told = withOwnSharedVariables(
    withTablesInGlobalMemory(withUnrollingOfNvcc(withSplitLoops(withEmptyEnds(new TextDecoder().decode(written.output))))),
  );
  const accesses = withLoadsAfterCopies(withStructuresByField(withNaturalAlignments(told)));
  const text = withRegistersAsCalls(withChosenLoads(withAtomicsAsCalls(withBarrierScopes(accesses))));
  const marked = new TextEncoder().encode(text);
  const optimised = await execute({
    args: deviceLinkArgs([output.deviceIr], 'lines'),
    files: [[output.deviceIr, marked]],
    output: output.device,
  });
  const { lookups, askedTime } = written;
  const made =
    optimised.output &&
    new TextEncoder().encode(
      withRegistersOfCalls(withLoadsOfChoices(withAtomicsOfCalls(withSizesOfLaunches(new TextDecoder().decode(optimised.output))))),
    );
  return { ...optimised, output: made, lookups, askedTime, errorText: `${written.errorText}${withPlacesInFront(optimised.errorText)}` };
}

/** Of warnings about a text of its own, LLVM says by debug information where they belong. */
function withPlacesInFront(errors: string): string {
  return errors.replace(/^warning: (\S.*?:\d+:\d+): /gm, '$1: warning: ');
}

/** The module with a mark at each loop that is not to be unrolled unless its length is known, and at those that are not to be in threes. */
export function withUnrollingOfNvcc(ir: string): string {
  const marks = new Map<string, string>();
  const sizes = new Sizes(ir);
  for (const [body] of ir.matchAll(/^define .*?^\}$/gms)) {
    if (!body.includes('!llvm.loop')) continue;
    const loops = loopsOf(blocksOf(body));
    const arrays = new Set([...body.matchAll(/^ +(%[-\w$.]+) = alloca \[/gm)].map(([, name]) => name));
    const code = { loops, variables: arrays.size > 0 ? variablesOf(body) : new Set<string>() };
    for (const loop of loops) {
      if (arrays.size > 0 && indexes(loop, arrays) && sizes.ofAllRounds(loop, code) <= MOST_INSTRUCTIONS) marks.set(loop.node, WRITTEN_OUT);
      else if (staysAsItIs(loop, loops)) marks.set(loop.node, DISABLED);
      else if (wouldBeInThrees(loop)) marks.set(loop.node, roundsOf(loop)! % 2n === 0n ? IN_TWOS : IN_FOURS);
    }
  }
  const loads = withCopiedLoads(ir);
  if (marks.size === 0) return loads;
  const next = 1 + Math.max(-1, ...[...ir.matchAll(/^!(\d+) = /gm)].map(([, number]) => Number(number)));
  const kinds = [...new Set(marks.values())];
  const marked = loads.replace(/^!(\d+) = distinct !\{!\1\b/gm, (node, number) => {
    const mark = marks.get(number);
    return mark === undefined ? node : `${node}, !${next + kinds.indexOf(mark)}`;
  });
  return `${marked}\n${kinds.map((mark, index) => `!${next + index} = ${mark}\n`).join('')}`;
}

/** Inline assembly that loads may be copied by a loop that is unrolled, as nvcc does it: to Clang, all of it speaks to other lanes. */
function withCopiedLoads(ir: string): string {
  const group = 1 + Math.max(-1, ...[...ir.matchAll(/^attributes #(\d+) = /gm)].map(([, number]) => Number(number)));
  const copied = ir.replace(/^( .* asm sideeffect "ld\.global\.nc\..*\)) #\d+(,|$)/gm, `$1 #${group}$2`);
  return copied === ir ? ir : `${copied}\nattributes #${group} = { nounwind willreturn }\n`;
}

function blocksOf(body: string): ReadonlyMap<string, Block> {
  const blocks = new Map<string, Block>();
  let label = '';
  let lines: string[] = [];
  const end = () => {
    if (lines.length > 0) blocks.set(label, { label, lines, successors: targetsOf(lines) });
  };
  for (const line of body.split('\n').slice(1)) {
    const start = /^([-\w$.]+|"[^"]*"):/.exec(line);
    if (start) {
      end();
      label = start[1];
      lines = [];
    } else if (line.startsWith(' ')) lines.push(line.trim());
  }
  end();
  return blocks;
}

/** Labels in the last instruction, which a `switch` and an `invoke` write over several lines. */
function targetsOf(lines: readonly string[]): readonly string[] {
  const start = lines.findLastIndex((line) => /^(br|switch|indirectbr|ret|unreachable)\b/.test(line));
  return lines.slice(Math.max(0, start)).flatMap((line) => [...line.matchAll(/label %([-\w$.]+|"[^"]*")/g)].map(([, name]) => name));
}

function loopsOf(blocks: ReadonlyMap<string, Block>): readonly Loop[] {
  const predecessors = new Map<string, Block[]>();
  for (const block of blocks.values()) {
    for (const to of block.successors) predecessors.set(to, [...(predecessors.get(to) ?? []), block]);
  }
  return [...blocks.values()].flatMap((latch) => {
    const node = /!llvm\.loop !(\d+)/.exec(latch.lines.at(-1)!)?.[1];
    const header = node && blocks.get(latch.successors[0]);
    if (!header) return [];
    const inside = new Set([header, latch]);
    for (const block of inside) if (block !== header) for (const from of predecessors.get(block.label) ?? []) inside.add(from);
    const others = [...blocks.values()].filter((block) => !inside.has(block));
    return [{ node, header, latch, blocks: inside, others }];
  });
}

function staysAsItIs(loop: Loop, loops: readonly Loop[]): boolean {
  const inner = loops.filter((other) => other !== loop && other.header !== loop.header && loop.blocks.has(other.header));
  return inner.some((other) => !hasConstantEnd(other)) || !isCountable(loop);
}

/** Whether LLVM would make three copies of the body. */
function wouldBeInThrees(loop: Loop): boolean {
  const rounds = roundsOf(loop);
  if (rounds === undefined || rounds <= MOST_WRITTEN_OUT || rounds % 3n !== 0n || rounds % 4n === 0n) return false;
  return [...loop.blocks].reduce((sum, { lines }) => sum + lines.length, 0) <= MOST_LINES;
}

/** Whether a loop accesses one of these arrays at an index that is no number. */
function indexes({ blocks }: Loop, arrays: ReadonlySet<string>): boolean {
  for (const { lines } of blocks) {
    for (const line of lines) {
      const [, array] = /^%\S+ = getelementptr .*?, ptr (%[-\w$.]+), .* %[-\w$.]+(?:, !|$)/.exec(line) ?? [];
      if (array !== undefined && arrays.has(array)) return true;
    }
  }
  return false;
}

/** How many instructions code has, where variables are registers and addresses cost nothing. */
class Sizes {
  readonly #ir: string;
  readonly #functions = new Map<string, number>();
  #bodies: ReadonlyMap<string, string> | undefined;
  /** Of metadata, by number: the list. */
  #nodes: ReadonlyMap<string, string> | undefined;

  constructor(ir: string) {
    this.#ir = ir;
  }

  /** Infinite where the number of rounds is not known, or the program says how to unroll. */
  ofAllRounds(loop: Loop, { loops, variables }: { readonly loops: readonly Loop[]; readonly variables: ReadonlySet<string> }): number {
    const inner = loops.filter(({ header, blocks }) => blocks.size <= loop.blocks.size && loop.blocks.has(header));
    const rounds = inner.map((each) => [each, roundsOf(each)] as const);
    if (rounds.some(([each, count]) => count === undefined || this.#isSaid(each))) return Number.POSITIVE_INFINITY;
    let sum = 0;
    for (const block of loop.blocks) {
      const times = rounds.reduce((product, [each, count]) => (each.blocks.has(block) ? product * Number(count) : product), 1);
      sum += times * this.#ofLines(block.lines, variables);
    }
    return sum;
  }

  /** Whether the program has a pragma for the loop. */
  #isSaid({ node }: Loop): boolean {
    this.#nodes ??= new Map([...this.#ir.matchAll(/^!(\d+) = (?:distinct )?!\{(.*)\}/gm)].map(([, number, list]) => [number, list]));
    const numbers = [...(this.#nodes.get(node) ?? '').matchAll(/!(\d+)/g)].map(([, number]) => number);
    return numbers.some((number) => number !== node && this.#nodes!.get(number)?.startsWith('!"llvm.loop.unroll'));
  }

  #ofLines(lines: readonly string[], variables: ReadonlySet<string>): number {
    let sum = 0;
    for (const line of lines) {
      const callee = /\bcall [^@]*@("[^"]*"|[-\w$.]+)\(/.exec(line)?.[1];
      if (callee !== undefined) sum += callee.startsWith('llvm.lifetime') ? 0 : this.#ofFunction(callee);
      else if (!FREE.test(line) && !variables.has(ACCESSED.exec(line)?.[1] ?? '')) sum++;
    }
    return sum;
  }

  #ofFunction(name: string): number {
    const known = this.#functions.get(name);
    if (known !== undefined) return known;
    this.#functions.set(name, 1);
    this.#bodies ??= new Map(
      [...this.#ir.matchAll(/^define [^\n]*?@("[^"]*"|[-\w$.]+)\([^\n]*\n(.*?)^\}$/gms)].map(([, each, body]) => [each, body]),
    );
    const body = this.#bodies.get(name) ?? '';
    const lines = body.split('\n').filter((line) => line.startsWith('  '));
    const size = this.#ofLines(
      lines.map((line) => line.trim()),
      variablesOf(body),
    );
    this.#functions.set(name, Math.max(1, size));
    return Math.max(1, size);
  }
}

/** Addresses, widths and what leads on. */
const FREE = /^(?:%\S+ = (?:alloca|getelementptr|sext|zext|trunc|phi|bitcast|addrspacecast|freeze)\b|br label|ret|unreachable|#|;)/;
const ACCESSED = /^(?:%\S+ = load [^,]*|store .*), ptr (%[-\w$.]+)(?:,|$)/;

/** Names of a function's variables that are no arrays. */
function variablesOf(body: string): ReadonlySet<string> {
  return new Set([...body.matchAll(/^ +(%[-\w$.]+) = alloca (?!\[)/gm)].map(([, name]) => name));
}

/** How many rounds a loop has that counts from a number to a number. */
function roundsOf(loop: Loop): bigint | undefined {
  const [counter, ...others] = countersOf(loop);
  if (!counter || others.length > 0 || counter.widening || isGiven(counter.variable, loop)) return undefined;
  const { start, size } = counter.step;
  if (!/^[su]l[te]$|^ne$/.test(counter.predicate) || start === undefined || size === undefined || size <= 0n || !counter.end)
    return undefined;
  const distance = BigInt(counter.end) - start + (counter.predicate.endsWith('e') && counter.predicate !== 'ne' ? 1n : 0n);
  return distance <= 0n ? undefined : (distance + size - 1n) / size;
}

/** The comparison that ends a loop, if there is one alone: at the beginning of each round, or at its end. */
function conditionOf({ header, latch }: Loop) {
  for (const block of [latch, header]) {
    const condition = /^br i1 (%[-\w$.]+), /.exec(block.lines.at(-1)!)?.[1];
    const compared = condition && definition(block, condition);
    const parts = compared ? /^icmp (?:samesign )?(\w+) (\S+) ([^,]+), ([^,]+)/.exec(compared) : undefined;
    if (parts) return { block, predicate: parts[1], type: parts[2], operands: [parts[3], parts[4]] };
  }
  return undefined;
}

function definition({ lines }: Block, value: string): string | undefined {
  return lines.find((line) => line.startsWith(`${value} = `))?.slice(value.length + 3);
}

/** Whether a counter that starts at a number is compared with one. */
function hasConstantEnd(loop: Loop): boolean {
  return countersOf(loop).some(({ isConstant, step }) => isConstant && step.start !== undefined);
}

/** False only where a counter is found that NVVM cannot count by. */
function isCountable(loop: Loop): boolean {
  return countersOf(loop).every(({ predicate, type, widening, step, isConstant, end }) => {
    if (widening) return widening === 'sext' && step.isOne && step.starts;
    if (predicate === 'eq' || predicate === 'ne') return true;
    const isSigned = predicate.startsWith('s');
    // An end that is a number shows that the counter does not wrap round.
    if (isSigned && isConstant && step.isNumber) return true;
    if (!isSigned && end !== undefined && step.size !== undefined && step.start === undefined)
      return endsInRange({ predicate, type, end: BigInt(end), size: step.size });
    if (type === 'ptr' || (!step.isOne && !step.staysInRange)) return false;
    return isConstant || !/^[su][lg]e$/.test(predicate) || (isSigned && step.isOne);
  });
}

/** Whether a counter without a sign comes to its end, which is a number, before it would wrap round, and has rounds enough. */
function endsInRange({
  predicate,
  type,
  end,
  size,
}: {
  readonly predicate: string;
  readonly type: string;
  readonly end: bigint;
  readonly size: bigint;
}): boolean {
  const bits = Number(/^i(\d+)$/.exec(type)?.[1] ?? 0);
  const [last, largest] = [BigInt.asUintN(bits, end), (1n << BigInt(bits)) - 1n];
  if (size > 0n) {
    const behind = last + (predicate === 'ule' ? 1n : 0n);
    return /^ul[te]$/.test(predicate) && behind <= largest - (size - 1n) && behind > (FEWEST_ROUNDS - 1n) * size;
  }
  return /^ug[te]$/.test(predicate) && last - (predicate === 'uge' ? 1n : 0n) >= -size - 1n;
}

interface Step {
  readonly isOne: boolean;
  readonly isNumber: boolean;
  /** The source says that it does not wrap round. */
  readonly staysInRange: boolean;
  /** Where the variable is set outside the loop, it becomes a number. */
  readonly starts: boolean;
  /** What that number is, if it is set where the loop is entered, and what is added to it in each round. */
  readonly start?: bigint;
  readonly size?: bigint;
}

/** The variables of a loop's condition that go on in each round. */
function countersOf(loop: Loop) {
  const condition = conditionOf(loop);
  if (!condition) return [];
  const { block, predicate, type, operands } = condition;
  return operands.flatMap((operand, index) => {
    const defined = definition(block, operand) ?? '';
    const [, widening, narrow] = /^([sz]ext) (?:nneg )?\S+ (%[-\w$.]+) to i64/.exec(defined) ?? [];
    const variable = /^load \S+, ptr (%[-\w$.]+)/.exec((narrow && definition(block, narrow)) ?? defined)?.[1];
    const step = variable && stepOf(loop, variable);
    const end = index === 0 && isNumber(operands[1]) ? operands[1] : undefined;
    return step ? [{ variable, predicate, type, step, widening, isConstant: isNumber(operands[1 - index]), end }] : [];
  });
}

/** Whether somebody gets the address of a variable, who may change it: `readToken(text, i)`. */
function isGiven(variable: string, { blocks }: Loop): boolean {
  const given = (line: string) =>
    /^(?:%\S+ = )?(?:call|invoke) (?!.*@llvm\.lifetime)|^store ptr /.test(line) && line.split(/[\s(),]+/).includes(variable);
  return [...blocks].some(({ lines }) => lines.some(given));
}

/** How a loop goes on with a variable that it changes at one place. */
function stepOf({ header, blocks, others }: Loop, variable: string): Step | undefined {
  const stores = [...blocks].flatMap((block) => storedTo(variable, block).map((value) => ({ block, value })));
  if (stores.length !== 1) return undefined;
  const [{ block, value }] = stores;
  const before = others.flatMap((each) => storedTo(variable, each).map((start) => ({ block: each, start })));
  const starts = before.every(({ start }) => isNumber(start));
  const defined = definition(block, value) ?? '';
  const sum = /^(?:add|sub) ((?:nuw |nsw )*)i\d+ (\S+), (\S+?)(?:,|$)/.exec(defined);
  if (!sum) return defined.startsWith('getelementptr') ? { isOne: false, isNumber: false, staysInRange: true, starts } : undefined;
  const [, flags, ...terms] = sum;
  const entering = before.filter(({ block: from }) => from.successors.includes(header.label)).at(-1);
  return {
    ...(entering && isNumber(entering.start) ? { start: BigInt(entering.start) } : {}),
    ...(isNumber(terms[1]) ? { size: defined.startsWith('add') ? BigInt(terms[1]) : -BigInt(terms[1]) } : {}),
    isOne: terms.some((each) => /^-?1$/.test(each)),
    isNumber: terms.some(isNumber),
    staysInRange:
      flags !== '' && !(terms.some((each) => isRegister(each, block)) && before.every((each) => isRegister(each.start, each.block))),
    starts,
  };
}

/** A widened index or size of the launch. */
function isRegister(value: string, block: Block): boolean {
  const narrow = /^zext i32 (%[-\w$.]+) to i64/.exec(definition(block, value) ?? '')?.[1];
  return (
    narrow !== undefined &&
    /^call .*@_ZN\d+__lanewise_(thread|block)_(index|size)|^call .*@_ZN\d+__lanewise_grid_size/.test(definition(block, narrow) ?? '')
  );
}

function storedTo(variable: string, { lines }: Block): readonly string[] {
  return lines.flatMap((line) => {
    const store = /^store \S+ ([^,]+), ptr ([^,]+)/.exec(line);
    return store?.[2] === variable ? [store[1]] : [];
  });
}

function isNumber(operand: string): boolean {
  return /^-?\d+$/.test(operand);
}
