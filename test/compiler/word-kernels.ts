/** Kernels that make words of words, on every engine. */
import { expect } from 'vitest';
import { ENGINES, machine } from '../interpreter/engine-harness.ts';

export interface WordKernel {
  readonly input: readonly number[];
  /** How many words it leaves. */
  readonly outputWords: number;
  readonly grid: number;
  readonly block: number;
  /** Behind the places of input and output. */
  readonly args?: readonly number[];
}

/** What the kernel `k` leaves on each engine, in the order of ENGINES: the interpreter first. */
export function wordsOfEngines(ir: string, { input, outputWords, grid, block, args = [] }: WordKernel): number[][] {
  return ENGINES.map(([, create]) => {
    const m = machine(create, ir);
    const [from, to] = [m.words(input.length), m.words(outputWords)];
    m.write(from, input);
    expect(m.launch('k', { grid, block, args: [from, to, ...args] }).fault).toBeUndefined();
    const words = m.read(to, outputWords);
    m.engine.close();
    return words;
  });
}
