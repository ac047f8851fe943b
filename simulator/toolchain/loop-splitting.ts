/**
 * A loop that asks in each round how its counter compares is several loops for NVVM, in each of which the answer is known: `for (j = 0; j < n;
 * j++) if (j != i) …` goes up to i, over it, and on from there, where each lane is at another j. By nvcc's PTX (13.0) of 90 loops it does so
 * where the loop starts at 0, goes on by 1 up to (`<`) something that is no number, ends nowhere else, is the function's only one, stands
 * behind some condition (`if (i < n)`), has up to about 120 instructions, and asks by one comparison with something that the loop does not
 * change. The text is what Clang writes before any pass, in which each variable has its alloca.
 */

interface Block {
  readonly label: string;
  readonly lines: readonly string[];
}

/** What is known of the question where the counter is below, at and above what it is compared with. */
const ANSWERS: Readonly<Record<string, readonly boolean[]>> = {
  ne: [true, false, true],
  eq: [false, true, false],
  slt: [true, false, false],
  ult: [true, false, false],
  sle: [true, true, false],
  ule: [true, true, false],
  sgt: [false, false, true],
  ugt: [false, false, true],
  sge: [false, true, true],
  uge: [false, true, true],
};
/** NVVM leaves bodies that wait for other lanes in one piece. */
const WAITS = /\bcall\b.*(?:barrier|bar\.|syncwarp|syncthreads|shfl|vote|ballot|match|activemask)/;
const MOST_INSTRUCTIONS = 136;
/** What a function of libdevice counts for, which becomes a part of the loop in NVVM; those with a loop in them are left out. */
const INSTRUCTIONS_OF_LIBRARY = 15;
const LIBRARY_WITH_LOOP = /__nv_(?:sin|cos|sincos|tan)f?\(/;

/** The module with such loops in parts. */
export function withSplitLoops(ir: string): string {
  if (!ir.includes('!llvm.loop')) return ir;
  let count = 0;
  const sizes = sizesOf(ir);
  return ir.replace(/^define .*?^\}$/gms, (body) => {
    if (body.split('!llvm.loop').length !== 2 || !/^ +%\S+ = icmp (?:ne|eq|[su][lg][te]) /m.test(body)) return body;
    let text = body;
    for (const { header, latch, inside } of outermost(blocksOf(body))) {
      const parts = split(blocksOf(text), { header, latch, inside, prefix: `split.${count}`, sizes });
      if (!parts) continue;
      count++;
      text = `${text.slice(0, text.indexOf('\n') + 1)}${parts.map(({ label, lines }) => `${label === '' ? '' : `\n${label}:\n`}${lines.join('\n')}\n`).join('')}}`;
    }
    return text;
  });
}

/** Instructions of the module's functions, endless for those with loops. */
type Sizes = ReadonlyMap<string, readonly string[]>;

function sizesOf(ir: string): Sizes {
  return new Map(
    [...ir.matchAll(/^define [^\n]*?(@[-\w$.]+|@"[^"]*")\(.*?^\}$/gms)].map(([body, name]) => [name, body.split('\n').slice(1, -1)]),
  );
}

/** How many there will be when variables are in registers and functions are inlined. */
function instructionsIn(lines: readonly string[], sizes: Sizes, depth = 0): number {
  if (depth > 6) return Infinity;
  return lines.reduce((sum, line) => {
    if (!line.startsWith(' ') || VANISHES.test(line)) return sum;
    const callee = / call [^@]*(@[-\w$.]+|@"[^"]*")\(/.exec(line)?.[1];
    const inside = callee === undefined ? undefined : sizes.get(callee);
    if (!inside) return LIBRARY_WITH_LOOP.test(line) ? Infinity : sum + (callee?.startsWith('@__nv_') ? INSTRUCTIONS_OF_LIBRARY : 1);
    return inside.some((each) => each.includes('!llvm.loop')) ? Infinity : sum + instructionsIn(inside, sizes, depth + 1);
  }, 0);
}
/** Variables (those without a place in memory are named directly) and what marks their life. */
const VANISHES =
  /^ +(?:%\S+ = load \S+, ptr %[A-Za-z_][-\w$.]*(?:\.addr)?,|store \S+ \S+, ptr %[A-Za-z_][-\w$.]*,|%\S+ = alloca |br label |ret |call void @llvm\.lifetime)/;

function blocksOf(body: string): readonly Block[] {
  const blocks: { label: string; lines: string[] }[] = [{ label: '', lines: [] }];
  for (const line of body.split('\n').slice(1, -1)) {
    const start = /^([-\w$.]+|"[^"]*"):/.exec(line);
    if (start) blocks.push({ label: start[1], lines: [] });
    else if (line !== '') blocks.at(-1)!.lines.push(line);
  }
  return blocks[0].lines.length === 0 ? blocks.slice(1) : blocks;
}

function successorsOf({ lines }: Block): readonly string[] {
  const start = lines.findLastIndex((line) => /^ +(br|switch|indirectbr|ret|unreachable|invoke)\b/.test(line));
  return lines.slice(Math.max(0, start)).flatMap((line) => [...line.matchAll(/label %([-\w$.]+|"[^"]*")/g)].map(([, name]) => name));
}

interface Loop {
  readonly header: string;
  readonly latch: string;
  readonly inside: ReadonlySet<string>;
}

/** Loops with no other in or around them. */
function outermost(blocks: readonly Block[]): readonly Loop[] {
  const predecessors = new Map<string, string[]>();
  for (const block of blocks) for (const to of successorsOf(block)) predecessors.set(to, [...(predecessors.get(to) ?? []), block.label]);
  const loops = blocks.flatMap((block): Loop[] => {
    if (!/!llvm\.loop !\d+/.test(block.lines.at(-1) ?? '')) return [];
    const header = successorsOf(block)[0];
    const inside = new Set([header, block.label]);
    for (const label of inside) if (label !== header) for (const from of predecessors.get(label) ?? []) inside.add(from);
    return [{ header, latch: block.label, inside }];
  });
  return loops.filter((loop) => loops.every((other) => other === loop || [...other.inside].every((label) => !loop.inside.has(label))));
}

const CONDITION = /^ +(%[-\w$.]+) = icmp (\w+) (i32|i64) (%[-\w$.]+), (%[-\w$.]+)(, !dbg !\d+)?$/;

function split(
  blocks: readonly Block[],
  { header, latch, inside, prefix, sizes }: Loop & { readonly prefix: string; readonly sizes: Sizes },
): readonly Block[] | undefined {
  const named = new Map(blocks.map((block) => [block.label, block]));
  const [head, last] = [named.get(header), named.get(latch)];
  if (!head || !last) return undefined;
  const loop = blocks.filter(({ label }) => inside.has(label));
  const others = blocks.filter(({ label }) => !inside.has(label));
  const texts = loop.flatMap(({ lines }) => lines);
  if (
    instructionsIn(texts, sizes) > MOST_INSTRUCTIONS ||
    texts.some((line) => WAITS.test(line)) ||
    /\bphi\b/.test(others.flatMap(({ lines }) => lines).join('\n'))
  )
    return undefined;
  const ending = askedIn(head);
  const [body, end] = successorsOf(head);
  const question = inside.has(body) && !inside.has(end) ? named.get(body) : undefined;
  const asked = ending && question && turned(askedIn(question), ending.variable);
  if (!ending || !asked || !/^[su]lt$/.test(ending.predicate) || asked.variable !== ending.variable || asked.type !== ending.type)
    return undefined;
  if (asksOn(question!, named)) return undefined;
  if (loop.some((block) => block !== head && successorsOf(block).some((to) => !inside.has(to)))) return undefined;
  if (!/^(?:eq|ne)$/.test(asked.predicate) && !isAlone(question!, loop)) return undefined;
  const answers = ANSWERS[asked.predicate];
  const { variable, type } = ending;
  if (
    !answers ||
    (asked.predicate.startsWith('u') && ending.predicate === 'slt') ||
    (asked.predicate.startsWith('s') && ending.predicate === 'ult')
  )
    return undefined;
  const all = blocks.flatMap(({ lines }) => lines);
  if (![variable, ending.limit, asked.limit].every((name) => isPrivate(all, name))) return undefined;
  if ([ending.limit, asked.limit].some((name) => changesOf(texts, name).length > 0)) return undefined;
  if (!isCounted({ blocks, texts, last, header, inside, variable, type })) return undefined;
  if (!isGuarded(blocks, named, header) || leavesValues(loop, others)) return undefined;
  const first = part(loop, { prefix: `${prefix}.below`, inside, asked: asked.name, answer: answers[0], next: undefined });
  const names = { below: `${prefix}.below.${header}`, at: `${prefix}.is`, above: header };
  const hasMiddle = answers[1] !== answers[2];
  const bounded = first.map((block) =>
    block.label === names.below ? boundedHead(block, { ending, asked, prefix, exit: hasMiddle ? names.at : header, end }) : block,
  );
  const middle = hasMiddle
    ? [
        askedOnce({ ending, asked, prefix, names, body }),
        ...part(
          loop.filter(({ label }) => label !== header),
          { prefix: `${prefix}.at`, inside, asked: asked.name, answer: answers[1], next: header },
        ),
      ]
    : [];
  const rest = loop.map((block) => ({ ...block, lines: answered(block.lines, asked.name, answers[2]) }));
  const entered = new RegExp(`label %${header.replaceAll(/[.$]/g, '\\$&')}(?![-\\w$.])`, 'g');
  const at = blocks.findIndex(({ label }) => inside.has(label));
  const redirected = (block: Block) => ({ ...block, lines: block.lines.map((line) => line.replace(entered, `label %${names.below}`)) });
  const result = new Map(rest.map((block) => [block.label, block]));
  const kept = blocks.map((block) => result.get(block.label) ?? redirected(block));
  return [...kept.slice(0, at), ...bounded, ...middle, ...kept.slice(at)];
}

interface Asked {
  /** The comparison, and its operands. */
  readonly name: string;
  readonly predicate: string;
  readonly type: string;
  readonly variable: string;
  readonly limit: string;
}

/** The comparison of two variables that a block ends with. */
function askedIn({ lines }: Block): Asked | undefined {
  const [, name, predicate, type, left, right] = CONDITION.exec(lines.at(-2) ?? '') ?? [];
  if (name === undefined || !new RegExp(`^ +br i1 ${name.replaceAll(/[.$]/g, '\\$&')}, `).test(lines.at(-1)!)) return undefined;
  const loads = new Map(
    lines
      .slice(0, -2)
      .map(
        (line) => (/^ +(%[-\w$.]+) = load i(?:32|64), ptr (%[-\w$.]+),/.exec(line)?.slice(1) as [string, string] | undefined) ?? ['', ''],
      ),
  );
  const [variable, limit] = [loads.get(left), loads.get(right)];
  if (variable === undefined || limit === undefined) return undefined;
  return { name, predicate, type, variable, limit };
}

/** Equality with the counter on its left. */
function turned(asked: Asked | undefined, counter: string): Asked | undefined {
  if (!asked || asked.limit !== counter || !/^(?:eq|ne)$/.test(asked.predicate)) return asked;
  return { ...asked, variable: asked.limit, limit: asked.variable };
}

/** Whether another question of variables follows for the same sides, of which LLVM makes one with the first: `j != i && j != k`. */
function asksOn(question: Block, named: ReadonlyMap<string, Block>): boolean {
  const sides = successorsOf(question);
  return sides.some((side) => {
    const next = named.get(side);
    return (
      next !== undefined &&
      successorsOf(next).length === 2 &&
      successorsOf(next).some((to) => sides.includes(to)) &&
      !/ getelementptr | call | store /.test(next.lines.join('\n'))
    );
  });
}

/** Whether nothing is to be done in one of the two cases. */
function isAlone(question: Block, loop: readonly Block[]): boolean {
  return successorsOf(question).some((to) => loop.filter((block) => successorsOf(block).includes(to)).length > 1);
}

function mentions(line: string, name: string): boolean {
  return new RegExp(`ptr ${name.replaceAll(/[.$]/g, '\\$&')}(?![-\\w$.])`).test(line);
}

function changesOf(lines: readonly string[], name: string): readonly string[] {
  return lines.filter((line) => / store /.test(` ${line.trim()}`) && mentions(line, name));
}

/** Whether nobody has the variable's address. */
function isPrivate(lines: readonly string[], name: string): boolean {
  return lines.every((line) => !mentions(line, name) || / = load |^ +store .*, ptr |@llvm\.lifetime\./.test(line));
}

/** Whether the counter starts at 0 and goes on by 1 at the end of a round alone. */
function isCounted(loop: {
  readonly blocks: readonly Block[];
  readonly texts: readonly string[];
  readonly last: Block;
  readonly header: string;
  readonly inside: ReadonlySet<string>;
  readonly variable: string;
  readonly type: string;
}): boolean {
  const { blocks, texts, last, header, inside, variable, type } = loop;
  const changes = changesOf(texts, variable);
  const stored = /^ +store i\d+ (%[-\w$.]+), ptr /.exec(changes[0] ?? '')?.[1];
  const isNext =
    stored !== undefined &&
    last.lines.some((line) =>
      new RegExp(`^ +${stored.replaceAll(/[.$]/g, '\\$&')} = add (?:nuw |nsw )*${type} %[-\\w$.]+, 1\\b`).test(line),
    );
  const entering = blocks.filter((block) => !inside.has(block.label) && successorsOf(block).includes(header));
  const starts = entering.length === 1 ? changesOf(entering[0].lines, variable).at(-1) : undefined;
  return (
    changes.length === 1 &&
    isNext &&
    last.lines.includes(changes[0]) &&
    starts !== undefined &&
    new RegExp(`^ +store ${type} 0, `).test(starts)
  );
}

/** Whether some condition decides about the loop. */
function isGuarded(blocks: readonly Block[], named: ReadonlyMap<string, Block>, header: string): boolean {
  for (let block: Block | undefined = blocks[0], steps = 0; block && steps < blocks.length; steps++) {
    const next = successorsOf(block);
    if (next.length !== 1) return true;
    if (next[0] === header) return false;
    block = named.get(next[0]);
  }
  return true;
}

function leavesValues(loop: readonly Block[], others: readonly Block[]): boolean {
  const defined = new Set(loop.flatMap(({ lines }) => lines.flatMap((line) => /^ +(%[-\w$.]+) = /.exec(line)?.[1] ?? [])));
  return others.some(({ lines }) => lines.some((line) => [...line.matchAll(/%[-\w$.]+/g)].some(([name]) => defined.has(name))));
}

/** A copy of a loop's blocks; `next`: where a round leads instead of the next one. */
function part(
  loop: readonly Block[],
  {
    prefix,
    inside,
    asked,
    answer,
    next,
  }: {
    readonly prefix: string;
    readonly inside: ReadonlySet<string>;
    readonly asked: string;
    readonly answer: boolean;
    readonly next?: string;
  },
): readonly Block[] {
  const defined = new Set(loop.flatMap(({ lines }) => lines.flatMap((line) => /^ +(%[-\w$.]+) = /.exec(line)?.[1] ?? [])));
  const copied = new Set(loop.map(({ label }) => label));
  return loop.map(({ label, lines }) => ({
    label: `${prefix}.${label}`,
    lines: answered(lines, asked, answer).map((line) => {
      const renamed = line.replace(/%([-\w$.]+)/g, (name, plain) => {
        if (defined.has(name)) return `%${prefix}.${plain}`;
        if (copied.has(plain)) return `%${prefix}.${plain}`;
        return inside.has(plain) && next !== undefined && !copied.has(plain) ? `%${next}` : name;
      });
      return next === undefined ? renamed : renamed.replace(/, !llvm\.loop !\d+/, '');
    }),
  }));
}

function answered(lines: readonly string[], asked: string, answer: boolean): readonly string[] {
  return lines.map((line) => (line.startsWith(`  ${asked} = icmp `) ? `  ${asked} = icmp ${answer ? 'eq' : 'ne'} i32 0, 0` : line));
}

interface Asking {
  readonly ending: Asked;
  readonly asked: Asked;
  readonly prefix: string;
}

/** The head of the part below: it ends at the lesser of both limits. */
function boundedHead(block: Block, { ending, asked, prefix, exit, end }: Asking & { readonly exit: string; readonly end: string }): Block {
  const name = (value: string) => `%${prefix}.${value}`;
  const { type, predicate } = ending;
  const [compared, branch] = block.lines.slice(-2);
  const [, result, , , left, right, place = ''] = CONDITION.exec(compared)!;
  return {
    label: block.label,
    lines: [
      ...block.lines.slice(0, -2),
      `  ${name('limit')} = load ${type}, ptr ${asked.limit}${place}`,
      `  ${name('less')} = icmp ${predicate} ${type} ${name('limit')}, ${right}${place}`,
      `  ${name('least')} = select i1 ${name('less')}, ${type} ${name('limit')}, ${type} ${right}${place}`,
      `  ${result} = icmp ${predicate} ${type} ${left}, ${name('least')}${place}`,
      branch.replace(`label %${end}`, `label %${exit}`),
    ],
  };
}

/** Between the parts: whether there is a round in which the counter is what it is compared with. */
function askedOnce({
  ending,
  asked,
  prefix,
  names,
  body,
}: Asking & { readonly names: { readonly at: string; readonly above: string }; readonly body: string }): Block {
  const name = (value: string) => `%${prefix}.${value}`;
  const { type, predicate, variable } = ending;
  return {
    label: names.at,
    lines: [
      `  ${name('counter')} = load ${type}, ptr ${variable}`,
      `  ${name('end')} = load ${type}, ptr ${ending.limit}`,
      `  ${name('value')} = load ${type}, ptr ${asked.limit}`,
      `  ${name('goes.on')} = icmp ${predicate} ${type} ${name('counter')}, ${name('end')}`,
      `  ${name('equal')} = icmp eq ${type} ${name('counter')}, ${name('value')}`,
      `  ${name('both')} = and i1 ${name('goes.on')}, ${name('equal')}`,
      `  br i1 ${name('both')}, label %${prefix}.at.${body}, label %${names.above}`,
    ],
  };
}
