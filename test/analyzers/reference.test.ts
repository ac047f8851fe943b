/** The reference programs that a GPU ran: each defect that their comments name is found at its line, and kernels meant as right are silent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unfolded } from '../../analyzers/fold-findings.ts';
import type { Finding, KernelOutline } from '../../protocol/finding.ts';
import { root, theAnalyzer } from './open.ts';

const fixtures = join(root, 'test/fixtures');

async function analyse(file: string): Promise<{ findings: readonly Finding[]; kernels: readonly KernelOutline[] }> {
  const document = (await theAnalyzer()).open(readFileSync(join(fixtures, file), 'utf8'));
  const result = { findings: unfolded(document.findings()), kernels: document.outline().kernels };
  document.dispose();
  return result;
}

/** File, line, rule, and what the message must say. */
const DEFECTS: readonly (readonly [file: string, line: number, rule: string, says: string])[] = [
  ['reference/access_patterns.cu', 10, 'uncoalesced-access', 'stride × 4 bytes apart: up to 32 sectors'],
  [
    'reference/access_patterns.cu',
    20,
    'structure-stride',
    'this kernel uses only 8 of the 20 bytes of each `Particle` in `in` (`x`, `mass`)',
  ],
  ['reference/access_patterns.cu', 22, 'uncoalesced-access', '20 bytes apart to access field `mass` of `Particle`'],
  ['reference/atomics.cu', 6, 'hot-global-atomic', 'combines integer updates'],
  ['reference/atomics.cu', 40, 'hot-global-atomic', 'float updates are not combined'],
  ['reference/bank_conflicts.cu', 11, 'bank-conflict', 'sharedStride<int, 4>'],
  ['reference/divergence.cu', 13, 'divergent-branch', '16 of 32 lanes'],
  ['reference/divergence.cu', 31, 'divergent-loop', '1 to 32 times'],
  ['reference/divergence.cu', 37, 'divergent-branch', 'loaded data'],
  ['reference/grid_sync_misuse.cu', 11, 'grid-sync-misuse', '`data` is read here'],
  ['reference/grid_sync_misuse.cu', 19, 'grid-sync-misuse', '`data` is read here'],
  ['reference/grid_sync.cu', 34, 'grid-sync-misuse', '1048576 blocks'],
  ['reference/histogram.cu', 13, 'hot-global-atomic', '167 times faster'],
  ['reference/histogram.cu', 39, 'uncoalesced-access', 'nBins × 4 bytes apart'],
  ['reference/lost_update.cu', 7, 'lost-update', 'only one update survives'],
  ['reference/math_kernels.cu', 51, 'divergent-loop', 'each lane computes when it is done'],
  ['reference/math_kernels.cu', 59, 'divergent-loop', 'loaded data'],
  ['reference/matmul.cu', 11, 'repeated-global-load', '16 times'],
  ['reference/matmul.cu', 19, 'uncoalesced-access', '16 sectors'],
  ['reference/matmul.cu', 20, 'uncoalesced-access', '16 sectors'],
  ['reference/nested_reduce.cu', 19, 'child-grid-per-thread', 'every block'],
  ['reference/reduction.cu', 27, 'modulo-indexing', '16, 8, 4, 2, 1 lanes'],
  ['reference/reduction.cu', 42, 'bank-conflict', 'bank conflict'],
  ['reference/reduction.cu', 89, 'hot-global-atomic', 'combines integer updates'],
  ['reference/scan.cu', 27, 'uncoalesced-access', 'own 8 consecutive bytes'],
  ['reference/scan.cu', 33, 'bank-conflict', 'in blelloch<false>'],
  ['reference/scan.cu', 33, 'divergent-branch', '5 of 9 iterations, with 16, 8, 4, 2, 1 lanes'],
  ['reference/scan.cu', 40, 'divergent-branch', '5 of 9 iterations, with 1, 2, 4, 8, 16 lanes'],
  ['reference/scan.cu', 49, 'uncoalesced-access', 'own 8 consecutive bytes'],
  [
    'reference/transpose.cu',
    14,
    'uncoalesced-access',
    '2048 bytes apart, where those of `in[(y + j) * n + x]` are side by side (a transposition): 32 sectors',
  ],
  ['reference/transpose.cu', 24, 'bank-conflict', 'in transposeTile<0>: 32-way'],
  ['defects/divergent_barrier.cu', 7, 'divergent-barrier', '__syncthreads()'],
  ['defects/launch_errors.cu', 8, 'invalid-launch', '2048'],
  ['defects/launch_errors.cu', 9, 'invalid-launch', 'grid.x is 0'],
  ['defects/launch_errors.cu', 10, 'invalid-launch', '70000'],
  ['defects/launch_errors.cu', 11, 'invalid-launch', '65'],
  ['defects/launch_errors.cu', 12, 'invalid-launch', 'cudaFuncSetAttribute'],
  ['defects/missing_syncwarp.cu', 10, 'implicit-warp-sync', '`s`'],
  ['defects/shared_race.cu', 7, 'missing-barrier', '`s`'],
  ['defects/wrong_shuffle_mask.cu', 6, 'shuffle-mask', '16 execute it'],
];

/** Kernels that show how it is done. A template's bad instantiations are named in the message, so the good ones are those that are not. */
const RIGHT: readonly (readonly [file: string, kernel: string])[] = [
  ['reference/vector_add.cu', 'add'],
  ['reference/reduction.cu', 'reduceSequential'],
  ['reference/reduction.cu', 'reduceShuffle'],
  ['reference/divergence.cu', 'wholeWarps'],
  ['reference/divergence.cu', 'byBlock'],
  ['reference/histogram.cu', 'histShared'],
  ['reference/grid_sync.cu', 'reduceGrid'],
  ['reference/last_block.cu', 'sumSinglePass'],
];

describe('reference programs', () => {
  test.each(DEFECTS)('%s:%i %s', async (file, line, rule, says) => {
    const { findings } = await analyse(file);
    const here = findings.filter((f) => f.range.start.line + 1 === line);
    expect(
      here
        .filter((f) => f.rule === rule)
        .map((f) => f.message)
        .join('\n'),
    ).toContain(says);
  });

  // The one thread that sees whether its block is the last has the others wait: a hint says so.
  test.each(RIGHT)('%s: no more than hints on %s', async (file, name) => {
    const { findings, kernels } = await analyse(file);
    const kernel = kernels.find((k) => k.name === name);
    expect(kernel).toBeDefined();
    const { start, end } = kernel!.range;
    const here = findings.filter(({ range }) => range.start.line >= start.line && range.end.line <= end.line);
    expect(here.filter(({ severity, message }) => severity !== 'hint' || !message.startsWith('one thread executes'))).toEqual([]);
  });

  test('transposeTile<1>: its padded tile has no conflict', async () => {
    const { findings } = await analyse('reference/transpose.cu');
    expect(findings.filter((f) => f.message.includes('transposeTile<1>'))).toEqual([]);
    expect(findings.filter((f) => f.rule === 'bank-conflict').every((f) => f.message.startsWith('in transposeTile<0>: '))).toBe(true);
  });
});
