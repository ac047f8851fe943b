/** What the comments of a program's files expect of its kernels, held to what a run counted. */
import { expectationsIn, judge, unitOf } from '../counters/expectations.ts';
import type { FaultReport, Report } from '../protocol/report.ts';
import type { ExpectationOutcome } from '../protocol/run.ts';

const UNREADABLE = 'an expectation that cannot be read';

export function judged(
  files: readonly { readonly path: string; readonly text: string | undefined }[],
  { kernels }: Pick<Report, 'kernels'>,
): ExpectationOutcome[] {
  return files.flatMap(({ path, text = '' }) => {
    const { expectations, misread } = expectationsIn(text);
    return [
      ...misread.map(({ line, problem }) => ({ path, line, text: UNREADABLE, kept: false, found: problem })),
      ...expectations.map((expectation): ExpectationOutcome => {
        const { kernel, figure, relation, bound, line } = expectation;
        const { kept, found } = judge(expectation, kernels);
        return { path, line, text: `${kernel}: ${figure} ${relation} ${bound}${unitOf(figure)}`, kept, found };
      }),
    ].sort((a, b) => a.line - b.line);
  });
}

/** Those that are not kept, as what went wrong in a run. */
export function unkept(expectations: readonly ExpectationOutcome[]): FaultReport[] {
  return expectations
    .filter(({ kept }) => !kept)
    .map(({ path, line, text, found }) => ({
      kind: 'expectation',
      message: `${text}${text === UNREADABLE ? '' : ' is not kept'}: ${found}`,
      file: path,
      line,
    }));
}
