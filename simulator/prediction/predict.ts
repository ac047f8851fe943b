/**
 * Predicts what a launch will count, instruction by instruction, from the device code alone: the kernel is walked for the warps of some
 * blocks, of which each stands for all that lie like it in the grid.
 */
import { LOCAL_BASE } from '../ir/address-map.ts';
import type { Parameter } from '../ir/types.ts';
import type { Dim3 } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { byvalOffsets } from '../machine/stack.ts';
import { fit } from './arithmetic.ts';
import { numberIn, type Place, type Surroundings, WarpEvaluator } from './evaluate.ts';
import { anyBlock, type BlockSample, blocksOf, everyBlock } from './samples.ts';
import { Tally } from './tally.ts';
import { constant, NOTHING, perLane, uniform, type Value } from './values.ts';
import { type Budget, TooLong, Walker } from './walk.ts';

/** What is known of an argument: its bytes or its number; that it is the start of an allocation, or at least aligned; or nothing. */
export type ArgumentFacts = { readonly bytes: Uint8Array } | { readonly value: number } | { readonly align: number } | undefined;

export interface LaunchShape {
  readonly kernel: string;
  readonly block: Dim3;
  /** undefined along an axis: not known. */
  readonly grid: readonly [x: number | undefined, y: number | undefined, z: number | undefined];
  readonly args: readonly ArgumentFacts[];
  readonly dynamicSharedBytes?: number;
}

export interface LaunchPrediction {
  /** By function: the kernel, and what it calls. */
  readonly tallies: ReadonlyMap<string, Tally>;
  /** The launch was too long to be walked to its end: what is not there is not known. */
  readonly incomplete: boolean;
  /** Turns of its loops stand in each other, more than there is room for. */
  readonly tooDeep: boolean;
  /** Instructions of warps that were walked. */
  readonly steps: number;
}

/** Instructions of warps that are walked for one launch: half a second or so. */
export const DEFAULT_STEPS = 250_000;

export function predictLaunch(module: LoadedModule, launch: LaunchShape, steps = DEFAULT_STEPS): LaunchPrediction {
  // Where an index meets a bound that is not known, it must be any block's.
  const isOpen = module.ir.functions
    .get(launch.kernel)
    ?.parameters.some(({ type }, index) => type.kind === 'int' && !isNumber(launch.args[index]));
  const blocks = isOpen ? anyBlock(launch.grid) : blocksOf(launch.grid);
  const sampled = predictBlocks(module, launch, blocks, steps);
  if (sampled.incomplete || ![...sampled.tallies.values()].some((tally) => tally.isUneven)) return sampled;
  // Where blocks that stand for others do not agree, all are walked, if that takes no longer.
  const all = everyBlock(launch.grid);
  if (!all || (sampled.steps / blocks.length) * all.length > steps) return sampled;
  const whole = predictBlocks(module, launch, all, steps);
  return whole.incomplete ? sampled : whole;
}

function isNumber(facts: ArgumentFacts): boolean {
  return facts !== undefined && ('bytes' in facts || 'value' in facts);
}

function predictBlocks(module: LoadedModule, launch: LaunchShape, blocks: readonly BlockSample[], steps: number): LaunchPrediction {
  const tallies = new Map<string, Tally>();
  const tallyOf = (name: string): Tally => {
    const known = tallies.get(name) ?? new Tally();
    tallies.set(name, known);
    return known;
  };
  const budget: Budget = { steps };
  const warps = warpsOf(launch.block);
  const share = steps / 2 / (blocks.length * warps.length);
  let incomplete = false;
  let tooDeep = false;
  try {
    for (const { index, weight, kind } of blocks) {
      for (const warp of warps) {
        const place = { ...warp.place, block: index, grid: launch.grid };
        walkWarp(module, launch, { place, mask: warp.mask, weight, share, budget, tallyOf });
      }
      for (const tally of tallies.values()) tally.endBlock(kind);
    }
  } catch (error) {
    // Each undecided turn of a loop stands in the one before it.
    tooDeep = error instanceof RangeError && /call stack/i.test(error.message);
    if (!tooDeep && !(error instanceof TooLong)) throw error;
    incomplete = true;
  }
  for (const tally of tallies.values()) tally.end();
  return { tallies, incomplete, tooDeep, steps: steps - budget.steps };
}

interface WarpWalk {
  readonly place: Place;
  readonly mask: number;
  readonly weight: number;
  readonly share: number;
  readonly budget: Budget;
  tallyOf(name: string): Tally;
}

function walkWarp(module: LoadedModule, launch: LaunchShape, { place, mask, weight, share, budget, tallyOf }: WarpWalk): void {
  const fn = module.ir.functions.get(launch.kernel);
  if (!fn) return;
  const { offsets, bytes } = byvalOffsets(fn.parameters);
  const around: Surroundings = {
    module,
    kernel: launch.kernel,
    place,
    reach: { parameterBytes: bytes, ...constantsOf(module) },
    parameterBytes: (offset, size) => bytesAt(fn.parameters, launch.args, offsets, offset, size),
    dynamicSharedBytes: launch.dynamicSharedBytes,
    tallyOf,
  };
  const walker = new Walker(module.ir, budget, weight, share, new WarpEvaluator(around));
  const values: (Value | undefined)[] = new Array(fn.valueCount);
  fn.parameters.forEach((parameter, index) => {
    values[parameter.id] = argumentValue(parameter, launch.args[index], offsets[index]);
  });
  walker.walk(walker.frameOf(launch.kernel, tallyOf(launch.kernel), 0), { values, mask, certain: true, open: false });
}

function argumentValue({ type, byval }: Parameter, facts: ArgumentFacts, offset: number | undefined): Value {
  if (byval) return constant(LOCAL_BASE + offset!);
  if (facts && 'bytes' in facts) return numberIn(facts.bytes, type);
  const held = facts && 'value' in facts ? fit(type, facts.value) : undefined;
  if (held !== undefined) return constant(held);
  if (type.kind === 'int' || type.kind === 'ptr' || type.kind === 'float') {
    return uniform('argument', facts && 'align' in facts ? facts.align : 1);
  }
  return NOTHING;
}

/** Part of a structure that the launch passes by value. */
function bytesAt(
  parameters: readonly Parameter[],
  args: readonly ArgumentFacts[],
  offsets: readonly (number | undefined)[],
  offset: number,
  size: number,
): Uint8Array | undefined {
  for (let index = 0; index < parameters.length; index++) {
    const start = offsets[index];
    const facts = args[index];
    if (start === undefined || offset < start || !facts || !('bytes' in facts) || offset + size > start + facts.bytes.length) continue;
    return facts.bytes.subarray(offset - start, offset - start + size);
  }
  return undefined;
}

type Constants = Pick<Surroundings['reach'], 'isConstant' | 'hasConstants'>;

const constants = new WeakMap<LoadedModule, Constants>();

function constantsOf(module: LoadedModule): Constants {
  let known = constants.get(module);
  if (!known) {
    const ranges = [...module.ir.globals.values()]
      .filter(({ space }) => space === 4)
      .map(({ name, sizeBytes }) => [module.addresses.get(name)!, module.addresses.get(name)! + sizeBytes] as const);
    known = { hasConstants: ranges.length > 0, isConstant: (address) => ranges.some(([start, end]) => address >= start && address < end) };
    constants.set(module, known);
  }
  return known;
}

interface WarpShape {
  readonly mask: number;
  readonly place: Omit<Place, 'block' | 'grid'>;
}

function warpsOf(blockSize: Dim3): readonly WarpShape[] {
  const [x, y, z] = blockSize;
  const threads = x * y * z;
  const warps = Math.ceil(threads / 32);
  return Array.from({ length: warps }, (_, warp) => {
    const thread = [
      perLane((lane) => (warp * 32 + lane) % x),
      perLane((lane) => Math.floor((warp * 32 + lane) / x) % y),
      perLane((lane) => Math.floor((warp * 32 + lane) / (x * y))),
    ];
    const lanes = Math.min(32, threads - warp * 32);
    return { mask: lanes === 32 ? -1 : (1 << lanes) - 1, place: { blockSize, warp, warps, thread } };
  });
}
