/**
 * Neighbouring threads that load the same words: each load after the first is served by L1, but it still costs a request. A tile in
 * shared memory loads every word once per block.
 */
import type { Wording } from '../../protocol/finding.ts';
import { kept } from '../kept.ts';
import type { AccessFacts, VariantFacts } from '../model/facts.ts';
import type { FileFacts } from '../model/file-facts.ts';
import { allEqual } from '../model/rows.ts';
import { assumedBlock, defineRule, isForComparison, isOneOff, type Report } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** Fewer overlapping loads are not worth a tile and two barriers. */
const MIN_LOADS = 5;

export const repeatedGlobalLoad = defineRule({
  id: 'repeated-global-load',
  summary: 'Neighbouring threads load the same global words, which a shared tile would load once',
  category: 'memory',
  costs: true,
  severity: 'hint',
  messages: {
    overlapping:
      'each thread loads {count} neighbouring words of `{name}`, so its block requests every word about {count} times; load a tile with its halo into shared memory once and read from there',
    products:
      'each element of `{row}` is loaded {rowTimes} times by the block{assumed}, and each of `{column}` {columnTimes} times, straight from global memory; load a tile of both into shared memory, synchronise, and each is loaded once',
    row: 'each element of `{row}` is loaded {rowTimes} times by the block{assumed}, and each of `{column}` by the blocks of all other rows, straight from global memory; give a block a tile of several rows and columns, and load the tiles of both into shared memory once',
  },
  around: (kernel, file) => ({
    // What results are compared with, and what begins, is run once.
    isAside: isOneOff(kernel, file) || comparesResults(kernel) || callsLibrary(file),
  }),
  *detect(kernel, _settings, { isAside }) {
    if (isAside) return;
    yield* inProducts(kernel);
    // One stencil reads several arrays, and in several places.
    const timesLoaded = ([{ object }]: readonly AccessFacts[]) => kernel.accesses.filter((access) => access.object === object).length;
    const [first, ...others] = overlapping(kernel).toSorted((a, b) => timesLoaded(b) - timesLoaded(a));
    if (first) yield ofWords(first);
    for (const loads of others)
      yield { ...ofWords(loads), causes: [first[0].place], short: phrase('wordsHere', { array: loads[0].object.name }) };
  },
});

function ofWords(loads: readonly AccessFacts[]): Report<'overlapping'> {
  const [{ place: at, object }] = loads;
  return { at, message: 'overlapping', data: { count: loads.length, name: object.name }, severity: 'information' };
}

/** Fewer iterations than a tile is wide are not worth one. */
const LEAST_TRIPS = 8;

/** Instructions for two elements beside which two loads that L1 serves are little: a power, a division and a root, and not a product. */
const MOST_WORK = 40;

function* inProducts(kernel: VariantFacts): Iterable<Report<'products' | 'row'>> {
  for (const { loop, operands } of kernel.products) {
    if (loop.trips !== undefined && loop.trips < LEAST_TRIPS) continue;
    if (loop.bodyCost > MOST_WORK) continue;
    const [row, column] = operands;
    yield {
      at: row.access.place,
      message: column.times > 1 ? 'products' : 'row',
      data: {
        row: row.access.object.name,
        rowTimes: times(row.access, row.times, kernel),
        column: column.access.object.name,
        columnTimes: times(column.access, column.times, kernel),
        assumed: assumedBlock(kernel),
      },
      severity: 'information',
      related: [{ at: column.access.place, message: phrase('combinedWith', { text: column.access.text }) }],
      weight: row.times,
    };
  }
}

/** Where one block may have all elements, its guard may let a part of the threads through. */
function times({ control: { branches } }: AccessFacts, count: number, { grid: { x, y, z } }: VariantFacts): number | Wording {
  const isMany = [x, y, z].some((blocks) => blocks !== undefined && blocks > 1);
  return !isMany && branches.some(({ branch }) => branch.splits.kind === 'guard') ? phrase('upTo', { count }) : count;
}

/** Loads of one array at one level of control whose lanes' addresses are those of another load, shifted by less than a warp. */
function overlapping(kernel: VariantFacts): AccessFacts[][] {
  // How wide a halo is beside the block hangs on a shape that nobody knows.
  if (!kernel.blockKnown && kernel.block.y * kernel.block.z > 1) return [];
  const groups = new Map<string, AccessFacts[]>();
  for (const access of kernel.accesses) {
    if (access.kind !== 'load' || access.object.space !== 'global' || access.volatile) continue;
    const key = `${access.object.id} ${access.functionName} ${access.control.loops.length}`;
    const group = groups.get(key);
    if (group) group.push(access);
    else groups.set(key, [access]);
  }
  const found = [...groups.values()]
    .filter((loads) => loads.length >= MIN_LOADS)
    .map((loads) => shifted(loads.filter(differsByLane)))
    .filter((loads) => loads.length >= MIN_LOADS && areShared(loads))
    .map((loads) => ({ loads, tile: tileOf(loads, kernel) }));
  const worth = found.filter(({ tile }) => tile.words * LEAST_SAVED <= tile.loaded);
  const bytes = worth.reduce((sum, { tile }) => sum + tile.bytes, 0);
  return bytes <= STATIC_SHARED_BYTES ? worth.map(({ loads }) => loads) : [];
}

/** What a block's arrays may take without asking for more (CUDA C++ Programming Guide, technical specifications). */
const STATIC_SHARED_BYTES = 48 << 10;

/**
 * A tile holds what the whole kernel loads of the array with its shifts in all directions: with a halo that is wide beside the block it is
 * hardly smaller than all that the threads ask for.
 */
function tileOf([{ object, control, functionName, type }]: readonly AccessFacts[], { accesses }: VariantFacts) {
  const words = new Set<number>();
  // The same again is in a register, or should be.
  const shifts = new Set<number>();
  let loaded = 0;
  for (const access of accesses) {
    if (access.object !== object || access.kind !== 'load' || access.kept || access.functionName !== functionName) continue;
    const offsets = access.control.loops.length === control.loops.length ? access.blockOffsets : undefined;
    if (!offsets || shifts.has(offsets[0])) continue;
    shifts.add(offsets[0]);
    for (const offset of offsets) words.add(offset);
    loaded += offsets.length;
  }
  return { words: words.size, bytes: words.size * (type.size ?? 4), loaded };
}

/** Loads of a word of which a tile leaves one. */
const LEAST_SAVED = 4;

/** By its name, or by its caller's. */
function comparesResults({ name, launches }: VariantFacts): boolean {
  return [name, ...launches.map(({ functionName }) => functionName)].some(isForComparison);
}

/** Where a library's product is at hand, a kernel of one's own is what results are compared with. */
const callsLibrary = kept(({ text }: FileFacts) => LIBRARY.test(text));

const LIBRARY = /\b(?:cublas(?:Lt)?\w*(?:[Gg]emm|Matmul)|cutlass::gemm)\w*\s*(?:<[^;(]*>)?\s*\(/;

/** What all lanes share is one request already. */
function differsByLane({ laneOffsets }: AccessFacts): boolean {
  return laneOffsets !== undefined && !allEqual(laneOffsets);
}

/**
 * Requests ask for each other's words: each word at least half as often as there are loads. Neighbouring words of each lane's own are no
 * overlap, and lanes that share a word ask for it once.
 */
function areShared(loads: readonly AccessFacts[]): boolean {
  const words = loads.flatMap(({ laneOffsets = [] }) => [...new Set(laneOffsets)]);
  return words.length / new Set(words).size >= loads.length / 2;
}

function shifted(loads: readonly AccessFacts[]): AccessFacts[] {
  const first = loads[0]?.laneOffsets ?? [];
  const seen = new Set<number>();
  return loads.filter(({ laneOffsets = [] }) => {
    const shift = (laneOffsets[0] ?? 0) - (first[0] ?? 0);
    // Most loads repeat a shift that was seen: asked first, since lanes are many.
    if (Math.abs(shift) >= 32 || seen.has(shift)) return false;
    if (!laneOffsets.every((offset, lane) => offset - (first[lane] ?? Number.NaN) === shift)) return false;
    seen.add(shift);
    return true;
  });
}
