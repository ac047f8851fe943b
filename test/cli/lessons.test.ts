/** The lessons, as a student takes them: each step's checks fail before it and hold after it, and predictions are what runs count. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { optionsOf } from '../../cli/run.ts';
import { differences } from '../../counters/differences.ts';
import { judgeFix, judgePrediction, type LessonRun } from '../../counters/lessons.ts';
import type { FixStep, Lesson, PredictStep } from '../../protocol/lesson.ts';
import { startSimulation } from '../../simulator/simulate.ts';
import { repository } from '../runtime/simulation.ts';

const folder = join(repository, 'examples/lessons');

/** What a student has to say, worked out by hand. */
const PREDICTED: Readonly<Record<string, number>> = {
  coalescing: 32,
  divergence: 53,
  reduction: 72,
  histogram: 2048,
  'bank-conflicts': 4 * 4 * 32 * 31,
  'grid-sync': 16,
  streams: 4,
  'dynamic-parallelism': 32,
};

async function run(...path: string[]): Promise<LessonRun> {
  let output = '';
  const take = (bytes: Uint8Array) => {
    output += new TextDecoder().decode(bytes);
  };
  const { request } = optionsOf([join(folder, ...path)]);
  const result = await startSimulation({ ...request, cacheFolder: undefined }, { stdout: take, stderr: take }).result;
  if (result.kind !== 'finished') throw new Error(JSON.stringify(result));
  return { ...result.report, output };
}

describe('lessons', () => {
  const names = readdirSync(folder).sort();
  it('are all there', () => expect(names).toEqual(Object.keys(PREDICTED).sort()));

  it.each(names)('%s', { timeout: 60_000 }, async (name) => {
    const lesson: Lesson = JSON.parse(readFileSync(join(folder, name, 'lesson.json'), 'utf8'));
    expect([lesson.id, lesson.program]).toEqual([name, `${name}.cu`]);
    for (const texts of [lesson.title, lesson.text, ...lesson.steps.map(({ text }) => text)]) {
      expect(Object.keys(texts)).toEqual(['en', 'ja', 'ko', 'fr']);
      // Code stays as it is.
      const code = Object.values(texts).map((text) => (text.match(/`[^`]+`/g) ?? []).sort().join());
      expect(new Set(code).size, JSON.stringify(texts)).toBe(1);
    }
    const steps = lesson.steps.filter((step): step is FixStep => step.kind === 'fix');
    const [original, ...solved] = await Promise.all(
      [lesson.program, ...steps.map(({ solution }) => solution)].map((file) => run(name, file)),
    );
    const [question] = lesson.steps as readonly PredictStep[];
    expect(judgePrediction(question, PREDICTED[name], original)).toMatchObject({ right: true });
    expect(judgePrediction(question, 1.2 * PREDICTED[name], original)).toMatchObject({ right: false });
    for (const [index, step] of steps.entries()) {
      const before = index === 0 ? original : solved[index - 1];
      expect(
        judgeFix(step, before, original).filter(({ kept }) => !kept),
        `${step.id} before`,
      ).not.toEqual([]);
      expect(
        judgeFix(step, solved[index], original).filter(({ kept }) => !kept),
        `${step.id} after`,
      ).toEqual([]);
    }
    if (name !== 'streams') expect(differences(original.kernels, solved.at(-1)!.kernels)).not.toEqual([]);
  });
});

describe('lanewise lesson', { timeout: 60_000 }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'lanewise-lesson-'));
  afterAll(() => rmSync(scratch, { recursive: true }));
  const lanewise = (...args: string[]) =>
    spawnSync(process.execPath, [join(repository, 'dist/cli.mjs'), 'lesson', ...args], { cwd: scratch, encoding: 'utf8' });

  it('lists the lessons, and begins one with a copy of its program', () => {
    expect(lanewise().stdout.split('\n')[1]).toMatch(/^divergence +Divergence$/);
    expect(lanewise('bank-conflict').stderr).toContain('no lesson "bank-conflict"; there are coalescing, divergence');
    expect(lanewise('bank-conflicts').stdout).toContain('bank-conflicts.cu has been written here');
    expect(readFileSync(join(scratch, 'bank-conflicts.cu'), 'utf8')).toContain('tile[TILE][TILE];');
    expect(lanewise('bank-conflicts').stdout).toContain('bank-conflicts.cu is there already');
  });

  it('judges what the student has made of it', () => {
    const open = lanewise('bank-conflicts', 'bank-conflicts.cu');
    expect([open.status, open.stdout]).toEqual([1, '2. open; transpose: bank conflicts <= 0, found 15872\n']);
    copyFileSync(join(folder, 'bank-conflicts/fixed.cu'), join(scratch, 'bank-conflicts.cu'));
    const done = lanewise('bank-conflicts', 'bank-conflicts.cu');
    expect([done.status, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/^2\. done\ntranspose: bank conflicts 15,872 → 0, [\d.]+ times faster \(estimated\)\n$/);
  });
});
