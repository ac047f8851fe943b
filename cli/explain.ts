/** `lanewise explain`: a rule's page, or the list of rules. */
import { readFileSync } from 'node:fs';
import { RULES } from '../analyzers/rules/registry.ts';
import { type Command, UsageError } from './command.ts';

export const explain: Command = {
  name: 'explain',
  summary: 'explain a rule: what it finds, why it matters, what to do',
  help: 'usage: lanewise explain [RULE]\n\nWithout RULE, lists all rules by category.\n',
  run: async (args) => {
    if (args.length > 1) throw new UsageError('explain takes one rule at most');
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
  if (!RULES.some((r) => r.id === id)) throw new UsageError(`unknown rule "${id}"${similar(id)}; lanewise explain lists all rules`);
  return rulePage(id);
}

/** Markdown, from docs/rules. */
export function rulePage(id: string): string {
  return readFileSync(new URL(`./rules/${id}.md`, import.meta.url), 'utf8');
}

/** Rules that share a word with what was asked for. */
function similar(id: string): string {
  const words = id
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 3);
  const near = RULES.filter((r) =>
    words.some((word) => r.id.includes(word) || r.id.split('-').some((part) => part.length > 3 && word.includes(part))),
  );
  return near.length > 0
    ? ` (did you mean ${near
        .slice(0, 3)
        .map((r) => r.id)
        .join(', ')}?)`
    : '';
}
