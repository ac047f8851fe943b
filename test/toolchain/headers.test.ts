import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { compileProgram } from '../../simulator/toolchain/compile.ts';

const fixtures = join(import.meta.dirname, '../fixtures/toolchain/headers');
const include = join(import.meta.dirname, '../../simulator/include');
const listed = JSON.parse(readFileSync(join(include, 'device-externals.json'), 'utf8')) as {
  functions: Record<string, { result: string; parameters: string[] }>;
  intrinsics: string[];
};

afterAll(releaseClang);

describe('programs that use every declared function', () => {
  for (const name of readdirSync(fixtures)) {
    it(`${name} compiles, and leaves open only what the table names`, async () => {
      const program = await compileProgram({ file: join(fixtures, name), includeDirs: [], defines: [] });
      if (program.kind !== 'compiled') throw new Error(JSON.stringify(program, undefined, 1));
      const declared = Array.from(program.deviceModules[0].matchAll(/^declare .*?@([\w.]+)\(/gm), ([, symbol]) => symbol);
      const unknown = declared.filter((symbol) => !(symbol in listed.functions) && !listed.intrinsics.includes(symbol));
      expect(unknown).toEqual([]);
    }, 120_000);
  }
});
