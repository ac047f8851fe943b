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
  /** What they weigh together, where the scheduler executes them. */
  weight: number;
  /** By instruction: how many steps come before its own. */
  readonly marks: number[];
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
  /** Kinds of the cells that each frame has of its own; constants come after them. */
  readonly kinds: CellKind[] = [];
  readonly constants: Cell[] = [];
  /** First cell of each SSA value. */
  readonly firstCells: number[] = [];
  /** Cells of each parameter. */
  readonly parameters: (readonly number[])[] = [];
  /** Bytes of local memory of a frame, per lane. */
  frameBytes = 0;
  /** Frames that nobody uses, of whatever launch. */
  readonly #spare: Frame[] = [];

  constructor(readonly fn: IrFunction) {}

  get entry(): Segment {
    return this.blocks[0];
  }

  frame(counts: ProgramCounts): Frame {
    const frame = this.#spare.pop();
    if (frame) {
      frame.counts = counts;
      frame.caller = undefined;
      frame.split = false;
      return frame;
    }
    const cells = [...this.kinds.map(createCell), ...this.constants];
    return { program: this, counts, cells, caller: undefined, stackBase: 0, stackTop: 0, split: false };
  }

  /** Local memory that a frame above `base` bytes needs, those included. */
  stackTop(base: number): number {
    return alignUp(base + this.frameBytes, 16);
  }

  recycle(frame: Frame): void {
    this.#spare.push(frame);
  }
}

/** What one launch has counted in a function. */
export class ProgramCounts {
  /** Rows by site, as SiteCounters wants them; executions and lanes are added at the end. */
  readonly rows: Float64Array;
  /** By segment: executions and lanes. */
  readonly executions: Float64Array;

  constructor(readonly program: Program) {
    this.rows = new Float64Array(program.fn.siteCount * SITE_FIELDS.length);
    this.executions = new Float64Array(2 * program.segments.length);
  }

  /** Rows of all sites, executions and lanes included. */
  take(): Float64Array {
    for (const { index, instructions } of this.program.segments) {
      for (const { site } of instructions) {
        this.rows[site * SITE_FIELDS.length + FIELD.executions] = this.executions[2 * index];
        this.rows[site * SITE_FIELDS.length + FIELD.lanes] = this.executions[2 * index + 1];
      }
    }
    return this.rows;
  }
}
