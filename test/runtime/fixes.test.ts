/** What fixes are for: each is applied to a program that runs, and the run after it shows the counter, or the finding, that got better. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../protocol/finding.ts';
import type { Report } from '../../protocol/report.ts';
import { applyFixes } from '../analyzers/markers.ts';
import { theAnalyzer } from '../analyzers/open.ts';
import { repository, simulate, textReport } from './simulation.ts';

const text = (name: string) => readFileSync(join(repository, 'test/fixtures/fixes', name), 'utf8');

async function findingsOf(program: string): Promise<readonly Finding[]> {
  const document = (await theAnalyzer()).open(program);
  const findings = document.findings().filter(({ fixes }) => fixes.length > 0);
  document.dispose();
  return findings;
}

async function fixed(program: string): Promise<string> {
  return applyFixes(program, await findingsOf(program), 'all');
}

/** A rule's kernel has its name. By rule: a metric of its launch, before the fix and after it. */
const COUNTERS: Readonly<Record<string, readonly [metric: string, before: number, after: number]>> = {
  'bank-conflict': ['l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum', 1024, 32],
  // A warp converts, multiplies in double precision and converts back, or multiplies.
  'double-literal': ['lanewise__inst_executed.sum', 416, 352],
  // Elements that are stored, 32 to a request: 896 of 1000, and all.
  'missed-elements': ['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum', 28, 32],
  'modulo-indexing': ['lanewise__inst_executed.sum', 661, 352],
  'partial-warp-block': ['lanewise__inst_executed.sum', 732, 592],
};

/** By rule: what the sanitizer finds in the kernel of its name, and no more after the fix. */
const FAULTS: Readonly<Record<string, string>> = {
  'implicit-warp-sync': 'race',
  'lost-update': 'race',
  'missing-barrier': 'race',
  'missing-fence': 'race',
  'shuffle-mask': 'wrong-mask',
  'unordered-streams': 'race',
  'unsynchronised-host-access': 'race',
};

const nameOf = (rule: string) => rule.replaceAll('-', '_');

describe('fixes of performance', () => {
  let reports: readonly Report[];
  beforeAll(async () => {
    const program = text('counters.cu');
    reports = await Promise.all([textReport(program), textReport(await fixed(program))]);
  });

  it.each(Object.keys(COUNTERS))('%s', (rule) => {
    const [metric, ...expected] = COUNTERS[rule];
    const launches = reports.map(({ kernels }) => kernels.find(({ kernel }) => kernel.startsWith(`${nameOf(rule)}(`)));
    expect(launches.map((launch) => launch?.metrics[metric] ?? 0)).toEqual(expected);
  });

  it('leave the results as they were', () => {
    expect(reports[1].stdout).toBe(reports[0].stdout);
  });
});

describe('fixes of what is wrong', () => {
  let lines: readonly string[];
  let found: readonly (readonly string[])[];
  beforeAll(async () => {
    const program = text('faults.cu');
    lines = program.split('\n');
    const reports = await Promise.all([program, await fixed(program)].map((each) => textReport(each, { sanitize: {} })));
    found = reports.map(({ findings = [] }) => findings.map(({ check, places }) => `${check} in ${functionAt(places[0].line ?? 0)}`));
  });

  /** Fixes leave each function where it is, give or take a line. */
  function functionAt(line: number): string {
    return lines
      .slice(0, line)
      .findLast((each) => /^(__global__|int) .*\(/.test(each))!
      .match(/(\w+)\(/)![1];
  }

  it.each(Object.keys(FAULTS))('%s', (rule) => {
    const [before, after] = found.map((all) => all.filter((each) => each.endsWith(` in ${nameOf(rule)}`)));
    expect(new Set(before)).toEqual(new Set([`${FAULTS[rule]} in ${nameOf(rule)}`]));
    expect(after).toEqual([]);
  });
});

it('removed-api: what did not compile runs', async () => {
  const program = text('removed.cu');
  expect((await simulate('removed.cu', { text: program })).kind).toBe('compile-error');
  expect((await textReport(await fixed(program))).stdout).toBe('496\n');
});
