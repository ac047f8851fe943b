/**
 * Kernels made from a seed, as IR text: nested and irreducible control flow, loops that lanes leave one by one, early returns, barriers
 * where all threads come by, integers from 1 to 64 bits, half, single and double precision, vectors, shared memory, sums and shuffles,
 * pointers and indices of 32 and 64 bits, some of which leave the address space: a few kernels access memory through them.
 * They always end, and most have no races. Some have lanes, warps and blocks that wait for each other: locks, chains of flags, grid
 * barriers, barriers and shuffles in divergent code, calls, through pointers too, clocks. Some allocate memory. What those leave depends on who comes first, and every engine must
 * leave the same memory and the same counters.
 */
import { assign, atomic, exchange, heap, store, sum, ticket } from './random-kernel/accesses.ts';
import { branch, irreducible, loop, type Statements } from './random-kernel/control-flow.ts';
import { start } from './random-kernel/expressions.ts';
import { KernelText, OUT_WORDS_PER_THREAD, TYPES } from './random-kernel/kernel-text.ts';
import { FUNCTIONS, HEADER, PROLOGUE } from './random-kernel/module-text.ts';
import { wait } from './random-kernel/waiting.ts';

export interface RandomKernel {
  readonly ir: string;
  readonly threads: number;
  readonly blocks: number;
  readonly cooperative: boolean;
  /** Words of the input, the output and the sums: parameters `in`, `out` and `sums`. */
  readonly words: { readonly in: number; readonly out: number; readonly sums: number };
}

const MAX_DEPTH = 4;

export function randomKernel(seed: number): RandomKernel {
  const text = new KernelText(seed);
  const threads = text.pick([32, 33, 64, 96, 17]);
  const blocks = text.pick([1, 2, 5]);
  text.waits = text.chance(40);
  text.cooperative = text.waits && text.chance(50);
  text.total = threads * blocks;
  text.wild = text.chance(10);
  for (let count = 7 + text.below(5), k = 0; k < count; k++) {
    const type = k < 2 ? 'i32' : text.pick(TYPES);
    text.variables.push({ type, value: '' });
  }
  for (const variable of text.variables) variable.value = start(text, variable.type);
  statements(text, 0, true);
  const body = finish(text);
  return {
    ir: `${HEADER}${FUNCTIONS}${PROLOGUE}${body}}\n`,
    threads,
    blocks,
    cooperative: text.cooperative,
    words: { in: 256, out: text.total * (OUT_WORDS_PER_THREAD + 3) + 16, sums: 96 },
  };
}

/** `together`: all threads of the block come by. */
function statements(text: KernelText, depth: number, together: boolean): void {
  const inner: Statements = (level, all) => statements(text, level, all);
  for (let count = 2 + text.below(4); count > 0 && text.budget > 0; count--) {
    text.budget--;
    const choice = text.below(100);
    if (text.waits && text.chance(18)) wait(text, together);
    else if (choice < 45 || depth >= MAX_DEPTH) assign(text);
    else if (choice < 62) branch(text, depth, together, inner);
    else if (choice < 78) loop(text, depth, together, inner);
    else if (choice < 83) irreducible(text);
    else if (choice < 88) sum(text);
    else if (choice < 91) store(text);
    else if (choice < 93 && depth === 0) ticket(text);
    else if (choice < 94) atomic(text);
    else if (choice < 95) heap(text);
    else if (together) exchange(text);
    else assign(text);
  }
}

/** Folds all variables into the output. NaNs become one number: their payloads are nobody's business. */
function finish(text: KernelText): string {
  let sum = '0';
  const add = (value: string): void => {
    sum = text.define(`add i32 ${text.define(`mul i32 ${sum}, 31`)}, ${value}`);
  };
  for (const { type, value } of text.variables) {
    if (type === 'i32') add(value);
    else if (type === 'i64') {
      add(text.define(`trunc i64 ${value} to i32`));
      add(text.define(`trunc i64 ${text.define(`lshr i64 ${value}, 32`)} to i32`));
    } else if (type === 'ptr') add(text.define(`ptrtoint ptr ${value} to i32`));
    else if (type === 'i16' || type === 'i8' || type === 'i1') add(text.define(`zext ${type} ${value} to i32`));
    else if (type === '<2 x i32>') for (const lane of [0, 1]) add(text.define(`extractelement <2 x i32> ${value}, i32 ${lane}`));
    else {
      const bits = { float: 'i32', double: 'i64', half: 'i16' }[type];
      const safe = text.define(
        `select i1 ${text.define(`fcmp uno ${type} ${value}, ${value}`)}, ${type} ${type === 'half' ? '0xH0000' : '0.0'}, ${type} ${value}`,
      );
      const raw = text.define(`bitcast ${type} ${safe} to ${bits}`);
      add(
        bits === 'i32'
          ? raw
          : bits === 'i64'
            ? text.define(`trunc i64 ${text.define(`lshr i64 ${raw}, 20`)} to i32`)
            : text.define(`zext i16 ${raw} to i32`),
      );
    }
  }
  const pointer = text.define(`getelementptr [${OUT_WORDS_PER_THREAD} x i32], ptr %out, i32 %gid, i32 0`);
  text.emit(`store i32 ${sum}, ptr ${pointer}, align 4`);
  text.emit('ret void');
  return `${text.lines.join('\n')}\n`;
}
