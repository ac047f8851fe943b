/** Loads tree-sitter with its grammars of CUDA and C++ from bytes, and numbers their node kinds and fields as kinds.ts does. */
import { Language, Parser } from 'web-tree-sitter';
import { FIELD_NAMES, K, KIND_NAMES } from './kinds.ts';
import { type NodeRoom, type Numbering, newRoom } from './nodes.ts';

export interface GrammarBytes {
  /** web-tree-sitter.wasm. */
  readonly runtime: Uint8Array;
  /** tree-sitter-cuda.wasm. */
  readonly cuda: Uint8Array;
  /** tree-sitter-cpp.wasm. */
  readonly cpp: Uint8Array;
}

export type Dialect = 'cuda' | 'cpp';

export interface Grammar {
  readonly parser: Parser;
  readonly numbering: Numbering;
}

export interface Grammars extends Readonly<Record<Dialect, Grammar>> {
  /** For the nodes of all trees: each is converted before the next is read. */
  readonly room: NodeRoom;
}

const SILENT = new Set(['(', ')', '[', ']', '{', '}', ';', ',', '<<<', '>>>', '"', 'comment']);

const CLOSERS = new Set([')', ']', '}', ';']);

/** The runtime can be started once per process. */
let runtime: Promise<void> | undefined;

export async function loadGrammars({ runtime: wasmBinary, cuda, cpp }: GrammarBytes): Promise<Grammars> {
  runtime ??= Parser.init({ wasmBinary });
  await runtime;
  const [forCuda, forCpp] = await Promise.all([loadGrammar(cuda), loadGrammar(cpp)]);
  return { cuda: forCuda, cpp: forCpp, room: newRoom() };
}

async function loadGrammar(bytes: Uint8Array): Promise<Grammar> {
  const language = await Language.load(bytes);
  const parser = new Parser();
  parser.setLanguage(language);
  return { parser, numbering: numberingOf(language) };
}

function numberingOf(language: Language): Numbering {
  const kinds = new Uint8Array(65536).fill(K.token);
  const silent = new Uint8Array(65536);
  const closers = new Uint8Array(65536);
  const numbers = new Map<string, number>(KIND_NAMES.map((name, index) => [name, index]));
  for (let id = 0; id < language.nodeTypeCount; id++) {
    const name = language.nodeTypeForId(id) ?? '';
    if (language.nodeTypeIsNamed(id)) kinds[id] = numbers.get(name) ?? K.other;
    // Each `>` is a token of ours.
    if (SILENT.has(name)) silent[id] = name === '>>>' ? name.length : 1;
    if (CLOSERS.has(name)) closers[id] = 1;
  }
  kinds[65535] = K.ERROR;
  const fields = new Uint8Array(language.fieldCount + 1);
  for (const [index, name] of FIELD_NAMES.entries()) {
    const id = language.fieldIdForName(name);
    if (id !== null) fields[id] = index;
  }
  return { kinds, fields, silent, closers };
}
