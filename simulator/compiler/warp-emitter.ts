/** Shuffles, votes and barriers of a warp whose named lanes are all here. Compiled code cannot let lanes wait for others of their warp. */

import type { Meaning } from '../ir/intrinsics/description.ts';
import { meaningOf } from '../ir/intrinsics.ts';
import type { Instruction } from '../ir/types.ts';
import { FRAME } from './layout.ts';
import { emitHostStep, emitResultFor, type MemoryEmitter, resultSlot, takeOutcome, takeResult } from './memory-emitter.ts';
import type { Reference } from './values.ts';
import { emitMatch, emitNamedLanes, emitVoteOfLanes, type VoteKind } from './warp-helpers.ts';

function isPlainShuffle(instruction: Instruction): boolean {
  return plainShuffle(instruction) !== undefined;
}

/** A shuffle of one word that does not ask whether its source was inside the segment. */
function plainShuffle(instruction: Instruction): Extract<Meaning, { kind: 'shuffle' }> | undefined {
  const meaning = meaningOf(instruction);
  return meaning?.kind === 'shuffle' && meaning.word ? meaning : undefined;
}

interface Vote {
  readonly vote: VoteKind | 'active';
  readonly withMask: boolean;
}

function voteOf(instruction: Instruction): Vote | undefined {
  const meaning = meaningOf(instruction);
  if (meaning?.kind === 'activeMask') return { vote: 'active', withMask: false };
  return meaning?.kind === 'vote' ? meaning : undefined;
}

type Call = Extract<Instruction, { op: 'call' }>;

/** Asks each lane which others have its value. */
function isMatch(instruction: Instruction): boolean {
  const meaning = meaningOf(instruction);
  return meaning?.kind === 'match' && !meaning.all;
}

/** What lanes exchange without the host, if all of them name the same members: a shuffle, a vote, a match, the active lanes. */
export function isPlainExchange(instruction: Instruction): boolean {
  return isPlainShuffle(instruction) || isMatch(instruction) || voteOf(instruction) !== undefined;
}

export function emitExchange(e: MemoryEmitter, call: Call): void {
  if (!hasScalarControl(e, call)) {
    emitHostStep(e, call);
    return;
  }
  const vote = voteOf(call);
  const exchange = vote ? prepareVote(e, call, vote) : isMatch(call) ? prepareMatch(e, call) : prepareShuffle(e, call);
  if (vote?.withMask ?? true) requireMembers(e, e.names.references(call.args[0])[0]);
  const outcome = exchange();
  if (outcome === undefined) return;
  if (typeof outcome !== 'number') {
    takeResult(e, call, outcome.slot);
    return;
  }
  takeOutcome(e, call, outcome);
  e.f.release('i32', outcome);
}

/** Where the host schedules paths: executes a shuffle, vote or warp barrier and then `goOn`, if all lanes that it names are here. */
export function emitMetExchange(e: MemoryEmitter, call: Call, goOn: () => void): void {
  if (!hasScalarControl(e, call)) return;
  const { f } = e;
  const vote = voteOf(call);
  const exchange = vote
    ? prepareVote(e, call, vote)
    : isMatch(call)
      ? prepareMatch(e, call)
      : isPlainShuffle(call) && prepareShuffle(e, call);
  pushMissing(e, e.names.references(call.args[0])[0]);
  f.op('i32.eqz').if();
  const outcome = exchange ? exchange() : undefined;
  if (typeof outcome === 'number') emitResultFor(e, call, outcome);
  goOn();
  f.end();
  if (typeof outcome === 'number') f.release('i32', outcome);
}

/**
 * All lanes name the same members, but for a vote and a shuffle (lanes of a tile name their tile), and a shuffle's distance is the same for
 * all, but for one whose lanes say from which one they read.
 */
function hasScalarControl(e: MemoryEmitter, call: Call): boolean {
  const vote = voteOf(call);
  const mayDiffer = vote
    ? [0, 1]
    : isMatch(call)
      ? [1]
      : plainShuffle(call)?.mode === 'idx'
        ? [0, 1, 2]
        : isPlainShuffle(call)
          ? [0, 1]
          : [0];
  return call.args.every((a, index) => mayDiffer.includes(index) || e.isScalar(e.names.references(a)[0]));
}

/** Returns a local with the outcome, which is the same for all lanes; where these name different members, the slot in which each has its own as a word. */
function prepareVote(e: MemoryEmitter, call: Call, { vote, withMask }: Vote): () => number | { readonly slot: number } {
  const { f } = e;
  const holding = f.local('i32');
  if (vote === 'active') {
    f.get(e.mask).set(holding);
    return () => holding;
  }
  const [predicate] = e.names.references(call.args[withMask ? 1 : 0]);
  e.pushMask(predicate);
  f.set(holding);
  const members = withMask ? e.names.references(call.args[0])[0] : undefined;
  if (members && !e.isScalar(members)) return voteOfLanes(e, call, { vote, members, holding });
  if (members?.kind === 'value') e.scalarLocal(members);
  const pushMembers = (): void => {
    f.get(e.mask);
    if (!members) return;
    e.pushScalar(members);
    f.op('i32.and');
  };
  return () => {
    f.get(holding);
    pushMembers();
    f.op('i32.and').set(holding);
    if (vote === 'ballot') return holding;
    const isAll = (): void => {
      f.get(holding);
      pushMembers();
      f.op('i32.eq');
    };
    if (vote === 'any') f.get(holding).i32(0).op('i32.ne');
    else isAll();
    if (vote === 'uni') f.get(holding).op('i32.eqz', 'i32.or');
    f.set(holding);
    return holding;
  };
}

function voteOfLanes(
  e: MemoryEmitter,
  call: Call,
  { vote, members, holding }: { readonly vote: VoteKind; readonly members: Reference; readonly holding: number },
): () => { readonly slot: number } {
  const { f } = e;
  const from = e.vectorSlot(members);
  const slot = resultSlot(e, call);
  const helper = e.context.sharedFunction(`vote_${vote}`, (module) => emitVoteOfLanes(module, vote));
  return () => {
    f.get(e.frame).i32(from).op('i32.add').get(e.frame).i32(slot).op('i32.add').get(holding).get(e.mask).call(helper);
    f.release('i32', holding);
    return { slot };
  };
}

/** What exchanges the values, with all that it reads fetched already. */
function prepareShuffle(e: MemoryEmitter, call: Call): () => undefined {
  const { f } = e;
  const { mode } = plainShuffle(call)!;
  const [, value, b, c] = call.args.map((a) => e.names.references(a)[0]);
  const [result] = e.names.ofValue(call.id, call.type) as readonly (Reference & { kind: 'value' })[];
  const from = e.vectorSlot(value);
  const to = e.slotOf(result);
  const lanes = e.isScalar(b) ? undefined : e.vectorSlot(b);
  for (const reference of lanes === undefined ? [b, c] : [c]) if (reference.kind === 'value') e.scalarLocal(reference);
  const { shuffle, gather } = e.context.warpHelpers;
  return () => {
    f.get(e.frame).i32(from).op('i32.add').get(e.frame).i32(to).op('i32.add');
    if (lanes === undefined) e.pushScalar(b);
    else f.get(e.frame).i32(lanes).op('i32.add');
    e.pushScalar(c);
    f.get(e.mask).call(lanes === undefined ? shuffle[mode] : gather);
    return undefined;
  };
}

/** What gives each active lane those that have its value, with all that it reads fetched already. */
function prepareMatch(e: MemoryEmitter, call: Call): () => undefined {
  const { f } = e;
  const [members, value] = call.args.map((a) => e.names.references(a)[0]);
  const [result] = e.names.ofValue(call.id, call.type) as readonly (Reference & { kind: 'value' })[];
  const from = e.vectorSlot(value);
  const to = e.slotOf(result);
  if (members.kind === 'value') e.scalarLocal(members);
  const width = value.cls === 'double' ? 'wide' : 'word';
  const match = e.context.sharedFunction(`match_${width}`, (module) => emitMatch(module, width));
  return () => {
    f.get(e.frame).i32(from).op('i32.add').get(e.frame).i32(to).op('i32.add');
    e.pushScalar(members);
    f.get(e.mask).call(match);
    return undefined;
  };
}

/** __syncwarp: where all lanes that have not exited are here there is nobody to wait for. */
export function emitWarpBarrier(e: MemoryEmitter, call: Extract<Instruction, { op: 'call' }>): void {
  requireMembers(e, e.names.references(call.args[0])[0]);
}

/** Pushes the lanes that are named and have neither exited nor come here. */
function pushMissing(e: MemoryEmitter, members: Reference): void {
  if (e.isScalar(members)) e.pushScalar(members);
  else {
    const slot = e.vectorSlot(members);
    const named = e.context.sharedFunction('named_lanes', emitNamedLanes);
    e.f.get(e.frame).i32(slot).op('i32.add').get(e.mask).call(named);
  }
  e.f.get(e.frame).mem('i32.load', FRAME.live).op('i32.and').get(e.mask).i32(-1).op('i32.xor', 'i32.and');
}

/** Leaves the compiled code for good if a lane that is named has neither exited nor come here. */
function requireMembers(e: MemoryEmitter, members: Reference): void {
  const { f } = e;
  pushMissing(e, members);
  f.if();
  f.call(e.context.imports.parted);
  f.end();
}
