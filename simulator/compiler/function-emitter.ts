/**
 * One IR function as one WebAssembly function that runs one warp: from where it was parked (or the start) until it parks again or
 * ends. Values that live longer than a block lie in the warp's frame, so the function can stop and go on at any resume point.
 * Blocks are laid out in reverse post-order inside nested WebAssembly blocks, and a `br_table` on the number of the unit enters them.
 */
import { meaningOf } from '../ir/intrinsics.ts';
import type { Instruction, IrFunction } from '../ir/types.ts';
import { BranchEmitter, type ControlState, STATUS } from './branch-emitter.ts';
import type { InlinedKernel } from './inlining.ts';
import type { CodeUnit, HostStep, KernelContext } from './kernel-context.ts';
import { KernelShape } from './kernel-shape.ts';
import type { LaneForms } from './lane-forms.ts';
import { BLOCK_ROW, FRAME, INFO } from './layout.ts';
import { emitMemory, emitOperands, emitResults } from './memory-emitter.ts';
import { microOperations } from './micro-operations.ts';
import { PathEmitter } from './path-emitter.ts';
import { Patience } from './patience.ts';
import { PhiCopies } from './phi-copies.ts';
import { emitProbes } from './probe-emitter.ts';
import { frameOffsetOf, isLaunchConstantCall } from './registers.ts';
import { pausesPath, suspends } from './suspension.ts';
import { layOutUnits, type Unit, type UnitLayout, ValueReaders } from './unit-layout.ts';
import { ValuePlaces } from './value-places.ts';
import { ValueNames } from './values.ts';
import { emitMetExchange, isPlainExchange } from './warp-emitter.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

export class FunctionEmitter {
  readonly #shape: KernelShape;
  readonly #layout: UnitLayout;
  readonly #values: ValuePlaces;
  readonly #phis: PhiCopies;
  readonly #state: ControlState;
  readonly #branches: BranchEmitter;
  /** How paths part and stop, where the host schedules them. */
  readonly #paths: PathEmitter | undefined;
  readonly #patience: Patience | undefined;
  /** What an instruction weighs. */
  readonly #weigh: (fn: IrFunction, site: number) => number;
  /** Local with FRAME.elapsed, where the warp's code keeps it. */
  readonly #elapsed: number | undefined;
  /** By unit: the instruction at its end at which the path pauses. */
  readonly #pauses = new Map<number, HostStep>();

  constructor(context: KernelContext, inlined: InlinedKernel, f: FunctionBuilder, weigh?: (fn: IrFunction) => ArrayLike<number>) {
    this.#weigh = weigh ? (of, site) => weigh(of)[site] : () => 1;
    const shape = new KernelShape(context, inlined);
    const { fn, flow, forms } = shape;
    const names = new ValueNames(fn, context.resolve, (alloca) => context.allocaAddress(fn, alloca));
    const ends = context.parting === undefined ? suspends : pausesPath;
    this.#shape = shape;
    this.#layout = layOutUnits(fn, { flow, forms, ends, parts: (block) => shape.partsPath(block) });
    this.#values = new ValuePlaces({ f, fn, context, names, forms, readers: new ValueReaders(fn, flow, names, this.#layout) });
    this.#phis = new PhiCopies(this.#values);
    this.#state = { meeting: f.local('i32'), stackPointer: f.local('i32'), pc: f.local('i32') };
    if (context.parting !== undefined) this.#paths = this.#createPathEmitter(context.parting);
    else {
      this.#elapsed = f.local('i64');
      if (inlined.waitingEdges.size > 0) this.#patience = this.#createPatience();
    }
    this.#branches = new BranchEmitter({
      values: this.#values,
      shape,
      layout: this.#layout,
      phis: this.#phis,
      state: this.#state,
      paths: this.#paths,
      patience: this.#patience,
      leave: (status) => this.#leave(status),
    });
  }

  get forms(): LaneForms {
    return this.#shape.forms;
  }

  /** Bytes of a warp's frame for this function. */
  get frameBytes(): number {
    return this.#values.frameBytes;
  }

  /** Where the host may find a path, and what it does there. */
  get units(): readonly CodeUnit[] {
    return this.#layout.units.map(({ index, instructions }) => ({ instructions, pause: this.#pauses.get(index) }));
  }

  emit(): void {
    const { f, frame, mask } = this.#values;
    const { pc, meeting, stackPointer } = this.#state;
    f.get(frame).mem('i32.load', FRAME.pc).set(pc);
    f.get(frame).mem('i32.load', FRAME.mask).set(mask);
    f.get(frame).mem('i32.load', FRAME.meeting).set(meeting);
    if (this.#paths) this.#paths.begin();
    else f.get(frame).mem('i32.load', FRAME.stack).set(stackPointer);
    if (this.#elapsed !== undefined) f.get(frame).mem('i64.load', FRAME.elapsed).set(this.#elapsed);
    this.#patience?.begin();
    this.#branches.enter();
    for (const unit of this.#layout.units) {
      f.end();
      this.#emitUnit(unit);
    }
    f.end();
    this.#branches.pop();
    f.end();
    f.op('unreachable');
  }

  #createPathEmitter(parting: number): PathEmitter {
    const { f, worker, frame, mask } = this.#values;
    return new PathEmitter({
      f,
      worker,
      frame,
      mask,
      parting,
      copies: (from, to, lanes) => this.#phis.copy(from, to, lanes),
      changed: (from, to, lanes) => this.#phis.changed(from, to, lanes),
      unitOf: (block) => this.#layout.blockUnits.get(block)!.index,
      waits: (from, to) => this.#shape.inlined.waitingEdges.has(`${from} ${to}`),
    });
  }

  #createPatience(): Patience {
    const { f, frame, mask, context } = this.#values;
    return new Patience({
      f,
      frame,
      mask,
      parted: context.imports.parted,
      changed: (from, to, lanes) => this.#phis.changed(from, to, lanes),
      waits: (from, to) => this.#shape.inlined.waitingEdges.has(`${from} ${to}`),
    });
  }

  #emitUnit(unit: Unit): void {
    this.#values.beginUnit(unit);
    if (unit.kind === 'edge') {
      this.#phis.copy(unit.block, unit.to!, this.#values.mask);
      this.#branches.goTo(unit.to!);
    } else {
      if (unit.kind === 'block') this.#countEntry(unit.block);
      const origins = unit.instructions.flatMap(({ site }) => this.#shape.inlined.origins[site] ?? []);
      const weight = origins.reduce((sum, { fn, site }) => sum + this.#weigh(fn, site), 0);
      if (this.#elapsed !== undefined) this.#values.f.get(this.#elapsed).i64(BigInt(weight)).op('i64.add').set(this.#elapsed);
      if (this.#paths) {
        this.#paths.countSteps({ instructions: origins.length, weight, unit: unit.index });
        if (unit.behind) emitResults(this.#values, unit.behind);
      }
      for (const instruction of unit.instructions) this.#emitInstruction(instruction);
    }
    this.#values.endUnit();
  }

  /** The warp's code returns to the scheduler. */
  #leave(status: number): void {
    const { f, frame } = this.#values;
    if (this.#elapsed !== undefined) f.get(frame).get(this.#elapsed).mem('i64.store', FRAME.elapsed);
    f.i32(status).op('return');
  }

  #countEntry(block: number): void {
    const { f } = this.#values;
    const row = this.#values.context.blockRow(this.#values.fn, block);
    f.get(this.#values.worker)
      .get(this.#values.worker)
      .mem('i64.load', row + BLOCK_ROW.executions)
      .i64(1n)
      .op('i64.add')
      .mem('i64.store', row + BLOCK_ROW.executions);
    f.get(this.#values.worker)
      .get(this.#values.worker)
      .mem('i64.load', row + BLOCK_ROW.lanes)
      .get(this.#values.mask)
      .op('i32.popcnt', 'i64.extend_i32_u', 'i64.add');
    f.mem('i64.store', row + BLOCK_ROW.lanes);
  }

  #emitInstruction(instruction: Instruction): void {
    emitProbes(this.#values, instruction, this.#shape.inlined.origins[instruction.site]);
    switch (instruction.op) {
      case 'phi':
      case 'alloca':
      case 'fence':
        return;
      case 'br':
        this.#values.flush();
        this.#branches.branch(instruction.target);
        return;
      case 'condbr':
        this.#values.flush();
        this.#branches.conditional(instruction);
        return;
      case 'switch':
        this.#values.flush();
        this.#branches.switch(instruction);
        return;
      case 'ret':
        this.#values.flush();
        this.#branches.return();
        return;
      case 'unreachable':
        this.#values.flush();
        this.#values.f.get(this.#values.mask).i32(instruction.site).call(this.#values.context.imports.unreachable).op('unreachable');
        return;
      default:
    }
    if (this.#values.names.isRename(instruction)) return;
    if (this.#values.context.inTurn.has(instruction.site)) this.#awaitTurn();
    if (instruction.op === 'call') {
      if (this.#paths && pausesPath(instruction)) {
        this.#values.flush();
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
        this.#values.flush();
        this.#emitSuspension();
        return;
      }
    }
    const operations = microOperations(this.#values.names, instruction);
    if (operations) {
      for (const operation of operations) this.#values.compute(operation);
      return;
    }
    this.#values.flush();
    emitMemory(this.#values, instruction);
  }

  /** Lets blocks before this one end before it accesses what they may access, too. */
  #awaitTurn(): void {
    this.#values.flush();
    const { f, worker, context } = this.#values;
    f.get(worker).mem('i32.load', INFO.turn).op('i32.eqz').if().call(context.imports.turn).end();
  }

  #emitSuspension(): void {
    const { f } = this.#values;
    f.get(this.#values.frame)
      .i32(this.#values.unit.index + 1)
      .mem('i32.store', FRAME.pc);
    f.get(this.#values.frame).get(this.#values.mask).mem('i32.store', FRAME.mask);
    f.get(this.#values.frame).get(this.#state.meeting).mem('i32.store', FRAME.meeting);
    f.get(this.#values.frame).get(this.#state.stackPointer).mem('i32.store', FRAME.stack);
    this.#patience?.save();
    this.#leave(STATUS.barrier);
  }

  /** The host decides whether the path goes on; where all lanes that an exchange names are here it need not be asked. */
  #emitPause(call: Extract<Instruction, { op: 'call' }>, paths: PathEmitter): void {
    const unit = this.#values.unit.index;
    if (isPlainExchange(call) || meaningOf(call)?.kind === 'warpBarrier')
      emitMetExchange(this.#values, call, () => this.#branches.jump(unit + 1));
    const values = emitOperands(this.#values, call);
    this.#pauses.set(unit, { fn: this.#values.fn, instruction: call, values });
    paths.stop('paused', unit);
  }
}
