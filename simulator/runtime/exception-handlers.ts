/**
 * Whether an exception that a program throws would be caught. On Linux the unwinder looks for a handler before it runs any destructor,
 * and ends the program in place where there is none; WebAssembly unwinds as it looks. So the frames on the stack are compared with the
 * module's `try` regions. A handler for another type counts as one.
 */
import { code } from '#platform';
import { ModuleReader, sectionsOf } from '../toolchain/lowering/module-bytes.ts';
import { CODE } from '../toolchain/lowering/opcodes.ts';
import { skipInstruction } from '../toolchain/lowering/walk.ts';

const CODE_SECTION = 10;
/** Most handlers are near, so this many frames are examined first. */
const NEAR_FRAMES = 10;
/** At most this many of them are ours, between the program's call and the examination. */
const OWN_FRAMES = 4;

export class ExceptionHandlers {
  readonly #module: Uint8Array;
  #tries: readonly Try[] | undefined;
  /** By the place of a call: whether a handler is around it. */
  readonly #known = new Map<number, boolean>();

  /** `module`: the lowered one, as V8 has it. */
  constructor(module: Uint8Array) {
    this.#module = module;
  }

  /** Called from an import, with the program's frames below. */
  handleException(): boolean {
    const near = code.framesOnStack(NEAR_FRAMES);
    if (near.some((place) => this.#isHandled(place))) return true;
    return near.length >= NEAR_FRAMES - OWN_FRAMES && code.framesOnStack(Number.POSITIVE_INFINITY).some((place) => this.#isHandled(place));
  }

  #isHandled(place: number): boolean {
    const known = this.#known.get(place);
    if (known !== undefined) return known;
    this.#tries ??= triesOf(this.#module);
    // The innermost one begins last.
    let at = this.#tries.filter(({ start, end }) => start <= place && place < end!).reduce<Try | undefined>(later, undefined);
    while (at && !at.handles) at = at.next;
    this.#known.set(place, at !== undefined);
    return at !== undefined;
  }
}

/** A `try` of the module. */
interface Try {
  readonly start: number;
  /** Where its own code ends and what it does with exceptions begins; undefined before the reader is there. */
  end?: number;
  /** It has a handler, or ends the program. */
  handles?: boolean;
  /** Where exceptions go on from it: a cleanup throws them again, and `delegate` passes them on. */
  next?: Try;
}

function later(one: Try | undefined, other: Try): Try {
  return one && one.start > other.start ? one : other;
}

function triesOf(module: Uint8Array): Try[] {
  const tries: Try[] = [];
  const reader = new ModuleReader(module);
  for (const { id } of sectionsOf(reader)) {
    if (id === CODE_SECTION) for (let left = reader.unsigned(); left > 0; left--) addTries(tries, reader);
  }
  return tries;
}

const BLOCKS: readonly number[] = [CODE.block, CODE.loop, CODE.if];

/** Adds the `try` regions of the next function's body. */
function addTries(tries: Try[], reader: ModuleReader): void {
  const size = reader.unsigned();
  const end = reader.at + size;
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    reader.skipLeb();
    reader.at++;
  }
  /** Blocks around the reader, outermost first; undefined for those that are no `try`. */
  const open: (Try | undefined)[] = [];
  const innermost = () => open[open.length - 1];
  /** Which `try` gets what is thrown in the block `depth` out of the innermost. */
  const protecting = (depth: number) =>
    open.slice(0, Math.max(0, open.length - depth)).findLast((block) => block && block.end === undefined);
  while (reader.at < end) {
    const start = reader.at;
    const code = skipInstruction(reader);
    if (BLOCKS.includes(code)) open.push(undefined);
    else if (code === CODE.try) {
      const opened: Try = { start };
      tries.push(opened);
      open.push(opened);
    } else if (code === CODE.catch) {
      const block = innermost()!;
      block.end ??= start;
      block.handles ||= handles(reader);
    } else if (code === CODE.catchAll) innermost()!.end ??= start;
    else if (code === CODE.rethrow) {
      const rethrown = open[open.length - 1 - operand(reader, start)];
      if (rethrown) rethrown.next ??= protecting(0);
    } else if (code === CODE.delegate) {
      const block = open.pop()!;
      block.end = start;
      block.next = protecting(operand(reader, start));
    } else if (code === CODE.end) open.pop();
  }
}

/** The number behind the instruction at `start`, which the reader has passed. */
function operand({ bytes }: ModuleReader, start: number): number {
  const reader = new ModuleReader(bytes);
  reader.at = start + 1;
  return reader.unsigned();
}

/** Whether what follows `catch` is a handler, or ends the program. A cleanup drops the exception at once. */
function handles({ bytes, at }: ModuleReader): boolean {
  return bytes[at] !== CODE.drop;
}
