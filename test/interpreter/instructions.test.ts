/** Every instruction and intrinsic, by the directives in the IR fixtures, on each engine. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { directivesOf, ENGINES, runDirective } from './engine-harness.ts';

const folder = new URL('../fixtures/ir/', import.meta.url);
/** What the parser's own tests read. */
const ONLY_PARSED = ['forms.ll', 'kernels.ll'];
const fixtures = readdirSync(folder).filter((file) => file.endsWith('.ll') && !ONLY_PARSED.includes(file));

for (const [name, createEngine] of ENGINES) {
  describe.each(fixtures)(`${name}: %s`, (file) => {
    const fixture = readFileSync(new URL(file, folder), 'utf8');
    const directives = directivesOf(fixture);

    it('has directives', () => expect(directives.length).toBeGreaterThan(0));

    it.each(directives)('line $line $text', (directive) => {
      const { got, expected } = runDirective(createEngine, fixture, directive);
      expect(got).toEqual(expected);
    });
  });
}
