/** What `lanewise check --format sarif` prints, against the JSON schema of SARIF 2.1.0. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ajv, ValidateFunction } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RULES } from '../../analyzers/rules/registry.ts';
import { root } from '../analyzers/open.ts';

const require = createRequire(import.meta.url);
const { default: Ajv04 } = require('ajv-draft-04') as { default: new (options: object) => Ajv };
const { default: addFormats } = require('ajv-formats') as { default: (ajv: Ajv) => void };

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sarif-'));
const PADDED = `__global__ void turn(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float* out) { turn<<<1, dim3(32, 32)>>>(out); }
`;

interface SarifRegion {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: SarifRegion };
  }[];
  readonly fixes?: readonly {
    readonly artifactChanges: readonly {
      readonly replacements: readonly { readonly deletedRegion: SarifRegion; readonly insertedContent: { readonly text: string } }[];
    }[];
  }[];
}

interface SarifLog {
  readonly runs: readonly {
    readonly tool: {
      readonly driver: { readonly rules: readonly { readonly id: string; readonly help: { readonly markdown: string } }[] };
    };
    readonly results: readonly SarifResult[];
  }[];
}

let validate: ValidateFunction;
beforeAll(() => {
  // The schema requires properties beside where it defines them, and has a pattern that is none with the flag u.
  const ajv = new Ajv04({ strict: true, strictRequired: false, unicodeRegExp: false, allErrors: true });
  addFormats(ajv);
  validate = ajv.compile(JSON.parse(readFileSync(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The log that the built command prints in `cwd`; fails unless the schema accepts it. */
function sarif(cwd: string, ...args: string[]): SarifLog['runs'][number] {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli.mjs'), 'check', '--format', 'sarif', ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(stderr).toBe('');
  const log = JSON.parse(stdout) as SarifLog;
  validate(log);
  expect(validate.errors ?? []).toEqual([]);
  return log.runs[0];
}

describe('valid against the schema of SARIF 2.1.0', () => {
  test('every fixture: every rule has a result', () => {
    const { results, tool } = sarif(join(root, 'test/fixtures/rules'), '.');
    // In the fixtures it is always said with the accesses that suffer from it.
    const alone = RULES.map((r) => r.id).filter((id) => id !== 'structure-stride');
    expect([...new Set(results.map((r) => r.ruleId))].sort()).toEqual(alone);
    for (const result of results) expect(tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(tool.driver.rules.find((r) => r.id === 'bank-conflict')?.help.markdown).toContain('# bank-conflict');
  });

  test('no finding at all', () => {
    writeFileSync(join(folder, 'quiet.cu'), '__global__ void f(float* v) { v[threadIdx.x] = 1.0f; }\n');
    expect(sarif(folder, 'quiet.cu').results).toEqual([]);
  });

  test('fixes, as replacements that give the fixed text', () => {
    writeFileSync(join(folder, 'padded.cu'), PADDED);
    const [result] = sarif(folder, 'padded.cu', '--rule', 'bank-conflict').results;
    const [{ deletedRegion, insertedContent }] = result.fixes![0].artifactChanges[0].replacements;
    const line = PADDED.split('\n')[deletedRegion.startLine - 1];
    expect(line.slice(0, deletedRegion.startColumn - 1) + insertedContent.text + line.slice(deletedRegion.endColumn - 1)).toBe(
      '  __shared__ float tile[32][32 + 1];',
    );
  });

  test('paths with spaces, other scripts and characters that an address gives a meaning to', () => {
    const names = ['größe.cu', '転置 2.cu', 'a#b?c%20.cu', "quote'[x].cu", '😀.cu', '-dash.cu'];
    mkdirSync(join(folder, 'names'));
    for (const name of names) writeFileSync(join(folder, 'names', name), PADDED);
    const uris = sarif(folder, 'names', '--rule', 'bank-conflict').results.map((r) => r.locations[0].physicalLocation.artifactLocation.uri);
    expect(uris.map(decodeURIComponent)).toEqual(names.map((name) => `names/${name}`).sort());
  });

  test('a file outside the working folder has an absolute address', () => {
    writeFileSync(join(folder, 'outside.cu'), PADDED);
    mkdirSync(join(folder, 'inside'), { recursive: true });
    const [result] = sarif(join(folder, 'inside'), join(folder, 'outside.cu'), '--rule', 'bank-conflict').results;
    expect(fileURLToPath(result.locations[0].physicalLocation.artifactLocation.uri)).toBe(join(folder, 'outside.cu'));
  });

  test('text that is broken, binary, or ends its lines in other ways', () => {
    mkdirSync(join(folder, 'odd'));
    const texts = [
      PADDED.slice(0, 210),
      '\0\u0001'.repeat(200),
      `\uFEFF${PADDED}`,
      PADDED.replaceAll('\n', '\r\n'),
      PADDED.replaceAll('1.0f', '1.0f /* π😀 */'),
    ];
    texts.forEach((text, i) => {
      writeFileSync(join(folder, 'odd', `${i}.cu`), text);
    });
    const lines = sarif(folder, 'odd', '--rule', 'bank-conflict').results.map((r) => r.locations[0].physicalLocation.region.startLine);
    // The broken one ends behind its kernel, which is whole.
    expect(lines).toEqual([5, 5, 5, 5]);
  });
});

test('the schema refuses what is not SARIF', () => {
  const { results } = sarif(folder, 'padded.cu');
  const log = (result: object) => ({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results: [result] }] });
  expect(validate(log(results[0]))).toBe(true);
  expect(validate(log({ ...results[0], level: 'loud' }))).toBe(false);
  expect(validate(log({ ...results[0], severity: 'error' }))).toBe(false);
});
