/** Findings as a reader sees them: what is inlined in several places, or lies behind other lines of a header, is one if it reads the same. */
import type { SanitizerFinding } from '../../protocol/report.ts';

export function mergedFindings(findings: readonly SanitizerFinding[]): SanitizerFinding[] {
  const merged = new Map<string, SanitizerFinding>();
  for (const finding of findings) {
    const key = `${linesOf(finding)} ${adviceOf(finding)}`;
    const known = merged.get(key);
    merged.set(key, known ? { ...known, count: known.count + finding.count } : finding);
  }
  return [...merged.values()];
}

/** Those of a run that speak of lines of which no earlier run has spoken. */
export function newFindings(findings: readonly SanitizerFinding[], known: readonly SanitizerFinding[]): SanitizerFinding[] {
  const lines = new Set(known.map(linesOf));
  return findings.filter((each) => !lines.has(linesOf(each)));
}

/** Its lines, whichever came first. Which element it is, and of which allocation, makes no difference; which variable does. */
function linesOf({ check, kernel, places, where = '' }: SanitizerFinding): string {
  const lines = places.map(({ kernel: own, file, line }) => [own, file, line].join(':')).sort();
  const variable = /^([\w.:]+)(?=\[|$)/.exec(where)?.[1];
  return JSON.stringify([check, kernel, lines, variable]);
}

/** What is to be done, which stands behind the memory. */
function adviceOf({ where, message }: SanitizerFinding): string {
  return where === undefined ? message : message.slice(message.indexOf(where) + where.length);
}
