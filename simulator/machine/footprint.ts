/** Which of the program's allocations a launch has read and written, each by the address at which it starts. */
import type { BadAccess } from './faults.ts';

export interface Footprint {
  readonly read: ReadonlySet<number>;
  /** An atomic reads and writes. */
  readonly written: ReadonlySet<number>;
}

/** Is told whenever an access leaves the allocation that the one before it went to, so that most accesses cost nothing. */
export class FootprintRecorder implements Footprint {
  readonly read = new Set<number>();
  readonly written = new Set<number>();

  add(allocation: number, access: BadAccess['access']): void {
    if (access !== 'write') this.read.add(allocation);
    if (access !== 'read') this.written.add(allocation);
  }
}

export function joinFootprints(parts: readonly Footprint[]): Footprint {
  return {
    read: new Set(parts.flatMap(({ read }) => [...read])),
    written: new Set(parts.flatMap(({ written }) => [...written])),
  };
}
