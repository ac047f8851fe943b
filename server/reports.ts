/** Puts together what the report page shows: what runs counted, and what the analyzers say of the texts that ran, where these are open. */
import type { Hover } from '../protocol/finding.ts';
import type { ReportView } from '../protocol/report-view.ts';
import type { Analysis } from './analysis/analysis.ts';
import type { OpenDocument } from './documents.ts';
import { plainText } from './hover.ts';
import { type PredictedFinding, type RanSource, reportView } from './report-view.ts';
import { keyOfPath } from './run-files.ts';
import type { Runs } from './runs.ts';

export interface ReportParts {
  readonly runs: Runs;
  readonly documents: ReadonlyMap<string, OpenDocument>;
  readonly analysis: Pick<Analysis, 'findings' | 'hover'>;
}

/** Pictures take room, and nobody looks at more. */
const MOST_PICTURES = 12;

/** Nothing where no run of the program, or of one that includes the file, has counted anything. */
export async function reportOf(uri: string, { runs, documents, analysis }: ReportParts): Promise<ReportView | null> {
  const ran = runs.ran(uri);
  if (!ran) return null;
  let pictures = 0;
  const sources = await Promise.all(
    ran.files.map(async ({ path, text, said }): Promise<RanSource> => {
      const open = [...documents.values()].find((document) => document.fileKey === keyOfPath(path));
      // What is said of a text that is another one by now would stand at wrong lines.
      const isAsItRan = open !== undefined && open.getText() === text;
      const found = isAsItRan ? await analysis.findings(open.uri, undefined, { urgent: false }) : undefined;
      const findings: PredictedFinding[] = [];
      for (const { rule, severity, message, range, fixes } of found?.findings ?? []) {
        const hover = pictures < MOST_PICTURES && open ? await analysis.hover(open.uri, range.start, { urgent: false }) : undefined;
        const picture = hover && pictureOf(hover);
        if (picture) pictures++;
        findings.push({ rule, severity, message, range, fix: fixes[0]?.title, picture });
      }
      return { path, lines: (text ?? '').split('\n'), annotations: said, findings };
    }),
  );
  return reportView({ counted: ran.counted, stale: ran.stale, earlier: ran.earlier, sources });
}

function pictureOf({ picture, markdown }: Hover): PredictedFinding['picture'] {
  return picture === undefined ? undefined : { svg: picture, words: plainText(markdown) };
}
