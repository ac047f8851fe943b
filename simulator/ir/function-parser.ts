/**
 * A function definition: its header, then block after block. Blocks that nothing reaches are dropped, then blocks and instructions
 * are numbered in the order of the text.
 */
import type { DebugInfo } from './debug-info.ts';
import { type BodyContext, INSTRUCTION_PARSERS } from './instruction-parsers.ts';
import { alignOf } from './layout.ts';
import type { Lexer } from './lexer.ts';
import { isTerminator, targetsOf } from './operands.ts';
import type { Surroundings } from './ptx/assembler.ts';
import { typeName } from './type-table.ts';
import {
  type Block,
  type Instruction,
  type IrFunction,
  type Location,
  type Operand,
  type Parameter,
  type SourceVariable,
  type Type,
  UnsupportedIr,
} from './types.ts';
import { type Draft, type Names, ValueParser } from './value-parser.ts';

export interface FunctionHeader {
  readonly name: string;
  readonly isKernel: boolean;
  readonly result: Type;
  readonly parameters: readonly Omit<Parameter, 'id'>[];
  readonly maxThreads?: number;
  readonly location?: Location;
}

/** What is outside the function and its body needs. */
export interface FunctionSurroundings {
  readonly names: Names;
  readonly debug: DebugInfo;
  /** Text of an attribute group. */
  attributes(group: string): string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** An instruction while blocks have provisional numbers. */
type Placed = Mutable<Draft & { id: number; site: number; location?: Location }>;

interface DraftBlock {
  readonly label: string;
  readonly provisional: number;
  readonly instructions: Placed[];
  /** Instructions made of constant expressions in phis of successors: they go before the terminator. */
  readonly late: Placed[];
}

const NOT_HERE = (): never => {
  throw new UnsupportedIr('a local value outside a function');
};

/** Reads from behind `define` to the brace. */
export function parseHeader(lexer: Lexer, surroundings: FunctionSurroundings): FunctionHeader {
  const values = new ValueParser(lexer, surroundings.names, NOT_HERE, NOT_HERE);
  let isKernel = false;
  while (!values.atType()) {
    if (lexer.kind === 'end' || lexer.is('{')) throw lexer.error('expected a type');
    if (lexer.is('ptx_kernel')) isKernel = true;
    lexer.next();
    if (lexer.is('(')) lexer.skipBracketed();
  }
  const result = values.type();
  const name = lexer.take('global');
  const parameters = parseParameters(lexer, values, name);
  let attributes = '';
  let location: Location | undefined;
  while (!lexer.is('{')) {
    if (lexer.kind === 'end') throw lexer.error('expected a body');
    const { kind, text } = lexer;
    if (kind === 'hash') attributes += surroundings.attributes(text);
    else if (kind === 'string') attributes += `"${text}"`;
    lexer.next();
    if (kind === 'string' && lexer.accept('=')) attributes += `="${lexer.text}"`;
    if (kind === 'metadata' && text === 'dbg' && lexer.kind === 'metadata') location = surroundings.debug.subprogram(Number(lexer.text));
  }
  const maxThreads = threadsOf(attributes);
  return { name, isKernel, result, parameters, ...(maxThreads ? { maxThreads } : {}), ...(location ? { location } : {}) };
}

/** Reads the body, from its brace to the closing one. */
export function parseBody(lexer: Lexer, header: FunctionHeader, surroundings: FunctionSurroundings): IrFunction {
  return new BodyParser(lexer, header, surroundings).parse();
}

function parseParameters(lexer: Lexer, values: ValueParser, functionName: string): FunctionHeader['parameters'] {
  const parameters: Omit<Parameter, 'id'>[] = [];
  lexer.expect('(');
  let unnamed = 0;
  while (!lexer.accept(')')) {
    if (lexer.is('...')) throw new UnsupportedIr(`function ${functionName} with a variable number of arguments`);
    const type = values.type();
    const { byval, align, attributes } = values.parameterAttributes();
    const name = lexer.kind === 'local' ? lexer.take('local') : String(unnamed);
    if (name === String(unnamed)) unnamed++;
    const structure = byval ? { byval: { type: byval, align: align ?? alignOf(byval) } } : {};
    // Clang finds that nothing is written through a pointer, whether or not it is declared so.
    const isFixed = attributes.has('noalias') && (attributes.has('readonly') || attributes.has('readnone'));
    parameters.push({ name, type, ...structure, ...(isFixed ? { unchanging: true } : {}) });
    if (!lexer.is(')')) lexer.expect(',');
  }
  return parameters;
}

/** Threads per block from "nvvm.maxntid"="128" or "16,16,1". */
function threadsOf(attributes: string): number | undefined {
  const match = /"nvvm\.maxntid"="([\d,x ]+)"/.exec(attributes);
  return match?.[1].split(/[,x ]+/).reduce((product, n) => product * Number(n), 1);
}

/** What the node of a loop names that is not to be unrolled (again). */
const KEEPS_ROUNDS = '!{!"llvm.loop.unroll.disable"}';

class BodyParser implements BodyContext {
  readonly values: ValueParser;
  readonly add = (draft: Draft): Operand => {
    if (!this.#target) return NOT_HERE();
    const id = this.#newId('');
    this.#place(draft, id);
    return { kind: 'value', id, type: draft.type };
  };
  readonly assembly: Surroundings = {
    add: this.add,
    act: (draft) => this.#place(draft, -1),
    newBlock: () => this.block(` ${this.#labels.size}`),
    enter: (block) => this.#enter(block),
    currentBlock: () => this.#blocks[this.#blocks.length - 1].provisional,
    carry: undefined,
  };
  readonly #ids = new Map<string, number>();
  readonly #types: (Type | undefined)[] = [];
  readonly #defined: boolean[] = [];
  /** Names of values by id, for messages. */
  readonly #names: string[] = [];
  readonly #labels = new Map<string, number>();
  readonly #blocks: DraftBlock[] = [];
  readonly #variables: SourceVariable[] = [];
  readonly #byLabel = new Map<number, DraftBlock>();
  /** Late instructions of blocks that the text has not reached. */
  readonly #late = new Map<number, Placed[]>();
  #target: Placed[] | undefined;
  /** What the statement that is being read has made. */
  #made: Placed[] = [];
  /** Blocks that were cut: the piece with the terminator, by the block that the text knows. */
  readonly #lastPieces = new Map<number, number>();
  /** The block of the text that the current piece belongs to. */
  #textBlock = 0;
  /** Phis of the pieces, which name pieces and not blocks of the text. */
  readonly #pieceInstructions = new Set<Placed>();

  constructor(
    readonly lexer: Lexer,
    readonly header: FunctionHeader,
    readonly surroundings: FunctionSurroundings,
  ) {
    this.values = new ValueParser(lexer, surroundings.names, (name, type) => this.#use(name, type), this.add);
  }

  parse(): IrFunction {
    const { lexer, header } = this;
    for (const p of header.parameters) this.#define(p.name, p.type);
    lexer.expect('{');
    while (!lexer.is('}')) {
      if (lexer.kind === 'end') throw lexer.error('unfinished function');
      if (lexer.kind === 'label') this.#open(lexer.take('label'));
      else if (lexer.kind === 'hash' && lexer.text === 'dbg_declare') this.#declaration();
      else if (lexer.kind === 'hash' || lexer.is('uselistorder') || lexer.is('uselistorder_bb')) lexer.skipLine();
      else this.#instruction();
    }
    this.#check();
    lexer.next();
    return this.#finish();
  }

  block(label: string): number {
    let number = this.#labels.get(label);
    if (number === undefined) {
      number = this.#labels.size;
      this.#labels.set(label, number);
    }
    return number;
  }

  operandAtEndOf(block: number, type: Type): Operand {
    const before = this.#target;
    let late = this.#late.get(block);
    if (!late) {
      late = [];
      this.#late.set(block, late);
    }
    this.#target = late;
    const operand = this.values.operand(type);
    this.#target = before;
    return operand;
  }

  #open(label: string): DraftBlock {
    const provisional = this.block(label);
    if (this.#byLabel.has(provisional)) throw this.lexer.error(`two blocks %${label}, the second before this`);
    let late = this.#late.get(provisional);
    if (!late) {
      late = [];
      this.#late.set(provisional, late);
    }
    const block = { label, provisional, instructions: [], late };
    this.#blocks.push(block);
    this.#byLabel.set(provisional, block);
    this.#target = block.instructions;
    this.#textBlock = provisional;
    this.assembly.carry = undefined;
    return block;
  }

  /** The rest of the text's block goes into another one. */
  #enter(provisional: number): void {
    const block = { label: '', provisional, instructions: [], late: [] };
    this.#blocks.push(block);
    this.#byLabel.set(provisional, block);
    this.#target = block.instructions;
    this.#lastPieces.set(this.#textBlock, provisional);
    this.assembly.carry = undefined;
  }

  #place(draft: Draft, id: number): void {
    const placed = place(draft, id, undefined);
    this.#made.push(placed);
    if (draft.op === 'phi') this.#pieceInstructions.add(placed);
    this.#target!.push(placed);
  }

  /** `#dbg_declare(ptr %x, !12, !DIExpression(), !13)`: a variable lies at %x. */
  #declaration(): void {
    const { lexer } = this;
    lexer.next();
    lexer.expect('(');
    this.values.type();
    const address = lexer.kind === 'local' ? lexer.take('local') : undefined;
    if (address !== undefined && lexer.accept(',') && lexer.kind === 'metadata') {
      const variable = this.surroundings.debug.variable(Number(lexer.text));
      if (variable) this.#variables.push({ ...variable, id: this.#id(address) });
    }
    lexer.skipLine();
  }

  #instruction(): void {
    const { lexer } = this;
    const { start } = lexer;
    const block = this.#blocks.at(-1) ?? this.#open(this.#entryLabel());
    const last = block.instructions.at(-1);
    if (last && isTerminator(last.op)) throw lexer.error('expected a label behind a terminator');
    try {
      this.#statement();
    } catch (error) {
      if (error instanceof UnsupportedIr && !error.location) throw new UnsupportedIr(error.message, this.#locationInText(start));
      throw error;
    }
  }

  #statement(): void {
    const { lexer } = this;
    this.#made = [];
    const name = lexer.kind === 'local' ? lexer.take('local') : undefined;
    if (name !== undefined) lexer.expect('=');
    const mnemonic = lexer.take('word');
    const parser = INSTRUCTION_PARSERS.get(mnemonic);
    if (!parser) throw new UnsupportedIr(`instruction ${mnemonic}`);
    const draft = parser(this);
    const { location, loop } = this.#attachments();
    for (const made of this.#made) made.location ??= location;
    if (!draft) return;
    const id = name === undefined ? -1 : this.#define(name, draft.type);
    this.#blocks[this.#blocks.length - 1].instructions.push(place(loop === undefined ? draft : this.#atLoopEnd(draft, loop), id, location));
  }

  #atLoopEnd<T extends { readonly op: string }>(draft: T, loop: number): T {
    return draft.op === 'condbr' && this.surroundings.debug.names(loop, KEEPS_ROUNDS) ? { ...draft, keepsRounds: true } : draft;
  }

  /** An entry without a label has the first free number for its name. */
  #entryLabel(): string {
    return String(this.header.parameters.filter((p) => /^\d+$/.test(p.name)).length);
  }

  /** Skips the instruction's metadata; the location and the loop that are among it. */
  #attachments(): { readonly location?: Location; readonly loop?: number } {
    const { lexer } = this;
    let location: Location | undefined;
    let loop: number | undefined;
    while (lexer.accept(',')) {
      const name = lexer.take('metadata');
      if (name === 'dbg' && lexer.kind === 'metadata') location = this.surroundings.debug.location(Number(lexer.text));
      if (name === 'llvm.loop' && lexer.kind === 'metadata') loop = Number(lexer.text);
      if (lexer.kind === 'metadata') {
        lexer.next();
        if (lexer.is('(')) lexer.skipBracketed();
      } else {
        lexer.expect('!');
        lexer.skipBracketed();
      }
    }
    return { location, loop };
  }

  /** Location of the instruction at this offset, found without understanding it. */
  #locationInText(start: number): Location | undefined {
    const { source } = this.lexer;
    const lineEnd = source.indexOf('\n', start);
    const match = /!dbg !(\d+)/.exec(source.slice(start, lineEnd < 0 ? undefined : lineEnd));
    return (match && this.surroundings.debug.location(Number(match[1]))) ?? this.header.location;
  }

  #use(name: string, type: Type): Operand {
    const id = this.#id(name);
    this.#types[id] ??= type;
    if (this.#types[id] !== type) throw this.lexer.error(`%${name} is ${typeName(this.#types[id])}, not ${typeName(type)}; before this`);
    return { kind: 'value', id, type };
  }

  #define(name: string, type: Type): number {
    const id = this.#id(name);
    if (this.#defined[id]) throw this.lexer.error(`%${name} is defined twice, the second time before this`);
    if (type.kind === 'void') throw this.lexer.error(`%${name} names nothing, before this`);
    this.#use(name, type);
    this.#defined[id] = true;
    return id;
  }

  #id(name: string): number {
    let id = this.#ids.get(name);
    if (id === undefined) {
      id = this.#newId(name);
      this.#ids.set(name, id);
    }
    return id;
  }

  #newId(name: string): number {
    return this.#names.push(name) - 1;
  }

  #check(): void {
    const { lexer } = this;
    for (const [label, number] of this.#labels)
      if (!this.#byLabel.has(number)) throw lexer.error(`block %${label} is missing, before this`);
    for (const [name, id] of this.#ids) if (!this.#defined[id]) throw lexer.error(`%${name} is not defined, before this`);
    if (this.#blocks.length === 0) throw lexer.error('a function without instructions');
    for (const { label, instructions } of this.#blocks) {
      const last = instructions.at(-1);
      if (!last || !isTerminator(last.op)) throw lexer.error(`block %${label} has no terminator, before this`);
    }
    for (const { provisional, late } of this.#blocks) {
      const { instructions } = this.#byLabel.get(this.#lastPieces.get(provisional) ?? provisional)!;
      for (const made of late) made.location = instructions[instructions.length - 1].location;
      instructions.splice(-1, 0, ...late);
    }
  }

  #finish(): IrFunction {
    const { header } = this;
    const live = this.#liveBlocks();
    const numbers = new Map(live.map((block, index) => [block.provisional, index]));
    let site = 0;
    for (const { instructions } of live) {
      for (const instruction of instructions) {
        if (instruction.op === 'phi' && !this.#pieceInstructions.has(instruction)) this.#fromLastPieces(instruction);
        retarget(instruction, numbers);
        instruction.site = site++;
      }
    }
    const successors = live.map(({ instructions }) => [...new Set(targetsOf(instructions[instructions.length - 1] as Instruction))]);
    const predecessors: number[][] = live.map(() => []);
    successors.forEach((targets, from) => {
      for (const to of targets) predecessors[to].push(from);
    });
    const blocks = live.map(
      ({ label, instructions }, index): Block => ({
        index,
        label,
        instructions: instructions as Instruction[],
        successors: successors[index],
        predecessors: predecessors[index],
      }),
    );
    return {
      ...header,
      parameters: header.parameters.map((p, id) => ({ id, ...p })),
      blocks,
      valueCount: this.#names.length,
      siteCount: site,
      ...(this.#variables.length > 0 ? { variables: this.#variables } : {}),
    };
  }

  /** The text's phis name the blocks that it knows. */
  #fromLastPieces(phi: Placed & { op: 'phi' }): void {
    phi.incoming = phi.incoming.map(({ value, block }) => ({ value, block: this.#lastPieces.get(block) ?? block }));
  }

  /** Blocks that the entry reaches, in the order of the text. */
  #liveBlocks(): DraftBlock[] {
    const reached = new Set<DraftBlock>();
    const open = [this.#blocks[0]];
    for (let block = open.pop(); block; block = open.pop()) {
      if (reached.has(block)) continue;
      reached.add(block);
      const last = block.instructions[block.instructions.length - 1] as Instruction;
      for (const target of targetsOf(last)) open.push(this.#byLabel.get(target)!);
    }
    return this.#blocks.filter((block) => reached.has(block));
  }
}

function place(draft: Draft, id: number, location: Location | undefined): Placed {
  return { ...draft, id, site: 0, location };
}

/** Replaces provisional block numbers; phis lose the blocks that are gone and repeated edges. */
function retarget(instruction: Placed, numbers: ReadonlyMap<number, number>): void {
  switch (instruction.op) {
    case 'br':
      instruction.target = numbers.get(instruction.target)!;
      return;
    case 'condbr':
      // biome-ignore lint/suspicious/noThenProperty: the instruction's own word
      instruction.then = numbers.get(instruction.then)!;
      instruction.else = numbers.get(instruction.else)!;
      return;
    case 'switch':
      instruction.default = numbers.get(instruction.default)!;
      instruction.cases = instruction.cases.map(({ value, block }) => ({ value, block: numbers.get(block)! }));
      return;
    case 'phi': {
      const incoming = new Map<number, Operand>();
      for (const { value, block } of instruction.incoming) {
        const number = numbers.get(block);
        if (number !== undefined && !incoming.has(number)) incoming.set(number, value);
      }
      instruction.incoming = [...incoming].map(([block, value]) => ({ value, block }));
    }
  }
}
