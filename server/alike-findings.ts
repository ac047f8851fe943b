/** What the sanitizer found in several kernels that share the lines, as those of one template do: to be told once. */
import type { SanitizerFinding } from '../protocol/report.ts';

/** In order of the first of each; the words, the place and the lines of those in one list are the same. */
export function alike(findings: readonly SanitizerFinding[]): (readonly [SanitizerFinding, ...SanitizerFinding[]])[] {
  const groups = new Map<string, [SanitizerFinding, ...SanitizerFinding[]]>();
  for (const finding of findings) {
    const { check, message, places } = finding;
    const key = JSON.stringify([check, message, places.map(({ access, file, line }) => [access, file, line])]);
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}
