/** Branches, loops, and two blocks that lead to each other. */
import { assign, store } from './accesses.ts';
import { comparison } from './expressions.ts';
import type { KernelText, Way } from './kernel-text.ts';

/** Writes what a block of the source holds. `together`: all threads of the thread block come by. */
export type Statements = (depth: number, together: boolean) => void;

export function branch(text: KernelText, depth: number, together: boolean, statements: Statements): void {
  const uniform = text.chance(30);
  const condition = uniform ? text.define(`icmp sgt i32 %n, ${text.below(20)}`) : comparison(text);
  const [then, otherwise, join] = ['then', 'else', 'join'].map((what) => text.newLabel(what));
  text.emit(`br i1 ${condition}, label %${then}, label %${otherwise}`);
  const before = text.variables.map((v) => v.value);
  text.open(then);
  statements(depth + 1, together && uniform);
  const leaves = text.chance(10) && !together;
  const thenEnd = leaves ? leave(text) : together || !text.chance(60) ? text.goTo(join) : breakOr(text, join);
  const thenValues = text.variables.map((v) => v.value);
  text.restore(before);
  text.open(otherwise);
  if (text.chance(60)) statements(depth + 1, together && uniform);
  const elseEnd = text.goTo(join);
  const elseValues = text.variables.map((v) => v.value);
  text.join(join, [...(thenEnd ? [{ from: thenEnd, values: thenValues }] : []), { from: elseEnd, values: elseValues }]);
}

/** Bounded by a counter; lanes may leave early, or skip the rest of a round. */
export function loop(text: KernelText, depth: number, together: boolean, statements: Statements): void {
  const uniform = text.chance(50);
  const rounds = uniform ? String(1 + text.below(6)) : text.define(`and i32 ${text.of('i32')}, 7`);
  const [header, body, latch, exit] = ['header', 'body', 'latch', 'exit'].map((what) => text.newLabel(what));
  const entry = text.goTo(header);
  const before = text.variables.map((v) => v.value);
  const counter = text.name();
  const next = text.name();
  const phis = text.variables.map((v) => {
    v.value = text.name();
    return v.value;
  });
  const at = text.lines.length;
  const more = text.name();
  const exits: Way[] = [{ from: header, values: [...phis] }];
  text.open(body);
  const outer = text.breaks;
  text.breaks = together && uniform ? undefined : { to: exit, ways: exits };
  statements(depth + 1, together && uniform);
  text.breaks = outer;
  const latches: Way[] = [];
  const stays = together && uniform;
  if (!stays && text.chance(40)) {
    const condition = comparison(text);
    const stay = text.newLabel('stay');
    const leave = text.chance(50);
    text.emit(`br i1 ${condition}, label %${leave ? exit : latch}, label %${stay}`);
    (leave ? exits : latches).push({ from: text.label, values: text.variables.map((v) => v.value) });
    text.open(stay);
    statements(depth + 1, false);
  }
  latches.push({ from: text.goTo(latch), values: text.variables.map((v) => v.value) });
  text.join(latch, latches);
  text.emit(`${next} = add i32 ${counter}, 1`);
  text.emit(`br label %${header}`);
  const back = text.variables.map((v) => v.value);
  const head = [
    `${header}:`,
    `  ${counter} = phi i32 [ 0, %${entry} ], [ ${next}, %${latch} ]`,
    ...text.variables.map((v, k) => `  ${phis[k]} = phi ${v.type} [ ${before[k]}, %${entry} ], [ ${back[k]}, %${latch} ]`),
    `  ${more} = icmp ult i32 ${counter}, ${rounds}`,
    `  br i1 ${more}, label %${body}, label %${exit}`,
  ];
  text.lines.splice(at, 0, ...head);
  text.join(exit, exits);
}

/** Two blocks that lead to each other and are both entered from outside. */
export function irreducible(text: KernelText): void {
  const [left, right, exit] = ['left', 'right', 'out'].map((what) => text.newLabel(what));
  const entry = text.label;
  text.emit(`br i1 ${comparison(text)}, label %${left}, label %${right}`);
  const before = text.variables.map((v) => v.value);
  const names = { left: text.variables.map(() => text.name()), right: text.variables.map(() => text.name()) };
  const counters = { left: text.name(), right: text.name() };
  const steps = { left: text.name(), right: text.name() };
  const ends: Way[] = [];
  const bodies: Record<'left' | 'right', { lines: string[]; values: string[] }> = {
    left: { lines: [], values: [] },
    right: { lines: [], values: [] },
  };
  for (const side of ['left', 'right'] as const) {
    const label = side === 'left' ? left : right;
    const at = text.lines.length;
    text.restore(names[side]);
    text.label = label;
    assign(text);
    assign(text);
    const done = text.define(`icmp ugt i32 ${counters[side]}, ${3 + text.below(6)}`);
    const stop = text.chance(50) ? done : text.define(`or i1 ${done}, ${comparison(text)}`);
    text.emit(`${steps[side]} = add i32 ${counters[side]}, 1`);
    text.emit(`br i1 ${stop}, label %${exit}, label %${side === 'left' ? right : left}`);
    bodies[side] = { lines: text.lines.splice(at), values: text.variables.map((v) => v.value) };
    ends.push({ from: label, values: bodies[side].values });
  }
  for (const side of ['left', 'right'] as const) {
    const other = side === 'left' ? 'right' : 'left';
    const [label, otherLabel] = side === 'left' ? [left, right] : [right, left];
    text.lines.push(
      `${label}:`,
      `  ${counters[side]} = phi i32 [ 0, %${entry} ], [ ${steps[other]}, %${otherLabel} ]`,
      ...text.variables.map(
        (v, k) => `  ${names[side][k]} = phi ${v.type} [ ${before[k]}, %${entry} ], [ ${bodies[other].values[k]}, %${otherLabel} ]`,
      ),
      ...bodies[side].lines,
    );
  }
  text.join(exit, ends);
}

/** Out of the loop around, if lanes may leave that, from however many conditions. */
function breakOr(text: KernelText, join: string): string | undefined {
  if (!text.breaks) return text.goTo(join);
  text.breaks.ways.push({ from: text.goTo(text.breaks.to), values: text.variables.map((v) => v.value) });
  return undefined;
}

/** An early return. */
function leave(text: KernelText): undefined {
  store(text);
  text.emit('ret void');
  return undefined;
}
