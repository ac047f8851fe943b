/**
 * What estimates of time are made of, kept in a file for each program: its modules, and of each launch what it counted and the trace of its
 * accesses. From them a changed model estimates all programs again in seconds, without running one. Times of launches from device code are
 * those of the run that was kept.
 */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import { deviceIds, deviceNamed } from '../devices/devices.ts';
import { SITE_FIELDS, type SiteCounters, type SiteField } from '../simulator/counters/site-counters.ts';
import type { IrModule } from '../simulator/ir/types.ts';
import type { Trace, TracedRequest } from '../simulator/machine/access-trace.ts';
import type { DeviceMemory } from '../simulator/machine/device-memory.ts';
import type { Elapsed, Launch } from '../simulator/machine/launch.ts';
import type { LoadedModule } from '../simulator/machine/load-module.ts';
import type { LaunchOutcome } from '../simulator/scheduling/engine.ts';
import { LaunchEstimator } from '../simulator/timing/estimator.ts';
import type { LaunchTime } from '../simulator/timing/launch-time.ts';
import { demangle } from '../simulator/toolchain/demangle.ts';
import type { Sources } from './measured.ts';
import { compiled, run } from './recorded-launches.ts';

/** More than any measurement has. */
const MOST_LAUNCHES = 48;

interface Kept {
  /** Columns of the counters when they were kept. */
  readonly fields: readonly SiteField[];
  readonly modules: readonly KeptModule[];
  readonly counters: readonly SiteCounters[];
  readonly outcomes: readonly KeptOutcome[];
  readonly launches: readonly KeptLaunch[];
}

interface KeptModule {
  readonly ir: IrModule;
  readonly sharedBytes: ReadonlyMap<string, number>;
}

interface KeptOutcome {
  readonly counters: number;
  readonly clockCycles?: number;
  readonly elapsed?: Elapsed;
  /** Serialized by itself: most changes of the model need none. */
  readonly trace?: Uint8Array;
  /** Address and size of each allocation when it was traced. */
  readonly allocations: Float64Array;
}

interface KeptLaunch {
  readonly module: number;
  readonly launch: Launch;
  readonly outcome: number;
  /** Nanoseconds from its own end to that of the launches from it. */
  readonly nestedNs: number;
  /** It ended by a fault: nobody estimates it. */
  readonly failed: boolean;
}

/** A column for each part of a request. */
interface KeptTrace {
  readonly sites: readonly { readonly function: string; readonly site: number; readonly access: TracedRequest['access'] }[];
  readonly heads: Int32Array;
  readonly sectors: Int32Array;
}

export interface TimedLaunch {
  readonly kernel: string;
  /** undefined: it ended by a fault. */
  readonly time: LaunchTime | undefined;
}

/** Compiles and runs a program, and writes the file. */
export async function recordInputs({ files, flags }: Sources, args: readonly string[], into: string): Promise<void> {
  const defines = flags.filter((flag) => flag.startsWith('-D')).map((flag) => flag.slice(2));
  const includeDirs = flags.flatMap((flag, index) => (flag === '-I' ? [flags[index + 1]] : []));
  const program = { files, args, defines, includeDirs };
  const recorder = new Recorder();
  // Some read data of the folder beside theirs. What they write nobody keeps.
  const temporary = mkdtempSync(join(tmpdir(), 'time-run-'));
  const { kernels } = run(program, await compiled(program), {
    permissions: { temporary, read: [dirname(dirname(files[0]))], write: [temporary], all: false },
    launched: (...about) => recorder.add(...about),
  });
  rmSync(temporary, { recursive: true, force: true });
  const nested = kernels.map(({ estimate }) => (estimate?.wholeNs === undefined ? 0 : estimate.wholeNs - estimate.ns));
  writeFileSync(`${into}.part`, gzipSync(serialize(recorder.kept(nested)), { level: 4 }));
  renameSync(`${into}.part`, into);
}

class Recorder {
  readonly #modules = new Numbered<LoadedModule>();
  readonly #counters = new Numbered<SiteCounters>();
  readonly #outcomes = new Numbered<LaunchOutcome>();
  readonly #allocations = new Map<LaunchOutcome, Float64Array>();
  readonly #launches: Omit<KeptLaunch, 'nestedNs'>[] = [];

  add(module: LoadedModule, launch: Launch, outcome: LaunchOutcome, { allocations }: DeviceMemory): void {
    if (this.#launches.length >= MOST_LAUNCHES) return;
    if (!this.#allocations.has(outcome))
      this.#allocations.set(outcome, Float64Array.from(allocations.flatMap(({ address, sizeBytes }) => [address, sizeBytes])));
    const failed = outcome.fault !== undefined;
    this.#launches.push({ module: this.#modules.of(module), launch, outcome: this.#outcomes.of(outcome), failed });
  }

  kept(nested: readonly number[]): Kept {
    const outcomes = this.#outcomes.all.map((outcome): KeptOutcome => {
      const { counters, clockCycles, elapsed, trace } = outcome;
      const allocations = this.#allocations.get(outcome)!;
      return { counters: this.#counters.of(counters), clockCycles, elapsed, trace: trace && serialize(columns(trace)), allocations };
    });
    return {
      modules: this.#modules.all.map(({ ir, sharedBytes }) => ({ ir, sharedBytes })),
      fields: SITE_FIELDS,
      counters: this.#counters.all,
      outcomes,
      launches: this.#launches.map((each, index) => ({ ...each, nestedNs: nested[index] ?? 0 })),
    };
  }
}

/** Each once, in the order in which they came. */
class Numbered<T> {
  readonly #numbers = new Map<T, number>();

  of(each: T): number {
    const number = this.#numbers.get(each) ?? this.#numbers.size;
    this.#numbers.set(each, number);
    return number;
  }

  get all(): readonly T[] {
    return [...this.#numbers.keys()];
  }
}

const HEAD = 5;

function columns({ requests }: Trace): KeptTrace {
  const numbers = new Map<string, number>();
  const sites: { function: string; site: number; access: TracedRequest['access'] }[] = [];
  const heads = new Int32Array(HEAD * requests.length);
  const sectors = new Int32Array(requests.reduce((sum, each) => sum + each.sectors.length, 0));
  let end = 0;
  requests.forEach((request, index) => {
    const { function: name, site, access, block, warp, epoch } = request;
    const key = `${site} ${access} ${name}`;
    const number = numbers.get(key) ?? sites.push({ function: name, site, access }) - 1;
    numbers.set(key, number);
    heads.set([number, block, warp, epoch, request.sectors.length], HEAD * index);
    sectors.set(request.sectors, end);
    end += request.sectors.length;
  });
  return { sites, heads, sectors };
}

function traceOf({ sites, heads, sectors }: KeptTrace): Trace {
  let end = 0;
  const requests = Array.from({ length: heads.length / HEAD }, (_, index): TracedRequest => {
    const [number, block, warp, epoch, count] = heads.subarray(HEAD * index, HEAD * (index + 1));
    end += count;
    return { ...sites[number], block, warp, epoch, sectors: sectors.subarray(end - count, end) };
  });
  return { requests };
}

/** Counters that were kept with other columns: those that it lacks are zero. */
function withFields(counters: SiteCounters, fields: readonly SiteField[]): SiteCounters {
  if (fields.join() === SITE_FIELDS.join()) return counters;
  const places = SITE_FIELDS.map((field) => fields.indexOf(field));
  return new Map(
    [...counters].map(([name, { data }]) => {
      const rows = data.length / fields.length;
      const all = Array.from({ length: rows }, (_, row) =>
        places.map((place) => (place < 0 ? 0 : data[row * fields.length + place])),
      ).flat();
      return [name, { function: name, data: Float64Array.from(all) }];
    }),
  );
}

/** What the model says of each launch of a kept program, with cold caches, to the end of what it launched. */
export function timesOf(file: string): readonly TimedLaunch[] {
  const kept = deserialize(gunzipSync(readFileSync(file))) as Kept;
  const device = deviceNamed(deviceIds()[0])!;
  let allocations: Float64Array = new Float64Array();
  const find = (address: number): { readonly address: number; readonly sizeBytes: number } | undefined => {
    let [low, high] = [0, allocations.length / 2];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (allocations[2 * middle] <= address) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return undefined;
    const [start, sizeBytes] = allocations.subarray(2 * low - 2, 2 * low);
    return address < start + sizeBytes ? { address: start, sizeBytes } : undefined;
  };
  const estimator = new LaunchEstimator(device, { find });
  const modules = kept.modules.map((each): LoadedModule => ({ ...each, addresses: new Map(), functionTable: [], constants: new Set() }));
  const outcomes = kept.outcomes.map(({ counters, clockCycles, elapsed, trace }) => ({
    ...{ counters: withFields(kept.counters[counters], kept.fields), clockCycles, elapsed },
    trace: trace && traceOf(deserialize(trace) as KeptTrace),
  }));
  return kept.launches.map(({ module, launch, outcome, nestedNs, failed }) => {
    const kernel = demangle(launch.kernel);
    if (failed) return { kernel, time: undefined };
    allocations = kept.outcomes[outcome].allocations;
    const { cold } = estimator.times(modules[module], launch, outcomes[outcome]);
    return { kernel, time: { ...cold, ns: cold.ns + nestedNs } };
  });
}
