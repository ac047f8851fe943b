/** Notes of a run: what is worth knowing of it beside its output, counters and faults, a sentence each. */
import { DEVICE_FLOOR } from '../ir/address-map.ts';
import { howToRaise, RUN_LIMITS, type RunLimits } from '../options/limits.ts';
import type { Sanitizer } from '../sanitizer/sanitizer.ts';
import { demangle } from '../toolchain/demangle.ts';
import type { CudaContext } from './cuda-context.ts';
import { errorName, errorText } from './cuda-errors.ts';
import { headerCodeNotes } from './header-code.ts';
import { libraryNotes } from './libraries/libraries.ts';
import type { Refusal } from './linux/confinement.ts';
import type { Linux } from './linux/system-calls.ts';
import type { ReportBuilder } from './report-builder.ts';
import { windowNotes } from './window/window.ts';

export interface Ended {
  readonly limits: RunLimits;
  readonly sanitizer: Sanitizer | undefined;
  /** Of who ran the program. */
  readonly notes: readonly string[];
  readonly linux: Linux;
  readonly context: CudaContext;
  readonly report: ReportBuilder;
  /** It ended in a fault. */
  readonly failed: boolean;
  readonly exit: number;
}

/** What is worth knowing of a run beside its output, counters and faults. */
export function notesOf({ limits, notes, linux, context, report, sanitizer, failed, exit }: Ended): string[] {
  return [
    ...notes,
    ...concurrencyNote(linux),
    ...libraryNotes(context),
    ...windowNotes(context),
    ...ownKernelsNotes(report),
    ...headerCodeNotes(report.headerLibraries),
    ...exhaustionNote(linux, limits),
    ...refusedFileNotes(linux),
    ...linux.exceeded.map(exceededNote),
    ...shortageNote(context, limits),
    ...notSupportedNotes(context),
    ...unlistedNote(report, limits),
    ...managedNote(context),
    ...uncheckedNote(sanitizer),
    ...(failed || exit !== 0 ? missingCallNotes(linux) : []),
    ...(failed ? [...notFoundNotes(linux), ...failedCallNotes(context)] : refusalNotes(context)),
    ...(!failed && exit === 0 ? [...unnoticedNotes(context, report), ...leakNote(context, report)] : []),
  ];
}

/** Kernels of a library differ between its versions, and ours are none of them. */
function ownKernelsNotes({ libraries }: ReportBuilder): string[] {
  return [...libraries].map(
    (name) =>
      `kernels of ${name} are those of Lanewise's headers: the library of a CUDA toolkit launches others, with other counters and times`,
  );
}

/** What a run does not look at unless it is asked to. */
function uncheckedNote(sanitizer: Sanitizer | undefined): string[] {
  const overfull = sanitizer?.overfull.size ?? 0;
  if (overfull > 0) {
    const launches = overfull === 1 ? 'one launch' : `${overfull} launches`;
    return [
      `races and uninitialised reads were looked for in a first part of ${launches} only: there are more accesses, or publications by fences and atomics, than the sanitizer can remember; a smaller grid may be looked at as a whole`,
    ];
  }
  if (!sanitizer?.isBrief) return [];
  const { all, whole, part } = sanitizer.launches;
  if (whole === all) return [];
  const count = (launches: number): string => launches.toLocaleString('en-US');
  const none = all - whole - part;
  const parts = [`${count(whole)} of ${count(all)} executed launches as a whole`];
  if (part > 0) parts.push(`${count(part)} in part`);
  if (none > 0) parts.push(`${count(none)} not at all`);
  return [
    `races and uninitialised reads were looked for in ${parts.join(', ')}; --sanitize (in the editor lanewise.run.sanitize) looks at everything`,
  ];
}

/** The order of what a program started is one that a machine might have chosen, and the same in every run. */
function concurrencyNote({ concurrency }: Linux): string[] {
  if (concurrency.threads) return ['threads of the host program ran one after the other, each when it was created'];
  return concurrency.teams ? ['OpenMP regions of the host program ran with one thread'] : [];
}

/** Unlike the machine that the program was written for, a simulated program has addresses of 32 bits. */
function exhaustionNote({ refusedMemory }: Linux, { hostMemoryMiB }: RunLimits): string[] {
  if (!refusedMemory) return [];
  const { call } = refusedMemory;
  const who = call ? `memory of both host and device ran out: ${call}` : 'host memory ran out: malloc or new';
  if (refusedMemory.heldBytes + refusedMemory.sizeBytes > hostMemoryMiB * MEBIBYTE && hostMemoryMiB < RUN_LIMITS.hostMemoryMiB.default) {
    return [
      `${who} asked for ${mebibytes(refusedMemory.sizeBytes)} more than ${mebibytes(refusedMemory.heldBytes)}, ` +
        `and the limit is ${hostMemoryMiB} MiB; ${howToRaise('hostMemoryMiB')}`,
    ];
  }
  return [
    `${who} asked for ${mebibytes(refusedMemory.sizeBytes)} more while the program held ` +
      `${mebibytes(refusedMemory.heldBytes)}; a host program has addresses below 4 GiB, so run it with a smaller size`,
  ];
}

/** A GPU has more memory than 32-bit addresses reach. */
function shortageNote({ shortage, device, memory: { line } }: CudaContext, { deviceMemoryMiB }: RunLimits): string[] {
  if (!shortage) return [];
  const { call, sizeBytes, heldBytes } = shortage;
  if (heldBytes + sizeBytes > deviceMemoryMiB * MEBIBYTE && deviceMemoryMiB < RUN_LIMITS.deviceMemoryMiB.default) {
    return [
      `device memory ran out: ${call} asked for ${mebibytes(sizeBytes)} while the program held ${mebibytes(heldBytes)}, ` +
        `and the limit is ${deviceMemoryMiB} MiB; ${howToRaise('deviceMemoryMiB')}`,
    ];
  }
  // Memory of both has no address that one of them uses for something else.
  if ((line.overlaps || line.keepsApart) && heldBytes + sizeBytes < line.deviceTop - DEVICE_FLOOR - MEBIBYTE) {
    return [
      `device memory ran out: ${call} asked for ${mebibytes(sizeBytes)} while the program held ${mebibytes(heldBytes)}, which an ${device.name} ` +
        'has and the simulator, with addresses below 4 GiB for host and device together where both see some of the memory, has not: run it with a smaller size',
    ];
  }
  return [
    `device memory ran out: ${call} asked for ${mebibytes(sizeBytes)} while the program held ${mebibytes(heldBytes)}, which an ${device.name} ` +
      'has and the simulator, whose device has 3.4 GiB at most, has not: run it with a smaller size',
  ];
}

function notSupportedNotes({ notSupported }: CudaContext): string[] {
  return [...notSupported].map(([name, what]) => `${name}() failed: the simulator does not have ${what}`);
}

/** The program was told that the disk is full. */
function exceededNote(name: 'files' | 'fileMiB'): string {
  const what = name === 'files' ? 'created more files and folders' : 'wrote more to files';
  return `the program ${what} than a run may, and further calls failed with ENOSPC: ${howToRaise(name)}`;
}

function unlistedNote({ unlisted }: ReportBuilder, { reportLaunches }: RunLimits): string[] {
  if (unlisted === 0) return [];
  const [first, rest] = [reportLaunches, unlisted].map((count) => count.toLocaleString('en-US'));
  return [`the report lists the first ${first} launches; ${rest} more are counted in its lines only: ${howToRaise('reportLaunches')}`];
}

/** Of what all kernels take: shorter waits are not worth a sentence. */
const LEAST_WAIT = 0.05;

/** A profiler's times of kernels have these waits in them, and estimates have not. */
function managedNote({ managedWaits }: CudaContext): string[] {
  const { launches, bytes, ns, prefetchedNs, kernelsNs } = managedWaits;
  if (ns <= LEAST_WAIT * kernelsNs) return [];
  const waiting = launches === 1 ? '1 launch waits' : `${launches.toLocaleString('en-US')} launches wait`;
  const ahead = prefetchedNs < ns ? `; cudaMemPrefetchAsync moves it ahead of its use, in about ${duration(prefetchedNs)}` : '';
  return [
    `${waiting} about ${duration(ns)} for ${sizeText(bytes)} of managed memory to come to the device, which the times of kernels leave out${ahead}`,
  ];
}

function duration(ns: number): string {
  return ns < 1e6 ? `${(ns / 1e3).toFixed(0)} µs` : `${(ns / 1e6).toPrecision(3)} ms`;
}

function sizeText(bytes: number): string {
  return bytes < MEBIBYTE ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
}

export const MEBIBYTE = 2 ** 20;

function mebibytes(sizeBytes: number): string {
  return `${Math.ceil(sizeBytes / 2 ** 20)} MiB`;
}

const MOST_REFUSED_FILES = 3;

/** What to allow, once for each file; the program itself was told EACCES. */
function refusedFileNotes({ refusals }: Linux): string[] {
  const more = refusals.length - MOST_REFUSED_FILES;
  return [
    ...refusals.slice(0, MOST_REFUSED_FILES).map(refusalNote),
    ...(more > 0 ? [`and ${more} more files were out of the program's reach`] : []),
  ];
}

function refusalNote(refusal: Refusal): string {
  const { access, path } = refusal;
  if (refusal.protected) {
    return `the program may not write ${path}: below the folders that it may write, names that begin with a dot and node_modules are read-only`;
  }
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  return `the program may not ${access} ${path}: it is outside the program's folders. To allow it, pass --allow-${access}=${folder}, or set lanewise.run.allow${access === 'read' ? 'Read' : 'Write'}`;
}

/** A program that failed may have needed what the simulated Linux does not have. */
function missingCallNotes({ missing }: Linux): string[] {
  return [...missing].map(
    (name) => `the program asked Linux for ${name}(), which the simulator does not have: the call failed with ENOSYS`,
  );
}

/** Programs go on with the null pointer that fopen has given them. Files of the system are looked for by libraries. */
function notFoundNotes({ notFound }: Linux): string[] {
  const paths = [...notFound].filter((path) => !/^\/(proc|sys|dev|etc|usr)\//.test(path));
  return paths
    .slice(0, MOST_FAILED_CALLS)
    .map((path) => `before the fault the program did not find a file that it wanted to open: ${path}`);
}

const MOST_FAILED_CALLS = 3;

function failedCallNotes({ failedCalls }: CudaContext): string[] {
  const calls = [...failedCalls];
  const more = calls.length - MOST_FAILED_CALLS;
  return [
    ...calls.slice(0, MOST_FAILED_CALLS).map((call) => `before the fault a call failed: ${call}`),
    ...(more > 0 ? [`and ${more} more calls failed`] : []),
  ];
}

/** Without a check, a program goes on with what memory held before. */
function refusalNotes({ unseenRefusals }: CudaContext): string[] {
  const notes = unseenRefusals.map(
    ({ kernel, code }) =>
      `a launch of ${kernelName(kernel)} failed, so the kernel did not run: ${errorName(code)} (${errorText(code)}); ` +
      'the program never asked for it by cudaGetLastError()',
  );
  return [...new Set(notes)].slice(0, MOST_FAILED_CALLS);
}

/** Of calls that failed without a sign that the program has noticed. */
function unnoticedNotes({ unnoticed }: CudaContext, report: ReportBuilder): string[] {
  const notes = unnoticed.map(({ text, place }) => {
    const at = place && report.place(place);
    return `a call failed and the program went on: ${text}${at ? ` at ${at.file}:${at.line}` : ''}; it never asked for the error`;
  });
  return [...new Set(notes)].slice(0, MOST_FAILED_CALLS);
}

const MOST_LEAKS = 3;

/** Only of programs that free something: the others leave it to the end of the process. */
function leakNote(context: CudaContext, report: ReportBuilder): string[] {
  const { memory, freed } = context;
  const left = memory.allocations.filter(({ label }) => /^cuda(Malloc|HostAlloc)\w* no\. \d+$/.test(label));
  if (freed === 0 || left.length === 0) return [];
  const names = left.slice(0, MOST_LEAKS).map(({ label, sizeBytes }) => {
    const place = context.allocationPlace(label);
    const at = place && report.place(place);
    return `${label} (${sizeBytes} bytes${at ? `, ${at.file}:${at.line}` : ''})`;
  });
  const more = left.length > MOST_LEAKS ? ` and ${left.length - MOST_LEAKS} more` : '';
  return [
    `${left.length} of ${freed + left.length} allocations ${left.length === 1 ? 'was' : 'were'} never freed: ${names.join(', ')}${more}`,
  ];
}

/** `reduce` for `void reduce<int>(const int *)`. */
export function kernelName(mangled: string): string {
  return demangle(mangled)
    .replace(/^\w+ /, '')
    .replace(/[<(].*$/s, '');
}
