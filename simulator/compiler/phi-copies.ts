/** What phis get along the edges of a function. */

import { LOW_WORDS } from './operation.ts';
import { emitStrip, type LaneOperation, type StripHost, type StripOutput } from './strip.ts';
import { type ValueReference, valueKey } from './unit-layout.ts';
import { MOVE, type ValuePlaces } from './value-places.ts';
import type { Reference } from './values.ts';

export class PhiCopies {
  readonly #values: ValuePlaces;

  constructor(values: ValuePlaces) {
    this.#values = values;
  }

  /** Gives the phis of `to` their values for the lanes of a mask that come from `from`: all at once. */
  copy(from: number, to: number, mask: number): void {
    const moves = this.#movesOf(from, to);
    if (moves.length === 0) return;
    const masked = this.#values.forms.partial(to) || this.#values.forms.joins(to) || mask !== this.#values.mask;
    const afterwards = moves
      .filter((m) => this.#values.isScalar(m.target) || m.target.cls === 'mask')
      .map((m) => this.#fetchMove(m, masked, mask));
    const vectors = moves.filter((m) => !this.#values.isScalar(m.target) && m.target.cls !== 'mask');
    this.#moveVectors(vectors, masked, mask);
    for (const store of afterwards) store();
  }

  #movesOf(from: number, to: number): readonly Move[] {
    const moves: Move[] = [];
    for (const phi of this.#values.fn.blocks[to].instructions) {
      if (phi.op !== 'phi') break;
      const incoming = phi.incoming.find((i) => i.block === from)!;
      const sources = this.#values.names.references(incoming.value);
      this.#values.names.ofValue(phi.id, phi.type).forEach((target, index) => {
        if (target.kind === 'value' && !sameValue(sources[index], target)) moves.push({ source: sources[index], target });
      });
    }
    return moves;
  }

  /** Local with the lanes of a mask for which taking an edge changes a phi. */
  changed(from: number, to: number, mask: number): number {
    const { f } = this.#values;
    const changed = f.local('i32');
    f.i32(0).set(changed);
    const vectors = this.#movesOf(from, to).filter(({ source, target }) => {
      if (this.#values.isScalar(target)) {
        f.i32(0);
        this.#values.pushScalar(source);
        this.#values.pushScalar(target);
        f.op(target.cls === 'double' ? 'i64.ne' : 'i32.ne', 'i32.sub')
          .get(changed)
          .op('i32.or')
          .set(changed);
      } else if (target.cls === 'mask') {
        this.#values.pushMask(source);
        this.#values.pushMask(target);
        f.op('i32.xor').get(changed).op('i32.or').set(changed);
      }
      return !this.#values.isScalar(target) && target.cls !== 'mask';
    });
    if (vectors.length > 0) {
      const slot = this.#values.allocateSlot(16);
      const result: ValueReference = { kind: 'value', cls: 'mask', type: { kind: 'int', bits: 1 }, id: -4, component: slot };
      emitStrip(this.#values, [anyDiffers(vectors, result)], [{ from: result, slot, masked: false }]);
      f.get(changed).get(this.#values.maskLocal(result)).op('i32.or').set(changed);
    }
    f.get(changed).get(mask).op('i32.and').set(changed);
    return changed;
  }

  /** Reads the source of a scalar or mask phi; the returned function writes it. */
  #fetchMove({ source, target }: Move, masked: boolean, mask: number): () => void {
    const { f } = this.#values;
    const type = target.cls === 'double' ? 'i64' : 'i32';
    const local = f.local(type);
    if (this.#values.isScalar(target)) this.#values.pushScalar(source);
    else {
      this.#values.pushMask(source);
      if (masked) {
        f.get(mask).op('i32.and').get(this.#values.frame).mem('i32.load', this.#values.slotOf(target));
        f.get(mask).i32(-1).op('i32.xor', 'i32.and', 'i32.or');
      }
    }
    f.set(local);
    return () => {
      f.get(this.#values.frame).get(local).mem(`${type}.store`, this.#values.slotOf(target));
      f.release(type, local);
      this.#values.forget(target);
    };
  }

  #moveVectors(moves: readonly Move[], masked: boolean, mask: number): void {
    const targets = new Set(moves.map((m) => valueKey(m.target)));
    const operations: LaneOperation[] = [];
    const outputs = moves.map(({ source, target }, index): StripOutput => {
      const slot = this.#values.slotOf(target);
      if (source.kind === 'constant' || !targets.has(valueKey(source))) return { from: source, slot, masked };
      // The source is overwritten by these very copies: read it before.
      const moved: ValueReference = { ...source, id: -2, component: index };
      operations.push({ instruction: MOVE, operands: [source], result: moved, vector: ({ push, half }) => push(0, half) });
      return { from: moved, slot, masked };
    });
    emitStrip(mask === this.#values.mask ? this.#values : this.#withMask(mask), operations, outputs);
  }

  #withMask(mask: number): StripHost {
    return {
      f: this.#values.f,
      context: this.#values.context,
      frame: this.#values.frame,
      mask,
      scalarLocal: (r) => this.#values.scalarLocal(r),
      slotOf: (r) => this.#values.slotOf(r),
      maskComputed: (r, l) => this.#values.maskComputed(r, l),
      maskLocal: (r) => this.#values.maskLocal(r),
    };
  }
}

/** What a phi gets along an edge. */
interface Move {
  readonly source: Reference;
  readonly target: ValueReference;
}

/** Lanes in which the source of a move is not what the target holds already. */
function anyDiffers(moves: readonly Move[], result: ValueReference): LaneOperation {
  return {
    instruction: MOVE,
    operands: moves.flatMap(({ source, target }) => [source, target]),
    result,
    vector: ({ f, push }) => {
      moves.forEach(({ target }, index) => {
        const differs = (half: 0 | 1): void => {
          push(2 * index, half);
          push(2 * index + 1, half);
          f.op(target.cls === 'double' ? 'i64x2.ne' : 'i32x4.ne');
        };
        differs(0);
        if (target.cls === 'double') {
          differs(1);
          f.shuffle(LOW_WORDS);
        }
        if (index > 0) f.op('v128.or');
      });
    },
  };
}

function sameValue(a: Reference, b: ValueReference): boolean {
  return a.kind === 'value' && a.id === b.id && a.component === b.component;
}
