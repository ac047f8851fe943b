/** Host programs print what they print on 64-bit Linux, as g++ 12 built them (scripts/linux-outputs.mjs). */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { reportOf, repository } from '../runtime/simulation.ts';

const fixtures = join(repository, 'test/fixtures/linux');
const workingDirectory = mkdtempSync(join(tmpdir(), 'lanewise-linux-'));
afterAll(() => rmSync(workingDirectory, { recursive: true }));

const names = readdirSync(fixtures).flatMap((file) => (file.endsWith('.cpp') ? [file.slice(0, -'.cpp'.length)] : []));

it.each(names)('%s', async (name) => {
  const ending = join(fixtures, `${name}.end`);
  const [, exit, stderr] = /^exit (\d+)\n([\s\S]*)$/.exec(existsSync(ending) ? readFileSync(ending, 'utf8') : 'exit 0\n')!;
  const report = await reportOf(join(fixtures, `${name}.cpp`), { workingDirectory });
  expect(report.faults).toEqual([]);
  expect(report.stdout).toBe(readFileSync(join(fixtures, `${name}.out`), 'utf8'));
  expect(report.stderr).toBe(stderr);
  expect(report.exit).toBe(Number(exit));
});
