/** What the sanitizer found as SARIF 2.1.0: the first place is the result's, the others are related. */
import type { SanitizerFinding, SanitizerPlace } from '../protocol/report.ts';
import { whoDid } from '../simulator/options/thread-names.ts';
import type { SanitizedProgram } from './sanitize.ts';
import { artifact, sarifFix, sarifLog } from './sarif.ts';

const CHECKS: Readonly<Record<SanitizerFinding['check'], string>> = {
  race: 'Two threads access memory in no order, and one of them writes',
  'divergent-barrier': 'A barrier that part of a block never reaches',
  'wrong-mask': 'A mask that does not name the lanes that take part',
  'uninitialised-read': 'A read of memory that nothing has written',
};
const IDS = Object.keys(CHECKS);

export function sanitizerSarif(programs: readonly SanitizedProgram[], version: string): object {
  const rules = Object.entries(CHECKS).map(([id, text]) => ({
    id,
    shortDescription: { text },
    help: { text: `docs/sanitizer.md, "${id}"` },
    defaultConfiguration: { level: 'error' },
  }));
  const results = programs.flatMap(({ path, report }) => [
    ...(report?.findings ?? []).map((finding) => result(finding, path)),
    ...(report?.faults ?? []).map(({ kind, message, file, line }) => ({
      ruleId: `fault/${kind}`,
      level: 'error',
      message: { text: message },
      locations: [location({ access: '', file, line }, path)],
    })),
  ]);
  const notifications = programs.flatMap(({ path, notRun }) =>
    notRun === undefined ? [] : [{ level: 'error', message: { text: `not run: ${notRun}` }, locations: [location({ access: '' }, path)] }],
  );
  return sarifLog({
    tool: { driver: { name: 'Lanewise sanitizer', semanticVersion: version, rules } },
    invocations: [{ executionSuccessful: notifications.length === 0, toolExecutionNotifications: notifications }],
    results,
  });
}

function result({ check, message, kernel, places: [first, ...others], count, fix }: SanitizerFinding, path: string): object {
  return {
    ruleId: check,
    ruleIndex: IDS.indexOf(check),
    level: 'error',
    message: { text: message },
    occurrenceCount: count,
    locations: [
      {
        ...location(first, path),
        ...saying(first),
        ...(kernel && { logicalLocations: [{ fullyQualifiedName: kernel, kind: 'function' }] }),
      },
    ],
    ...(others.length > 0 && { relatedLocations: others.map((place) => ({ ...location(place, path), ...saying(place) })) }),
    ...(fix && { fixes: [sarifFix((first.file ?? path).replaceAll('\\', '/'), fix)] }),
  };
}

/** Who did what there. */
function saying(place: SanitizerPlace): object {
  return { message: { text: whoDid(place) } };
}

function location({ file, line }: SanitizerPlace, path: string): object {
  const artifactLocation = artifact((file ?? path).replaceAll('\\', '/'));
  return { physicalLocation: { artifactLocation, ...(line !== undefined && { region: { startLine: line } }) } };
}
