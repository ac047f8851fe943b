/** WebAssembly functions that exchange values between the lanes of a whole warp. */
import type { ShuffleMode } from '../ir/intrinsics/description.ts';
import { type Callable, forActiveLanes } from './helper-parts.ts';
import type { ModuleBuilder } from './wasm-encoder.ts';

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
  if (operand === 'shared') f.get(b).i32(31).op('i32.and').set(own);
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
