/** What programs see of the C++ library: the outputs beside the programs are those of g++ 12.2 with libstdc++ on x86_64. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reportOf, repository } from '../runtime/simulation.ts';

const fixtures = join(repository, 'test/fixtures/linux-library');
const names = readdirSync(fixtures).flatMap((file) => (file.endsWith('.cpp') ? [file.slice(0, -'.cpp'.length)] : []));

it.each(names)(
  '%s',
  async (name) => {
    const report = await reportOf(join(fixtures, `${name}.cpp`));
    expect(report.faults).toEqual([]);
    expect(report.stdout.split('\n')).toEqual(readFileSync(join(fixtures, `${name}.out`), 'utf8').split('\n'));
    expect(report.exit).toBe(0);
  },
  180_000,
);
