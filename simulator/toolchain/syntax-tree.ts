/**
 * Clang's `-ast-dump`, a node a line, as what editors show between the words of a program: which parameters the arguments of calls are
 * for, and what types `auto` stands for. The dump leaves out what the precompiled header declares.
 */

/** Both count from 1; columns count bytes of UTF-8. */
export interface TreePlace {
  readonly line: number;
  readonly column: number;
}

export interface CallArgument extends TreePlace {
  /** A number, a text, `true`, `nullptr`. */
  readonly isLiteral: boolean;
}

export interface Call {
  readonly name: string;
  /** Where what is called is named; undefined for calls in the text of a macro that another file has. */
  readonly at: TreePlace | undefined;
  /** Names of the parameters, empty for those that have none. Undefined for a function that the dump does not declare. */
  readonly parameters?: readonly string[];
  /** Undefined for those that stand elsewhere, as in a macro. */
  readonly args: readonly (CallArgument | undefined)[];
}

/** Not only of those that are declared with `auto`. */
export interface Variable extends TreePlace {
  readonly name: string;
  readonly type: string;
}

export interface SyntaxTree {
  readonly calls: readonly Call[];
  readonly variables: readonly Variable[];
}

interface Node {
  readonly kind: string;
  readonly address: string;
  /** What stands behind the places. */
  readonly text: string;
  /** Where it begins. */
  readonly begin: TreePlace | undefined;
  /** Where its name stands, of a declaration. */
  readonly named: TreePlace | undefined;
  readonly depth: number;
  readonly children: Node[];
}

/** Whether functions and classes are written in the program or made from templates. */
type Origin = 'written' | 'instantiated';

const PLACE = '<invalid sloc>|<[a-z ]+>:\\d+:\\d+|col:\\d+|line:\\d+:\\d+|[^<>]+?:\\d+:\\d+';
const HEAD = new RegExp(
  `^([ |\`-]*)(?:[a-z_]+: )?([A-Za-z]\\w*)(?: (0x[0-9a-f]+))?(?: parent 0x[0-9a-f]+)?(?: prev 0x[0-9a-f]+)?(?: <(${PLACE})(?:, (${PLACE}))?>)?`,
);
const NAMED = new RegExp(`^ (${PLACE})(?= |$)`);

/** `path`: of the file whose calls and variables are wanted, as Clang has it. */
export function readSyntaxTree(dump: string, path: string): SyntaxTree {
  const root = nodesOf(dump, path);
  const declared = new Map<string, readonly string[]>();
  const constructors = new Map<string, readonly string[]>();
  collect(root, declared, constructors);
  const calls: Call[] = [];
  const variables: Variable[] = [];
  visit(root, 'written', (node) => {
    const call = callOf(node, declared, constructors);
    if (call?.args.some((arg) => arg !== undefined)) calls.push(call);
    const variable = variableOf(node);
    if (variable) variables.push(variable);
  });
  return { calls, variables };
}

/** Clang leaves out what is as at the place that it printed before: the file, or the line. */
function nodesOf(dump: string, path: string): Node {
  const root: Node = { kind: '', address: '', text: '', begin: undefined, named: undefined, depth: -1, children: [] };
  const stack = [root];
  let file = '';
  let line = 0;
  const place = (said: string | undefined): TreePlace | undefined => {
    if (said === undefined || said === '<invalid sloc>') return undefined;
    const parts = said.split(':');
    const column = Number(parts.pop());
    if (parts[0] !== 'col' || parts.length > 1) line = Number(parts.pop());
    const name = parts.join(':');
    if (name !== 'col' && name !== 'line') file = name;
    return file === path ? { line, column } : undefined;
  };
  for (let start = 0; start < dump.length; ) {
    const found = dump.indexOf('\n', start);
    const end = found < 0 ? dump.length : found;
    const written = dump.slice(start, end);
    start = end + 1;
    const head = HEAD.exec(written);
    if (!head) continue;
    const [all, indent, kind, address = '', first, second] = head;
    const begin = place(first);
    place(second);
    let text = written.slice(all.length);
    const named = first !== undefined && kind.endsWith('Decl') ? NAMED.exec(text) : undefined;
    if (named) text = text.slice(named[0].length);
    const depth = indent.length / 2;
    while (stack.at(-1)!.depth >= depth) stack.pop();
    const node: Node = { kind, address, text, begin, named: place(named?.[1]), depth, children: [] };
    stack.at(-1)!.children.push(node);
    stack.push(node);
  }
  return root;
}

const FUNCTIONS = new Set(['FunctionDecl', 'CXXMethodDecl', 'CXXConstructorDecl']);

function collect(node: Node, declared: Map<string, readonly string[]>, constructors: Map<string, readonly string[]>): void {
  for (const child of node.children) {
    if (FUNCTIONS.has(child.kind)) {
      const names = child.children.filter(({ kind }) => kind === 'ParmVarDecl').map((parameter) => nameOf(parameter));
      // The parameters that a pack became have one name.
      const parameters = names.map((name) => (names.filter((other) => other === name).length > 1 ? '' : name));
      declared.set(child.address, parameters);
      if (child.kind === 'CXXConstructorDecl') constructors.set(`${nameOf(child)} ${quoted(child)[0]}`, parameters);
    }
    collect(child, declared, constructors);
  }
}

/** In the order of the text. What was made from a template says what was written once more. */
function visit(node: Node, origin: Origin, see: (node: Node) => void): void {
  if (origin === 'instantiated') return;
  see(node);
  let patterns = 0;
  for (const child of node.children) {
    const isPattern = node.kind === 'FunctionTemplateDecl' ? FUNCTIONS.has(child.kind) && patterns++ === 0 : true;
    const isMade = child.kind === 'ClassTemplateSpecializationDecl' && node.kind === 'ClassTemplateDecl';
    const isFunction = FUNCTIONS.has(child.kind);
    visit(child, isMade || (isFunction && !isPattern) ? 'instantiated' : 'written', see);
  }
}

const CALLS = new Set(['CallExpr', 'CXXMemberCallExpr', 'CUDAKernelCallExpr']);
const CONSTRUCTIONS = new Set(['CXXConstructExpr', 'CXXTemporaryObjectExpr']);
/** What stands between the triple angle brackets, in CUDA's order. */
const LAUNCH = ['grid', 'block', 'shared bytes', 'stream'];

function callOf(
  node: Node,
  declared: ReadonlyMap<string, readonly string[]>,
  constructors: ReadonlyMap<string, readonly string[]>,
): Call | undefined {
  if (CONSTRUCTIONS.has(node.kind)) {
    const [type, signature] = quoted(node);
    const name = type?.split('::').at(-1) ?? '';
    const parameters = constructors.get(`${name} ${signature}`);
    const args = argumentsOf(node.children);
    // One argument makes a conversion, which is often not written.
    return parameters && args.length > 1 ? { name, at: node.begin, parameters, args } : undefined;
  }
  if (!CALLS.has(node.kind)) return undefined;
  const [callee, ...rest] = node.children;
  const called = callee && calledBy(callee);
  if (!called) return undefined;
  const at = callee.begin;
  if (called.name === '__cudaPushCallConfiguration') return { name: called.name, at, parameters: LAUNCH, args: argumentsOf(rest) };
  // What stands for the dots has no name, and what stands before them is a format.
  if (called.isVariadic) return undefined;
  const args = argumentsOf(node.kind === 'CUDAKernelCallExpr' ? rest.slice(1) : rest);
  const parameters = declared.get(called.address);
  return { name: called.name, at, args, ...(parameters && { parameters }) };
}

function calledBy(callee: Node): { readonly name: string; readonly address: string; readonly isVariadic: boolean } | undefined {
  for (let node: Node | undefined = callee; node; node = node.children[0]) {
    const pattern = node.kind === 'DeclRefExpr' ? /(?:Function|CXXMethod) (0x[0-9a-f]+) '(\w+)'/ : /(?:->|\.)(\w+) (0x[0-9a-f]+)$/;
    if (node.kind !== 'DeclRefExpr' && node.kind !== 'MemberExpr') continue;
    const found = pattern.exec(node.text);
    if (!found) return undefined;
    const [address, name] = node.kind === 'DeclRefExpr' ? [found[1], found[2]] : [found[2], found[1]];
    return { name, address, isVariadic: node.text.includes('...)') };
  }
  return undefined;
}

/** Those that are written: the rest have default values. */
function argumentsOf(nodes: readonly Node[]): (CallArgument | undefined)[] {
  const written = nodes.filter(({ kind }) => kind !== 'CXXDefaultArgExpr');
  return written.map((node) => node.begin && { ...node.begin, isLiteral: isLiteral(node) });
}

const AROUND = new Set([
  'ImplicitCastExpr',
  'ConstantExpr',
  'MaterializeTemporaryExpr',
  'CXXBindTemporaryExpr',
  'ExprWithCleanups',
  'CXXConstructExpr',
]);

function isLiteral(node: Node): boolean {
  if (/Literal(?:Expr)?$/.test(node.kind) || node.kind === 'GNUNullExpr') return true;
  const isNegative = node.kind === 'UnaryOperator' && / prefix '-'/.test(node.text);
  return (AROUND.has(node.kind) || isNegative) && node.children.length > 0 && isLiteral(node.children[0]);
}

function variableOf(node: Node): Variable | undefined {
  if ((node.kind !== 'VarDecl' && node.kind !== 'BindingDecl') || !node.named || / implicit /.test(node.text)) return undefined;
  const name = nameOf(node);
  const type = shortType(node.text);
  return name && type ? { ...node.named, name, type } : undefined;
}

const FLAGS = new Set(['used', 'referenced', 'implicit', 'invalid', 'constexpr', 'hidden']);

/** Empty where there is none. */
function nameOf({ text }: Node): string {
  const name = /(\w+) '/.exec(text)?.[1] ?? '';
  return FLAGS.has(name) ? '' : name;
}

/** Types without what they stand for. */
function quoted({ text }: Node): string[] {
  return [...text.matchAll(/'([^']*)'(?::'[^']*')?/g)].map(([, type]) => type);
}

/** Names that classes of the standard library give to types, which say nothing without the class. */
const GENERIC = /^(?:const )?(?:\w*_type|\w*iterator|(?:const_)?reference|(?:const_)?pointer|type|rep|period)\b/;

/** What is written for a type, or what that stands for where it is the plainer way to say it. */
function shortType(text: string): string | undefined {
  const found = /'([^']*)'(?::'([^']*)')?/.exec(text);
  if (!found) return undefined;
  const [, written, meant] = found;
  const isPlain = meant !== undefined && !/__|</.test(meant);
  if (isPlain && (written.includes('<') || GENERIC.test(written))) return meant;
  return GENERIC.test(written) ? undefined : written;
}
