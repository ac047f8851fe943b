/**
 * Trees of short texts, remembered by the text. The layout leaves no names and no numbers in it, so most statements of a program look
 * like one that was parsed before: over HeCBench's files, 1,500 texts are four statements of five.
 */
import { appendNodes, type Grammar } from './grammar.ts';
import { F, K } from './kinds.ts';
import { type Columns, childWithField, newColumns } from './nodes.ts';

/** What stands around a text that is no program by itself. */
const FRAMES = {
  /** Whole definitions. */
  item: { before: '', after: '' },
  /** A function up to the brace that opens its body. */
  head: { before: '', after: '}' },
  /** Whole statements, or the label of a case. */
  statements: { before: 'void a(){', after: '}' },
  /** A statement that stands without braces behind the head of another, where no declaration can: `if (c) a * f(x);`. */
  governed: { before: 'void a(){if(a)', after: '}' },
  /** `if (…)`, `for (…)`, `while (…)`. */
  control: { before: 'void a(){', after: ';}' },
  /** `switch (…)`, behind which the grammar wants braces. */
  choice: { before: 'void a(){', after: '{}}' },
  /** The `while (…)` behind `do`. */
  tail: { before: 'void a(){do;', after: ';}' },
};

export type Frame = keyof typeof FRAMES;

/** All that is remembered with one grammar. */
export interface Shapes {
  readonly columns: Columns;
  /** By text, its node; -1 where the text is no such thing. */
  readonly known: Readonly<Record<Frame, Map<string, number>>>;
  /** Nodes of remembered texts; what lies behind is of the last text alone. */
  kept: number;
}

export function newShapes({ numbering }: Pick<Grammar, 'numbering'>): Shapes {
  const frames = Object.keys(FRAMES) as Frame[];
  const known = Object.fromEntries(frames.map((frame) => [frame, new Map()])) as Record<Frame, Map<string, number>>;
  const columns = newColumns(numbering);
  // Node 0 is nobody's.
  columns.add(0, 0, 0, 0);
  return { columns, known, kept: columns.count() };
}

/** Longer texts are seldom met again. */
export const LONGEST_SHAPE = 1_000;

/** Nodes take 14 bytes each. When there are more of them, or more texts, all are forgotten. */
const MOST_NODES = 1_000_000;
const MOST_TEXTS = 50_000;

/**
 * The node whose children the text's definitions or statements are, or which is the governed statement; -1 where the grammar finds errors
 * in the text. Valid until the next text is asked for.
 */
export function nodeOf(grammar: Grammar, frame: Frame, text: string): number {
  return grammar.shapes.known[frame].get(text) ?? remember(grammar, frame, text);
}

/** How far the nodes' offsets are ahead of those in the text. */
export function leadOf(frame: Frame): number {
  return FRAMES[frame].before.length;
}

function remember(grammar: Grammar, frame: Frame, text: string): number {
  const { shapes } = grammar;
  const { columns, known } = shapes;
  const all = Object.values(known);
  if (shapes.kept > MOST_NODES || all.reduce((n, texts) => n + texts.size, 0) > MOST_TEXTS) {
    shapes.kept = 1;
    for (const texts of all) texts.clear();
  }
  columns.truncate(shapes.kept);
  const node = parse(grammar, frame, text);
  if (text.length <= LONGEST_SHAPE) {
    known[frame].set(copyOf(text), node);
    shapes.kept = columns.count();
  }
  return node;
}

function parse(grammar: Grammar, frame: Frame, text: string): number {
  const { before, after } = FRAMES[frame];
  const tree = grammar.parser.parse(`${before}${text}${after}`);
  if (!tree) return -1;
  try {
    if (tree.rootNode.hasError) return -1;
    const { columns } = grammar.shapes;
    const root = appendNodes(tree, grammar, columns);
    const nodes = columns.nodes();
    if (frame === 'item') return root;
    const isOne = nodes.after[root + 1] === nodes.after[root];
    if (!isOne) return -1;
    if (frame === 'head') return root;
    const body = childWithField(nodes, root + 1, F.body);
    if (body === 0 || nodes.kind[body] !== K.compound_statement) return -1;
    return frame === 'governed' ? childWithField(nodes, body + 1, F.consequence) || -1 : body;
  } finally {
    tree.delete();
  }
}

/** V8's slices keep all of what they were cut from. */
function copyOf(text: string): string {
  return text.split('').join('');
}
