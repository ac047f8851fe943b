/** Odd files of the hostile suite, all in one `lanewise check`: each is named, and none takes the others' findings with it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOUND_FINDING } from './case.ts';
import { ALL_CASES } from './cases.ts';
import { ODD_INPUTS } from './input-cases.ts';

/** The others take seconds each: `npm run test:hostile` has them. */
const MOST_BYTES = 500_000;
const inputs = ODD_INPUTS.filter(([, content]) => content.length <= MOST_BYTES);
const folder = mkdtempSync(join(tmpdir(), 'lanewise-odd-'));
afterAll(() => rmSync(folder, { recursive: true }));

let output = '';
beforeAll(() => {
  writeFileSync(
    join(folder, 'sound.cu'),
    '__global__ void sound(float* v) { v[threadIdx.x * 32] = 1.0f; }\nvoid run(float* v) { sound<<<1, 256>>>(v); }\n',
  );
  for (const [index, [, content]] of inputs.entries()) writeFileSync(join(folder, `odd${index}.cu`), content);
  const cli = join(import.meta.dirname, '../../dist/cli.mjs');
  output = spawnSync(process.execPath, [cli, 'check', '.'], { cwd: folder, encoding: 'utf8' }).stdout;
});

describe('checked in one go', () => {
  it('every file counts, and the sound one has its finding', () => {
    expect(output).toContain(`${inputs.length + 1} files: `);
    expect(output).toMatch(SOUND_FINDING);
  });

  it.each(inputs.map(([what, , says], index) => [what, says, index] as const))('%s', (_, says, index) => {
    const lines = output.split('\n').filter((line) => line.startsWith(`odd${index}.cu`));
    if (says === SOUND_FINDING) expect(lines.filter((line) => line.includes('not analysed'))).toEqual([]);
    else expect(lines.map((line) => line.replace(`odd${index}.cu`, 'a.cu')).join('\n')).toMatch(says);
  });
});

it('the suite has as many cases as it should, each with a name of its own', () => {
  expect(ALL_CASES.length).toBeGreaterThan(250);
  expect(new Set(ALL_CASES.map(({ name }) => name)).size).toBe(ALL_CASES.length);
});
