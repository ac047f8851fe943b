/**
 * How the code of a kernel parts, meets and stops where the scheduler of `scheduling/` runs its paths one by one: it runs one path
 * until the path ends, waits or parts, and then says what has happened. Which path goes on, and when, is the scheduler's business.
 */
import { FRAME, INFO, PARTING, PARTING_SIDE, PATH_STATUS } from './layout.ts';
import { COST, WHOLE_PATIENCE } from './patience.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

export interface PathHost {
  readonly f: FunctionBuilder;
  /** Locals with the worker's area, the frame and the mask of active lanes. */
  readonly worker: number;
  readonly frame: number;
  readonly mask: number;
  /** Offset in the worker's area of what a parting leaves. */
  readonly parting: number;
  /** Gives phis their values for the lanes in a local. */
  copies(from: number, to: number, mask: number): void;
  /** Local with the lanes of a mask in which taking an edge changes a phi. */
  changed(from: number, to: number, mask: number): number;
  unitOf(block: number): number;
  /** The edge leads back in a loop in which lanes may be waiting for others. */
  waits(from: number, to: number): boolean;
}

export class PathEmitter {
  readonly #host: PathHost;
  readonly #patience: number;
  /** Address of the next side of a parting. */
  readonly #side: number;

  constructor(host: PathHost) {
    this.#host = host;
    this.#patience = host.f.local('i32');
    this.#side = host.f.local('i32');
  }

  begin(): void {
    const { f, frame } = this.#host;
    f.get(frame).mem('i32.load', FRAME.patience).set(this.#patience);
  }

  /** Returns to the scheduler; `unit`: where the path is then. */
  stop(status: keyof typeof PATH_STATUS, unit?: number): void {
    const { f, frame } = this.#host;
    if (unit !== undefined) f.get(frame).i32(unit).mem('i32.store', FRAME.pc);
    f.get(frame).get(this.#patience).mem('i32.store', FRAME.patience);
    f.i32(PATH_STATUS[status]).op('return');
  }

  /** A function is called at `unit`; its lanes meet at `after` when it returns. */
  call(unit: number, after: number): void {
    const { f, frame } = this.#host;
    f.get(frame).i32(after).mem('i32.store', FRAME.meeting);
    this.stop('called', unit);
  }

  /** Counts the instructions of a unit that begins, and what they weigh. */
  countSteps({ instructions, weight, unit }: { readonly instructions: number; readonly weight: number; readonly unit: number }): void {
    const { f, worker, frame, mask } = this.#host;
    f.get(worker).get(worker).mem('f64.load', INFO.weight).f64(bitsOfDouble(weight)).op('f64.add').mem('f64.store', INFO.weight);
    f.get(worker).get(worker).mem('f64.load', INFO.steps).f64(bitsOfDouble(instructions)).op('f64.add').mem('f64.store', INFO.steps);
    f.get(worker).mem('f64.load', INFO.steps).get(worker).mem('f64.load', INFO.limit).op('f64.gt').if();
    f.get(frame).get(mask).mem('i32.store', FRAME.mask);
    this.stop('overLimit', unit);
    f.end();
  }

  spend(from: number, to: number): void {
    const { f, mask } = this.#host;
    if (!this.#host.waits(from, to)) return;
    this.#pushPatienceAfter(from, to, mask);
    f.set(this.#patience);
  }

  /** Lanes that had parted have met: what goes on is a new path. */
  renewPatience(): void {
    this.#host.f.i32(WHOLE_PATIENCE).set(this.#patience);
  }

  /** Lets others run first if the path has lost its patience. */
  giveWay(from: number, to: number): void {
    const { f } = this.#host;
    if (!this.#host.waits(from, to)) return;
    f.get(this.#patience).i32(0).op('i32.lt_s').if();
    this.stop('gaveWay', this.#host.unitOf(to));
    f.end();
  }

  openSides(meeting: number): void {
    const { f, worker, parting } = this.#host;
    f.get(worker)
      .i32(meeting)
      .mem('i32.store', parting + PARTING.meeting);
    f.get(worker)
      .i32(parting + PARTING.sides)
      .op('i32.add')
      .set(this.#side);
  }

  /** Lanes of a mask take the edge from a block to another. */
  side(from: number, { to, mask }: { readonly to: number; readonly mask: number }): void {
    const { f } = this.#host;
    f.get(this.#side);
    if (this.#host.waits(from, to)) this.#pushPatienceAfter(from, to, mask);
    else f.get(this.#patience);
    f.mem('i32.store', PARTING_SIDE.patience);
    this.#host.copies(from, to, mask);
    f.get(this.#side).get(mask).mem('i32.store', PARTING_SIDE.mask);
    f.get(this.#side).i32(this.#host.unitOf(to)).mem('i32.store', PARTING_SIDE.unit);
    f.get(this.#side).i32(PARTING_SIDE.bytes).op('i32.add').set(this.#side);
  }

  closeSides(): void {
    const { f, worker, parting } = this.#host;
    f.get(worker).get(this.#side).get(worker).op('i32.sub');
    f.i32(parting + PARTING.sides)
      .op('i32.sub')
      .i32(PARTING_SIDE.bytes)
      .op('i32.div_u');
    f.mem('i32.store', parting + PARTING.count);
    this.stop('parted');
  }

  #pushPatienceAfter(from: number, to: number, mask: number): void {
    const { f } = this.#host;
    const changed = this.#host.changed(from, to, mask);
    f.get(this.#patience).i32(COST.advancing).i32(COST.idle).get(changed).op('select', 'i32.sub');
    f.release('i32', changed);
  }
}

function bitsOfDouble(value: number): bigint {
  const data = new DataView(new ArrayBuffer(8));
  data.setFloat64(0, value);
  return data.getBigUint64(0);
}
