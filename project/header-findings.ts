/** What is said of a header: by its own text, and of kernels that programs launch, by what these launch them with. */
import type { HeaderFindings } from '../analyzers/analyzer.ts';
import type { Finding, SourceRange } from '../protocol/finding.ts';

/** `own`: of the header alone. A kernel that a program launches is spoken of as it is launched. */
export function headerFindings(own: readonly Finding[], programs: readonly HeaderFindings[]): Finding[] {
  const launched = programs.flatMap((program) => program.launched);
  const alone = own.filter(({ range }) => !launched.some((kernel) => isWithin(range, kernel)));
  const known = new Map<string, Finding>();
  for (const finding of [...alone, ...programs.flatMap(({ findings }) => findings)]) {
    const key = JSON.stringify([finding.rule, finding.range]);
    if (!known.has(key)) known.set(key, finding);
  }
  return [...known.values()].sort(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.column - b.range.start.column || (a.rule < b.rule ? -1 : 1),
  );
}

/** What is surely wrong as a program that is linked with the file launches its kernels. Of the rest, the file speaks for itself. */
export function linkedFindings({ findings }: HeaderFindings): HeaderFindings {
  return { findings: findings.filter(({ severity }) => severity === 'error'), launched: [] };
}

function isWithin(inner: SourceRange, outer: SourceRange): boolean {
  return inner.start.line >= outer.start.line && inner.end.line <= outer.end.line;
}
