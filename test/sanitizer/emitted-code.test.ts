/** Code of kernels that are not looked at is what it would be if there were no sanitizer. */
import { expect, it, vi } from 'vitest';
import { createCompiler } from '../../simulator/compiler/engine.ts';
import { interpreter } from '../../simulator/interpreter/interpreter.ts';
import { Sanitizer } from '../../simulator/sanitizer/sanitizer.ts';
import { machine } from '../interpreter/engine-harness.ts';
import { type RandomOrders, randomOrders } from './random-orders.ts';

/** What the engine has compiled, in order. */
const emitted: Uint8Array[] = [];

vi.mock('../../simulator/compiler/kernel-compiler.ts', async (original) => {
  const real = await original<typeof import('../../simulator/compiler/kernel-compiler.ts')>();
  return {
    ...real,
    compileKernel: (...args: Parameters<typeof real.compileKernel>) => {
      const kernel = real.compileKernel(...args);
      emitted.push(kernel.bytes);
      return kernel;
    },
  };
});

/** The code of launches in one process, each looked at or not. */
function codeOf({ ir, blocks, threads, words }: RandomOrders, launches: readonly boolean[]): Buffer[] {
  emitted.length = 0;
  const m = machine((options) => createCompiler({ fallback: interpreter, workers: 0 }, options), ir);
  const options = { grid: blocks, block: threads, args: [m.words(words)] };
  const shape = { kernel: 'k', grid: [blocks, 1, 1], block: [threads, 1, 1], dynamicSharedBytes: 0, args: [], cooperative: false } as const;
  for (const isLookedAt of launches) {
    const sanitizer = isLookedAt ? new Sanitizer({ memory: m.memory }) : undefined;
    expect(m.launch('k', { ...options, probes: sanitizer?.probes(m.module, shape) }).fault).toBeUndefined();
    sanitizer?.endKernel();
  }
  m.engine.close();
  return emitted.map((bytes) => Buffer.from(bytes));
}

// Of one warp, of several, and with fences and atomics of blocks.
it.each([randomOrders(3), randomOrders(5, { sizes: [96, 128] }), randomOrders(7, { isScoped: true })])(
  'checks leave nothing in the code of other launches (kernel %#)',
  (kernel) => {
    const [without, ...more] = codeOf(kernel, [false, false]);
    expect(more).toEqual([]);
    const [checked, unchecked] = codeOf(kernel, [true, false]);
    expect(unchecked.equals(without)).toBe(true);
    expect(checked.equals(without)).toBe(false);
    const [before, between, ...after] = codeOf(kernel, [false, true, false]);
    expect([before.equals(without), between.equals(checked), after]).toEqual([true, true, []]);
  },
);
