/** What device code uses and does not define: a file's by itself, or that of all files of a program, linked. */
import type { ProgramDiagnostic } from '../../protocol/report.ts';
import { demangle } from './demangle.ts';

const EXTERNAL_VARIABLE = /^@"?([\w.$]+)"? = external (?!.*addrspace\(3\)).*addrspace\([14]\)/gm;
const STATIC_VARIABLE = /^@"?([\w.$]+?)(__static__\w+)"? = (?!external )/gm;
/** The simulator's own functions have C names. */
const EXTERNAL_FUNCTION = /^declare .*?@(_Z[\w.$]+)\(/gm;

/** Errors about the file whose device module (text) this is. */
export function unresolvedSymbols(deviceIr: string, file: string): ProgramDiagnostic[] {
  const names = (pattern: RegExp): string[] => Array.from(deviceIr.matchAll(pattern), ([, name]) => name);
  const variables = names(EXTERNAL_VARIABLE).map((name) => ({ name, what: `the device variable ${demangle(name)}` }));
  const functions = names(EXTERNAL_FUNCTION).map((name) => ({ name, what: `the device function ${demangle(name)}` }));
  return [...variables, ...functions].map(({ name, what }) => ({
    severity: 'error',
    file,
    ...firstUse(deviceIr, name),
    message: `${what} is not defined in any of the program's files: add the file that defines it to the command, or define it here`,
  }));
}

/**
 * A device module's text with one name for each static variable that host code uses, too. Where kernels launch others Clang gives it a longer
 * name as soon as it has seen such a use; functions further up have the short one.
 */
export function withStaticNames(deviceIr: string): string {
  const longer = new Map<string, string[]>();
  for (const [, name, end] of deviceIr.matchAll(STATIC_VARIABLE)) longer.set(name, [...(longer.get(name) ?? []), end]);
  // Files that have been linked may have several of a name: which one is meant is not known.
  const wanted = Array.from(deviceIr.matchAll(EXTERNAL_VARIABLE), ([, name]) => name).filter((name) => longer.get(name)?.length === 1);
  if (wanted.length === 0) return deviceIr;
  const ends = new Map(wanted.map((name) => [name, longer.get(name)![0]]));
  const kept = deviceIr.replaceAll(EXTERNAL_VARIABLE, (line, name: string) => (ends.has(name) ? `; ${line}` : line));
  return kept.replaceAll(/^(?!; @).*@_Z.*$/gm, (line) =>
    line.replaceAll(/@([\w.$]+)/g, (all, name: string) => all + (ends.get(name) ?? '')),
  );
}

function firstUse(deviceIr: string, name: string): { line: number; column: number } {
  const quoted = name.replaceAll('.', '\\.').replaceAll('$', '\\$');
  const use = new RegExp(`^ .*@${quoted}\\b.*!dbg !(\\d+)`, 'm').exec(deviceIr);
  const place = use && new RegExp(`^!${use[1]} = .*DILocation\\(line: (\\d+), column: (\\d+)`, 'm').exec(deviceIr);
  return place ? { line: Number(place[1]), column: Number(place[2]) } : { line: 1, column: 1 };
}
