/** Turns Clang's error text into diagnostics. Positions inside the package's headers are kept only as notes: the user cannot mend them. */
import type { ProgramDiagnostic } from '../../protocol/report.ts';
import { missingLibrary } from './system-libraries.ts';
import { fromVirtualPath, isPackageFile } from './virtual-paths.ts';

/** `file:12:3: error: text`. The file may contain colons (a drive), so the numbers are matched from the right of the path. */
const located = /^(.+?):(\d+):(\d+): (fatal error|error|warning|note|remark): (.*)$/;
const unlocated = /^(?:clang(?:\+\+)?: |wasm-ld: )?(fatal error|error|warning|note|remark): (.*)$/;

/** `    5 |   text of the program`, and what is drawn below it. */
const PRINTED_SOURCE = /^ *\d* \| /;
/** `fix-it:"file":{4:13-4:13}:";"`, below the diagnostic that it mends. */
const fixIt = /^fix-it:"(.+)":\{(\d+):(\d+)-(\d+):(\d+)\}:"(.*)"$/;

/** `file` takes what Clang or the linker says without a place. */
export function parseDiagnostics(text: string, file: string): ProgramDiagnostic[] {
  const found: ProgramDiagnostic[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (PRINTED_SOURCE.test(line)) continue;
    const at = located.exec(line);
    if (at) {
      found.push({
        severity: severityOf(at[4]),
        file: fromVirtualPath(at[1]),
        line: Number(at[2]),
        column: Number(at[3]),
        message: withReason(at[5]),
      });
      continue;
    }
    const fix = fixIt.exec(line);
    if (fix) {
      addEdit(found.at(-1), fix);
      continue;
    }
    const bare = unlocated.exec(line);
    if (bare) found.push({ severity: severityOf(bare[1]), file, line: 1, column: 1, message: withoutObject(bare[2]) });
  }
  nameHostCalls(found);
  return found.filter((diagnostic) => !/^too many errors emitted|^\d+ (?:errors?|warnings?)/.test(diagnostic.message));
}

/** What the linker says of a variable that no file defines. Functions are not missed before they are called: they may be the simulator's. */
function withoutObject(message: string): string {
  const name = /^\S+\.o: undefined symbol: (.+)$/.exec(message)?.[1];
  if (name === undefined) return message;
  if (DEVICE_ONLY.test(name)) return `${name} has a value in device code only: a __host__ function cannot read it`;
  return `the variable ${name} is not defined in any of the program's files: add the file that defines it to the command, or define it here`;
}
const DEVICE_ONLY = /^(threadIdx|blockIdx|blockDim|gridDim)$/;

/** A note's are one of several ways; those in another file would need that file's text. */
function addEdit(diagnostic: ProgramDiagnostic | undefined, [, path, line, column, endLine, endColumn, text]: RegExpExecArray): void {
  if (!diagnostic || diagnostic.severity === 'note' || diagnostic.file !== fromVirtualPath(path)) return;
  const edit = {
    start: { line: Number(line), column: Number(column) },
    end: { line: Number(endLine), column: Number(endColumn) },
    text: text.replace(/\\(["\\tn])/g, (_, escaped: string) => ({ t: '\t', n: '\n' })[escaped] ?? escaped),
  };
  diagnostic.edits = [...(diagnostic.edits ?? []), edit];
}

/** Clang's error for a host function that device code calls is that no function matches; the reason is in the note behind it. */
function nameHostCalls(found: ProgramDiagnostic[]): void {
  for (let at = found.length - 2; at >= 0; at--) {
    const name = /^no matching function for call to '(\w+)'$/.exec(found[at].message)?.[1];
    const caller = /^candidate function not viable: call to __host__ function from (.+) function$/.exec(found[at + 1].message)?.[1];
    if (!name || !caller) continue;
    found[at] = { ...found[at], message: `${name} is a __host__ function: a ${caller} function cannot call it${REPLACED[name] ?? ''}` };
    // The note shows where it is declared.
    if (isPackageFile(found[at + 1].file)) found.splice(at + 1, 1);
    else found[at + 1] = { ...found[at + 1], message: `${name} is declared here` };
  }
}

const REPLACED: Readonly<Record<string, string>> = {
  cudaDeviceSynchronize: '. CUDA 12 removed it from device code: launch what is to follow a child grid into cudaStreamTailLaunch',
};

/** How the names of headers begin that come with the CUDA toolkit or beside it: what of them is not found, this package does not have. */
const TOOLKIT_HEADER =
  /^(mma\b|curand|cublas|cufft|cusparse|cusolver|cudnn|cutensor|nccl|nvrtc|nvml|nvjpeg|npp|nvtx|nvToolsExt|cuda_pipeline|cuda_fp[468]|(cub|cuda|thrust|cutlass|cute|cooperative_groups)\/)/;

/** Headers of what draws in windows. */
const WINDOW_HEADER = /^(GL|GLES\d?|EGL|GLFW|X11|vulkan|SDL2?)\/|^(glad\/|helper_gl\.h|rendercheck_gl\.h|cudaEGL\.h)/;

/** What is wrong is not the path: no folder would help. */
function withReason(message: string): string {
  const header = /^'(.+)' file not found$/.exec(message)?.[1];
  if (header && TOOLKIT_HEADER.test(header)) return `${message}: the simulator does not support this part of the CUDA toolkit`;
  if (header && WINDOW_HEADER.test(header))
    return `${message}: the simulator has no screen, and knows no windows but those of GLUT (GL/glut.h); write pictures to files instead`;
  const missing = header && missingLibrary(header);
  return missing ? `${message}: ${missing}` : message;
}

export interface DuplicateSymbol {
  /** As the linker prints it. */
  readonly symbol: string;
  /** Virtual paths of the objects. */
  readonly definedIn: readonly string[];
}

export function duplicateSymbols(text: string): DuplicateSymbol[] {
  const found: { symbol: string; definedIn: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const symbol = /duplicate symbol: (.*)$/.exec(line)?.[1];
    if (symbol) found.push({ symbol, definedIn: [] });
    const object = /^>>> defined in (.*)$/.exec(line)?.[1];
    if (object) found.at(-1)?.definedIn.push(object);
  }
  return found;
}

/** Both passes report what is wrong in shared code: the second report of the same thing, with its notes, is dropped. */
export function mergeDiagnostics(...lists: readonly (readonly ProgramDiagnostic[])[]): ProgramDiagnostic[] {
  const seen = new Set<string>();
  const merged: ProgramDiagnostic[] = [];
  for (const list of lists) {
    let keep = true;
    for (const diagnostic of list) {
      if (diagnostic.severity !== 'note') {
        const key = `${diagnostic.file}:${diagnostic.line}:${diagnostic.column}:${diagnostic.severity}:${diagnostic.message}`;
        keep = !seen.has(key);
        seen.add(key);
      }
      if (keep) merged.push(diagnostic);
    }
  }
  return merged;
}

function severityOf(word: string): ProgramDiagnostic['severity'] {
  if (word === 'error' || word === 'fatal error') return 'error';
  return word === 'warning' ? 'warning' : 'note';
}
