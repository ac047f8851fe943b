/** Keeps what happened when, for a timeline. */
import type { NestedLaunches, Timeline, TimelineSpan, TimelineTrack } from '../../../protocol/timeline.ts';
import type { KernelTree } from './kernels.ts';
import type { Operation } from './operation.ts';
import type { StreamQueue } from './stream-queue.ts';

export interface Span {
  readonly kind: Exclude<TimelineSpan['kind'], 'call'>;
  /** Of a kernel its mangled name. */
  readonly name: string;
  readonly bytes?: number;
  readonly tree?: KernelTree;
}

interface Call {
  readonly name: string;
  readonly startNs: number;
  readonly endNs: number;
}

/** A loop of launches would otherwise fill memory, and no viewer shows more. */
const MOST_SPANS = 200_000;

export class Recorder {
  readonly #calls: Call[] = [];
  readonly #operations: { readonly operation: Operation; readonly queue: StreamQueue; readonly span: Span }[] = [];
  #leftOut = 0;

  call(call: Call): void {
    if (this.#hasRoom()) this.#calls.push(call);
  }

  operation(operation: Operation, queue: StreamQueue, span: Span): void {
    if (this.#hasRoom()) this.#operations.push({ operation, queue, span });
  }

  #hasRoom(): boolean {
    if (this.#calls.length + this.#operations.length < MOST_SPANS) return true;
    this.#leftOut++;
    return false;
  }

  /** When everything has ended. `nameOf`: a kernel's name in reports. */
  timeline(parts: { readonly devices: readonly string[]; readonly endNs: number; readonly nameOf: (kernel: string) => string }): Timeline {
    const { devices, endNs, nameOf } = parts;
    const host: TimelineTrack = { name: 'host', spans: this.#calls.map((call) => ({ kind: 'call', ...rounded(call) })) };
    const tracks = new Map<string, TimelineTrack & { readonly device: number }>();
    for (const { operation, queue, span } of this.#operations) {
      const key = `${queue.device.index} ${queue.label}`;
      let track = tracks.get(key);
      if (!track) {
        track = { name: queue.label, device: queue.device.index, spans: [] };
        tracks.set(key, track);
      }
      track.spans.push(spanOf(operation, span, nameOf));
    }
    const ofDevices = [...tracks.values()].sort((a, b) => a.device - b.device);
    return {
      devices: [...devices],
      endNs: Math.round(endNs),
      tracks: [host, ...ofDevices],
      ...(this.#leftOut > 0 && { leftOut: this.#leftOut }),
    };
  }
}

function rounded({ name, startNs, endNs }: Call): Call {
  return { name, startNs: Math.round(startNs), endNs: Math.round(endNs) };
}

function spanOf(operation: Operation, { kind, name, bytes, tree }: Span, nameOf: (kernel: string) => string): TimelineSpan {
  const when = rounded({ name: tree ? nameOf(name) : name, startNs: operation.startNs!, endNs: operation.endNs! });
  if (!tree) return { kind, ...when, ...(bytes !== undefined && { bytes }) };
  const nested = nestedOf(tree, nameOf);
  return {
    kind,
    ...when,
    ...(tree.migratedBytes > 0 && { bytes: tree.migratedBytes }),
    grid: [...tree.grid],
    block: [...tree.block],
    ...(nested.length > 0 && { ownNs: Math.round(tree.ns), nested }),
  };
}

/** What a kernel launched, by kernel, with what these launched. */
export function nestedOf({ children, tails }: KernelTree, nameOf: (kernel: string) => string): NestedLaunches[] {
  const byName = new Map<string, KernelTree[]>();
  for (const child of [...children, ...tails]) {
    const known = byName.get(child.name);
    if (known) known.push(child);
    else byName.set(child.name, [child]);
  }
  return [...byName].map(([name, launches]) => {
    const below = nestedOf(
      { ...launches[0], children: launches.flatMap((each) => each.children), tails: launches.flatMap((each) => each.tails) },
      nameOf,
    );
    const totalNs = Math.round(launches.reduce((sum, { ns }) => sum + ns, 0));
    return { name: nameOf(name), launches: launches.length, totalNs, ...(below.length > 0 && { nested: below }) };
  });
}
