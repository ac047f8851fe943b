/**
 * LLVM IR text, as Clang 22 writes it for the nvptx64 target, to an IrModule. Functions and variables that hold something
 * the simulator does not execute are kept aside by name with the reason, so that they matter only to the kernels that reach them.
 * Known limits: no exceptions, no indirect branches, no scalable vectors.
 */

import { clusterSizes } from './cluster-sizes.ts';
import { DebugInfo } from './debug-info.ts';
import { type FunctionHeader, type FunctionSurroundings, parseBody, parseHeader } from './function-parser.ts';
import { intrinsicOf, unknownFunction } from './intrinsics.ts';
import { alignOf, sizeOf } from './layout.ts';
import { Lexer } from './lexer.ts';
import { forEachSymbol, operandsOf } from './operands.ts';
import {
  type AddressSpace,
  type Constant,
  type GlobalVariable,
  type IrFunction,
  type IrModule,
  type Type,
  UnsupportedIr,
} from './types.ts';
import { type Names, ValueParser } from './value-parser.ts';

/** Offsets of the module's parts in the text. */
interface Outline {
  /** By name, behind the `type` of their definition. */
  readonly types: Map<string, number>;
  readonly globals: { readonly name: string; readonly at: number; readonly end: number }[];
  readonly aliases: Map<string, number>;
  /** Behind `define`. */
  readonly functions: number[];
  readonly metadata: Map<number, { start: number; end: number }>;
  readonly attributes: Map<string, string>;
  /** Text of the nvvm.annotations list. */
  annotations: string;
}

/** Reads a module. Throws ParseError where the text is not IR and UnsupportedIr where the module as a whole cannot be executed. */
export function parseIr(text: string): IrModule {
  const outline = outlineOf(text);
  const names = new ModuleNames(text, outline);
  const debug = new DebugInfo(text, outline.metadata);
  const unsupported = new Map<string, UnsupportedIr>();
  const globals = parseGlobals(text, outline, names, unsupported);
  const surroundings: FunctionSurroundings = { names, debug, attributes: (group) => outline.attributes.get(group) ?? '' };
  const annotations = annotationsOf(text, outline);
  const clusters = clusterSizes(text);
  const functions = new Map<string, IrFunction>();
  for (const at of outline.functions) {
    parseFunction(text, at, surroundings, annotations, functions, unsupported);
  }
  for (const [name, cluster] of clusters) if (functions.has(name)) functions.set(name, { ...functions.get(name)!, cluster });
  refuseUnknownCalls(functions, unsupported);
  return { functions, globals, declarations: declarationsOf(functions, globals), unsupported };
}

/** Sets functions aside that call what neither the module nor the table of intrinsics has. */
function refuseUnknownCalls(functions: Map<string, IrFunction>, unsupported: Map<string, UnsupportedIr>): void {
  const isKnown = (name: string) => functions.has(name) || unsupported.has(name) || intrinsicOf(name) !== undefined;
  for (const fn of [...functions.values()]) {
    const calls = fn.blocks.flatMap((block) => block.instructions.filter((i) => i.op === 'call'));
    const unknown = calls.find(({ callee }) => !isKnown(callee));
    if (!unknown) continue;
    functions.delete(fn.name);
    unsupported.set(fn.name, new UnsupportedIr(unknownFunction(unknown.callee), unknown.location ?? fn.location));
  }
}

function parseFunction(
  text: string,
  at: number,
  surroundings: FunctionSurroundings,
  annotations: ReadonlyMap<string, Annotation>,
  functions: Map<string, IrFunction>,
  unsupported: Map<string, UnsupportedIr>,
): void {
  const lexer = new Lexer(text, at);
  let header: FunctionHeader | undefined;
  try {
    header = parseHeader(lexer, surroundings);
    const annotation = annotations.get(header.name);
    if (annotation)
      header = { ...header, isKernel: header.isKernel || annotation.isKernel, maxThreads: header.maxThreads ?? annotation.maxThreads };
    functions.set(header.name, parseBody(lexer, header, surroundings));
  } catch (error) {
    if (!(error instanceof UnsupportedIr)) throw error;
    const name = header?.name ?? /@("[^"]*"|[-\w.$]+)/.exec(text.slice(at, at + 2000))?.[1] ?? '';
    unsupported.set(name, error);
  }
}

/** One pass over the text that finds where its parts lie. Function bodies end with a brace at the start of a line. */
function outlineOf(text: string): Outline {
  const outline: Outline = {
    types: new Map(),
    globals: [],
    aliases: new Map(),
    functions: [],
    metadata: new Map(),
    attributes: new Map(),
    annotations: '',
  };
  for (let at = 0; at < text.length; ) {
    let lineEnd = text.indexOf('\n', at);
    if (lineEnd < 0) lineEnd = text.length;
    if (text.startsWith('define', at)) lineEnd = functionEnd(text, at, lineEnd);
    outlineLine(text, at, lineEnd, outline);
    at = lineEnd + 1;
  }
  return outline;
}

function functionEnd(text: string, at: number, lineEnd: number): number {
  if (text[lineEnd - 1] === '}' || text.slice(at, lineEnd).trimEnd().endsWith('}')) return lineEnd;
  const close = text.indexOf('\n}', at);
  return close < 0 ? text.length : close + 2;
}

function outlineLine(text: string, at: number, lineEnd: number, outline: Outline): void {
  switch (text.charCodeAt(at)) {
    case 33 /* ! */:
      outlineMetadata(text, at, lineEnd, outline);
      return;
    case 37 /* % */:
    case 64 /* @ */:
      {
        const lexer = new Lexer(text, at);
        const name = lexer.text;
        const isType = lexer.kind === 'local';
        lexer.next();
        lexer.expect('=');
        if (text.slice(lexer.start, lineEnd).endsWith(', section "llvm.metadata"')) return;
        if (isType) {
          lexer.expect('type');
          outline.types.set(name, lexer.start);
        } else if (/^[^"]*?\b(alias|ifunc)\b/.test(text.slice(lexer.start, Math.min(lineEnd, lexer.start + 200))))
          outline.aliases.set(name, lexer.start);
        else outline.globals.push({ name, at: lexer.start, end: lineEnd });
        return;
      }
    case 100 /* d */:
      if (text.startsWith('define', at)) outline.functions.push(at + 6);
      else if (!text.startsWith('declare', at)) throw new Lexer(text, at).error('expected a definition');
      return;
    case 97 /* a */:
      {
        const group = /^attributes #(\d+) = \{(.*)\}/.exec(text.slice(at, lineEnd));
        if (group) outline.attributes.set(group[1], group[2]);
        return;
      }
    case 116 /* t */:
      checkTarget(text.slice(at, lineEnd));
      return;
  }
  if (
    !/^(;.*|source_filename .*|\$.*|module asm .*|uselistorder.*|\^.*|\s*)$/.test(
      text.slice(at, Math.min(lineEnd, at + 500)).replace(/\r$/, ''),
    )
  ) {
    throw new Lexer(text, at).error('expected a definition');
  }
}

function outlineMetadata(text: string, at: number, lineEnd: number, outline: Outline): void {
  const equals = text.indexOf('= ', at);
  if (equals < 0 || equals > lineEnd) return;
  const name = text.slice(at + 1, equals).trim();
  if (/^\d+$/.test(name)) outline.metadata.set(Number(name), { start: equals + 2, end: lineEnd });
  else if (name === 'nvvm.annotations') outline.annotations = text.slice(equals, lineEnd);
}

/** The layout that everything here assumes. */
function checkTarget(line: string): void {
  const layout = /^target datalayout = "(.*)"/.exec(line)?.[1];
  if (layout !== undefined && /(^|-)p\d*:(?!64)/.test(layout.replace('p6:32:32', ''))) {
    throw new UnsupportedIr(`data layout "${layout}": pointers must have 64 bits (target nvptx64)`);
  }
}

class ModuleNames implements Names {
  readonly #types = new Map<string, Type>();
  readonly #aliases = new Map<string, Constant>();
  readonly #open = new Set<string>();

  constructor(
    readonly source: string,
    readonly outline: Outline,
  ) {}

  namedType(name: string, parser: ValueParser): Type {
    const known = this.#types.get(name);
    if (known) return known;
    const at = this.outline.types.get(name);
    if (at === undefined) throw parser.lexer.error(`unknown type %${name}`);
    const lexer = new Lexer(this.source, at);
    if (lexer.is('opaque')) throw new UnsupportedIr(`opaque type %${name}`);
    this.#enter(`%${name}`, parser.lexer);
    const type = constantParser(lexer, this).type();
    this.#open.delete(`%${name}`);
    this.#types.set(name, type);
    return type;
  }

  alias(name: string): Constant | undefined {
    const at = this.outline.aliases.get(name);
    if (at === undefined) return undefined;
    let constant = this.#aliases.get(name);
    if (constant) return constant;
    const lexer = new Lexer(this.source, at);
    while (!lexer.is('alias')) {
      if (lexer.kind === 'end' || lexer.is('ifunc')) throw new UnsupportedIr(`ifunc @${name}`);
      lexer.next();
    }
    lexer.next();
    const parser = constantParser(lexer, this);
    parser.type();
    if (lexer.is('(')) lexer.skipBracketed();
    lexer.expect(',');
    this.#enter(`@${name}`, lexer);
    constant = parser.constant(parser.type());
    this.#open.delete(`@${name}`);
    this.#aliases.set(name, constant);
    return constant;
  }

  #enter(name: string, lexer: Lexer): void {
    if (this.#open.has(name)) throw lexer.error(`${name} contains itself`);
    this.#open.add(name);
  }
}

/** A parser of what stands outside functions. */
function constantParser(lexer: Lexer, names: Names): ValueParser {
  return new ValueParser(
    lexer,
    names,
    (name) => {
      throw lexer.error(`%${name} outside a function`);
    },
    (draft) => {
      throw new UnsupportedIr(`constant expression ${draft.op} in an initializer`);
    },
  );
}

function parseGlobals(text: string, outline: Outline, names: Names, unsupported: Map<string, UnsupportedIr>): Map<string, GlobalVariable> {
  const globals = new Map<string, GlobalVariable>();
  for (const { name, at, end } of outline.globals) {
    // Lists for the linker, no data of the program.
    if (name.startsWith('llvm.')) continue;
    try {
      globals.set(name, parseGlobal(new Lexer(text, at, end), name, names));
    } catch (error) {
      if (!(error instanceof UnsupportedIr)) throw error;
      unsupported.set(name, error);
    }
  }
  return globals;
}

function parseGlobal(lexer: Lexer, name: string, names: Names): GlobalVariable {
  const values = constantParser(lexer, names);
  let space: AddressSpace = 0;
  let external = false;
  while (!lexer.is('global') && !lexer.is('constant')) {
    if (lexer.kind !== 'word') throw lexer.error('expected a global variable');
    if (lexer.is('addrspace')) space = values.addressSpace();
    else {
      external ||= lexer.is('external') || lexer.is('extern_weak');
      lexer.next();
      if (lexer.is('(')) lexer.skipBracketed();
    }
  }
  lexer.next();
  const type = values.type();
  let initializer: Constant | undefined;
  if (!external) initializer = values.constant(type);
  let align = alignOf(type);
  let managed = false;
  while (lexer.accept(',')) {
    if (lexer.accept('align')) align = lexer.takeCount();
    else if (lexer.accept('section')) {
      managed = lexer.text === 'managed';
      lexer.next();
    } else while (!lexer.is(',') && lexer.kind !== 'end') lexer.next();
  }
  if (space === 5) throw new UnsupportedIr(`variable @${name} in local memory`);
  if (space === 3 && initializer) initializer = { kind: 'undef', type };
  // Clang leaves string literals in the generic space; the back end moves them to global memory.
  return {
    name,
    type,
    space: space === 0 ? 1 : space,
    align,
    sizeBytes: sizeOf(type),
    ...(initializer ? { initializer } : {}),
    ...(managed ? { managed } : {}),
  };
}

interface Annotation {
  readonly isKernel: boolean;
  readonly maxThreads?: number;
}

/** Kernels and launch bounds that older front ends give as `!nvvm.annotations`. */
function annotationsOf(text: string, outline: Outline): ReadonlyMap<string, Annotation> {
  const annotations = new Map<string, Annotation>();
  for (const [, id] of outline.annotations.matchAll(/!(\d+)/g)) {
    const range = outline.metadata.get(Number(id));
    if (!range) continue;
    const node = text.slice(range.start, range.end);
    const name = /ptr @("[^"]*"|[-\w.$]+)/.exec(node)?.[1].replace(/"/g, '');
    if (name === undefined) continue;
    const known = annotations.get(name);
    const sizes = [...node.matchAll(/!"maxntid[xyz]", i32 (\d+)/g)].map((m) => Number(m[1]));
    const maxThreads = sizes.length > 0 ? sizes.reduce((a, b) => a * b, known?.maxThreads ?? 1) : known?.maxThreads;
    annotations.set(name, { isKernel: known?.isKernel || /!"kernel", i32 1/.test(node), ...(maxThreads ? { maxThreads } : {}) });
  }
  return annotations;
}

/** Names that defined functions and initializers refer to and that nothing here defines. */
function declarationsOf(functions: ReadonlyMap<string, IrFunction>, globals: ReadonlyMap<string, GlobalVariable>): ReadonlySet<string> {
  const declarations = new Set<string>();
  const add = (name: string) => {
    if (!functions.has(name) && !globals.has(name)) declarations.add(name);
  };
  for (const { initializer } of globals.values()) if (initializer) forEachSymbol(initializer, add);
  for (const { blocks } of functions.values()) {
    for (const { instructions } of blocks) {
      for (const instruction of instructions) {
        if (instruction.op === 'call') add(instruction.callee);
        for (const operand of operandsOf(instruction)) forEachSymbol(operand, add);
      }
    }
  }
  return declarations;
}
