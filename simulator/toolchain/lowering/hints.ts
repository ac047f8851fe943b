/**
 * Which functions V8 is to optimise when they are first called, in the custom section of WebAssembly's proposal "Compilation Hints". V8 takes a
 * function that has become hot for optimised code when it is next called, and programs compute what they compare with in loops of functions
 * that are called once: those of the program itself that have a loop are named.
 */
import type { Body } from './code.ts';
import type { ModuleWriter } from './module-bytes.ts';

const CUSTOM = 0;
const NAME = new TextEncoder().encode('compilationHints');
/** Compiled when it is first called (bits 0 and 1), for speed at once (bits 2 and 3), and not again (bits 4 and 5). */
const OPTIMISED = 1 | (2 << 2) | (2 << 4);
/** Larger functions take the optimising compiler a second and more, for which the program would wait. */
const MOST_BYTES = 1 << 16;

export class CompilationHints {
  readonly #out: ModuleWriter;
  readonly #first: number;

  /** Writes the section, which comes before the code, for so many functions. */
  constructor(out: ModuleWriter, functions: number) {
    this.#out = out;
    out.reserve(functions + 64);
    out.byte(CUSTOM);
    out.sized(() => {
      out.unsigned(NAME.length);
      out.copy(NAME, 0, NAME.length);
      out.unsigned(functions);
      out.bytes.fill(0, out.at, out.at + functions);
      out.at += functions;
    });
    this.#first = out.at - functions;
  }

  /** By the function's number among those of the code section. */
  consider(index: number, { isUsers, hasLoop, codeBytes }: Body): void {
    if (isUsers && hasLoop && codeBytes <= MOST_BYTES) this.#out.bytes[this.#first + index] = OPTIMISED;
  }
}
