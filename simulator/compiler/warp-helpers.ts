/** WebAssembly functions that exchange values between the lanes of a whole warp. */
import type { Meaning, ShuffleMode } from '../ir/intrinsics/description.ts';
import { type Callable, forActiveLanes } from './helper-parts.ts';
import type { FunctionBuilder, ModuleBuilder } from './wasm-encoder.ts';

const SHUFFLE_MODES = ['up', 'down', 'bfly', 'idx'] as const satisfies readonly ShuffleMode[];

export interface WarpHelpers {
  /** (from, to, b, c, mask): shuffles the words of the active lanes as PTX's shfl.sync of the mode does. */
  readonly shuffle: Readonly<Record<ShuffleMode, Callable>>;
  /** (from, to, lanes, c, mask): the same with `idx`, where each lane says from which one; `lanes` is where their words lie. */
  readonly gather: Callable;
}

export function emitWarpHelpers(module: ModuleBuilder): WarpHelpers {
  const shuffle = Object.fromEntries(SHUFFLE_MODES.map((mode) => [mode, emitShuffle(module, mode)])) as Record<ShuffleMode, Callable>;
  return { shuffle, gather: emitShuffle(module, 'idx', 'per lane') };
}

function emitShuffle(module: ModuleBuilder, mode: ShuffleMode, operand: 'shared' | 'per lane' = 'shared'): Callable {
  const f = module.function(operand === 'shared' ? `shuffle_${mode}` : `gather_${mode}`, {
    parameters: ['i32', 'i32', 'i32', 'i32', 'i32'],
    results: [],
  });
  const [from, to, b, c, mask] = [0, 1, 2, 3, 4];
  const segment = f.local('i32');
  const lane = f.local('i32');
  const source = f.local('i32');
  const last = f.local('i32');
  f.get(c).i32(8).op('i32.shr_u').i32(31).op('i32.and').set(segment);
  const own = f.local('i32');
  if (operand === 'shared') {
    f.get(b).i32(31).op('i32.and').set(own);
    emitWholeWarp(f, mode, { from, to, own, segment, c, mask });
  }
  f.i32(0).set(lane);
  const depth = f.depth;
  f.loop();
  if (operand === 'per lane') f.get(b).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).i32(31).op('i32.and').set(own);
  // The last lane that this one may read (PTX ISA, shfl.sync).
  f.get(lane).get(segment).op('i32.and').get(c).i32(31).op('i32.and').get(segment).i32(-1).op('i32.xor', 'i32.and', 'i32.or').set(last);
  if (mode === 'idx') {
    f.get(lane).get(segment).op('i32.and').get(own).get(segment).i32(-1).op('i32.xor', 'i32.and', 'i32.or').set(source);
  } else
    f.get(lane)
      .get(own)
      .op(mode === 'up' ? 'i32.sub' : mode === 'down' ? 'i32.add' : 'i32.xor')
      .set(source);
  f.get(mask).get(lane).op('i32.shr_u').i32(1).op('i32.and').if();
  // What a lane reads from one that does not take part is undefined: it keeps its own value.
  f.get(source).get(lane);
  f.get(source)
    .get(last)
    .op(mode === 'up' ? 'i32.ge_s' : 'i32.le_s');
  f.get(mask).get(source).op('i32.shr_u').i32(1).op('i32.and', 'i32.and', 'select').set(source);
  f.get(to).get(lane).i32(2).op('i32.shl', 'i32.add');
  f.get(from).get(source).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).mem('i32.store', 0);
  f.end();
  f.get(lane).i32(1).op('i32.add').tee(lane).i32(32).op('i32.ne').brIf(depth);
  f.end();
  return f;
}

/** Four lanes at a time and back, if all take part; of `idx` only without segments. */
function emitWholeWarp(
  f: FunctionBuilder,
  mode: ShuffleMode,
  { from, to, own, segment, c, mask }: Readonly<Record<'from' | 'to' | 'own' | 'segment' | 'c' | 'mask', number>>,
): void {
  f.get(mask).i32(-1).op('i32.eq');
  if (mode === 'idx') f.get(segment).op('i32.eqz', 'i32.and');
  f.if();
  const source = f.local('i32');
  const [distance, segments, clamp] = [f.local('v128'), f.local('v128'), f.local('v128')];
  f.get(own).op('i32x4.splat').set(distance);
  f.get(segment).op('i32x4.splat').set(segments);
  f.get(c).i32(31).op('i32.and').get(segment).i32(-1).op('i32.xor', 'i32.and', 'i32x4.splat').set(clamp);
  if (mode === 'up' || mode === 'down') {
    f.get(from)
      .get(own)
      .i32(2)
      .op('i32.shl', mode === 'up' ? 'i32.sub' : 'i32.add')
      .set(source);
  } else if (mode === 'idx') f.get(from).get(own).i32(2).op('i32.shl', 'i32.add').set(source);
  for (let first = 0; first < 32; first += 4) {
    f.get(to);
    switch (mode) {
      case 'bfly':
        f.get(from).i32(first).get(own).i32(28).op('i32.and', 'i32.xor').i32(2).op('i32.shl', 'i32.add').mem('v128.load', 0);
        f.v128([0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c]).get(own).i32(3).op('i32.and').i32(2).op('i32.shl', 'i8x16.splat');
        f.op('v128.xor', 'i8x16.swizzle');
        break;
      case 'idx':
        f.get(source).mem('v128.load32_splat', 0);
        break;
      default:
        f.get(source).mem('v128.load', 4 * first);
    }
    f.get(from).mem('v128.load', 4 * first);
    // Whether the source is none behind, or before, the last lane that each may read.
    const pushLanes = (): void => void f.v128([first, first + 1, first + 2, first + 3]);
    if (mode === 'idx') f.get(distance);
    else {
      pushLanes();
      f.get(distance).op(mode === 'up' ? 'i32x4.sub' : mode === 'down' ? 'i32x4.add' : 'v128.xor');
    }
    pushLanes();
    f.get(segments)
      .op('v128.and')
      .get(clamp)
      .op('v128.or', mode === 'up' ? 'i32x4.ge_s' : 'i32x4.le_s', 'v128.bitselect');
    f.mem('v128.store', 4 * first);
  }
  f.op('return').end();
}

/** (from, to, members, mask): each active lane gets those of the members among them that have its value, all lanes of a value at once. */
export function emitMatch(module: ModuleBuilder, width: 'word' | 'wide'): Callable {
  const f = module.function(`match_${width}`, { parameters: ['i32', 'i32', 'i32', 'i32'], results: [] });
  const [from, to, members, mask] = [0, 1, 2, 3];
  const { word, lanes, shift } = width === 'wide' ? { word: 'i64', lanes: 2, shift: 3 } : { word: 'i32', lanes: 4, shift: 2 };
  const wanted = f.local('v128');
  const rest = f.local('i32');
  const same = f.local('i32');
  const lowest = f.local('i32');
  f.get(mask).set(rest);
  const end = f.depth;
  f.block();
  const again = f.depth;
  f.loop();
  f.get(rest).op('i32.eqz').brIf(end);
  f.get(rest).op('i32.ctz').set(lowest);
  f.get(from).get(lowest).i32(shift).op('i32.shl', 'i32.add').mem(`${word}.load`, 0).op(`${word}x${lanes}.splat`).set(wanted);
  f.i32(0);
  for (let group = 0; group < 32 / lanes; group++) {
    f.get(from).mem('v128.load', 16 * group);
    f.get(wanted).op(`${word}x${lanes}.eq`, `${word}x${lanes}.bitmask`);
    if (group > 0) f.i32(lanes * group).op('i32.shl');
    f.op('i32.or');
  }
  f.get(mask).op('i32.and').set(same);
  f.get(rest).get(same).i32(-1).op('i32.xor', 'i32.and').set(rest);
  forActiveLanes(f, same, 'ascending', (lane) => {
    f.get(to).get(lane).i32(2).op('i32.shl', 'i32.add').get(same).get(members).op('i32.and').mem('i32.store', 0);
  });
  f.br(again);
  f.end();
  f.end();
  return f;
}

export type VoteKind = Extract<Meaning, { kind: 'vote' }>['vote'];

/** (members, to, holding, mask): each active lane gets the vote of those that it names, where `holding` are the lanes whose predicate holds. */
export function emitVoteOfLanes(module: ModuleBuilder, vote: VoteKind): Callable {
  const f = module.function(`vote_${vote}`, { parameters: ['i32', 'i32', 'i32', 'i32'], results: [] });
  const [members, to, holding, mask] = [0, 1, 2, 3];
  const active = f.local('v128');
  const votes = f.local('v128');
  const named = f.local('v128');
  const outcome = f.local('v128');
  f.get(mask).op('i32x4.splat').set(active);
  f.get(holding).op('i32x4.splat').set(votes);
  for (let first = 0; first < 32; first += 4) {
    f.get(members)
      .mem('v128.load', 4 * first)
      .get(active)
      .op('v128.and')
      .tee(named)
      .get(votes)
      .op('v128.and')
      .set(outcome);
    f.get(to);
    const pushNone = (): void => void f.get(outcome).v128([0, 0, 0, 0]).op('i32x4.eq');
    const pushAll = (): void => void f.get(outcome).get(named).op('i32x4.eq');
    if (vote === 'ballot') f.get(outcome);
    else {
      if (vote === 'all') pushAll();
      else pushNone();
      if (vote === 'any') f.op('v128.not');
      if (vote === 'uni') {
        pushAll();
        f.op('v128.or');
      }
      f.v128([1, 1, 1, 1]).op('v128.and');
    }
    f.get(to).mem('v128.load', 4 * first);
    const bits = bitsFrom(first);
    f.get(active)
      .v128(bits)
      .op('v128.and')
      .v128(bits)
      .op('i32x4.eq', 'v128.bitselect')
      .mem('v128.store', 4 * first);
  }
  return f;
}

/** Of four lanes, the bit of each in a mask of lanes. */
function bitsFrom(first: number): [number, number, number, number] {
  return [0, 1, 2, 3].map((lane) => (1 << (first + lane)) | 0) as [number, number, number, number];
}

/** (members, mask): all lanes that the active ones name, each with the word that lies at `members` for it. */
export function emitNamedLanes(module: ModuleBuilder): Callable {
  const f = module.function('named_lanes', { parameters: ['i32', 'i32'], results: ['i32'] });
  const [members, mask] = [0, 1];
  const named = f.local('v128');
  const active = f.local('v128');
  f.get(mask).op('i32x4.splat').set(active);
  for (let first = 0; first < 32; first += 4) {
    f.get(members).mem('v128.load', 4 * first);
    const bits = bitsFrom(first);
    f.get(active).v128(bits).op('v128.and').v128(bits).op('i32x4.eq', 'v128.and');
    if (first > 0) f.get(named).op('v128.or');
    f.set(named);
  }
  for (let lane = 0; lane < 4; lane++) {
    f.get(named).lane('i32x4.extract_lane', lane);
    if (lane > 0) f.op('i32.or');
  }
  return f;
}
