/**
 * A function made ready to run: its blocks cut into segments, each a list of steps that never wait and an end that decides where the
 * lanes go. A segment is entered at its start and left at its end, so its executions are those of all its instructions.
 */
import { FIELD, SITE_FIELDS } from '../counters/site-counters.ts';
import { alignUp } from '../ir/layout.ts';
import type { Instruction, IrFunction } from '../ir/types.ts';
import { type Cell, type CellKind, createCell } from '../machine/cells.ts';
import type { Frame, Path } from './warp.ts';

/** Executes an instruction for the active lanes of a path. */
export type Step = (path: Path) => void;
/** Moves a path on. True: it goes on with `path.segment`; false: it has stopped, parted or ended. */
export type End = (path: Path) => boolean;

export interface Segment {
  /** Index in `Program.segments`. */
  readonly index: number;
  steps: Step[];
  end: End;
  /** Instructions that the segment executes, its end included. */
  readonly instructions: Instruction[];
  /** For ends at which lanes wait for each other: what happens when the lanes of `partners` have met here. */
  exchange?: (path: Path, partners: number) => void;
  /** For bar.red: what each thread brings and what it gets when the barrier opens. */
  reduction?: { readonly kind: 'popc' | 'and' | 'or'; readonly predicate: number; readonly result: number };
  /** The segment behind an end in the middle of a block. */
  next?: Segment;
}

/** A step that never waits, or an end at which lanes wait for others. */
export type Meaning =
  | { readonly step: Step }
  | { readonly end: End; readonly exchange?: Segment['exchange']; readonly reduction?: Segment['reduction'] };

export class Program {
  readonly segments: Segment[] = [];
  /** First segment of each block. */
  readonly blocks: Segment[] = [];
  /** Counters by site, as SiteCounters wants them. */
  readonly counters: Float64Array;
  readonly executions: Float64Array[] = [];
  /** Kinds of the cells that each frame has of its own; constants come after them. */
  readonly kinds: CellKind[] = [];
  readonly constants: Cell[] = [];
  /** Cells of each parameter. */
  readonly parameters: (readonly number[])[] = [];
  /** Bytes of local memory of a frame, per lane. */
  frameBytes = 0;
  ran = false;
  readonly #spare: Frame[] = [];

  constructor(readonly fn: IrFunction) {
    this.counters = new Float64Array(fn.siteCount * SITE_FIELDS.length);
  }

  get entry(): Segment {
    return this.blocks[0];
  }

  frame(): Frame {
    const frame = this.#spare.pop();
    if (frame) {
      frame.caller = undefined;
      frame.split = false;
      return frame;
    }
    const cells = [...this.kinds.map(createCell), ...this.constants];
    return { program: this, cells, caller: undefined, stackBase: 0, stackTop: 0, split: false };
  }

  /** Local memory that a frame above `base` bytes needs, those included. */
  stackTop(base: number): number {
    return alignUp(base + this.frameBytes, 16);
  }

  recycle(frame: Frame): void {
    this.#spare.push(frame);
  }

  resetCounters(): void {
    this.ran = false;
    this.counters.fill(0);
    for (const counts of this.executions) counts.fill(0);
  }

  /** Rows of all sites, executions and lanes included. */
  takeCounters(): Float64Array {
    for (const segment of this.segments) {
      const [executions, lanes] = this.executions[segment.index];
      for (const { site } of segment.instructions) {
        this.counters[site * SITE_FIELDS.length + FIELD.executions] = executions;
        this.counters[site * SITE_FIELDS.length + FIELD.lanes] = lanes;
      }
    }
    return this.counters.slice();
  }
}
