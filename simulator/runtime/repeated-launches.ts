/**
 * Launches that need no execution. What a launch does depends on its kernel, shape and arguments and on the allocations that it reads. If it
 * was executed before, none of the allocations that it read and wrote has changed since its end, and what it read was the same at its
 * start, then executing it again would read, count and write the same bytes once more: it is counted with what it counted then.
 * What it read and wrote back was the same at its start if the comparison of copies says so, which begins with a launch's second execution.
 *
 * A launch that changes memory is known again, too, by the versions of all that it read and wrote at its start: programs that take times
 * set their data back and repeat the same launches. The second execution from the same versions gives what it wrote the versions that it had
 * then, and what that holds is kept; from then on it is copied.
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
const REMEMBERED = 1024;
/** Most bytes that are copied to see whether a launch changes them. */
const MOST_COMPARED_BYTES = 1 << 28;

/** Most bytes that are kept of what launches wrote, of all and for each thread of a launch, but for a few. */
const MOST_KEPT_BYTES = 1 << 29;
const MOST_KEPT_BYTES_PER_THREAD = 4096;
const FEW_KEPT_BYTES = 1 << 18;

interface Execution {
  /** Of equal launches. */
  readonly id: number;
  readonly outcome: LaunchOutcome;
  /** Versions at the launch's end of the allocations it read and wrote; undefined if it may have changed what it had read. */
  readonly versions: ReadonlyMap<number, number> | undefined;
  /** How often an equal launch has been executed. */
  readonly times: number;
}

/** What a launch made of what memory held. */
interface Change {
  readonly outcome: LaunchOutcome;
  /** Versions at its end of the allocations that it wrote. */
  readonly versions: ReadonlyMap<number, number>;
  /** What they held, from the second execution on. */
  readonly contents?: ReadonlyMap<number, Uint8Array>;
}

/** A launch that is not executed: what it counts, and what was written in its place. */
interface Repetition {
  readonly outcome: LaunchOutcome;
  readonly written: readonly number[];
}

export class RepeatedLaunches {
  readonly #memory: DeviceMemory;
  readonly #unified: UnifiedMemory;
  readonly #kernels = new Map<DeviceUnit, Map<string, Repeatability>>();
  /** By what makes launches equal; the latest last. */
  readonly #executions = new Map<string, Execution>();
  /** By launches and the versions of what they read and wrote; the latest last. */
  readonly #changes = new Map<string, Change>();
  #keptBytes = 0;
  #latestId = 0;
  readonly #units = new Map<DeviceUnit, number>();
  /** Of the launch that was asked for last. */
  #latest: { readonly launch: Launch; readonly unit: DeviceUnit; readonly key: string } | undefined;

  constructor(memory: DeviceMemory, unified: UnifiedMemory) {
    this.#memory = memory;
    this.#unified = unified;
  }

  /** What the launch counts, if it would change nothing, or what it changes is known and has been written. */
  known(unit: DeviceUnit, launch: Launch): Repetition | undefined {
    const execution = this.#executions.get(this.#key(unit, launch));
    if (!execution) return undefined;
    if (execution.versions && this.#have(execution.versions)) return { outcome: execution.outcome, written: [] };
    const change = this.#changes.get(this.#start(execution) ?? '');
    return change?.contents && { outcome: change.outcome, written: this.#restore(change.versions, change.contents) };
  }

  #have(versions: ReadonlyMap<number, number>): boolean {
    for (const [address, version] of versions) if (this.#memory.version(address) !== version) return false;
    return true;
  }

  /** The addresses of what did not hold this. */
  #restore(versions: ReadonlyMap<number, number>, contents: ReadonlyMap<number, Uint8Array>): readonly number[] {
    const written = [...versions].filter(([address, version]) => this.#memory.version(address) !== version);
    for (const [address, version] of written) {
      const content = contents.get(address)!;
      this.#memory.bytes.set(content, address);
      this.#memory.restored(address, version);
      this.#memory.observer?.written(address, content.length);
    }
    return written.map(([address]) => address);
  }

  /** Executes a launch, and remembers it if it may be counted when it comes again. */
  execute(unit: DeviceUnit, launch: Launch, run: () => LaunchOutcome): LaunchOutcome {
    const key = this.#key(unit, launch);
    const before = this.#executions.get(key);
    const copies = before && this.#copies(before);
    const outcome = run();
    const unchanged = this.#unchanged(copies);
    const mayBeCounted = !outcome.fault && outcome.children.length === 0 && this.#mayBeCounted(unit, launch, outcome);
    const id = before?.id ?? ++this.#latestId;
    const start = mayBeCounted ? this.#start({ id, outcome }) : undefined;
    const change = this.#changes.get(start ?? '');
    for (const address of writtenBy(this.#memory, outcome)) {
      const version = change?.versions.get(address);
      if (unchanged.has(address)) continue;
      if (version === undefined) this.#memory.changed(address);
      else this.#memory.restored(address, version);
    }
    this.#executions.delete(key);
    if (!mayBeCounted) return outcome;
    const { read, written } = outcome.footprint;
    if (start !== undefined) this.#rememberChange(start, outcome, launch, change);
    const settled = [...written].every((address) => !read.has(address) || unchanged.has(address));
    const versions = settled ? this.#versions([...read, ...written]) : undefined;
    this.#executions.set(key, { id, outcome, versions, times: (before?.times ?? 0) + 1 });
    if (this.#executions.size > REMEMBERED) this.#executions.delete(this.#executions.keys().next().value!);
    return outcome;
  }

  /** Names a launch and what all that it reads and writes holds at its start. */
  #start({ id, outcome }: Pick<Execution, 'id' | 'outcome'>): string | undefined {
    const { read, written } = outcome.footprint;
    if (written.size === 0) return undefined;
    let start = `${id}`;
    for (const address of new Set([...read, ...written])) {
      const version = this.#memory.version(address);
      if (version === undefined) return undefined;
      start += ` ${address} ${version}`;
    }
    return start;
  }

  #rememberChange(start: string, outcome: LaunchOutcome, launch: Launch, before: Change | undefined): void {
    const versions = this.#versions([...outcome.footprint.written]);
    if (!versions) return;
    this.#forgetChange(start);
    this.#changes.set(start, { outcome, versions, contents: before && (before.contents ?? this.#contents(versions, launch)) });
    for (const content of this.#changes.get(start)!.contents?.values() ?? []) this.#keptBytes += content.length;
    if (this.#changes.size > REMEMBERED) this.#forgetChange(this.#changes.keys().next().value!);
  }

  #forgetChange(start: string): void {
    for (const content of this.#changes.get(start)?.contents?.values() ?? []) this.#keptBytes -= content.length;
    this.#changes.delete(start);
  }

  #contents(versions: ReadonlyMap<number, number>, { grid, block }: Launch): ReadonlyMap<number, Uint8Array> | undefined {
    const allocations = [...versions.keys()].flatMap((address) => this.#memory.find(address, 1) ?? []);
    const sizeBytes = allocations.reduce((sum, each) => sum + each.sizeBytes, 0);
    const threads = [...grid, ...block].reduce((product, size) => product * size, 1);
    if (sizeBytes > Math.max(FEW_KEPT_BYTES, threads * MOST_KEPT_BYTES_PER_THREAD)) return undefined;
    if (this.#keptBytes + sizeBytes > MOST_KEPT_BYTES) return undefined;
    return new Map(allocations.map((each) => [each.address, this.#bytes(each.address, each.sizeBytes).slice()]));
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
