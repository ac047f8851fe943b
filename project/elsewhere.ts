/** What a finding says that nobody does, another file of the program may do. */
import type { Finding } from '../protocol/finding.ts';
import { textsBeside } from './includers.ts';

/** By rule: what a file beside has where it does what the finding misses. */
const DONE_BY: Readonly<Record<string, RegExp>> = { 'device-not-set': /\b(?:cudaSetDevice|cuCtxCreate)\s*\(/ };

/** `opened`: texts of files that an editor has open. */
export function withoutDoneElsewhere(
  findings: readonly Finding[],
  path: string,
  opened: (path: string) => string | undefined = () => undefined,
): readonly Finding[] {
  if (!findings.some(({ rule }) => rule in DONE_BY)) return findings;
  const texts = textsBeside(path, opened);
  return findings.filter(({ rule }) => !(rule in DONE_BY) || !texts.some((text) => DONE_BY[rule].test(text)));
}
