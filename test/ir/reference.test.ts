/** The IR that our own toolchain makes of the programs that a GPU has run. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseIr } from '../../simulator/ir/parse.ts';
import { verifyModule } from '../../simulator/ir/verify.ts';
import { functionFacts } from '../../simulator/simt/analyze.ts';
import { compileProgram } from '../../simulator/toolchain/compile.ts';

const folder = join(import.meta.dirname, '../fixtures/reference');

describe('reference programs', () => {
  test.each(['scan', 'atomics', 'math_kernels', 'last_block'])('%s', { timeout: 240_000 }, async (name) => {
    const compiled = await compileProgram({ file: join(folder, `${name}.cu`), includeDirs: [], defines: [] });
    if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
    const module = parseIr(compiled.deviceModules[0]);
    expect([...module.unsupported]).toEqual([]);
    expect(verifyModule(module)).toEqual([]);
    const kernels = [...module.functions.values()].filter((f) => f.isKernel);
    expect(kernels.length).toBeGreaterThan(0);
    for (const kernel of kernels) {
      const facts = functionFacts(kernel, module);
      for (const site of [...facts.merged.keys(), ...facts.aggregated.keys(), ...facts.predicated])
        expect(site).toBeLessThan(kernel.siteCount);
      // Every line of the program that has code can be told.
      for (const { instructions } of kernel.blocks) {
        for (const { location } of instructions) if (location) expect(location.file).not.toBe('');
      }
    }
  });
});
