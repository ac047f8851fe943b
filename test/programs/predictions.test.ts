/**
 * Predictions from the device code against the runs of the same programs, instruction by instruction: branches that part lanes, sectors,
 * wavefronts and turns of atomics. What differs has its reason in differences.json.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agrees, byPlace, type Compared, type Compares, comparesOf, isPredicted } from '../../bench/predictions.ts';
import { theAnalyzer } from '../analyzers/open.ts';
import { repository } from '../runtime/simulation.ts';

const PROGRAMS = [
  ...['access_patterns', 'atomics', 'bank_conflicts', 'divergence', 'grid_sync', 'grid_sync_misuse', 'histogram', 'l2_window'],
  ...['last_block', 'lost_update', 'math_kernels', 'matmul', 'nested_reduce', 'reduction', 'scan', 'stencil', 'streams'],
  ...['thrust_vectors', 'transpose', 'vector_add'],
].map((name) => join('test/fixtures/reference', `${name}.cu`));

interface Difference {
  readonly program: string;
  readonly line: number;
  readonly column: number;
  readonly what: string;
  readonly reason: string;
}

const DIFFERENCES: readonly Difference[] = JSON.parse(readFileSync(join(import.meta.dirname, 'differences.json'), 'utf8'));

const isOf = (difference: Difference, program: string, { instruction: { location }, what }: Compared) =>
  difference.program === program && difference.line === location?.line && difference.column === location.column && difference.what === what;

function wrongOf(rows: readonly Compared[]): Compared[] {
  return rows.filter((row) => row.predicted !== undefined && !agrees(row));
}

function unexplained(program: string, rows: readonly Compared[]): object[] {
  return wrongOf(rows)
    .filter((row) => !DIFFERENCES.some((difference) => isOf(difference, program, row)))
    .map(({ kernel, instruction, what, run, predicted }) => ({ kernel, at: instruction.location, what, run, predicted }));
}

describe('predictions beside the runs of the same programs', () => {
  const results = new Map<string, Compares>();

  it.each(PROGRAMS)('%s', { timeout: 180_000 }, async (program) => {
    const compares = await comparesOf({ files: [join(repository, program)] }, await theAnalyzer());
    results.set(program, compares);
    const { asRun, asText } = compares;
    expect(asRun.length).toBeGreaterThan(0);
    expect(unexplained(program, asRun)).toEqual([]);
    expect(unexplained(program, asText)).toEqual([]);
    const wrong = [...wrongOf(asRun), ...wrongOf(asText)];
    const stale = DIFFERENCES.filter(
      (difference) => difference.program === program && !wrong.some((row) => isOf(difference, program, row)),
    );
    expect(stale).toEqual([]);
  });

  it.each(['asText', 'asRun'] as const)('%s: at least 70 of 100 are predicted, and 99 of 100 of these are what the run counts', (how) => {
    const rows = [...results.values()].flatMap((compares) => byPlace(compares[how]));
    const predicted = rows.filter(isPredicted);
    const right = predicted.filter((copies) => copies.every(agrees));
    console.log(`${how}: ${predicted.length} of ${rows.length} predicted, ${right.length} of these as in the run`);
    expect(results.size).toBe(PROGRAMS.length);
    expect(predicted.length / rows.length).toBeGreaterThanOrEqual(0.7);
    expect(right.length / predicted.length).toBeGreaterThanOrEqual(0.99);
  });

  it('every difference is of a program that is here', () => {
    for (const { program } of DIFFERENCES) expect(existsSync(join(repository, program)) && PROGRAMS.includes(program), program).toBe(true);
  });
});
