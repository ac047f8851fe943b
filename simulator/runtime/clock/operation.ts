/** What devices do: a kernel, a copy, a fill, an event, a function of the host in a stream. */

/** What an operation occupies while it runs. */
export type Needs =
  /** Nothing: an event, a function of the host, a join. */
  | { readonly kind: 'nothing' }
  /** Engines by name, each of which does one thing at a time. */
  | { readonly kind: 'engines'; readonly engines: readonly string[]; readonly slowed?: Slowed }
  /** Shares of one device. */
  | { readonly kind: 'kernel'; readonly device: number; readonly phases: readonly Phase[] };

/** While one of these engines is busy, too, it runs at this share of its speed. */
export interface Slowed {
  readonly by: readonly string[];
  readonly speed: number;
}

/** A part of a kernel. Shares are of what the device has at once: 1 is all of it. */
export interface Phase {
  readonly ns: number;
  readonly share: number;
}

export interface OperationRequest {
  /** Those behind which it comes; undefined for none. */
  readonly after: readonly (Operation | undefined)[];
  /** When it reaches the device. */
  readonly arrivesNs: number;
  /** From the end of what it waited for to its start; undefined for 0. */
  readonly gapNs?: number;
  /** Nanoseconds that it takes when it has what it needs for itself. Of a kernel, the sum of its phases. */
  readonly ns: number;
  readonly needs: Needs;
  /** CUDA's: smaller numbers first. */
  readonly priority?: number;
}

export class Operation {
  /** When it began and ended; undefined before. */
  startNs: number | undefined;
  endNs: number | undefined;
  /** How many that it comes behind have not ended. */
  unmet = 0;
  /** Earliest start: known when nothing is unmet. */
  readyNs: number;
  /** Those that come behind it. */
  followers: Operation[] = [];
  phase = 0;
  /** Of the phase, at full speed. */
  leftNs: number;
  /** Share of its need that it has. */
  speed = 0;

  constructor(
    readonly number: number,
    readonly request: Pick<OperationRequest, 'ns' | 'needs' | 'arrivesNs' | 'gapNs' | 'priority'>,
  ) {
    this.readyNs = request.arrivesNs;
    this.leftNs = request.needs.kind === 'kernel' ? request.needs.phases[0].ns : request.ns;
  }
}
