/**
 * Estimates launches as a program makes them: says which blocks an engine should trace, and what the launch would take. Launches of a
 * kernel that come again and again in one shape are traced the first, second, fourth, eighth time and so on; the others are taken to use
 * the caches as the latest one that was traced.
 */
import type { DeviceProfile } from '../../devices/profile.ts';
import type { SiteCounters } from '../counters/site-counters.ts';
import { type Trace, type TraceSample, traceSample } from '../machine/access-trace.ts';
import type { Elapsed, Launch } from '../machine/launch.ts';
import { type LoadedModule, sharedLimit } from '../machine/load-module.ts';
import { launchLocality } from './launch-locality.ts';
import { estimateLaunch, type LaunchTime, type LaunchTimeInput, residency } from './launch-time.ts';
import type { Locality } from './locality.ts';

/** Finds the allocation that an address is in. */
export interface Allocations {
  find(address: number, sizeBytes: number): { readonly address: number; readonly sizeBytes: number } | undefined;
}

/** Launches of a kernel with one grid and one block size. */
interface Geometry {
  launches: number;
  /** By the sizes that they were given. */
  readonly shapes: Map<string, Shape>;
  latest: Locality | undefined;
}

interface Shape {
  launches: number;
  locality: Locality | undefined;
}

/** What a launch did. Its counters are those of a launch before if they are equal, and the kernel and the shape are the same. */
interface Counted {
  readonly counters: SiteCounters;
  readonly trace?: Trace;
  readonly clockCycles?: number;
  readonly elapsed?: Elapsed;
}

/** With cold caches, as Nsight Compute measures, and with warm ones, as programs run. */
interface Times {
  readonly cold: LaunchTime;
  readonly warm: LaunchTime;
}

interface Estimated {
  readonly locality: Locality | undefined;
  readonly window: Launch['window'];
  readonly clockCycles: number;
  readonly elapsed: Elapsed | undefined;
  readonly times: Times;
}

/** Sizes of one geometry that are told apart. */
const MOST_SHAPES = 64;

export class LaunchEstimator {
  readonly #device: DeviceProfile;
  readonly #memory: Allocations;
  readonly #geometries = new WeakMap<LoadedModule, Map<string, Geometry>>();
  /** Of launches that are counted with what an earlier one did. */
  readonly #known = new WeakMap<Counted, Times>();
  /** Of launches that count the same. */
  readonly #latest = new WeakMap<SiteCounters, Estimated>();

  constructor(device: DeviceProfile, memory: Allocations) {
    this.#device = device;
    this.#memory = memory;
  }

  /** The launch, to be executed with a trace if it should have one. */
  traced(module: LoadedModule, launch: Launch): Launch {
    const { geometry, shape } = this.#shape(module, launch);
    geometry.launches++;
    shape.launches++;
    const isKnown = shape.locality !== undefined || geometry.shapes.size >= MOST_SHAPES;
    if (!isPowerOfTwo(shape.launches) || (isKnown && geometry.shapes.size >= MOST_SHAPES && !isPowerOfTwo(geometry.launches)))
      return launch;
    return { ...launch, traced: this.#sampleOf(module, launch) };
  }

  /** `outcome`: of a launch as `traced` gave it. */
  times(module: LoadedModule, launch: Launch, outcome: Counted): Times {
    const known = this.#known.get(outcome);
    if (known) return known;
    const { counters, trace, clockCycles = 0, elapsed } = outcome;
    const { window } = launch;
    const locality = this.#localityOf(module, launch, { counters, trace });
    const latest = this.#latest.get(counters);
    const isSame =
      latest?.locality === locality &&
      latest?.window === window &&
      latest?.clockCycles === clockCycles &&
      latest?.elapsed?.longest === elapsed?.longest &&
      latest?.elapsed?.blocks === elapsed?.blocks;
    const times = latest && isSame ? latest.times : this.#estimate({ module, launch, counters, locality, elapsed }, clockCycles);
    this.#latest.set(counters, { locality, window, clockCycles, elapsed, times });
    this.#known.set(outcome, times);
    return times;
  }

  #localityOf(module: LoadedModule, launch: Launch, { counters, trace }: Counted): Locality | undefined {
    const { geometry, shape } = this.#shape(module, launch);
    if (trace) {
      const allocationOf = (address: number) => this.#memory.find(address, 1);
      const sample = this.#sampleOf(module, launch);
      shape.locality = launchLocality({ module, launch, device: this.#device, counters, trace, sample, allocationOf });
      geometry.latest = shape.locality;
    }
    return shape.locality ?? geometry.latest;
  }

  #estimate(counted: Pick<LaunchTimeInput, 'module' | 'launch' | 'counters' | 'locality' | 'elapsed'>, clockCycles: number): Times {
    const input = { ...counted, device: this.#device };
    const waitedNs = ((clockCycles * 1e6) / this.#device.clockKHz) * Math.ceil(residency(input).waves);
    const [cold, warm] = (['cold', 'warm'] as const).map((caches) => waiting(estimateLaunch({ ...input, caches }), waitedNs));
    return { cold, warm };
  }

  #sampleOf(module: LoadedModule, launch: Launch): TraceSample {
    const blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
    const { resident } = residency({ module, launch, device: this.#device });
    const warps = Math.ceil((launch.block[0] * launch.block[1] * launch.block[2]) / this.#device.warpSize);
    return traceSample(blocks, this.#device.multiprocessors, { resident, warps });
  }

  #shape(module: LoadedModule, launch: Launch): { readonly geometry: Geometry; readonly shape: Shape } {
    let geometries = this.#geometries.get(module);
    if (!geometries) {
      geometries = new Map();
      this.#geometries.set(module, geometries);
    }
    const shared = sharedLimit(module, launch.kernel, launch.dynamicSharedBytes);
    const where = [launch.kernel, launch.grid, launch.block, shared].join(' ');
    const geometry = geometries.get(where) ?? { launches: 0, shapes: new Map<string, Shape>(), latest: undefined };
    geometries.set(where, geometry);
    // Sizes and strides decide what a launch touches; where its arrays lie does not.
    const parameters = module.ir.functions.get(launch.kernel)?.parameters ?? [];
    const sizes = launch.args.filter((_, index) => parameters[index]?.type.kind !== 'ptr').join(' ');
    const shape = geometry.shapes.get(sizes) ?? { launches: 0, locality: undefined };
    if (geometry.shapes.size < MOST_SHAPES) geometry.shapes.set(sizes, shape);
    return { geometry, shape };
  }
}

/**
 * A kernel that reads clocks until time has passed takes that time: how often it looks is no work. One that only looks how long it has
 * taken sees a small part of its time pass.
 */
function waiting(time: LaunchTime, waitedNs: number): LaunchTime {
  if (waitedNs < time.ns / 8) return time;
  const overhead = time.parts.find(({ limit }) => limit === 'launch')!;
  const parts = [{ limit: 'clock' as const, ns: waitedNs }, overhead].sort((a, b) => b.ns - a.ns);
  return { ...time, ns: waitedNs + overhead.ns, limit: parts[0].limit, parts };
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0;
}
