/** The table of counters: what other files take from it is there, and is up to date. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COUNTERS, LINE_COUNTERS, METRICS } from '../../counters/counters.ts';
import { COLUMN_FIGURES, PHRASE_FIGURES } from '../../counters/figures.ts';

const root = join(import.meta.dirname, '../..');

it('every name is declared once', () => {
  const names = [...METRICS.map(({ name }) => name), ...LINE_COUNTERS.map(({ line }) => line)];
  expect(new Set(names).size).toBe(names.length);
  expect(COUNTERS.filter(({ metric, line }) => !metric && !line)).toEqual([]);
});

it('ideals are counters of lines', () => {
  const lines = LINE_COUNTERS.map(({ line }) => line);
  for (const { ideal } of LINE_COUNTERS) if (ideal) expect(lines).toContain(ideal);
});

it('figures are made of metrics that exist', () => {
  const metrics = new Set(METRICS.map(({ name }) => name));
  for (const { of, per = [] } of [...COLUMN_FIGURES, ...PHRASE_FIGURES]) {
    expect(of).not.toEqual([]);
    expect([...of, ...per].filter((name) => !metrics.has(name))).toEqual([]);
  }
});

it('generated parts of files are up to date', () => {
  execFileSync(process.execPath, [join(root, 'scripts/generate.mjs'), '--check'], { stdio: 'pipe' });
});

it('reports begin with accesses of memory, and end with what all instructions add up to', () => {
  const names = METRICS.map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum']);
  expect(names.slice(-2)).toEqual(['lanewise__inst_executed.sum', 'lanewise__thread_inst_executed.sum']);
});
