/** When what a program did would have run beside a GPU. All times are estimated, in nanoseconds from the program's start. */

export interface Timeline {
  /** Names of the GPUs that it is estimated for. */
  devices: string[];
  /** The end of the program and of everything that it started. */
  endNs: number;
  /** The host's calls first, then the streams of each device. Spans of a track do not overlap. */
  tracks: TimelineTrack[];
  /** How many spans were left out because there were too many. */
  leftOut?: number;
}

export interface TimelineTrack {
  name: string;
  /** Index of the device; missing for the host. */
  device?: number;
  spans: TimelineSpan[];
}

export interface TimelineSpan {
  kind: 'call' | 'kernel' | 'copy' | 'fill' | 'host';
  /** Of a kernel its demangled signature. */
  name: string;
  startNs: number;
  endNs: number;
  /** Bytes that were copied, filled or migrated. */
  bytes?: number;
  grid?: [number, number, number];
  block?: [number, number, number];
  /** Of a kernel that launched others: by itself, before they count. */
  ownNs?: number;
  /** What the kernel launched, by kernel; when in the parent's time it ran is not modelled. */
  nested?: NestedLaunches[];
}

export interface NestedLaunches {
  name: string;
  launches: number;
  /** Of all together, one after the other. */
  totalNs: number;
  nested?: NestedLaunches[];
}
