/** What the editor says in other languages: every text that it has in English, with the same placeholders, links and code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtinTemplates } from '../../analyzers/hover/builtins.ts';
import { PHRASES } from '../../analyzers/rules/phrases.ts';
import { RULES } from '../../analyzers/rules/registry.ts';
import { LINE_COUNTERS, METRICS, SHAPE_METRICS, WASTES } from '../../counters/counters.ts';
import { PHRASE_FIGURES } from '../../counters/figures.ts';
import { TIME_LIMITS } from '../../counters/limits.ts';
import { LINE_METRICS } from '../../counters/line-metrics.ts';
import { digestOf, excerpts } from '../../server/rule-pages.ts';
import { WORDS as SPAN_WORDS } from '../../simulator/timeline/picture.ts';
import { repository } from '../runtime/simulation.ts';

const LANGUAGES = ['ja', 'ko', 'fr'];

function texts(...path: string[]): Record<string, string> {
  return JSON.parse(readFileSync(join(repository, ...path), 'utf8'));
}

/** What has to be the same in every language. */
function fixedParts(text: string): string[] {
  return (text.match(/\{\w+\}|\*|\d{2,}|\]\([^)]*\)|`[^`]*`|lanewise\.\w[\w.]*\w|dim3\([^)]*\)|\.{3}$/g) ?? []).sort();
}

function expectTranslated(english: Record<string, string>, translated: Record<string, string>): void {
  expect(Object.keys(translated).sort()).toEqual(Object.keys(english).sort());
  for (const [key, text] of Object.entries(english)) {
    expect(fixedParts(translated[key]), translated[key]).toEqual(fixedParts(text));
    expect(translated[key].trim(), key).not.toBe('');
  }
}

/** Those that tables have, and `spoken` says. */
function ofTables(): string[] {
  return [
    ...WASTES.map(({ waste }) => waste.ratio),
    ...PHRASE_FIGURES.flatMap(({ phrase, words }) => [phrase, words]),
    'sectors per request',
    '* sectors per request',
    ...[...METRICS, ...LINE_COUNTERS].map(({ words }) => words),
    ...Object.values(SHAPE_METRICS),
    ...Object.values(SPAN_WORDS),
    ...Object.values(TIME_LIMITS),
    ...LINE_METRICS.flatMap(({ title, means }) => [title, means]),
  ];
}

describe.each(LANGUAGES)('in %s', (language) => {
  it('are all texts of the manifest', () => {
    const english = texts('package.nls.json');
    const manifest = readFileSync(join(repository, 'package.json'), 'utf8');
    const used = [...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key);
    expect([...new Set(used)].sort()).toEqual(Object.keys(english).sort());
    expectTranslated(english, texts(`package.nls.${language}.json`));
  });

  it('are the pages of the walkthrough, with the same code and lists, and the titles of lessons', () => {
    const folder = join(repository, 'docs/walkthrough');
    const pages = readdirSync(folder).filter((name) => /^[a-z-]+\.md$/.test(name));
    expect(pages).toHaveLength(5);
    const parts = (text: string) => [text.match(/```[\s\S]*?```/g), text.match(/^(\d\.|-|\|)/gm), text.match(/\*+/g)];
    for (const page of pages) {
      const translated = readFileSync(join(folder, page.replace('.md', `.nls.${language}.md`)), 'utf8');
      expect(parts(translated), page).toEqual(parts(readFileSync(join(folder, page), 'utf8')));
    }
    const lessons = join(repository, 'examples/lessons');
    const listed = readFileSync(join(folder, `lessons.nls.${language}.md`), 'utf8')
      .trim()
      .split('\n')
      .sort();
    const titled = readdirSync(lessons).map((name) => {
      const { order, title } = JSON.parse(readFileSync(join(lessons, name, 'lesson.json'), 'utf8'));
      return `${order}. ${title[language]}`;
    });
    expect(listed).toEqual(titled.sort());
    // The command as the palette has it.
    const opened = readFileSync(join(folder, `open.nls.${language}.md`), 'utf8');
    expect(opened).toContain(`**Lanewise: ${texts(`package.nls.${language}.json`)['command.showRule'].replace(/\.+$/, '')}**`);
  });

  it('are all texts of the extension, the server and the report page', () => {
    const folders = ['client', 'client/webview', 'server', 'counters', 'cli', 'measured', 'simulator/timeline'].map((name) =>
      join(repository, name),
    );
    const sources = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
    const all = sources.flatMap((path) => (path.endsWith('.ts') ? [readFileSync(path, 'utf8')] : [])).join('\n');
    const english = [...all.matchAll(/l10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)].map(
      ([, single, double]) => single ?? double,
    );
    expect(english.length).toBeGreaterThan(60);
    // Every text that is translated is a literal.
    expect(all.match(/l10n\.t\(/g)).toHaveLength(english.length);
    const known = new Set([...english, ...ofTables()]);
    expectTranslated(Object.fromEntries([...known].map((text) => [text, text])), texts('l10n', `bundle.l10n.${language}.json`));
  });

  it('are the words that rules share, and the messages of rules, all of a rule or none', () => {
    const translated = texts('l10n', `rules.${language}.json`);
    const english: Record<string, string> = { ...PHRASES };
    for (const { id, messages } of RULES) {
      const own = Object.entries(messages).map(([name, text]) => [`${id}/${name}`, text] as const);
      if (own.some(([key]) => key in translated)) Object.assign(english, Object.fromEntries(own));
    }
    expectTranslated(english, translated);
  });
  it('is what hovers say of rules, and what was rewritten since is said in English', () => {
    const pages = JSON.parse(readFileSync(join(repository, 'l10n', `pages.${language}.json`), 'utf8'));
    expect(Object.keys(pages)).toEqual(RULES.map(({ id }) => id).sort());
    const current = RULES.filter(({ id }) => {
      const english = excerpts(readFileSync(join(repository, 'docs/rules', `${id}.md`), 'utf8'));
      if (pages[id].of !== digestOf(english)) return false;
      const { of: _, ...said } = pages[id];
      expectTranslated({ why: english.why, evidence: english.evidence! }, said);
      return true;
    });
    expect(current.length / RULES.length).toBeGreaterThan(0.8);
  });
  it('is what hovers explain: names of CUDA, titles of rules, and what a warp does; what was rewritten since is said in English', () => {
    const translated = texts('l10n', `hovers.${language}.json`);
    expect(Object.keys(translated)).toEqual(Object.keys(texts('l10n', 'hovers.fr.json')));
    expectTranslated(Object.fromEntries(Object.keys(translated).map((text) => [text, text])), translated);
    const english = [...builtinTemplates(), ...RULES.map(({ summary }) => summary)];
    expect(english.filter((text) => text in translated).length / english.length).toBeGreaterThan(0.9);
  });

  it('are what runs say: what a run says otherwise is said in English', () => {
    const translated = texts('l10n', `runs.${language}.json`);
    expect(Object.keys(translated)).toEqual(Object.keys(texts('l10n', 'runs.fr.json')));
    expectTranslated(Object.fromEntries(Object.keys(translated).map((text) => [text, text])), translated);
    const sources = sourcesOf(join(repository, 'simulator')) + sourcesOf(join(repository, 'server'));
    // Templates there are cut at other places: three words in a row have to be in them.
    const rows = Object.keys(translated).flatMap((text) =>
      text.split(/\{\w+\}|[:;,.(]/).flatMap((part) => part.trim().match(/^\S+ \S+ \S+/) ?? []),
    );
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((row) => sources.includes(row)).length / rows.length).toBeGreaterThan(0.85);
  });

  it('are all that the sanitizer and faults of kernels say', () => {
    const translated = Object.keys(texts('l10n', `runs.${language}.json`)).map((text) => text.split(/\{\w+\}/));
    const sources =
      sourcesOf(join(repository, 'simulator/sanitizer')) + readFileSync(join(repository, 'simulator/machine/faults.ts'), 'utf8');
    const sentences = [...sources.matchAll(/'((?:[^'\\\n]|\\.)+)'|`([^`\n]+)`/g)]
      .flatMap(([, plain, template]) => (plain ?? template).split(/\$\{[^{}]*\}/))
      .filter((part) => (part.match(/\b[a-z]+\b(?= )/g) ?? []).length > 5 && !/[=!]==|[|&?]{2}|\$\{/.test(part));
    expect(sentences.length).toBeGreaterThan(30);
    const isKnown = (sentence: string) =>
      translated.some((parts) => parts.some((part) => part.includes(sentence.replace(/^[:;,. ]+|[:;,. ]+$/g, ''))));
    expect(sentences.filter((sentence) => !isKnown(sentence))).toEqual([]);
  });
});

function sourcesOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
