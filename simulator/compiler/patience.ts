/**
 * What lanes that may be waiting for others have left of their patience, in code that runs a warp from barrier to barrier. Nobody can let
 * others go first there: where a path would (path-emitter.ts), the launch begins again, path by path. Until then it is as if nobody had waited.
 */
import { ADVANCING_COST, PATIENCE } from '../scheduling/warp.ts';
import type { Callable } from './helper-parts.ts';
import { FRAME, STACK_ENTRY } from './layout.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

/** What a back edge of a waiting loop takes, in units of ADVANCING_COST. */
export const COST = { advancing: 1, idle: 1 / ADVANCING_COST } as const;

/** The patience of lanes that begin, or that meet after they had parted. */
export const WHOLE_PATIENCE = PATIENCE / ADVANCING_COST;

export interface PatienceHost {
  readonly f: FunctionBuilder;
  readonly frame: number;
  readonly mask: number;
  readonly parted: Callable;
  /** Local with the lanes of a mask in which taking an edge changes a phi. */
  changed(from: number, to: number, mask: number): number;
  /** The edge leads back in a loop in which lanes may be waiting for others. */
  waits(from: number, to: number): boolean;
}

export class Patience {
  readonly #host: PatienceHost;
  readonly #left: number;

  constructor(host: PatienceHost) {
    this.#host = host;
    this.#left = host.f.local('i32');
  }

  /** The warp goes on where it was parked. */
  begin(): void {
    const { f, frame } = this.#host;
    f.get(frame).mem('i32.load', FRAME.patience).set(this.#left);
  }

  /** The warp is parked. */
  save(): void {
    const { f, frame } = this.#host;
    f.get(frame).get(this.#left).mem('i32.store', FRAME.patience);
  }

  /** The active lanes take an edge. */
  spend(from: number, to: number): void {
    const { f, mask, parted } = this.#host;
    if (!this.#host.waits(from, to)) return;
    this.#pushAfter(from, to, mask);
    f.tee(this.#left).i32(0).op('i32.lt_s').if().call(parted).end();
  }

  /** Keeps in an entry of the stack, whose address a local has, what lanes have when they take an edge later. */
  keep(entry: number, offset: number, edge: { readonly from: number; readonly to: number; readonly mask: number } | 'meeting'): void {
    const { f } = this.#host;
    f.get(entry);
    if (edge === 'meeting') f.i32(WHOLE_PATIENCE);
    else if (this.#host.waits(edge.from, edge.to)) this.#pushAfter(edge.from, edge.to, edge.mask);
    else f.get(this.#left);
    f.mem('i32.store', offset + STACK_ENTRY.patience);
  }

  /** Lanes of an entry go on, unless they had lost their patience when they parted. */
  take(entry: number, offset: number): void {
    const { f, parted } = this.#host;
    f.get(entry)
      .mem('i32.load', offset + STACK_ENTRY.patience)
      .tee(this.#left);
    f.i32(0).op('i32.lt_s').if().call(parted).end();
  }

  #pushAfter(from: number, to: number, mask: number): void {
    const { f } = this.#host;
    const changed = this.#host.changed(from, to, mask);
    f.get(this.#left).i32(COST.advancing).i32(COST.idle).get(changed).op('select', 'i32.sub');
    f.release('i32', changed);
  }
}
