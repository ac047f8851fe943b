/**
 * One IR function as one WebAssembly function that runs one warp: from where it was parked (or the start) until it parks again or
 * ends. Values that live longer than a block lie in the warp's frame, so the function can stop and go on at any resume point.
 * Blocks are laid out in reverse post-order inside nested WebAssembly blocks: a forward branch is a plain `br`, a backward one goes
 * through a `br_table` on the number of the unit. Lanes that part are kept on a small stack in the frame.
 */
import { meaningOf } from '../ir/intrinsics.ts';
import { FUNCTION_END } from '../ir/reconvergence.ts';
import type { Instruction, IrFunction } from '../ir/types.ts';
import { UnsupportedIr } from '../ir/types.ts';
import { slotBytes } from './components.ts';
import { type ControlFlow, controlFlowOf } from './control-flow.ts';
import type { InlinedKernel } from './inlining.ts';
import type { CodeUnit, HostStep, KernelContext } from './kernel-context.ts';
import { type LaneForms, laneFormsOf } from './lane-forms.ts';
import { BLOCK_ROW, FRAME, INFO, STACK_ENTRY } from './layout.ts';
import { emitMemory, emitOperands, emitResults, type MemoryEmitter } from './memory-emitter.ts';
import { microOperations } from './micro-operations.ts';
import { LOW_WORDS } from './operation.ts';
import { PathEmitter } from './path-emitter.ts';
import { emitProbes } from './probe-emitter.ts';
import { frameOffsetOf, isLaunchConstantCall, launchFactOffset } from './registers.ts';
import { quietBranches } from './scheduling.ts';
import { emitStrip, type LaneOperation, pushConstant, type StripHost, type StripOutput } from './strip.ts';
import { pausesPath, suspends } from './suspension.ts';
import { type Reference, referencesOf, ValueNames } from './values.ts';
import { emitMetShuffle, isPlainShuffle } from './warp-emitter.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

type ValueReference = Reference & { kind: 'value' };

/** A piece of code that control can enter: a block, the rest of a block behind a suspension, or the copies of an edge. */
interface Unit {
  readonly index: number;
  readonly kind: 'block' | 'resume' | 'edge';
  readonly block: number;
  readonly instructions: readonly Instruction[];
  /** Of an edge: the block that it leads to. */
  readonly to?: number;
  /** Of the rest of a block behind a pause: the instruction at which the path has paused. */
  readonly behind?: Instruction;
}

/** Why a warp's function returned. */
export const STATUS = { ended: 0, barrier: 1 } as const;

const W = 0;
const F = 1;

export class FunctionEmitter implements StripHost, MemoryEmitter {
  readonly f: FunctionBuilder;
  readonly frame = F;
  readonly worker = W;
  readonly fn: IrFunction;
  readonly context: KernelContext;
  readonly names: ValueNames;
  readonly forms: LaneForms;
  readonly flow: ControlFlow;
  /** Local with the mask of active lanes. */
  readonly mask: number;
  /** Bytes of a warp's frame for this function. */
  frameBytes: number = FRAME.values;

  readonly #meeting: number;
  readonly #stackPointer: number;
  readonly #pc: number;
  readonly #units: Unit[] = [];
  readonly #blockUnits = new Map<number, Unit>();
  readonly #edgeUnits = new Map<string, Unit>();
  readonly #slots = new Map<string, number>();
  /** By value and component: the units that read it; -1 stands for phis. */
  readonly #readers = new Map<string, { readonly unit: number; readonly instruction: Instruction }[]>();
  readonly #unitOf = new Map<Instruction, number>();
  /** Locals of the current unit that hold scalars and masks. */
  #cached = new Map<string, number>();
  #unitLocals: { readonly type: 'i32' | 'i64'; readonly local: number }[] = [];
  #unit!: Unit;
  #pending: LaneOperation[] = [];
  #popUnit = 0;
  #loopDepth = 0;
  #unitDepths: number[] = [];
  readonly #stackOffset: number;
  /** Blocks at which lanes that have parted meet. */
  readonly #meetings: ReadonlySet<number>;
  /** Of a kernel whose paths the host schedules: how they part and stop. */
  readonly #paths: PathEmitter | undefined;
  readonly #inlined: InlinedKernel;
  /** No lane that parts at the end of the block can wait, or let others run, before it has come to the meeting point. */
  readonly #isQuiet: (block: number) => boolean;
  /** By value and component: where the host finds a scalar or a mask as words. */
  readonly #hostSlots = new Map<string, number>();
  /** By unit: the instruction at its end at which the path pauses. */
  readonly #pauses = new Map<number, HostStep>();

  constructor(context: KernelContext, inlined: InlinedKernel, f: FunctionBuilder) {
    const { fn, meeting } = inlined;
    this.context = context;
    this.fn = fn;
    this.f = f;
    this.#inlined = inlined;
    this.names = new ValueNames(fn, context.resolve, (alloca) => context.allocaAddress(fn, alloca));
    this.flow = controlFlowOf(fn, meeting);
    this.#isQuiet = quietBranches(inlined, this.flow);
    this.forms = laneFormsOf(fn, this.flow, {
      uniformParameters: fn.isKernel,
      loadIsUniform: context.loadIsUniform,
      meetEarly: (block) => context.parting !== undefined && !this.#isQuiet(block),
    });
    this.mask = f.local('i32');
    this.#meeting = f.local('i32');
    this.#stackPointer = f.local('i32');
    this.#pc = f.local('i32');
    this.#stackOffset = this.frameBytes;
    this.frameBytes += STACK_ENTRY.bytes * this.#stackEntries();
    if (context.parting !== undefined) this.#paths = this.#createPathEmitter(context.parting);
    this.#meetings = new Set(this.flow.order.filter((b) => this.forms.splits(b)).map((b) => this.flow.meeting[b]));
    this.#layOutUnits();
    this.#collectReaders();
  }

  /** Where the host may find a path, and what it does there. */
  get units(): readonly CodeUnit[] {
    return this.#units.map(({ index, instructions }) => ({ instructions, pause: this.#pauses.get(index) }));
  }

  emit(): void {
    const { f } = this;
    f.get(F).mem('i32.load', FRAME.pc).set(this.#pc);
    f.get(F).mem('i32.load', FRAME.mask).set(this.mask);
    f.get(F).mem('i32.load', FRAME.meeting).set(this.#meeting);
    if (this.#paths) this.#paths.begin();
    else f.get(F).mem('i32.load', FRAME.stack).set(this.#stackPointer);
    this.#loopDepth = f.depth;
    f.loop();
    const count = this.#units.length + 1;
    for (let unit = count - 1; unit >= 0; unit--) {
      this.#unitDepths[unit] = f.depth;
      f.block();
    }
    f.get(this.#pc).brTable(this.#unitDepths.slice(0, count), this.#unitDepths[count - 1]);
    for (const unit of this.#units) {
      f.end();
      this.#emitUnit(unit);
    }
    f.end();
    this.#emitPop();
    f.end();
    f.op('unreachable');
  }

  // What strips and memory accesses ask.

  scalarLocal(reference: Reference): number | undefined {
    if (reference.kind === 'constant') throw new Error('a constant has no local');
    if (!this.isScalar(reference)) return undefined;
    const name = key(reference);
    const known = this.#cached.get(name);
    if (known !== undefined) return known;
    const { f } = this;
    const type = reference.cls === 'double' ? 'i64' : 'i32';
    const local = this.#unitLocal(type);
    const { base, offset } = this.#scalarPlace(reference);
    f.get(base).mem(`${type}.load`, offset).set(local);
    this.#cached.set(name, local);
    return local;
  }

  isScalar(reference: Reference): boolean {
    return reference.kind === 'constant' || this.forms.isScalar(reference.id);
  }

  slotOf(reference: Reference): number {
    if (reference.kind === 'constant') throw new Error('a constant has no slot');
    const definition = this.names.definition(reference.id);
    if (definition?.op === 'call') {
      const fixed = frameOffsetOf(definition.callee);
      if (fixed !== undefined) return fixed;
    }
    const name = key(reference);
    let slot = this.#slots.get(name);
    if (slot === undefined) {
      slot = this.allocateSlot(this.isScalar(reference) ? 16 : slotBytes(reference.cls));
      this.#slots.set(name, slot);
    }
    return slot;
  }

  allocateSlot(bytes: number): number {
    const slot = this.frameBytes;
    this.frameBytes += bytes;
    return slot;
  }

  maskComputed(reference: Reference, local: number): void {
    this.#unitLocals.push({ type: 'i32', local });
    if (reference.kind === 'value') this.#cached.set(key(reference), local);
  }

  maskLocal(reference: Reference): number {
    if (reference.kind === 'constant') throw new Error('a constant has no local');
    const name = key(reference);
    const known = this.#cached.get(name);
    if (known !== undefined) return known;
    const local = this.#unitLocal('i32');
    this.f.get(F).mem('i32.load', this.slotOf(reference)).set(local);
    this.#cached.set(name, local);
    return local;
  }

  /** Pushes the bit mask of lanes in which an i1 is set; lanes that are not active may be anything. */
  pushMask(reference: Reference): void {
    if (reference.kind === 'constant') {
      this.f.i32(reference.bits & 1n ? -1 : 0);
      return;
    }
    const scalar = this.scalarLocal(reference);
    if (scalar === undefined) this.f.get(this.maskLocal(reference));
    else this.f.i32(0).get(scalar).op('i32.sub');
  }

  /** Pushes a scalar: i32, or i64 for doubles. */
  pushScalar(reference: Reference): void {
    if (reference.kind === 'constant') {
      pushConstant(this.f, reference.cls, reference.bits);
      return;
    }
    const local = this.scalarLocal(reference);
    if (local === undefined) throw new Error('the value differs between lanes');
    this.f.get(local);
  }

  /** Frame offset at which all 32 lanes of a value lie, put there if need be. Masks become words of 0 and 1. */
  vectorSlot(reference: Reference): number {
    this.flush();
    if (reference.kind === 'value' && !this.isScalar(reference) && reference.cls !== 'mask') return this.slotOf(reference);
    const cls = reference.cls === 'mask' ? 'word' : reference.cls;
    const slot = this.allocateSlot(slotBytes(cls));
    const moved: ValueReference = { kind: 'value', cls, type: reference.type, id: -1, component: slot };
    emitStrip(this, [asWords(reference, moved)], [{ from: moved, slot, masked: false }]);
    return slot;
  }

  /**
   * Frame offset at which the host finds an operand, or leaves a result, by the number of the value. Of a kernel that runs path by path
   * it is always the same for a value, and only active lanes are written: other paths may have paused between writing and reading.
   */
  hostSlot(id: number, component: number, reference: Reference): number {
    if (!this.#paths) return this.vectorSlot(reference);
    this.flush();
    const own = reference.kind === 'value' && !this.isScalar(reference) && reference.cls !== 'mask';
    if (own) return this.slotOf(reference);
    const slot = this.hostResultSlot(id, component, reference.cls);
    const cls = reference.cls === 'mask' ? 'word' : reference.cls;
    const moved: ValueReference = { kind: 'value', cls, type: reference.type, id: -1, component: slot };
    emitStrip(this, [asWords(reference, moved)], [{ from: moved, slot, masked: true }]);
    return slot;
  }

  /** Frame offset of a result that is a scalar or a mask, as words. */
  hostResultSlot(id: number, component: number, cls: Reference['cls']): number {
    const bytes = slotBytes(cls === 'double' ? 'double' : 'word');
    if (!this.#paths) return this.allocateSlot(bytes);
    const name = `${id}:${component}`;
    let slot = this.#hostSlots.get(name);
    if (slot === undefined) {
      slot = this.allocateSlot(bytes);
      this.#hostSlots.set(name, slot);
    }
    return slot;
  }

  /** Gives a scalar result the value on the stack. */
  defineScalar(reference: ValueReference): void {
    const { f } = this;
    const type = reference.cls === 'double' ? 'i64' : 'i32';
    const local = this.#unitLocal(type);
    f.set(local);
    this.#cached.set(key(reference), local);
    if (this.#neededElsewhere(reference)) f.get(F).get(local).mem(`${type}.store`, this.slotOf(reference));
  }

  /** Stores a scalar in the frame, where the host finds it. */
  storeScalar(reference: ValueReference): number {
    const slot = this.slotOf(reference);
    this.f.get(F);
    this.pushScalar(reference);
    this.f.mem(reference.cls === 'double' ? 'i64.store' : 'i32.store', slot);
    return slot;
  }

  get writesMasked(): boolean {
    return this.forms.overwritten(this.#unit.block);
  }

  /** True if some instruction reads the value. */
  isUsed(reference: Reference): boolean {
    return reference.kind === 'value' && this.#readers.has(key(reference));
  }

  forget(reference: Reference): void {
    if (reference.kind === 'value') this.#cached.delete(key(reference));
  }

  flush(): void {
    if (this.#pending.length === 0) return;
    const operations = this.#pending;
    this.#pending = [];
    const inside = new Set(operations.map((o) => o.instruction));
    const masked = this.forms.overwritten(this.#unit.block);
    const outputs: StripOutput[] = [];
    for (const { result } of operations) {
      const readers = this.#readers.get(key(result)) ?? [];
      if (readers.some((r) => r.unit !== this.#unit.index || !inside.has(r.instruction))) {
        outputs.push({ from: result, slot: this.slotOf(result), masked });
      }
    }
    emitStrip(this, operations, outputs);
  }

  // Units.

  #layOutUnits(): void {
    const add = (unit: Omit<Unit, 'index'>): Unit => {
      const complete = { ...unit, index: this.#units.length };
      this.#units.push(complete);
      for (const i of unit.instructions) this.#unitOf.set(i, complete.index);
      return complete;
    };
    for (const block of this.flow.order) {
      let instructions: Instruction[] = [];
      let kind: Unit['kind'] = 'block';
      let behind: Instruction | undefined;
      const close = (): void => {
        const unit = add({ kind, block, instructions, behind });
        if (kind === 'block') this.#blockUnits.set(block, unit);
        kind = 'resume';
        behind = instructions.at(-1);
        instructions = [];
      };
      for (const instruction of this.fn.blocks[block].instructions) {
        instructions.push(instruction);
        if (this.#paths ? pausesPath(instruction) : suspends(instruction)) close();
      }
      close();
      if (this.#partsPath(block)) continue;
      for (const to of this.fn.blocks[block].successors) {
        if (!this.forms.splits(block) || this.fn.blocks[to].instructions[0].op !== 'phi') continue;
        if (!this.#edgeUnits.has(`${block} ${to}`))
          this.#edgeUnits.set(`${block} ${to}`, add({ kind: 'edge', block, instructions: [], to }));
      }
    }
    this.#popUnit = this.#units.length;
  }

  #collectReaders(): void {
    for (const block of this.flow.order) {
      for (const instruction of this.fn.blocks[block].instructions) {
        if (this.names.isRename(instruction)) continue;
        const unit = instruction.op === 'phi' ? -1 : this.#unitOf.get(instruction)!;
        for (const reference of referencesOf(this.names, instruction)) {
          if (reference.kind === 'constant') continue;
          const list = this.#readers.get(key(reference));
          if (list) list.push({ unit, instruction });
          else this.#readers.set(key(reference), [{ unit, instruction }]);
        }
      }
    }
  }

  #neededElsewhere(reference: ValueReference): boolean {
    return (this.#readers.get(key(reference)) ?? []).some((r) => r.unit !== this.#unit.index);
  }

  /** Each meeting point can be on the stack once, with all but one of the targets of its branch. */
  #stackEntries(): number {
    let entries = 4;
    for (const block of this.flow.order) if (this.forms.splits(block)) entries += this.fn.blocks[block].successors.length + 1;
    return entries;
  }

  #emitUnit(unit: Unit): void {
    this.#unit = unit;
    this.#cached = new Map();
    if (unit.kind === 'edge') {
      this.#emitCopies(unit.block, unit.to!, this.mask);
      this.#goTo(unit.to!);
    } else {
      if (unit.kind === 'block') this.#countEntry(unit.block);
      if (this.#paths) {
        this.#paths.countSteps(unit.instructions.filter((i) => this.#inlined.origins[i.site]).length, unit.index);
        if (unit.behind) emitResults(this, unit.behind);
      }
      for (const instruction of unit.instructions) this.#emitInstruction(instruction);
    }
    for (const { type, local } of this.#unitLocals) this.f.release(type, local);
    this.#unitLocals = [];
  }

  #countEntry(block: number): void {
    const { f } = this;
    const row = this.context.blockRow(this.fn, block);
    f.get(W)
      .get(W)
      .mem('i64.load', row + BLOCK_ROW.executions)
      .i64(1n)
      .op('i64.add')
      .mem('i64.store', row + BLOCK_ROW.executions);
    f.get(W)
      .get(W)
      .mem('i64.load', row + BLOCK_ROW.lanes)
      .get(this.mask)
      .op('i32.popcnt', 'i64.extend_i32_u', 'i64.add');
    f.mem('i64.store', row + BLOCK_ROW.lanes);
  }

  #emitInstruction(instruction: Instruction): void {
    emitProbes(this, instruction, this.#inlined.origins[instruction.site]);
    switch (instruction.op) {
      case 'phi':
      case 'alloca':
      case 'fence':
        return;
      case 'br':
        this.flush();
        this.#emitBranch(instruction.target);
        return;
      case 'condbr':
        this.flush();
        this.#emitConditional(instruction);
        return;
      case 'switch':
        this.flush();
        this.#emitSwitch(instruction);
        return;
      case 'ret':
        this.flush();
        this.#emitReturn();
        return;
      case 'unreachable':
        this.flush();
        this.f.get(this.mask).i32(instruction.site).call(this.context.imports.unreachable).op('unreachable');
        return;
      default:
    }
    if (this.names.isRename(instruction)) return;
    if (instruction.op === 'call') {
      if (this.#paths && pausesPath(instruction)) {
        this.flush();
        this.#emitPause(instruction, this.#paths);
        return;
      }
      if (
        meaningOf(instruction)?.kind === 'nothing' ||
        isLaunchConstantCall(instruction.callee) ||
        frameOffsetOf(instruction.callee) !== undefined
      )
        return;
      if (suspends(instruction)) {
        this.flush();
        this.#emitSuspension();
        return;
      }
    }
    const operations = microOperations(this.names, instruction);
    if (operations) {
      for (const operation of operations) this.#emitPure(operation);
      return;
    }
    this.flush();
    emitMemory(this, instruction);
  }

  #emitPure(operation: LaneOperation): void {
    const { result, operands } = operation;
    const instruction = operation.emitted ?? operation.instruction;
    if (!this.isScalar(result)) {
      const shared = operation.uniformVector && this.isScalar(operands[1]);
      this.#pending.push(shared ? { ...operation, vector: operation.uniformVector } : operation);
      return;
    }
    const { scalar } = operation;
    if (!scalar) throw new UnsupportedIr(`no scalar form of ${instruction.op}`, instruction.location);
    // Operations may read an operand in conditional code only: all are fetched before.
    for (const operand of operands) if (operand.kind === 'value') this.scalarLocal(operand);
    scalar({
      f: this.f,
      instruction,
      push: (index) => this.pushScalar(operands[index]),
      constant: (index) => constantBits(operands[index]),
    });
    this.defineScalar(result);
  }

  #emitSuspension(): void {
    const { f } = this;
    f.get(F)
      .i32(this.#unit.index + 1)
      .mem('i32.store', FRAME.pc);
    f.get(F).get(this.mask).mem('i32.store', FRAME.mask);
    f.get(F).get(this.#meeting).mem('i32.store', FRAME.meeting);
    f.get(F).get(this.#stackPointer).mem('i32.store', FRAME.stack);
    f.i32(STATUS.barrier).op('return');
  }

  /** The host decides whether the path goes on; where all lanes that a shuffle names are here it need not be asked. */
  #emitPause(call: Extract<Instruction, { op: 'call' }>, paths: PathEmitter): void {
    const unit = this.#unit.index;
    if (isPlainShuffle(call) || meaningOf(call)?.kind === 'warpBarrier') emitMetShuffle(this, call, () => this.#jump(unit + 1));
    const values = emitOperands(this, call);
    this.#pauses.set(unit, { fn: this.fn, instruction: call, values });
    paths.stop('paused', unit);
  }

  // Branches.

  #emitBranch(target: number): void {
    const from = this.#unit.block;
    const after = this.#inlined.calls.get(from);
    if (this.#paths && after !== undefined) {
      this.#paths.call(this.#blockUnits.get(target)!.index, this.#blockUnits.get(after)!.index);
    } else if (this.#paths && this.#inlined.returns.has(from)) {
      this.#emitCopies(from, target, this.mask);
      this.#paths.stop('returned', this.#blockUnits.get(target)!.index);
    } else this.#take(from, target);
  }

  #createPathEmitter(parting: number): PathEmitter {
    return new PathEmitter({
      f: this.f,
      worker: W,
      frame: F,
      mask: this.mask,
      parting,
      copies: (from, to, mask) => this.#emitCopies(from, to, mask),
      changed: (from, to, mask) => this.#emitChanged(from, to, mask),
      unitOf: (block) => this.#blockUnits.get(block)!.index,
      waits: (from, to) => this.#inlined.waitingEdges.has(`${from} ${to}`),
    });
  }

  #goTo(block: number): void {
    const { f } = this;
    const unit = this.#blockUnits.get(block)!.index;
    if (this.#meetings.has(block)) f.get(this.#meeting).i32(unit).op('i32.eq').brIf(this.#unitDepths[this.#popUnit]);
    this.#paths?.giveWay(this.#unit.block, block);
    this.#jump(unit);
  }

  #jump(unit: number): void {
    const { f } = this;
    if (unit > this.#unit.index) {
      f.br(this.#unitDepths[unit]);
      return;
    }
    if (this.#paths) {
      f.i32(unit).set(this.#pc).br(this.#loopDepth);
      return;
    }
    f.get(W).get(W).mem('i32.load', INFO.patience).i32(1).op('i32.sub').mem('i32.store', INFO.patience);
    f.get(W).mem('i32.load', INFO.patience).i32(0).op('i32.lt_s').if();
    f.get(W).get(F).call(this.context.imports.checkpoint);
    f.end();
    f.i32(unit).set(this.#pc).br(this.#loopDepth);
  }

  #emitConditional(branch: Extract<Instruction, { op: 'condbr' }>): void {
    const { f } = this;
    const [condition] = this.names.references(branch.condition);
    const from = this.#unit.block;
    if (!this.forms.splits(from)) {
      if (branch.then === branch.else) {
        this.#emitCopies(from, branch.then, this.mask);
        this.#goTo(branch.then);
        return;
      }
      this.pushScalar(condition);
      this.#ifElse(
        () => this.#take(from, branch.then),
        () => this.#take(from, branch.else),
      );
      return;
    }
    const taken = f.local('i32');
    this.pushMask(condition);
    f.get(this.mask).op('i32.and').set(taken);
    if (this.#paths && this.#partsPath(from)) {
      this.#partPath(this.#paths, branch, taken);
      f.release('i32', taken);
      return;
    }
    const meeting = this.flow.meeting[from];
    if (meeting === branch.then) {
      const rest = f.local('i32');
      f.get(this.mask).get(taken).i32(-1).op('i32.xor', 'i32.and').set(rest);
      this.#part(from, { first: rest, second: taken, target: branch.else, waiting: branch.then });
      f.release('i32', rest);
    } else this.#part(from, { first: taken, second: undefined, target: branch.then, waiting: branch.else });
    f.release('i32', taken);
  }

  /**
   * True if the host decides in which order the lanes go that part at the end of a block. Where none of them can stop or end before all
   * meet again the order is always the same, and they are kept on the stack.
   */
  #partsPath(block: number): boolean {
    if (!this.#paths) return false;
    const meetsNowhere = this.flow.meeting[block] === FUNCTION_END || !this.#isQuiet(block);
    return meetsNowhere || [...this.flow.region(block)].some((b) => this.fn.blocks[b].instructions.at(-1)!.op === 'ret');
  }

  /** Lanes of `taken` go one way and the others another: the host decides who goes first. */
  #partPath(paths: PathEmitter, branch: Extract<Instruction, { op: 'condbr' }>, taken: number): void {
    const { f } = this;
    const from = this.#unit.block;
    f.get(taken).op('i32.eqz').if();
    this.#scoped(() => this.#take(from, branch.else));
    f.end();
    f.get(taken).get(this.mask).op('i32.eq').if();
    this.#scoped(() => this.#take(from, branch.then));
    f.end();
    this.#countDivergence(from);
    const rest = f.local('i32');
    f.get(this.mask).get(taken).op('i32.xor').set(rest);
    paths.openSides(this.#meetingUnit(from));
    paths.side(from, { to: branch.then, mask: taken });
    paths.side(from, { to: branch.else, mask: rest });
    paths.closeSides();
    f.release('i32', rest);
  }

  /** Unit at which lanes that part at the end of a block meet; -1 if they meet nowhere, or where a call that all are in returns to. */
  #meetingUnit(from: number): number {
    const block = this.flow.meeting[from];
    if (block === FUNCTION_END || [...this.#inlined.calls.values()].includes(block)) return -1;
    return this.#blockUnits.get(block)!.index;
  }

  /**
   * A branch that may part the lanes. Lanes of `first` go to `target` now. The others go to `waiting` later, or have arrived there if
   * it is where all meet.
   */
  #part(from: number, { first, second, target, waiting }: { first: number; second?: number; target: number; waiting: number }): void {
    const { f } = this;
    const meeting = this.flow.meeting[from];
    f.get(first).op('i32.eqz');
    this.#ifElse(
      () => this.#take(from, waiting),
      () => {
        f.get(first).get(this.mask).op('i32.ne').if();
        this.#scoped(() => {
          this.#countDivergence(from);
          const rest = second ?? f.local('i32');
          if (second === undefined) f.get(this.mask).get(first).i32(-1).op('i32.xor', 'i32.and').set(rest);
          this.#openMeeting(from);
          if (waiting === meeting) this.#emitCopies(from, waiting, rest);
          else this.#pushEntry(this.#entryOf(from, waiting), rest);
          f.get(first).set(this.mask);
          if (second === undefined) f.release('i32', rest);
        });
        f.end();
        this.#take(from, target);
      },
    );
  }

  #ifElse(then: () => void, otherwise: () => void): void {
    this.f.if();
    this.#scoped(then);
    this.f.else();
    this.#scoped(otherwise);
    this.f.end();
    // Both sides branch away.
    this.f.op('unreachable');
  }

  /** What is cached inside conditional code is not known outside. */
  #scoped(emit: () => void): void {
    const saved = this.#cached;
    this.#cached = new Map(saved);
    emit();
    this.#cached = saved;
  }

  #take(from: number, to: number): void {
    if (this.#paths) this.#paths.spendPatience(from, to);
    this.#emitCopies(from, to, this.mask);
    this.#goTo(to);
  }

  #countDivergence(block: number): void {
    const row = this.context.blockRow(this.fn, block) + BLOCK_ROW.divergent;
    this.f.get(W).get(W).mem('i64.load', row).i64(1n).op('i64.add').mem('i64.store', row);
  }

  /** Puts the meeting point of a branch on the stack with all active lanes, unless they are on their way there already. */
  #openMeeting(from: number): void {
    const { f } = this;
    const block = this.flow.meeting[from];
    if (block === FUNCTION_END) return;
    const unit = this.#blockUnits.get(block)!.index;
    f.get(this.#meeting).i32(unit).op('i32.ne');
    // Where a path meets others of its warp, its own lanes meet first.
    if (this.#paths) f.get(this.#stackPointer).op('i32.eqz', 'i32.or');
    f.if();
    this.#pushEntry(unit, this.mask);
    f.i32(unit).set(this.#meeting);
    f.end();
  }

  #pushEntry(unit: number, mask: number): void {
    const { f } = this;
    const at = f.local('i32');
    f.get(F).get(this.#stackPointer).op('i32.add').set(at);
    f.get(at)
      .i32(unit)
      .mem('i32.store', this.#stackOffset + STACK_ENTRY.pc);
    f.get(at)
      .get(mask)
      .mem('i32.store', this.#stackOffset + STACK_ENTRY.mask);
    f.get(at)
      .get(this.#meeting)
      .mem('i32.store', this.#stackOffset + STACK_ENTRY.meeting);
    f.get(this.#stackPointer).i32(STACK_ENTRY.bytes).op('i32.add').set(this.#stackPointer);
    f.release('i32', at);
  }

  /** Unit that lanes enter which take an edge later. */
  #entryOf(from: number, to: number): number {
    return (this.#edgeUnits.get(`${from} ${to}`) ?? this.#blockUnits.get(to)!).index;
  }

  #emitSwitch(branch: Extract<Instruction, { op: 'switch' }>): void {
    const from = this.#unit.block;
    const [value] = this.names.references(branch.value);
    const targets = [...new Set([...branch.cases.map((c) => c.block), branch.default])];
    if (!this.forms.splits(from)) this.#emitScalarSwitch(branch, value);
    else this.#emitVectorSwitch(branch, value, targets);
  }

  #emitScalarSwitch(branch: Extract<Instruction, { op: 'switch' }>, value: Reference): void {
    const { f } = this;
    const wide = value.cls === 'double';
    for (const { value: wanted, block } of branch.cases) {
      this.pushScalar(value);
      pushConstant(f, value.cls, wanted);
      f.op(wide ? 'i64.eq' : 'i32.eq').if();
      this.#scoped(() => this.#take(this.#unit.block, block));
      f.end();
    }
    this.#take(this.#unit.block, branch.default);
  }

  #emitVectorSwitch(branch: Extract<Instruction, { op: 'switch' }>, value: Reference, targets: readonly number[]): void {
    const { f } = this;
    const from = this.#unit.block;
    const masks = new Map(targets.map((t) => [t, f.local('i32')] as const));
    const rest = f.local('i32');
    const some = f.local('i32');
    for (const local of masks.values()) f.i32(0).set(local);
    f.get(this.mask).set(rest);
    for (const { value: wanted, block } of branch.cases) {
      f.get(rest);
      this.#pushLanesEqual(value, wanted);
      f.op('i32.and').tee(some).get(masks.get(block)!).op('i32.or').set(masks.get(block)!);
      f.get(rest).get(some).op('i32.xor').set(rest);
    }
    f.get(rest).get(masks.get(branch.default)!).op('i32.or').set(masks.get(branch.default)!);
    for (const target of targets) {
      f.get(masks.get(target)!).get(this.mask).op('i32.eq').if();
      this.#scoped(() => this.#take(from, target));
      f.end();
    }
    this.#countDivergence(from);
    if (this.#paths && this.#partsPath(from)) this.#partPathAmong(this.#paths, masks);
    else this.#waitAmong(masks);
    for (const local of [...masks.values(), rest, some]) f.release('i32', local);
  }

  #partPathAmong(paths: PathEmitter, masks: ReadonlyMap<number, number>): void {
    const { f } = this;
    const from = this.#unit.block;
    paths.openSides(this.#meetingUnit(from));
    for (const [to, mask] of masks) {
      f.get(mask).if();
      this.#scoped(() => paths.side(from, { to, mask }));
      f.end();
    }
    paths.closeSides();
  }

  #waitAmong(masks: ReadonlyMap<number, number>): void {
    const { f } = this;
    const from = this.#unit.block;
    this.#openMeeting(from);
    for (const target of [...masks.keys()].toReversed()) {
      f.get(masks.get(target)!).if();
      this.#scoped(() => {
        if (target === this.flow.meeting[from]) this.#emitCopies(from, target, masks.get(target)!);
        else this.#pushEntry(this.#entryOf(from, target), masks.get(target)!);
      });
      f.end();
    }
    f.br(this.#unitDepths[this.#popUnit]);
  }

  /** Pushes the mask of lanes in which a vector equals a constant. */
  #pushLanesEqual(value: Reference, wanted: bigint): void {
    const { f } = this;
    const slot = this.slotOf(value);
    const low = Number(BigInt.asIntN(32, wanted));
    const high = Number(BigInt.asIntN(32, wanted >> 32n));
    const wide = value.cls === 'double';
    f.i32(0);
    for (let group = 0; group < (wide ? 16 : 8); group++) {
      f.get(F)
        .mem('v128.load', slot + 16 * group)
        .v128(wide ? [low, high, low, high] : [low, low, low, low]);
      f.op(wide ? 'i64x2.eq' : 'i32x4.eq', wide ? 'i64x2.bitmask' : 'i32x4.bitmask');
      if (group > 0) f.i32((wide ? 2 : 4) * group).op('i32.shl');
      f.op('i32.or');
    }
  }

  #emitReturn(): void {
    const { f } = this;
    if (!this.fn.isKernel) throw new UnsupportedIr(`the compiled engine does not call functions (${this.fn.name})`);
    if (this.#paths) {
      this.#paths.stop('exited');
      return;
    }
    f.get(F).get(F).mem('i32.load', FRAME.live).get(this.mask).i32(-1).op('i32.xor', 'i32.and').mem('i32.store', FRAME.live);
    f.br(this.#unitDepths[this.#popUnit]);
  }

  /** Goes on with the entry on top of the stack that still has lanes; returns when there is none. */
  #emitPop(): void {
    const { f } = this;
    const at = f.local('i32');
    const depth = f.depth;
    f.loop();
    f.get(this.#stackPointer).op('i32.eqz').if();
    if (this.#paths) this.#paths.stop('arrived');
    else f.i32(STATUS.ended).op('return');
    f.end();
    f.get(this.#stackPointer).i32(STACK_ENTRY.bytes).op('i32.sub').tee(this.#stackPointer).get(F).op('i32.add').set(at);
    f.get(at)
      .mem('i32.load', this.#stackOffset + STACK_ENTRY.mask)
      .get(F)
      .mem('i32.load', FRAME.live)
      .op('i32.and');
    f.tee(this.mask).op('i32.eqz').brIf(depth);
    f.get(at)
      .mem('i32.load', this.#stackOffset + STACK_ENTRY.pc)
      .set(this.#pc);
    f.get(at)
      .mem('i32.load', this.#stackOffset + STACK_ENTRY.meeting)
      .set(this.#meeting);
    if (this.#paths) {
      this.#paths.renewPatience();
      f.get(this.#pc).get(this.#meeting).op('i32.eq').brIf(depth);
    }
    f.br(this.#loopDepth);
    f.end();
    f.release('i32', at);
  }

  // Phis.

  /** Gives the phis of `to` their values for the lanes of a mask that come from `from`: all at once. */
  #emitCopies(from: number, to: number, mask: number): void {
    const moves = this.#movesOf(from, to);
    if (moves.length === 0) return;
    const masked = this.forms.partial(to) || this.forms.joins(to) || mask !== this.mask;
    const afterwards = moves.filter((m) => this.isScalar(m.target) || m.target.cls === 'mask').map((m) => this.#fetchMove(m, masked, mask));
    const vectors = moves.filter((m) => !this.isScalar(m.target) && m.target.cls !== 'mask');
    this.#moveVectors(vectors, masked, mask);
    for (const store of afterwards) store();
  }

  #movesOf(from: number, to: number): readonly Move[] {
    const moves: Move[] = [];
    for (const phi of this.fn.blocks[to].instructions) {
      if (phi.op !== 'phi') break;
      const incoming = phi.incoming.find((i) => i.block === from)!;
      const sources = this.names.references(incoming.value);
      this.names.ofValue(phi.id, phi.type).forEach((target, index) => {
        if (target.kind === 'value' && !sameValue(sources[index], target)) moves.push({ source: sources[index], target });
      });
    }
    return moves;
  }

  /** Local with the lanes of a mask for which taking an edge changes a phi. */
  #emitChanged(from: number, to: number, mask: number): number {
    const { f } = this;
    const changed = f.local('i32');
    f.i32(0).set(changed);
    const vectors = this.#movesOf(from, to).filter(({ source, target }) => {
      if (this.isScalar(target)) {
        f.i32(0);
        this.pushScalar(source);
        this.pushScalar(target);
        f.op(target.cls === 'double' ? 'i64.ne' : 'i32.ne', 'i32.sub')
          .get(changed)
          .op('i32.or')
          .set(changed);
      } else if (target.cls === 'mask') {
        this.pushMask(source);
        this.pushMask(target);
        f.op('i32.xor').get(changed).op('i32.or').set(changed);
      }
      return !this.isScalar(target) && target.cls !== 'mask';
    });
    if (vectors.length > 0) {
      const slot = this.allocateSlot(16);
      const result: ValueReference = { kind: 'value', cls: 'mask', type: { kind: 'int', bits: 1 }, id: -4, component: slot };
      emitStrip(this, [anyDiffers(vectors, result)], [{ from: result, slot, masked: false }]);
      f.get(changed).get(this.maskLocal(result)).op('i32.or').set(changed);
    }
    f.get(changed).get(mask).op('i32.and').set(changed);
    return changed;
  }

  /** Reads the source of a scalar or mask phi; the returned function writes it. */
  #fetchMove({ source, target }: Move, masked: boolean, mask: number): () => void {
    const { f } = this;
    const type = target.cls === 'double' ? 'i64' : 'i32';
    const local = f.local(type);
    if (this.isScalar(target)) this.pushScalar(source);
    else {
      this.pushMask(source);
      if (masked) {
        f.get(mask).op('i32.and').get(F).mem('i32.load', this.slotOf(target));
        f.get(mask).i32(-1).op('i32.xor', 'i32.and', 'i32.or');
      }
    }
    f.set(local);
    return () => {
      f.get(F).get(local).mem(`${type}.store`, this.slotOf(target));
      f.release(type, local);
      this.forget(target);
    };
  }

  #moveVectors(moves: readonly Move[], masked: boolean, mask: number): void {
    const targets = new Set(moves.map((m) => key(m.target)));
    const operations: LaneOperation[] = [];
    const outputs = moves.map(({ source, target }, index): StripOutput => {
      const slot = this.slotOf(target);
      if (source.kind === 'constant' || !targets.has(key(source))) return { from: source, slot, masked };
      // The source is overwritten by these very copies: read it before.
      const moved: ValueReference = { ...source, id: -2, component: index };
      operations.push({ instruction: MOVE, operands: [source], result: moved, vector: ({ push, half }) => push(0, half) });
      return { from: moved, slot, masked };
    });
    emitStrip(mask === this.mask ? this : this.#withMask(mask), operations, outputs);
  }

  #withMask(mask: number): StripHost {
    return {
      f: this.f,
      frame: F,
      mask,
      scalarLocal: (r) => this.scalarLocal(r),
      slotOf: (r) => this.slotOf(r),
      maskComputed: (r, l) => this.maskComputed(r, l),
      maskLocal: (r) => this.maskLocal(r),
    };
  }

  // Scalars.

  #unitLocal(type: 'i32' | 'i64'): number {
    const local = this.f.local(type);
    this.#unitLocals.push({ type, local });
    return local;
  }

  /** Where a scalar that no local of this unit holds is kept. */
  #scalarPlace(reference: ValueReference): { base: number; offset: number } {
    const definition = this.names.definition(reference.id);
    if (!definition) return { base: W, offset: this.context.parameterOffset(this.fn, reference.id, reference.component) };
    if (definition.op === 'call') {
      const offset = launchFactOffset(definition.callee);
      if (offset !== undefined) return { base: W, offset };
    }
    return { base: F, offset: this.slotOf(reference) };
  }
}

/** What a phi gets along an edge. */
interface Move {
  readonly source: Reference;
  readonly target: ValueReference;
}

/** A value as words: masks become words of 0 and 1. */
function asWords(from: Reference, result: ValueReference): LaneOperation {
  return {
    instruction: MOVE,
    operands: [from],
    result,
    vector: ({ f, push, half }) => {
      push(0, half);
      if (from.cls === 'mask') f.v128([1, 1, 1, 1]).op('v128.and');
    },
  };
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

const MOVE = { op: 'freeze', id: -1, type: { kind: 'void' }, site: -1, a: { kind: 'undef', type: { kind: 'void' } } } as const;

function key(reference: ValueReference): string {
  return `${reference.id}:${reference.component}`;
}

function sameValue(a: Reference, b: ValueReference): boolean {
  return a.kind === 'value' && a.id === b.id && a.component === b.component;
}

function constantBits(reference: Reference): bigint | undefined {
  return reference.kind === 'constant' ? reference.bits : undefined;
}
