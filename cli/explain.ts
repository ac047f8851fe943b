/** `lanewise explain`: a rule's page, or the list of rules. */
import { readFileSync } from 'node:fs';
import { RULES } from '../analyzers/rules/registry.ts';
import { type Command, UsageError } from './command.ts';

export const explain: Command = {
  name: 'explain',
  summary: 'what a rule finds, why it matters and what to do',
  help: 'usage: lanewise explain [RULE]\n\nWithout a rule: all rules by category.\n',
  run: async (args) => {
    if (args.length > 1) throw new UsageError('explain takes one rule');
    process.stdout.write(args.length === 0 ? allRules() : pageOf(args[0]));
    return 0;
  },
};

function allRules(): string {
  const categories = [...new Set(RULES.map((r) => r.category))].sort();
  const width = Math.max(...RULES.map((r) => r.id.length));
  return categories
    .map(
      (c) =>
        `${c}\n${RULES.filter((r) => r.category === c)
          .map((r) => `  ${r.id.padEnd(width)}  ${r.summary}\n`)
          .join('')}`,
    )
    .join('\n');
}

function pageOf(id: string): string {
  if (!RULES.some((r) => r.id === id)) throw new UsageError(`there is no rule "${id}": lanewise explain lists them`);
  return readFileSync(new URL(`./rules/${id}.md`, import.meta.url), 'utf8');
}
