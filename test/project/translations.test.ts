/** What the editor says in other languages: every text that it has in English, with the same placeholders, links and code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../runtime/simulation.ts';

const LANGUAGES = ['ja', 'ko', 'fr'];

function texts(...path: string[]): Record<string, string> {
  return JSON.parse(readFileSync(join(repository, ...path), 'utf8'));
}

/** What has to be the same in every language. */
function fixedParts(text: string): string[] {
  return (text.match(/\{\d\}|\]\([^)]*\)|`[^`]*`|lanewise\.\w[\w.]*\w|dim3\([^)]*\)|\.{3}$/g) ?? []).sort();
}

function expectTranslated(english: Record<string, string>, translated: Record<string, string>): void {
  expect(Object.keys(translated).sort()).toEqual(Object.keys(english).sort());
  for (const [key, text] of Object.entries(english)) {
    expect(fixedParts(translated[key]), translated[key]).toEqual(fixedParts(text));
    expect(translated[key].trim(), key).not.toBe('');
  }
}

describe.each(LANGUAGES)('in %s', (language) => {
  it('are all texts of the manifest', () => {
    const english = texts('package.nls.json');
    const manifest = readFileSync(join(repository, 'package.json'), 'utf8');
    const used = [...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key);
    expect([...new Set(used)].sort()).toEqual(Object.keys(english).sort());
    expectTranslated(english, texts(`package.nls.${language}.json`));
  });

  it('are all texts of the extension', () => {
    const sources = readdirSync(join(repository, 'client')).filter((name) => name.endsWith('.ts'));
    const all = sources.map((name) => readFileSync(join(repository, 'client', name), 'utf8')).join('\n');
    const english = [...all.matchAll(/l10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)].map(
      ([, single, double]) => single ?? double,
    );
    expect(english.length).toBeGreaterThan(60);
    // Every text that is translated is a literal.
    expect(all.match(/l10n\.t\(/g)).toHaveLength(english.length);
    expectTranslated(Object.fromEntries(english.map((text) => [text, text])), texts('l10n', `bundle.l10n.${language}.json`));
  });
});
