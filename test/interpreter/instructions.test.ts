/** Every instruction and intrinsic, by the directives in the IR fixtures, on each engine. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createInterpreter } from '../../simulator/interpreter/interpreter.ts';
import { directivesOf, runDirective } from './engine-harness.ts';

const folder = new URL('../fixtures/interpreter/', import.meta.url);
const ENGINES = { interpreter: createInterpreter };

for (const [name, createEngine] of Object.entries(ENGINES)) {
  describe.each(readdirSync(folder).filter((file) => file.endsWith('.ll')))(`${name}: %s`, (file) => {
    const fixture = readFileSync(new URL(file, folder), 'utf8');
    const directives = directivesOf(fixture);

    it('has directives', () => expect(directives.length).toBeGreaterThan(0));

    it.each(directives)('line $line $text', (directive) => {
      const { got, expected } = runDirective(createEngine, fixture, directive);
      expect(got).toEqual(expected);
    });
  });
}
