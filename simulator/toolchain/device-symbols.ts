/** What device code uses and does not define: a file's by itself, or that of all files of a program, linked. */
import type { ProgramDiagnostic } from '../../protocol/report.ts';
import { demangle } from './demangle.ts';

const EXTERNAL_VARIABLE = /^@"?([\w.$]+)"? = external (?!.*addrspace\(3\)).*addrspace\([14]\)/gm;
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

function firstUse(deviceIr: string, name: string): { line: number; column: number } {
  const quoted = name.replaceAll('.', '\\.').replaceAll('$', '\\$');
  const use = new RegExp(`^ .*@${quoted}\\b.*!dbg !(\\d+)`, 'm').exec(deviceIr);
  const place = use && new RegExp(`^!${use[1]} = .*DILocation\\(line: (\\d+), column: (\\d+)`, 'm').exec(deviceIr);
  return place ? { line: Number(place[1]), column: Number(place[2]) } : { line: 1, column: 1 };
}
