/**
 * Pairs of kernels that differ by one edit, one of which is broken: the sanitizer names each broken one, by the check that is meant and
 * by nothing else, and none of the others. On both engines, with the same findings.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../protocol/report.ts';
import { reportOf, repository } from '../runtime/simulation.ts';

const FOLDER = join(repository, 'test', 'fixtures', 'sanitizer');

interface Pair {
  readonly check: string;
  readonly name: string;
}

function pairsIn(file: string): readonly Pair[] {
  const lines = readFileSync(join(FOLDER, file), 'utf8').matchAll(
    /^ {2}(?:PAIR|FRESH|TOGETHER|SCENE|FAMILY|CLUSTER)\(([\w-]+), (\w+)[,)]/gm,
  );
  return [...lines].map(([, check, name]) => ({ check, name }));
}

/** Checks by kernel, as `name` or `name, repaired`. */
function found({ findings = [] }: Report): Record<string, string[]> {
  const checks: Record<string, string[]> = {};
  for (const { kernel = '', check } of findings) {
    const [, name, repaired] = /(\w+)<\(bool\)([01])>/.exec(kernel) ?? /(\w+)<(true|false)>/.exec(kernel) ?? ['', kernel, ''];
    const key = repaired === '1' || repaired === 'true' ? `${name}, repaired` : name;
    checks[key] = [...new Set([...(checks[key] ?? []), check])];
  }
  return checks;
}

const FILES = [
  'block.cu',
  'grid.cu',
  'barriers.cu',
  'cooperative.cu',
  'memory.cu',
  'streams.cu',
  'children.cu',
  'host.cu',
  'cluster.cu',
  'published.cu',
  'copies.cu',
  'groups.cu',
  'fresh.cu',
  'overlap.cu',
];

describe.each(FILES)('pairs in %s', (file) => {
  it('are told apart, the same by both engines', async () => {
    const [compiled, interpreted] = [
      await reportOf(join(FOLDER, file), { engine: 'compiler', sanitize: {} }),
      await reportOf(join(FOLDER, file), { engine: 'interpreter', sanitize: {} }),
    ];
    const expected = Object.fromEntries(pairsIn(file).map(({ name, check }) => [name, [check]]));
    expect(found(compiled)).toEqual(expected);
    expect(compiled.faults).toEqual([]);
    expect(interpreted.findings).toEqual(compiled.findings);
  }, 120_000);
});
