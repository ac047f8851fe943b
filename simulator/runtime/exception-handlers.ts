/**
 * Whether an exception that a program throws would be caught. On Linux the unwinder looks for a handler before it runs any destructor,
 * and ends the program in place where there is none; WebAssembly unwinds as it looks. So the frames on the stack are compared with the
 * module's `try` regions. A handler for another type counts as one.
 */
import { CODE } from '../toolchain/lowering/code.ts';
import { ModuleReader } from '../toolchain/lowering/module-bytes.ts';
import { skipInstruction } from '../toolchain/lowering/walk.ts';

const SECTION = { custom: 0, code: 10 };
const HEADER_BYTES = 8;
const FUNCTION_NAMES = 1;
/** What a function that must not throw does with an exception. */
const TERMINATES = ['std::terminate()', '_ZSt9terminatev', '__clang_call_terminate'];
/** Handlers are mostly near: the first look is at this many frames. */
const NEAR_FRAMES = 12;

export class ExceptionHandlers {
  readonly #module: Uint8Array;
  #regions: readonly Region[] | undefined;
  /** By the place of a call: whether a handler is around it. */
  readonly #known = new Map<number, boolean>();

  /** `module`: the lowered one, as V8 has it. */
  constructor(module: Uint8Array) {
    this.#module = module;
  }

  /** Called from an import, with the program's frames below. */
  handleException(): boolean {
    const near = framesOnStack(NEAR_FRAMES);
    if (near.some((place) => this.#isHandled(place))) return true;
    return near.length >= NEAR_FRAMES - 4 && framesOnStack(Number.POSITIVE_INFINITY).some((place) => this.#isHandled(place));
  }

  #isHandled(place: number): boolean {
    const known = this.#known.get(place);
    if (known !== undefined) return known;
    this.#regions ??= handledRegions(this.#module);
    const handled = this.#regions.some(({ start, end }) => start <= place && place < end);
    this.#known.set(place, handled);
    return handled;
  }
}

/** Code whose exceptions a handler gets: bytes of the module. */
interface Region {
  readonly start: number;
  readonly end: number;
}

/** Where the program's frames are in its module, innermost first. */
function framesOnStack(limit: number): number[] {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = limit;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = before;
  return [...stack.matchAll(/wasm-function\[\d+\]:0x([0-9a-f]+)/g)].map(([, place]) => Number.parseInt(place, 16));
}

function handledRegions(module: Uint8Array): Region[] {
  const regions: Region[] = [];
  const reader = new ModuleReader(module);
  const terminating = terminatingFunctions(module);
  for (const { id, end } of sections(reader)) {
    if (id !== SECTION.code) continue;
    for (let left = reader.unsigned(); left > 0; left--) {
      const size = reader.unsigned();
      addRegions(regions, reader, reader.at + size, terminating);
    }
    reader.at = end;
  }
  return regions;
}

/** Every section, with the reader at its contents. */
function* sections(reader: ModuleReader): Generator<{ id: number; end: number }> {
  reader.at = HEADER_BYTES;
  while (reader.at < reader.bytes.length) {
    const id = reader.byte();
    const size = reader.unsigned();
    const end = reader.at + size;
    yield { id, end };
    reader.at = end;
  }
}

interface Block {
  /** Of a `try` whose handlers are not reached yet. */
  readonly start?: number;
  end?: number;
  handled?: boolean;
}

const BLOCKS: readonly number[] = [CODE.block, CODE.loop, CODE.if, CODE.try];

function addRegions(regions: Region[], reader: ModuleReader, end: number, terminating: ReadonlySet<number>): void {
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    reader.skipLeb();
    reader.at++;
  }
  const open: Block[] = [];
  while (reader.at < end) {
    const start = reader.at;
    const code = skipInstruction(reader);
    if (BLOCKS.includes(code)) open.push(code === CODE.try ? { start } : {});
    else if (code === CODE.catch) {
      const block = open[open.length - 1];
      block.end ??= start;
      block.handled ||= handles(reader, terminating);
    } else if (code === CODE.catchAll) open[open.length - 1].end ??= start;
    else if (code === CODE.end || code === CODE.delegate) {
      const block = open.pop();
      if (block?.handled) regions.push({ start: block.start!, end: block.end! });
    }
  }
}

/** Whether what follows `catch` is a handler, or ends the program. A cleanup drops the exception at once. */
function handles(reader: ModuleReader, terminating: ReadonlySet<number>): boolean {
  const start = reader.at;
  let handled = skipInstruction(reader) !== CODE.drop;
  while (!handled && (reader.bytes[reader.at] === CODE.localGet || reader.bytes[reader.at] === CODE.globalSet)) skipInstruction(reader);
  if (!handled && reader.byte() === CODE.call) handled = terminating.has(reader.unsigned());
  reader.at = start;
  return handled;
}

function terminatingFunctions(module: Uint8Array): Set<number> {
  const reader = new ModuleReader(module);
  const found = new Set<number>();
  for (const { id, end } of sections(reader)) {
    if (id !== SECTION.custom || reader.name() !== 'name') continue;
    while (reader.at < end) {
      const subsection = reader.byte();
      const size = reader.unsigned();
      const next = reader.at + size;
      if (subsection === FUNCTION_NAMES) {
        for (let left = reader.unsigned(); left > 0; left--) {
          const index = reader.unsigned();
          if (TERMINATES.includes(reader.name())) found.add(index);
        }
      }
      reader.at = next;
    }
  }
  return found;
}
