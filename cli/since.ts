/** `lanewise check --since`: of the findings those on lines that changed since a git revision, or that a baseline does not have. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { unfolded } from '../analyzers/fold-findings.ts';
import type { Finding } from '../protocol/finding.ts';
import { UsageError } from './command.ts';
import type { FileFindings } from './sarif.ts';

export type Filter = (path: string, findings: readonly Finding[]) => readonly Finding[];

/** `since`: a JSON file that `--format json` has written, or a revision. */
export function newSince(since: string): Filter {
  return since.endsWith('.json') && existsSync(since) ? notInBaseline(since) : onChangedLines(since);
}

function notInBaseline(file: string): Filter {
  const known = new Map<string, number>();
  for (const { path, findings } of baseline(file))
    for (const finding of unfolded(findings)) known.set(keyOf(path, finding), (known.get(keyOf(path, finding)) ?? 0) + 1);
  return (path, findings) => {
    const left = new Map(known);
    // Lines move, messages stay: as many of one message as there were are old.
    const isNew = (said: Said) => {
      const key = keyOf(path, said);
      const count = left.get(key) ?? 0;
      left.set(key, count - 1);
      return count <= 0;
    };
    return findings.flatMap((finding) => {
      const isOwn = isNew(finding);
      const places = finding.related.filter(({ folded }) => folded && isNew(folded));
      return isOwn ? [finding] : alone(finding, places);
    });
  };
}

type Said = Pick<Finding, 'rule' | 'message'>;

/** Each by itself, of what was folded into a finding that is not new. */
function alone({ range }: Finding, places: Finding['related']): readonly Finding[] {
  const first = { range, message: 'the same before' };
  return places.flatMap(({ range: own, folded }) => (folded ? [{ ...folded, range: own, related: [first], fixes: [] }] : []));
}

function keyOf(path: string, { rule, message }: Said): string {
  return JSON.stringify([resolve(path), rule, message]);
}

function baseline(file: string): readonly FileFindings[] {
  try {
    const files = JSON.parse(readFileSync(file, 'utf8')) as readonly FileFindings[];
    for (const { path, findings } of files) if (typeof path !== 'string' || !Array.isArray(findings)) throw new Error('no findings');
    return files;
  } catch {
    throw new UsageError(`${file} is no baseline: write one with lanewise check PATH... --format json > ${file}`);
  }
}

interface Lines {
  readonly first: number;
  readonly last: number;
}

function onChangedLines(revision: string): Filter {
  const commits = new Map<string, string>();
  return (path, findings) => {
    if (findings.length === 0) return findings;
    const folder = dirname(resolve(path));
    const commit = commits.get(folder) ?? commitOf(folder, revision);
    commits.set(folder, commit);
    const changed = changedLines(folder, basename(path), commit);
    return findings.flatMap((finding) => ofChanged(finding, changed));
  };
}

/** Itself; or, where only what was folded into it is new, that: the rest stood there before. */
function ofChanged(finding: Finding, changed: readonly Lines[]): readonly Finding[] {
  const isNew = ({ start, end }: Finding['range']) => changed.some(({ first, last }) => start.line + 1 <= last && end.line + 1 >= first);
  const places = finding.related.filter(({ range }) => isNew(range));
  return isNew(finding.range) || places.some(({ folded }) => !folded) ? [finding] : alone(finding, places);
}

function commitOf(folder: string, revision: string): string {
  const { status, out, error } = git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  if (error) throw new UsageError(`git cannot be run: ${error.message}`);
  if (status === 0) return out.trim();
  if (git(folder, ['rev-parse', '--git-dir']).status !== 0) throw new UsageError(`${folder} is in no git repository`);
  throw new UsageError(`git knows no revision "${revision}", and there is no such baseline`);
}

const ALL_LINES: Lines = { first: 1, last: Number.POSITIVE_INFINITY };

/** Counted from 1, in the file as it is now. Where lines were taken out, those on either side have changed. */
function changedLines(folder: string, name: string, commit: string): readonly Lines[] {
  const path = `:(literal)${name}`;
  if (git(folder, ['ls-files', '--error-unmatch', '--', path]).status !== 0) return [ALL_LINES];
  const { status, out } = git(folder, ['diff', '--unified=0', '--no-color', '--no-ext-diff', '--no-textconv', commit, '--', path]);
  if (status !== 0) return [ALL_LINES];
  return [...out.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, at, count]) => {
    const first = Number(at);
    const lines = count === undefined ? 1 : Number(count);
    return lines === 0 ? { first, last: first + 1 } : { first, last: first + lines - 1 };
  });
}

interface GitAnswer {
  readonly status: number | null;
  readonly out: string;
  readonly error?: Error;
}

/** A repository's own settings start no programs here. */
function git(folder: string, args: readonly string[]): GitAnswer {
  const { status, stdout, error } = spawnSync('git', ['-c', 'core.fsmonitor=false', ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { status, out: stdout ?? '', error };
}
