/**
 * Where lanes go at the end of a block. A forward branch is a plain `br`, a backward one goes through the loop around all units. Lanes
 * that part are kept on a small stack in the warp's frame; where they may have to wait for others, the host decides who goes first.
 */

import { FUNCTION_END } from '../ir/reconvergence.ts';
import type { Instruction } from '../ir/types.ts';
import { UnsupportedIr } from '../ir/types.ts';
import type { KernelShape } from './kernel-shape.ts';
import { BLOCK_ROW, FRAME, INFO, STACK_ENTRY } from './layout.ts';
import type { PathEmitter } from './path-emitter.ts';
import type { Patience } from './patience.ts';
import type { PhiCopies } from './phi-copies.ts';
import { pushConstant } from './strip.ts';
import type { UnitLayout } from './unit-layout.ts';
import type { ValuePlaces } from './value-places.ts';
import type { Reference } from './values.ts';

const WARP_LANES = 32;

/** Why a warp's function returned. */
export const STATUS = { ended: 0, barrier: 1 } as const;

/** Locals with the control state of a warp: where it goes on, where lanes that have parted meet, and the top of their stack. */
export interface ControlState {
  readonly pc: number;
  readonly meeting: number;
  readonly stackPointer: number;
}

export class BranchEmitter {
  readonly #values: ValuePlaces;
  readonly #shape: KernelShape;
  readonly #layout: UnitLayout;
  readonly #phis: PhiCopies;
  readonly #state: ControlState;
  /** How paths part and stop, where the host schedules them. */
  readonly #paths: PathEmitter | undefined;
  /** Of a kernel that hopes that nobody has to wait. */
  readonly #patience: Patience | undefined;
  readonly #leave: (status: number) => void;
  readonly #stackOffset: number;
  /** Depths of the WebAssembly blocks that end where a unit begins, and of the loop around them. */
  #unitDepths: readonly number[] = [];
  #loopDepth = 0;

  constructor(parts: {
    readonly values: ValuePlaces;
    readonly shape: KernelShape;
    readonly layout: UnitLayout;
    readonly phis: PhiCopies;
    readonly state: ControlState;
    readonly paths: PathEmitter | undefined;
    readonly patience: Patience | undefined;
    /** Emits that the warp's code returns with a status. */
    readonly leave: (status: number) => void;
  }) {
    this.#values = parts.values;
    this.#shape = parts.shape;
    this.#layout = parts.layout;
    this.#phis = parts.phis;
    this.#state = parts.state;
    this.#paths = parts.paths;
    this.#patience = parts.patience;
    this.#leave = parts.leave;
    this.#stackOffset = this.#values.allocateSlot(STACK_ENTRY.bytes * this.#stackEntries());
  }

  /** Opens the blocks that units begin behind, and goes to the one that the control state names. */
  enter(): void {
    const { f } = this.#values;
    this.#loopDepth = f.depth;
    f.loop();
    const count = this.#layout.units.length + 1;
    const depths: number[] = [];
    for (let unit = count - 1; unit >= 0; unit--) {
      depths[unit] = f.depth;
      f.block();
    }
    this.#unitDepths = depths;
    f.get(this.#state.pc).brTable(depths.slice(0, count), depths[count - 1]);
  }

  branch(target: number): void {
    const from = this.#values.unit.block;
    const after = this.#shape.inlined.calls.get(from);
    if (this.#paths && after !== undefined) {
      this.#paths.call(this.#layout.blockUnits.get(target)!.index, this.#layout.blockUnits.get(after)!.index);
    } else if (this.#paths && this.#shape.inlined.returns.has(from)) {
      this.#phis.copy(from, target, this.#values.mask);
      this.#paths.stop('returned', this.#layout.blockUnits.get(target)!.index);
    } else this.#take(from, target);
  }

  goTo(block: number): void {
    const { f } = this.#values;
    const unit = this.#layout.blockUnits.get(block)!.index;
    if (this.#shape.meetings.has(block))
      f.get(this.#state.meeting).i32(unit).op('i32.eq').brIf(this.#unitDepths[this.#layout.units.length]);
    this.#paths?.giveWay(this.#values.unit.block, block);
    this.jump(unit);
  }

  jump(unit: number): void {
    const { f } = this.#values;
    if (unit > this.#values.unit.index) {
      f.br(this.#unitDepths[unit]);
      return;
    }
    if (this.#paths) {
      f.i32(unit).set(this.#state.pc).br(this.#loopDepth);
      return;
    }
    f.get(this.#values.worker).get(this.#values.worker).mem('i32.load', INFO.patience).i32(1).op('i32.sub').mem('i32.store', INFO.patience);
    f.get(this.#values.worker).mem('i32.load', INFO.patience).i32(0).op('i32.lt_s').if();
    f.get(this.#values.worker).get(this.#values.frame).call(this.#values.context.imports.checkpoint);
    f.end();
    f.i32(unit).set(this.#state.pc).br(this.#loopDepth);
  }

  conditional(branch: Extract<Instruction, { op: 'condbr' }>): void {
    const { f } = this.#values;
    const [condition] = this.#values.names.references(branch.condition);
    const from = this.#values.unit.block;
    if (!this.#shape.forms.splits(from)) {
      if (branch.then === branch.else) {
        this.#phis.copy(from, branch.then, this.#values.mask);
        this.goTo(branch.then);
        return;
      }
      this.#values.pushScalar(condition);
      this.#ifElse(
        () => this.#take(from, branch.then),
        () => this.#take(from, branch.else),
      );
      return;
    }
    const taken = f.local('i32');
    this.#values.pushMask(condition);
    f.get(this.#values.mask).op('i32.and').set(taken);
    if (this.#paths && this.#shape.partsPath(from)) {
      this.#partPath(this.#paths, branch, taken);
      f.release('i32', taken);
      return;
    }
    const meeting = this.#shape.flow.meeting[from];
    if (meeting === branch.then) {
      const rest = f.local('i32');
      f.get(this.#values.mask).get(taken).i32(-1).op('i32.xor', 'i32.and').set(rest);
      this.#part(from, { first: rest, second: taken, target: branch.else, waiting: branch.then });
      f.release('i32', rest);
    } else this.#part(from, { first: taken, second: undefined, target: branch.then, waiting: branch.else });
    f.release('i32', taken);
  }

  /** Lanes of `taken` go one way and the others another: the host decides who goes first. */
  #partPath(paths: PathEmitter, branch: Extract<Instruction, { op: 'condbr' }>, taken: number): void {
    const { f } = this.#values;
    const from = this.#values.unit.block;
    f.get(taken).op('i32.eqz').if();
    this.#values.scoped(() => this.#take(from, branch.else));
    f.end();
    f.get(taken).get(this.#values.mask).op('i32.eq').if();
    this.#values.scoped(() => this.#take(from, branch.then));
    f.end();
    this.#countDivergence(from);
    const rest = f.local('i32');
    f.get(this.#values.mask).get(taken).op('i32.xor').set(rest);
    paths.openSides(this.#meetingUnit(from));
    paths.side(from, { to: branch.then, mask: taken });
    paths.side(from, { to: branch.else, mask: rest });
    paths.closeSides();
    f.release('i32', rest);
  }

  /** Unit at which lanes that part at the end of a block meet; -1 if they meet nowhere, or where a call that all are in returns to. */
  #meetingUnit(from: number): number {
    const block = this.#shape.flow.meeting[from];
    if (block === FUNCTION_END || [...this.#shape.inlined.calls.values()].includes(block)) return -1;
    return this.#layout.blockUnits.get(block)!.index;
  }

  /**
   * A branch that may part the lanes. Lanes of `first` go to `target` now. The others go to `waiting` later, or have arrived there if
   * it is where all meet.
   */
  #part(from: number, { first, second, target, waiting }: { first: number; second?: number; target: number; waiting: number }): void {
    const { f } = this.#values;
    const meeting = this.#shape.flow.meeting[from];
    f.get(first).op('i32.eqz');
    this.#ifElse(
      () => this.#take(from, waiting),
      () => {
        f.get(first).get(this.#values.mask).op('i32.ne').if();
        this.#values.scoped(() => {
          this.#countDivergence(from);
          const rest = second ?? f.local('i32');
          if (second === undefined) f.get(this.#values.mask).get(first).i32(-1).op('i32.xor', 'i32.and').set(rest);
          this.#openMeeting(from);
          if (waiting === meeting) this.#phis.copy(from, waiting, rest);
          else this.#pushEntry(this.#entryOf(from, waiting), rest, { from, to: waiting, mask: rest });
          f.get(first).set(this.#values.mask);
          if (second === undefined) f.release('i32', rest);
        });
        f.end();
        this.#take(from, target);
      },
    );
  }

  #ifElse(then: () => void, otherwise: () => void): void {
    this.#values.f.if();
    this.#values.scoped(then);
    this.#values.f.else();
    this.#values.scoped(otherwise);
    this.#values.f.end();
    // Both sides branch away.
    this.#values.f.op('unreachable');
  }

  #take(from: number, to: number): void {
    (this.#paths ?? this.#patience)?.spend(from, to);
    this.#phis.copy(from, to, this.#values.mask);
    this.goTo(to);
  }

  #countDivergence(block: number): void {
    const row = this.#values.context.blockRow(this.#shape.fn, block) + BLOCK_ROW.divergent;
    this.#values.f.get(this.#values.worker).get(this.#values.worker).mem('i64.load', row).i64(1n).op('i64.add').mem('i64.store', row);
  }

  /** Puts the meeting point of a branch on the stack with all active lanes, unless they are on their way there already. */
  #openMeeting(from: number): void {
    const { f } = this.#values;
    const block = this.#shape.flow.meeting[from];
    if (block === FUNCTION_END) return;
    const unit = this.#layout.blockUnits.get(block)!.index;
    f.get(this.#state.meeting).i32(unit).op('i32.ne');
    // Where a path meets others of its warp, its own lanes meet first.
    if (this.#paths) f.get(this.#state.stackPointer).op('i32.eqz', 'i32.or');
    f.if();
    this.#pushEntry(unit, this.#values.mask, 'meeting');
    f.i32(unit).set(this.#state.meeting);
    f.end();
  }

  #pushEntry(unit: number, mask: number, edge: Parameters<Patience['keep']>[2]): void {
    const { f } = this.#values;
    const at = f.local('i32');
    f.get(this.#values.frame).get(this.#state.stackPointer).op('i32.add').set(at);
    f.get(at)
      .i32(unit)
      .mem('i32.store', this.#stackOffset + STACK_ENTRY.pc);
    f.get(at)
      .get(mask)
      .mem('i32.store', this.#stackOffset + STACK_ENTRY.mask);
    f.get(at)
      .get(this.#state.meeting)
      .mem('i32.store', this.#stackOffset + STACK_ENTRY.meeting);
    this.#patience?.keep(at, this.#stackOffset, edge);
    f.get(this.#state.stackPointer).i32(STACK_ENTRY.bytes).op('i32.add').set(this.#state.stackPointer);
    f.release('i32', at);
  }

  /** Unit that lanes enter which take an edge later. */
  #entryOf(from: number, to: number): number {
    return (this.#layout.edgeUnits.get(`${from} ${to}`) ?? this.#layout.blockUnits.get(to)!).index;
  }

  switch(branch: Extract<Instruction, { op: 'switch' }>): void {
    const from = this.#values.unit.block;
    const [value] = this.#values.names.references(branch.value);
    const targets = [...new Set([...branch.cases.map((c) => c.block), branch.default])];
    if (!this.#shape.forms.splits(from)) this.#emitScalarSwitch(branch, value);
    else this.#emitVectorSwitch(branch, value, targets);
  }

  #emitScalarSwitch(branch: Extract<Instruction, { op: 'switch' }>, value: Reference): void {
    const { f } = this.#values;
    const wide = value.cls === 'double';
    for (const { value: wanted, block } of branch.cases) {
      this.#values.pushScalar(value);
      pushConstant(f, value.cls, wanted);
      f.op(wide ? 'i64.eq' : 'i32.eq').if();
      this.#values.scoped(() => this.#take(this.#values.unit.block, block));
      f.end();
    }
    this.#take(this.#values.unit.block, branch.default);
  }

  #emitVectorSwitch(branch: Extract<Instruction, { op: 'switch' }>, value: Reference, targets: readonly number[]): void {
    const { f } = this.#values;
    const from = this.#values.unit.block;
    const masks = new Map(targets.map((t) => [t, f.local('i32')] as const));
    const rest = f.local('i32');
    const some = f.local('i32');
    for (const local of masks.values()) f.i32(0).set(local);
    f.get(this.#values.mask).set(rest);
    for (const { value: wanted, block } of branch.cases) {
      f.get(rest);
      this.#pushLanesEqual(value, wanted);
      f.op('i32.and').tee(some).get(masks.get(block)!).op('i32.or').set(masks.get(block)!);
      f.get(rest).get(some).op('i32.xor').set(rest);
    }
    f.get(rest).get(masks.get(branch.default)!).op('i32.or').set(masks.get(branch.default)!);
    for (const target of targets) {
      f.get(masks.get(target)!).get(this.#values.mask).op('i32.eq').if();
      this.#values.scoped(() => this.#take(from, target));
      f.end();
    }
    this.#countDivergence(from);
    if (this.#paths && this.#shape.partsPath(from)) this.#partPathAmong(this.#paths, masks);
    else this.#waitAmong(masks);
    for (const local of [...masks.values(), rest, some]) f.release('i32', local);
  }

  #partPathAmong(paths: PathEmitter, masks: ReadonlyMap<number, number>): void {
    const { f } = this.#values;
    const from = this.#values.unit.block;
    paths.openSides(this.#meetingUnit(from));
    for (const [to, mask] of masks) {
      f.get(mask).if();
      this.#values.scoped(() => paths.side(from, { to, mask }));
      f.end();
    }
    paths.closeSides();
  }

  #waitAmong(masks: ReadonlyMap<number, number>): void {
    const { f } = this.#values;
    const from = this.#values.unit.block;
    this.#openMeeting(from);
    for (const target of [...masks.keys()].toReversed()) {
      f.get(masks.get(target)!).if();
      this.#values.scoped(() => {
        if (target === this.#shape.flow.meeting[from]) this.#phis.copy(from, target, masks.get(target)!);
        else this.#pushEntry(this.#entryOf(from, target), masks.get(target)!, { from, to: target, mask: masks.get(target)! });
      });
      f.end();
    }
    f.br(this.#unitDepths[this.#layout.units.length]);
  }

  /** Pushes the mask of lanes in which a vector equals a constant. */
  #pushLanesEqual(value: Reference, wanted: bigint): void {
    const { f } = this.#values;
    const slot = this.#values.slotOf(value);
    const low = Number(BigInt.asIntN(32, wanted));
    const high = Number(BigInt.asIntN(32, wanted >> 32n));
    const wide = value.cls === 'double';
    f.i32(0);
    for (let group = 0; group < (wide ? 16 : 8); group++) {
      f.get(this.#values.frame)
        .mem('v128.load', slot + 16 * group)
        .v128(wide ? [low, high, low, high] : [low, low, low, low]);
      f.op(wide ? 'i64x2.eq' : 'i32x4.eq', wide ? 'i64x2.bitmask' : 'i32x4.bitmask');
      if (group > 0) f.i32((wide ? 2 : 4) * group).op('i32.shl');
      f.op('i32.or');
    }
  }

  return(): void {
    const { f } = this.#values;
    if (!this.#shape.fn.isKernel) throw new UnsupportedIr(`the compiled engine does not call functions (${this.#shape.fn.name})`);
    if (this.#paths) {
      this.#paths.stop('exited');
      return;
    }
    f.get(this.#values.frame)
      .get(this.#values.frame)
      .mem('i32.load', FRAME.live)
      .get(this.#values.mask)
      .i32(-1)
      .op('i32.xor', 'i32.and')
      .mem('i32.store', FRAME.live);
    f.br(this.#unitDepths[this.#layout.units.length]);
  }

  /** Goes on with the entry on top of the stack that still has lanes; returns when there is none. */
  pop(): void {
    const { f } = this.#values;
    const at = f.local('i32');
    const depth = f.depth;
    f.loop();
    f.get(this.#state.stackPointer).op('i32.eqz').if();
    if (this.#paths) this.#paths.stop('arrived');
    else this.#leave(STATUS.ended);
    f.end();
    f.get(this.#state.stackPointer)
      .i32(STACK_ENTRY.bytes)
      .op('i32.sub')
      .tee(this.#state.stackPointer)
      .get(this.#values.frame)
      .op('i32.add')
      .set(at);
    f.get(at)
      .mem('i32.load', this.#stackOffset + STACK_ENTRY.mask)
      .get(this.#values.frame)
      .mem('i32.load', FRAME.live)
      .op('i32.and');
    f.tee(this.#values.mask).op('i32.eqz').brIf(depth);
    f.get(at)
      .mem('i32.load', this.#stackOffset + STACK_ENTRY.pc)
      .set(this.#state.pc);
    f.get(at)
      .mem('i32.load', this.#stackOffset + STACK_ENTRY.meeting)
      .set(this.#state.meeting);
    this.#patience?.take(at, this.#stackOffset);
    if (this.#paths) {
      this.#paths.renewPatience();
      f.get(this.#state.pc).get(this.#state.meeting).op('i32.eq').brIf(depth);
    }
    f.br(this.#loopDepth);
    f.end();
    f.release('i32', at);
  }

  /**
   * Without loops each meeting point can be on the stack once, with all but one of the targets of its branch. In a loop, lanes can part
   * again and again on their way to one meeting point; but those that wait to go on are not the same ones, and each time fewer go on, so
   * there are never more entries than two for each lane.
   */
  #stackEntries(): number {
    const { forms, flow, fn } = this.#shape;
    let entries = 4;
    const passed = new Set<number>();
    for (const block of flow.order) {
      passed.add(block);
      const { successors } = fn.blocks[block];
      if (successors.some((each) => passed.has(each))) return 4 + 2 * WARP_LANES;
      if (forms.splits(block)) entries += successors.length + 1;
    }
    return Math.min(entries, 4 + 2 * WARP_LANES);
  }
}
