/**
 * Code that tells the host what lanes are about to do, for the probes that a kernel is compiled with. Most accesses repeat how their
 * lanes lie: that is compared here, so that the host need not look at 32 addresses (probe-teller.ts).
 */
import type { Instruction, Operand } from '../ir/types.ts';
import { LEDGER } from '../scheduling/ledger.ts';
import { type ProbePoint, probePoints } from '../scheduling/probes.ts';
import type { Callable } from './helper-parts.ts';
import type { Origin } from './inlining.ts';
import type { ProbeImports, ProbeOperand } from './kernel-context.ts';
import { INFO, PROBE_MEMO } from './layout.ts';
import { checkAtomic, checkRow } from './ledger-emitter.ts';
import { arriveAtBarrier, meetWarp, type SharedFunctions } from './ledger-meetings.ts';
import type { MemoryEmitter } from './memory-emitter.ts';
import type { Reference } from './values.ts';
import type { FunctionBuilder, ModuleBuilder } from './wasm-encoder.ts';

/** `origin`: undefined for an instruction that the module does not have. */
export function emitProbes(e: MemoryEmitter, instruction: Instruction, origin: Origin | undefined): void {
  const { probes } = e.context.imports;
  if (!probes || !origin) return;
  const original = origin.fn.blocks.flatMap((b) => b.instructions).find(({ site }) => site === origin.site)!;
  for (const point of probePoints(instruction, e.context.chosen, original)) {
    const common = { point, function: origin.fn.name, instruction: original };
    const [operand] = point.operand ? e.names.references(point.operand) : [];
    if (point.probe === 'flow') emitFlow(e, probes, common);
    else if (point.access && operand && !point.length) emitAccess(e, probes, common, operand);
    else if (mayBeWhole(e, point, operand)) emitMeeting(e, probes, common, operand);
    else if (point.probe === 'barrier' && point.scope === 'block' && e.context.parting === undefined) emitBarrier(e, probes, common);
    else emitGeneral(e, probes, common);
  }
}

interface Common {
  readonly point: ProbePoint;
  readonly function: string;
  readonly instruction: Instruction;
}

function emitGeneral(e: MemoryEmitter, { probe }: ProbeImports, common: Common): void {
  const { point } = common;
  const number = e.context.addProbe({
    ...common,
    memos: undefined,
    operand: point.operand && lanesOf(e, point.operand)[0],
    length: point.length && lanesOf(e, point.length)[0],
    more: (point.more ?? []).flatMap((operand) => lanesOf(e, operand)),
  });
  e.f.get(e.frame).get(e.mask).i32(number).call(probe);
}

/** Told only while the listener goes along with some value; always to one that keeps no ledger. */
function emitFlow(e: MemoryEmitter, imports: ProbeImports, common: Common): void {
  e.flush();
  const isTold = e.context.sharedFunction('isFlowTold', emitIsFlowTold);
  e.f.get(e.worker).call(isTold).if();
  e.scoped(() => emitGeneral(e, imports, common));
  e.f.end();
}

/** (W) -> whether flows are told. */
function emitIsFlowTold(module: ModuleBuilder): Callable {
  const f = module.function('isFlowTold', { parameters: ['i32'], results: ['i32'] });
  const ledger = f.local('i32');
  f.get(0).mem('i32.load', INFO.ledger).tee(ledger).op('i32.eqz').if();
  f.i32(1).op('return').end();
  f.get(ledger).mem('i32.load', LEDGER.flows);
  return f;
}

/** What is told when a barrier of the block opens is enough, if the warp comes as a whole. */
function emitBarrier(e: MemoryEmitter, { probe }: ProbeImports, common: Common): void {
  const number = e.context.addProbe({ ...common, memos: undefined, operand: undefined, length: undefined, more: [] });
  const arrive = arriveAtBarrier((name, make) => e.context.sharedFunction(name, make));
  e.f.get(e.worker).get(e.frame).get(e.mask).i32(number).call(arrive).op('i32.eqz').if();
  e.f.get(e.frame).get(e.mask).i32(number).call(probe).end();
}

function emitAccess(e: MemoryEmitter, imports: ProbeImports, common: Common, pointer: Reference): void {
  const { f } = e;
  const more = (common.point.more ?? []).flatMap((operand) => lanesOf(e, operand));
  const probe = { ...common, length: undefined, more };
  if (e.isScalar(pointer)) {
    const number = e.context.addProbe({ ...probe, memos: undefined, operand: undefined });
    f.get(e.frame).get(e.mask).i32(number);
    e.pushScalar(pointer);
    f.call(imports.same);
    return;
  }
  const memos = e.context.reserve(PROBE_MEMO.count * PROBE_MEMO.bytes);
  const slot = e.vectorSlot(pointer);
  const number = e.context.addProbe({ ...probe, memos, operand: { slot, wide: false } });
  const tell = tellFunction(e, imports, common.point);
  f.get(e.worker).get(e.frame).get(e.mask).get(e.worker).i32(memos).op('i32.add');
  f.get(e.frame).i32(slot).op('i32.add').i32(number).call(tell);
}

function tellFunction({ context }: MemoryEmitter, imports: ProbeImports, { access }: ProbePoint): Callable {
  const shared: SharedFunctions = (name, make) => context.sharedFunction(name, make);
  // Where blocks or paths take turns, their records do, too.
  if (context.parting !== undefined) return shared('tellAccess', (module) => emitTellAccess(module, imports));
  if (access === 'atomic') {
    const check = checkAtomic(shared);
    return shared('tellAtomic', (module) => emitTellAtomic(module, imports, check));
  }
  const own = { access: access!, check: checkRow(access!, shared) };
  return shared(`tell ${access}`, (module) => emitTellAccess(module, imports, own));
}

/** All lanes name the same lanes, which may be all of the warp, and the host knows what else they bring. */
function mayBeWhole(e: MemoryEmitter, { probe, scope, more = [] }: ProbePoint, members: Reference | undefined): boolean {
  if (probe !== 'exchange' && !(probe === 'barrier' && scope === 'warp')) return false;
  if (!members || !e.isScalar(members)) return false;
  return more.every((operand) => e.names.references(operand).every(({ kind }) => kind === 'constant'));
}

function emitMeeting(e: MemoryEmitter, imports: ProbeImports, common: Common, members: Reference | undefined): void {
  const { f } = e;
  const operands = (common.point.more ?? []).flatMap((operand) => lanesOf(e, operand));
  const number = e.context.addProbe({ ...common, memos: undefined, operand: undefined, length: undefined, more: operands });
  e.flush();
  e.pushScalar(members!);
  f.get(e.mask).op('i32.and').i32(-1).op('i32.eq').if();
  if (e.context.parting === undefined) {
    const meet = meetWarp((name, make) => e.context.sharedFunction(name, make));
    f.get(e.worker).call(meet).if();
    countAct(f, e.worker);
    f.else();
  }
  f.get(e.frame).i32(number).call(imports.whole);
  if (e.context.parting === undefined) f.end();
  f.else();
  e.scoped(() => emitGeneral(e, imports, common));
  f.end();
}

function lanesOf(e: MemoryEmitter, operand: Operand): readonly ProbeOperand[] {
  return e.names.references(operand).map((reference) => {
    const wide = reference.cls === 'double';
    return reference.kind === 'constant' ? { bits: reference.bits, wide } : { slot: e.vectorSlot(reference), wide };
  });
}

const TELL_PARAMETERS = ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'] as const;

/** As `emitTellAccess`: what the lanes of an atomic do does not depend on how they lie. */
function emitTellAtomic(module: ModuleBuilder, { probe }: ProbeImports, check: Callable): Callable {
  const f = module.function('tellAtomic', { parameters: TELL_PARAMETERS, results: [] });
  const [w, frame, mask, memos, addresses, number] = [0, 1, 2, 3, 4, 5];
  f.get(memos).mem('i32.load', PROBE_MEMO.row).if();
  f.get(w).get(memos).get(addresses).get(mask).call(check).if();
  countAct(f, w);
  f.op('return').end().end();
  f.get(frame).get(mask).get(number).call(probe);
  return f;
}

function countAct(f: FunctionBuilder, w: number): void {
  f.get(w).get(w).mem('i32.load', INFO.acts).i32(1).op('i32.add').mem('i32.store', INFO.acts);
}

/**
 * (W, F, mask, memos, addresses, number of the probe): has the host told which memo describes how the lanes lie, or that none does.
 * `own`: what compiled code can check by itself.
 */
function emitTellAccess(
  module: ModuleBuilder,
  { probe, known }: ProbeImports,
  own?: { readonly access: 'read' | 'write'; readonly check: Callable },
): Callable {
  const f = module.function('tellAccess', { parameters: TELL_PARAMETERS, results: [] });
  const [w, frame, mask, memos, addresses, number] = [0, 1, 2, 3, 4, 5];
  const first = f.local('i32');
  const which = f.local('i32');
  const memo = f.local('i32');
  const splat = f.local('v128');
  const compare = (group: number): void => {
    f.get(addresses)
      .mem('v128.load', 16 * group)
      .get(splat)
      .op('i32x4.sub')
      .get(memo)
      .mem('v128.load', PROBE_MEMO.offsets + 16 * group);
  };
  f.get(addresses).get(mask).op('i32.ctz').i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).tee(first).op('i32x4.splat').set(splat);
  f.get(mask).op('i32.popcnt', 'i32.clz').i32(PROBE_MEMO.leastClz).op('i32.sub').tee(which);
  f.i32(PROBE_MEMO.bytes).op('i32.mul').get(memos).op('i32.add').set(memo);
  const unknown = f.depth;
  f.block();
  f.get(memo).mem('i32.load', PROBE_MEMO.mask).get(mask).op('i32.ne').brIf(unknown);
  f.get(mask).i32(-1).op('i32.eq').if();
  for (let group = 0; group < 8; group++) {
    compare(group);
    f.op('v128.xor');
    if (group > 0) f.op('v128.or');
  }
  f.op('v128.any_true').brIf(unknown);
  f.else();
  for (let group = 0; group < 8; group++) {
    compare(group);
    f.op('i32x4.eq', 'i32x4.bitmask');
    if (group > 0) f.i32(4 * group).op('i32.shl', 'i32.or');
  }
  f.get(mask).op('i32.and').get(mask).op('i32.ne').brIf(unknown);
  f.end();
  leaveIfSettled(f, { w, memo, first });
  if (own) {
    f.get(memo).mem('i32.load', PROBE_MEMO.row).if();
    f.get(w).get(memo).get(first).call(own.check).if();
    if (own.access === 'write') countAct(f, w);
    f.op('return').end().end();
  }
  f.get(frame).get(mask).get(number).i32(PROBE_MEMO.count).op('i32.mul').get(which).op('i32.add').get(first).call(known).op('return');
  f.end();
  f.get(frame).get(mask).get(number).call(probe);
  return f;
}

/** Returns for a read of which there is nothing new to tell. */
function leaveIfSettled(
  f: FunctionBuilder,
  { w, memo, first }: { readonly w: number; readonly memo: number; readonly first: number },
): void {
  f.get(first).get(memo).mem('i32.load', PROBE_MEMO.rangeFrom).op('i32.sub').get(memo).mem('i32.load', PROBE_MEMO.rangeSize);
  f.op('i32.lt_u').if().op('return').end();
  f.get(memo).mem('i32.load', PROBE_MEMO.acts).get(w).mem('i32.load', INFO.acts).op('i32.eq');
  f.get(memo).mem('i32.load', PROBE_MEMO.repeated).get(first).op('i32.eq', 'i32.and').if();
  f.get(memo).mem('i32.load', PROBE_MEMO.exceptWarp).get(w).mem('i32.load', INFO.warp).op('i32.ne');
  f.get(memo).mem('i32.load', PROBE_MEMO.exceptOther).get(w).mem('i32.load', INFO.warp).op('i32.ne', 'i32.and');
  f.if().op('return').end();
  f.end();
}
