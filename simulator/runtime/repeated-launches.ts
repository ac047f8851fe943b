/**
 * Launches that need no execution. What a launch does depends on its kernel, shape and arguments and on the allocations that it reads. If it
 * was executed before, none of the allocations that it read and wrote has changed since its end, and what it read was the same at its
 * start, then executing it again would read, count and write the same bytes once more: it is counted with what it counted then.
 * What it read and wrote back was the same at its start if the comparison of copies says so, which begins with a launch's second execution.
 */

import { bytes } from '#platform';
import type { DeviceMemory } from '../machine/device-memory.ts';
import type { Launch } from '../machine/launch.ts';
import { sameBytes } from '../machine/same-bytes.ts';
import type { LaunchOutcome } from '../scheduling/engine.ts';
import type { DeviceUnit } from './device-program.ts';
import { type Repeatability, repeatability } from './repeatability.ts';
import type { UnifiedMemory } from './unified-memory.ts';

/** Most launches that are remembered: those executed last. */
const REMEMBERED = 256;
/** Most bytes that are copied to see whether a launch changes them. */
const MOST_COMPARED_BYTES = 1 << 28;

interface Execution {
  readonly outcome: LaunchOutcome;
  /** Versions at the launch's end of the allocations it read and wrote; undefined if it may have changed what it had read. */
  readonly versions: ReadonlyMap<number, number> | undefined;
  /** How often an equal launch has been executed. */
  readonly times: number;
}

export class RepeatedLaunches {
  readonly #memory: DeviceMemory;
  readonly #unified: UnifiedMemory;
  readonly #kernels = new Map<DeviceUnit, Map<string, Repeatability>>();
  /** By what makes launches equal; the latest last. */
  readonly #executions = new Map<string, Execution>();
  readonly #units = new Map<DeviceUnit, number>();
  /** Of the launch that was asked for last. */
  #latest: { readonly launch: Launch; readonly unit: DeviceUnit; readonly key: string } | undefined;

  constructor(memory: DeviceMemory, unified: UnifiedMemory) {
    this.#memory = memory;
    this.#unified = unified;
  }

  /** What the launch counts, if it would change nothing. */
  known(unit: DeviceUnit, launch: Launch): LaunchOutcome | undefined {
    const execution = this.#executions.get(this.#key(unit, launch));
    if (!execution?.versions) return undefined;
    for (const [address, version] of execution.versions) if (this.#memory.version(address) !== version) return undefined;
    return execution.outcome;
  }

  /** Executes a launch, and remembers it if it may be counted when it comes again. */
  execute(unit: DeviceUnit, launch: Launch, run: () => LaunchOutcome): LaunchOutcome {
    const key = this.#key(unit, launch);
    const before = this.#executions.get(key);
    const copies = before && this.#copies(before);
    const outcome = run();
    const unchanged = this.#unchanged(copies);
    for (const address of writtenBy(this.#memory, outcome)) if (!unchanged.has(address)) this.#memory.changed(address);
    this.#executions.delete(key);
    if (outcome.fault || outcome.children.length > 0 || !this.#mayBeCounted(unit, launch, outcome)) return outcome;
    const { read, written } = outcome.footprint;
    const settled = [...written].every((address) => !read.has(address) || unchanged.has(address));
    const versions = settled ? this.#versions([...read, ...written]) : undefined;
    this.#executions.set(key, { outcome, versions, times: (before?.times ?? 0) + 1 });
    if (this.#executions.size > REMEMBERED) this.#executions.delete(this.#executions.keys().next().value!);
    return outcome;
  }

  #key(unit: DeviceUnit, launch: Launch): string {
    if (this.#latest?.launch !== launch || this.#latest.unit !== unit) this.#latest = { launch, unit, key: this.#keyOf(unit, launch) };
    return this.#latest.key;
  }

  #keyOf(unit: DeviceUnit, { kernel, grid, block, cluster, dynamicSharedBytes, args, cooperative, window }: Launch): string {
    let number = this.#units.get(unit);
    if (number === undefined) {
      number = this.#units.size;
      this.#units.set(unit, number);
    }
    const values = args.map(bytes.latin1);
    // A window changes no result, but the time.
    const kept = window ? Object.values(window).join(':') : '';
    return [number, kernel, grid, block, cluster, dynamicSharedBytes, cooperative, kept, args.map(({ length }) => length), ...values].join(
      ' ',
    );
  }

  #mayBeCounted(unit: DeviceUnit, { kernel }: Launch, { footprint }: LaunchOutcome): boolean {
    let kernels = this.#kernels.get(unit);
    if (!kernels) {
      kernels = new Map();
      this.#kernels.set(unit, kernels);
    }
    let facts = kernels.get(kernel);
    if (!facts) {
      facts = repeatability(unit.module, kernel);
      kernels.set(kernel, facts);
    }
    if (facts.alwaysRuns) return false;
    return !facts.watchesMemory || ![...footprint.read].some((address) => this.#unified.find(address));
  }

  #versions(addresses: readonly number[]): ReadonlyMap<number, number> | undefined {
    const versions = new Map<number, number>();
    for (const address of addresses) {
      const version = this.#memory.version(address);
      if (version === undefined) return undefined;
      versions.set(address, version);
    }
    return versions;
  }

  /**
   * What the allocations hold that an equal launch has written to, if that one read some of them: copied for the second execution, and, where
   * memory changed each time, for the fourth, eighth and so on.
   */
  #copies({ outcome, versions, times }: Execution): ReadonlyMap<number, Uint8Array> | undefined {
    const { read, written } = outcome.footprint;
    if (versions || (times & (times - 1)) !== 0 || ![...written].some((address) => read.has(address))) return undefined;
    const allocations = [...written].flatMap((address) => this.#memory.find(address, 1) ?? []);
    if (allocations.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > MOST_COMPARED_BYTES) return undefined;
    return new Map(allocations.map(({ address, sizeBytes }) => [address, this.#bytes(address, sizeBytes).slice()]));
  }

  #unchanged(copies: ReadonlyMap<number, Uint8Array> = new Map()): ReadonlySet<number> {
    const same = [...copies].filter(([address, copy]) => sameBytes(this.#bytes(address, copy.length), copy));
    return new Set(same.map(([address]) => address));
  }

  #bytes(address: number, sizeBytes: number): Uint8Array {
    return this.#memory.bytes.subarray(address, address + sizeBytes);
  }
}

/** Where the allocations start that a launch has written to; what a fault has stopped may have written to any. */
export function writtenBy(memory: DeviceMemory, { fault, footprint }: LaunchOutcome): Iterable<number> {
  return fault ? memory.allocations.map(({ address }) => address) : footprint.written;
}
