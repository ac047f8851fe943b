/** Every rule: its page's examples, its fixtures, and the registry. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AnalyzerSettings } from '../../analyzers/analyzer.ts';
import { RULES } from '../../analyzers/rules/registry.ts';
import type { Grammars } from '../../analyzers/syntax/tree/grammar.ts';
import type { Finding } from '../../protocol/finding.ts';
import { applyFixes, compareWithMarkers, markersOf } from './markers.ts';
import { root, theAnalyzer } from './open.ts';
import { proseIn } from './prose.ts';
import { loadTestGrammars } from './syntax-helpers.ts';

const ids = RULES.map((r) => r.id);

/** Settings of a fixture: its first line may be `// settings: { "device": "rtx3060" }`. */
function settingsIn(text: string): AnalyzerSettings {
  const [, json] = /^\/\/ settings: (\{.*\})/.exec(text) ?? [];
  return json ? (JSON.parse(json) as AnalyzerSettings) : {};
}

async function findingsOf(text: string, rule: string): Promise<readonly Finding[]> {
  const document = (await theAnalyzer()).open(text, {
    ...settingsIn(text),
    rules: Object.fromEntries(ids.filter((id) => id !== rule).map((id) => [id, 'off' as const])),
  });
  const findings = document.findings();
  document.dispose();
  return findings;
}

let grammars: Promise<Grammars> | undefined;

/** Nodes that the grammar could not make sense of. */
async function syntaxErrors(text: string): Promise<number> {
  grammars ??= loadTestGrammars();
  const tree = (await grammars).cuda.parser.parse(text)!;
  const count = tree.rootNode.descendantsOfType('ERROR').length;
  tree.delete();
  return count;
}

test('the registry is sorted and names every rule file', () => {
  expect(ids).toEqual([...ids].sort());
  const files = readdirSync(join(root, 'analyzers/rules')).map((f) => f.replace(/\.ts$/, ''));
  expect(files.filter((f) => !['define-rule', 'phrases', 'registry', 'run-rules'].includes(f)).sort()).toEqual(ids);
});

test('every rule has a page, and every page a rule', () => {
  expect(
    readdirSync(join(root, 'docs/rules'))
      .filter((f) => f !== 'README.md')
      .sort(),
  ).toEqual(ids.map((id) => `${id}.md`));
});

describe.each(ids)('%s', (id) => {
  const page = join(root, 'docs/rules', `${id}.md`);
  const blocks = existsSync(page) ? [...readFileSync(page, 'utf8').matchAll(/```cuda\n([\s\S]*?)```/g)].map((m) => m[1]) : [];

  test('its page shows what is found and what is right', () => {
    expect(
      blocks.some((b) => markersOf(b).length > 0),
      'an example with a finding',
    ).toBe(true);
    expect(
      blocks.some((b) => markersOf(b).length === 0),
      'an example without',
    ).toBe(true);
  });

  test.each(blocks.map((b, i) => [i + 1, b] as const))('example %i of its page', async (_, block) => {
    expect(compareWithMarkers(block, await findingsOf(block, id))).toEqual([]);
  });

  const folder = join(root, 'test/fixtures/rules', id);
  const fixtures = existsSync(folder) ? readdirSync(folder).filter((f) => f.endsWith('.cu') && !f.endsWith('.fixed.cu')) : [];
  test('it has fixtures with findings beyond its page, and near misses', () => {
    const texts = fixtures.map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(texts.flatMap(markersOf).length).toBeGreaterThanOrEqual(1);
    const paragraphs = texts.flatMap((text) => text.split(/\n\n/)).filter((paragraph) => paragraph.includes('{'));
    expect(paragraphs.some((paragraph) => markersOf(paragraph).length === 0)).toBe(true);
  });

  test.each(fixtures)('%s: each fix takes its finding away and leaves text that parses', async (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const findings = await findingsOf(text, id);
    const errors = await syntaxErrors(text);
    for (const finding of findings)
      for (const fix of finding.fixes) {
        const fixed = applyFixes(text, [{ ...finding, fixes: [fix] }], 'all');
        expect(fixed).not.toBe(text);
        expect(await syntaxErrors(fixed), `after "${fix.title}"`).toBe(errors);
        const left = await findingsOf(fixed, id);
        expect(left.length, `after "${fix.title}"`).toBeLessThan(findings.length);
        expect(left.map((f) => f.range.start)).not.toContainEqual(finding.range.start);
      }
  });

  test.each(fixtures)('%s', async (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const findings = await findingsOf(text, id);
    expect(compareWithMarkers(text, findings)).toEqual([]);
    expect(proseIn(findings, text), 'words without a name in phrases.ts').toEqual([]);
    const fixed = join(folder, file.replace(/\.cu$/, '.fixed.cu'));
    if (existsSync(fixed)) expect(applyFixes(text, findings, 'safe')).toBe(readFileSync(fixed, 'utf8'));
    else expect(applyFixes(text, findings, 'safe')).toBe(text);
  });
});
