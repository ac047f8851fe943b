/** Loads tree-sitter and its CUDA grammar from bytes, and numbers the grammar's node kinds and fields as kinds.ts does. */
import { Language, Parser, type Tree } from 'web-tree-sitter';
import { FIELD_NAMES, K, KIND_NAMES } from './kinds.ts';
import { type Columns, type Nodes, type Numbering, newColumns, readWithCursor } from './nodes.ts';
import { type Memory, readSubtrees } from './subtrees.ts';

export interface GrammarBytes {
  /** web-tree-sitter.wasm. */
  readonly runtime: Uint8Array;
  /** tree-sitter-cuda.wasm. */
  readonly cuda: Uint8Array;
}

export interface Grammar {
  readonly parser: Parser;
  readonly numbering: Numbering;
  /** One set for all trees: each is converted before the next is read. */
  readonly columns: Columns;
  /** Where the layout of trees in memory is known. */
  readonly memory?: Memory;
}

const SILENT = new Set(['(', ')', '[', ']', '{', '}', ';', ',', '<<<', '>>>', '"', 'comment']);

/** The runtime can be started once per process. */
let runtime: Promise<Partial<Memory>> | undefined;

export async function loadGrammar(bytes: GrammarBytes): Promise<Grammar> {
  runtime ??= startRuntime(bytes.runtime);
  const memory = await runtime;
  const language = await Language.load(bytes.cuda);
  const parser = new Parser();
  parser.setLanguage(language);
  const numbering = numberingOf(language);
  const grammar: Grammar = { parser, numbering, columns: newColumns(numbering) };
  return hasViews(memory) && isReadable(grammar, memory) ? { ...grammar, memory } : grammar;
}

/** Valid until the next tree is read. */
export function readNodes(tree: Tree, grammar: Grammar): Nodes {
  const { columns, memory } = grammar;
  columns.clear();
  if (memory) readSubtrees(tree, memory, columns);
  else readWithCursor(tree, columns);
  return columns.nodes();
}

/** The runtime keeps its views of its memory in the options that it is given. */
async function startRuntime(wasmBinary: Uint8Array): Promise<Partial<Memory>> {
  const options: { wasmBinary: Uint8Array } & Partial<Memory> = { wasmBinary };
  await Parser.init(options);
  return options;
}

function hasViews(memory: Partial<Memory>): memory is Memory {
  return memory.HEAPU8 !== undefined && memory.HEAPU16 !== undefined && memory.HEAPU32 !== undefined;
}

function numberingOf(language: Language): Numbering {
  const kinds = new Uint8Array(65536).fill(K.token);
  const silent = new Uint8Array(65536);
  const numbers = new Map<string, number>(KIND_NAMES.map((name, index) => [name, index]));
  for (let id = 0; id < language.nodeTypeCount; id++) {
    const name = language.nodeTypeForId(id) ?? '';
    if (language.nodeTypeIsNamed(id)) kinds[id] = numbers.get(name) ?? K.other;
    if (SILENT.has(name)) silent[id] = 1;
  }
  kinds[65535] = K.ERROR;
  const fields = new Uint8Array(language.fieldCount + 1);
  for (const [index, name] of FIELD_NAMES.entries()) {
    const id = language.fieldIdForName(name);
    if (id !== null) fields[id] = index;
  }
  return { kinds, fields, silent };
}

/** With names longer than fit into a node, aliases, fields of hidden nodes, and text that the grammar rejects. */
const SAMPLE = `
template <typename T, int N = 4> struct alignas(16) Pair : public Base<T> { T first[N], *second; };
extern "C" __global__ void __launch_bounds__(256) aKernelWithAVeryLongName_${'x'.repeat(300)}(const float *__restrict__ in, float *out) {
  /* a comment */ __shared__ float tile[32][33]; // another
  for (int i = threadIdx.x; i < n; i += blockDim.x) if (i > 3) out[i] = (float)in[i]->x.y; else continue;
  kernel<T><<<grid, 256, 0, stream>>>(a, "text", 'c', 1.0f); ] ) int = ;
  switch (a) { case 1: break; default: return; } auto f = [=](int x) { return x ? 1 : 2; };
}`;

function isReadable(grammar: Grammar, memory: Memory): boolean {
  const tree = grammar.parser.parse(SAMPLE);
  if (!tree) return false;
  try {
    const expected = newColumns(grammar.numbering);
    readWithCursor(tree, expected);
    const read = newColumns(grammar.numbering);
    readSubtrees(tree, memory, read);
    return sameNodes(expected.nodes(), read.nodes());
  } catch {
    return false;
  } finally {
    tree.delete();
  }
}

function sameNodes(a: Nodes, b: Nodes): boolean {
  if (a.after[0] !== b.after[0]) return false;
  for (let n = 0; n < a.after[0]; n++)
    if (
      a.kind[n] !== b.kind[n] ||
      a.field[n] !== b.field[n] ||
      a.start[n] !== b.start[n] ||
      a.end[n] !== b.end[n] ||
      a.after[n] !== b.after[n]
    )
      return false;
  return true;
}
