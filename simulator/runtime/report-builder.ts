/** Collects what the launches of one run counted, and what went wrong, into the report's plain data. */
import { paths } from '#platform';
import { addLine, type LineCounters, noCounts } from '../../counters/counters.ts';
import { reportNames } from '../../counters/file-names.ts';
import type { FaultReport, KernelReport, NestedParent, OtherBytes, SanitizerFinding, TimeEstimate } from '../../protocol/report.ts';
import type { NestedLaunches } from '../../protocol/timeline.ts';
import { type LineTable, launchMetrics, lineCounters, lineKey, type MetricsInput } from '../counters/launch-metrics.ts';
import { launchTiming } from '../counters/launch-timing.ts';
import { addCounters, type FunctionCounters, type SiteCounters } from '../counters/site-counters.ts';
import type { Location } from '../ir/types.ts';
import type { Fault } from '../machine/launch.ts';
import type { CountedFinding } from '../sanitizer/finding-log.ts';
import type { LaunchTime, OtherTraffic } from '../timing/launch-time.ts';
import { demangle } from '../toolchain/demangle.ts';
import { coldLaunchesNs, type KernelTree, phasesOf } from './clock/kernels.ts';
import { nestedOf } from './clock/recorder.ts';
import { headerLibraries } from './header-code.ts';

export interface ReportOptions {
  readonly isHeader: (file: string) => boolean;
  readonly lineTable: LineTable;
  /** Launches that are listed one by one. */
  readonly mostLaunches: number;
  /** How faults name the user's files. */
  readonly nameOf: (file: string) => string;
}

/** The launches of one kernel, which the line table sums over. */
interface LaunchedKernel {
  /** As the report names it. */
  readonly kernel: string;
  /** Where the kernel is of our own headers. */
  readonly library: string | undefined;
  readonly first: LaunchInput;
  readonly counters: Map<string, FunctionCounters>;
  /** How many launches were counted with the counters of one that was executed, which `counters` leaves out. */
  readonly repeats: Map<SiteCounters, number>;
  /** By function and site, nanoseconds of its launches. */
  readonly times: Map<string, Float64Array>;
  /** Estimates that `times` leaves out, with how many launches have each. */
  readonly repeatedTimes: Map<LaunchTime, number>;
}

type Counted = Pick<KernelReport, 'metrics' | 'timing' | 'estimate'>;
type LaunchInput = Omit<MetricsInput, 'isHeader' | 'lineTable'>;

interface About {
  readonly interpretedBecause?: string;
  readonly repeats?: boolean;
  /** Number of the device. */
  readonly on?: number;
  readonly time?: LaunchTime;
}

/** Launches that differ and are remembered, to know their like again. */
const MOST_ALIKE = 10_000;

export class ReportBuilder {
  readonly kernels: KernelReport[] = [];
  readonly interpreted: Record<string, string> = {};
  /** Those of `kernels[].library`. */
  readonly libraries = new Set<string>();
  /** Those of whose device code the program's own kernels have what is in our headers. */
  readonly headerLibraries = new Set<string>();
  /** In the order of their first launches. */
  readonly #launched: LaunchedKernel[] = [];
  /** With the time that the estimate in it is. */
  readonly #known = new WeakMap<SiteCounters, { readonly time: LaunchTime | undefined; readonly counted: Counted }>();
  readonly #listedAs = new WeakMap<Counted, KernelReport[]>();
  /** Launches that are listed alike are one object, which a loop of launches otherwise fills memory with. */
  readonly #alike = new Map<string, KernelReport>();
  readonly #parents = new Map<string, NestedParent>();
  #unlisted = 0;
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  add(input: LaunchInput, { interpretedBecause, repeats = false, on = 0, time }: About): void {
    const launched = this.#launchedKernel(input);
    const { kernel, library } = launched;
    if (interpretedBecause) this.interpreted[kernel] = interpretedBecause;
    if (this.kernels.length < this.#options.mostLaunches) this.kernels.push(this.#listed(launched, input, { repeats, on, time }));
    else this.#unlisted++;
    if (repeats) launched.repeats.set(input.counters, (launched.repeats.get(input.counters) ?? 0) + 1);
    else addCounters(launched.counters, input.counters);
    if (library) this.libraries.add(library);
    if (time && repeats) launched.repeatedTimes.set(time, (launched.repeatedTimes.get(time) ?? 0) + 1);
    else if (time) addTimes(launched.times, time, 1);
  }

  /** How many launches are not listed. */
  get unlisted(): number {
    return this.#unlisted;
  }

  #listed(
    launched: LaunchedKernel,
    input: LaunchInput,
    { repeats, on, time }: Required<Pick<About, 'repeats' | 'on'>> & About,
  ): KernelReport {
    const counted = this.#counted(input, time);
    // What is counted belongs to one kernel in one shape on one device.
    const listedAs = this.#listedAs.get(counted) ?? [];
    this.#listedAs.set(counted, listedAs);
    listedAs[repeats ? 1 : 0] ??= this.#listedAlike(launched, input, { repeats, on, counted });
    return listedAs[repeats ? 1 : 0];
  }

  #listedAlike(
    { kernel, library }: LaunchedKernel,
    { launch: { grid, block } }: LaunchInput,
    { repeats, on, counted }: { readonly repeats: boolean; readonly on: number; readonly counted: Counted },
  ): KernelReport {
    const key = JSON.stringify([kernel, grid, block, repeats, on, counted]);
    const known = this.#alike.get(key);
    if (known) return known;
    const listed: KernelReport = {
      kernel,
      grid: [...grid],
      block: [...block],
      ...counted,
      ...(library && { library }),
      ...(repeats && { repeats }),
      ...(on > 0 && { device: on }),
    };
    if (this.#alike.size < MOST_ALIKE) this.#alike.set(key, listed);
    return listed;
  }

  /** What a launch of the host's launched, with all below. */
  addNested(tree: KernelTree): void {
    const kernel = demangle(tree.name);
    let parent = this.#parents.get(kernel);
    if (!parent) {
      parent = { kernel, launches: 0, nested: [] };
      this.#parents.set(kernel, parent);
    }
    parent.launches++;
    addLaunches(parent.nested, nestedOf(tree, demangle));
    this.#addWhole(tree);
  }

  /** Until all has ended that a launch of the host's launched: those have been listed behind it. */
  #addWhole(tree: KernelTree): void {
    const at = this.kernels.length - launchesOf(tree);
    const listed = this.#unlisted === 0 ? this.kernels[at] : undefined;
    if (!listed?.estimate) return;
    const after = phasesOf(tree).reduce((sum, { ns }) => sum + ns, 0) - tree.ns + coldLaunchesNs(tree);
    this.kernels[at] = { ...listed, estimate: { ...listed.estimate, wholeNs: Math.round(listed.estimate.ns + after) } };
  }

  get nested(): readonly NestedParent[] {
    return [...this.#parents.values()];
  }

  /** Launches that are counted as an earlier one, or count the same, have its counters. */
  #counted(input: LaunchInput, time: LaunchTime | undefined): Counted {
    const known = this.#known.get(input.counters);
    if (known && known.time === time) return known.counted;
    const full = this.#full(input);
    const timing = launchTiming(full);
    const counted = { metrics: launchMetrics(full), ...(timing && { timing }), ...(time && { estimate: estimateOf(time) }) };
    this.#known.set(input.counters, { time, counted });
    return counted;
  }

  /** Line tables by kernel, keyed `file:line` with the files' names in reports. */
  lines(): Record<string, Record<string, LineCounters>> {
    const tables = this.#linesByPath();
    return named(tables, tables);
  }

  /** Nanoseconds by kernel, keyed alike, those that are not nothing. */
  lineTimes(): Record<string, Record<string, number>> {
    const { isHeader } = this.#options;
    const tables: Record<string, Record<string, number>> = {};
    for (const { kernel, first, times, repeatedTimes } of this.#launched) {
      for (const [time, launches] of repeatedTimes) addTimes(times, time, launches);
      repeatedTimes.clear();
      tables[kernel] ??= {};
      for (const [name, sites] of times) {
        for (const { instructions } of first.module.ir.functions.get(name)?.blocks ?? []) {
          for (const { site, location } of instructions) {
            const key = sites[site] > 0 ? lineKey(location, isHeader) : undefined;
            if (key) tables[kernel][key] = (tables[kernel][key] ?? 0) + sites[site];
          }
        }
      }
    }
    const whole = Object.entries(tables).map(([kernel, table]) => [
      kernel,
      Object.fromEntries(Object.entries(table).flatMap(([line, ns]) => (ns >= 0.5 ? [[line, Math.round(ns)]] : []))),
    ]);
    return named(Object.fromEntries(whole), this.#linesByPath());
  }

  #linesByPath(): Record<string, Record<string, LineCounters>> {
    const lines: Record<string, Record<string, LineCounters>> = {};
    for (const { kernel, first, counters, repeats } of this.#launched) {
      for (const [repeated, launches] of repeats) addCounters(counters, repeated, launches);
      repeats.clear();
      lines[kernel] ??= {};
      for (const [line, sums] of Object.entries(lineCounters(this.#full({ ...first, counters })))) {
        lines[kernel][line] ??= noCounts();
        addLine(lines[kernel][line], sums);
      }
    }
    return lines;
  }

  #launchedKernel(input: LaunchInput): LaunchedKernel {
    const { module, launch } = input;
    const known = this.#launched.find(({ first }) => first.module === module && first.launch.kernel === launch.kernel);
    if (known) return known;
    const kernel = demangle(launch.kernel);
    const launched = {
      kernel,
      library: this.#libraryOf(kernel, module.ir.functions.get(launch.kernel)?.location),
      first: input,
      counters: new Map(),
      repeats: new Map(),
      times: new Map(),
      repeatedTimes: new Map(),
    };
    this.#launched.push(launched);
    if (!launched.library) for (const name of headerLibraries(input)) this.headerLibraries.add(name);
    return launched;
  }

  /** Of a kernel that is written in our own headers. CUB's algorithms are Thrust's there, and their kernels the same. */
  #libraryOf(kernel: string, location: Location | undefined): string | undefined {
    const space = location && this.#options.isHeader(location.file) ? /(\w+)::/.exec(kernel)?.[1] : undefined;
    return space === 'thrust' ? 'Thrust/CUB' : space;
  }

  #full(input: LaunchInput): MetricsInput {
    const { isHeader, lineTable } = this.#options;
    return { ...input, isHeader, lineTable };
  }

  fault({ kind, message, kernel, location, block, thread, address }: Fault): FaultReport {
    return {
      kind,
      message,
      kernel: demangle(kernel),
      ...this.#whereAndWho({ location, block, thread }),
      ...(address !== undefined && { address: addressText(address) }),
    };
  }

  finding({ check, kernel, message, actors, where, address, count, repair }: CountedFinding): SanitizerFinding {
    const places = actors.map(({ access, kernel: own, ...actor }) => ({
      access,
      ...(own !== undefined && { kernel: demangle(own) }),
      ...this.#whereAndWho(actor),
    }));
    return {
      check,
      message,
      ...(kernel && { kernel: demangle(kernel) }),
      places,
      ...(where !== undefined && { where }),
      ...(address !== undefined && { address: addressText(address) }),
      count,
      ...(repair && { repair }),
    };
  }

  /** Where a reader finds it. */
  place(location: Location): { readonly file: string; readonly line: number } {
    return { file: this.#options.nameOf(location.file), line: location.line };
  }

  #whereAndWho({
    location,
    block,
    thread,
  }: Pick<Fault, 'location' | 'block' | 'thread'>): Pick<FaultReport, 'file' | 'line' | 'block' | 'thread'> {
    const at = this.#userLocation(location);
    return {
      ...(at && { file: this.#options.nameOf(at.file), line: at.line }),
      ...(block && { block: [...block] as [number, number, number] }),
      ...(thread && { thread: [...thread] as [number, number, number] }),
    };
  }

  /** The innermost place in the user's own files. */
  #userLocation(location: Location | undefined): Location | undefined {
    let at = location;
    while (at && (at.line === 0 || this.#options.isHeader(at.file))) at = at.inlinedAt;
    return at;
  }
}

/** Tables by kernel whose keys have paths, with the files' names in reports, which hang on all files of `lines`. */
function named<T>(tables: Record<string, Record<string, T>>, lines: Record<string, object>): Record<string, Record<string, T>> {
  const split = (place: string) => [place.slice(0, place.lastIndexOf(':')), place.slice(place.lastIndexOf(':'))] as const;
  const names = reportNames(Object.values(lines).flatMap((table) => Object.keys(table).map((place) => split(place)[0])));
  const renamed = (table: Record<string, T>) =>
    Object.fromEntries(
      Object.entries(table).map(([place, value]) => {
        const [path, line] = split(place);
        return [`${names.get(path) ?? paths.basename(path)}${line}`, value];
      }),
    );
  return Object.fromEntries(Object.entries(tables).map(([kernel, table]) => [kernel, renamed(table)]));
}

function addLaunches(into: NestedLaunches[], more: readonly NestedLaunches[]): void {
  for (const each of more) {
    const known = into.find(({ name }) => name === each.name);
    if (!known) {
      into.push(each);
      continue;
    }
    known.launches += each.launches;
    known.totalNs += each.totalNs;
    known.nested ??= [];
    addLaunches(known.nested, each.nested ?? []);
  }
}

function launchesOf({ children, tails }: KernelTree): number {
  return [...children, ...tails].reduce((sum, each) => sum + launchesOf(each), 1);
}

function addTimes(into: Map<string, Float64Array>, { sites }: LaunchTime, launches: number): void {
  for (const [name, own] of sites) {
    const sum = into.get(name) ?? new Float64Array(own.length);
    into.set(name, sum);
    for (let site = 0; site < own.length; site++) sum[site] += launches * own[site];
  }
}

/** Nanoseconds and counts without fractions: an estimate has no more to say. */
function estimateOf({ ns, limit, parts, residency, memory, instructions, flops }: LaunchTime): TimeEstimate {
  const { read, write, atomic } = memory.l2Sectors;
  const whole = Object.entries(instructions).map(([pipe, count]) => [pipe, Math.round(count)]);
  return {
    ns: Math.round(ns),
    limit,
    parts: parts.filter((part) => part.ns >= 1).map((part) => ({ limit: part.limit, ns: Math.round(part.ns) })),
    registers: residency.registers,
    residentBlocks: residency.resident,
    residentWarps: residency.residentWarps,
    residentLimit: residency.limitedBy,
    waves: Number(residency.waves.toFixed(2)),
    instructions: Object.fromEntries(whole),
    flops: { ...flops },
    l1HitRate: Number(memory.l1HitRate.toFixed(4)),
    l2HitRate: Number(memory.l2HitRate.toFixed(4)),
    l2Sectors: { read: Math.round(read), write: Math.round(write), atomic: Math.round(atomic) },
    dramReadBytes: Math.round(memory.dramReadBytes),
    dramWrittenBytes: Math.round(memory.dramWrittenBytes),
    ...(memory.code.l2 > 0 && { code: bytesOf(memory.code) }),
    ...(memory.local.l2 > 0 && { local: bytesOf(memory.local) }),
  };
}

function bytesOf({ l2, dramRead, dramWritten }: OtherTraffic): OtherBytes {
  return { l2Bytes: Math.round(32 * l2), dramReadBytes: Math.round(32 * dramRead), dramWrittenBytes: Math.round(32 * dramWritten) };
}

/** Engines keep addresses in 32 bits, where the upper half may read as negative; one that leaves them stays as it is. */
function addressText(address: number): string {
  const unsigned = address < 0 ? address + 2 ** 32 : address;
  return `0x${unsigned.toString(16).padStart(8, '0')}`;
}
