import type { Wording } from '../../protocol/finding.ts';
import {
  type AccessFacts,
  type AtomicFacts,
  type BranchFacts,
  type ControlFacts,
  excessOf,
  type GlobalPattern,
  type LoopFacts,
  type ObjectFacts,
  type StructureArrayFacts,
  type TypeFacts,
  type VariantFacts,
} from '../model/facts.ts';
import { hasBetterVersion } from '../model/kernel-versions.ts';
import { modulo } from '../model/patterns.ts';
import { LANES } from '../model/rows.ts';
import type { Place } from '../syntax/source.ts';
import type { Parts } from '../wording.ts';
import {
  type Around,
  asMean,
  assumedPlane,
  defineRule,
  isBesideTraffic,
  isForComparison,
  isForUnaligned,
  isOneBlock,
  isOneOff,
  isWithin,
  type Report,
  roundsOf,
} from './define-rule.ts';
import { phrase } from './phrases.ts';

/** A request should not need more sectors than this many times its bytes, which is what the measurements call uncoalesced. */
const TOLERANCE = 1.2;
/** The same of neighbours that begin inside of a sector: misaligned-access tells these. */
const SHIFTED = 1.3;

type Message =
  | 'strided'
  | 'together'
  | 'transposed'
  | 'pieces'
  | 'field'
  | 'vector'
  | 'aligned'
  | 'whole'
  | 'large'
  | 'unaligned'
  | 'opaque'
  | 'scattered'
  | 'sparse'
  | 'stretch'
  | 'list'
  | 'gathered'
  | 'someLoad'
  | 'someStore'
  | 'pitch'
  | 'inside';

/** Lanes of a warp that touch far-apart addresses need one memory sector each. */
export const uncoalescedAccess = defineRule<Message>({
  id: 'uncoalesced-access',
  summary: 'Global memory access that moves more sectors than its bytes fill',
  category: 'memory',
  costs: true,
  severity: 'warning',
  messages: {
    strided:
      'lanes of a warp are {bytes} bytes apart: {sectors} sectors per request instead of {ideal}{assumed}; let neighbouring threads access neighbouring elements',
    transposed:
      'lanes of a warp are {bytes} bytes apart, where those of `{other}` are side by side (a transposition): {sectors} sectors per request instead of {ideal}{assumed}; go through a tile in shared memory, so that both are side by side',
    together:
      'each thread moves its own {bytes} consecutive bytes in pieces of {size}: {sectors} sectors per request instead of {ideal}{assumed}; move them at once, as one value that is aligned to its size (`{vector}`)',
    pieces:
      'neighbouring lanes touch neighbouring elements, but in pieces that begin or end inside sectors: {sectors} sectors per request instead of {ideal}{assumed}; longer pieces{wide} that begin at multiples of 32 bytes waste less',
    field:
      'lanes of a warp are {bytes} bytes apart to access field `{field}` of `{structure}`: {sectors} sectors per request instead of {ideal}{assumed}; store each field in its own array (structure of arrays)',
    vector:
      'lanes of a warp are {bytes} bytes apart to access field `{field}` of `{structure}`: {sectors} sectors per request instead of {ideal}{assumed}; load and store the whole `{structure}` (`{structure} v = a[i];`), one request for all its fields',
    aligned:
      'each thread moves its `{structure}` of {bytes} bytes field by field: {sectors} sectors per request instead of {ideal}{assumed}; align the structure to its size (`alignas({bytes})`) and move it whole, one request for all its fields',
    whole:
      '`{structure}` has {bytes} bytes and moves in pieces: {sectors} sectors per request instead of {ideal}{assumed}; use a type of 4, 8 or 16 bytes that is aligned to its size (`uchar4`, `float4`, `__align__(16)`) and moves at once, or store each field in its own array',
    large:
      '`{structure}` has {bytes} bytes and moves in pieces: {sectors} sectors per request instead of {ideal}{assumed}; store each field in its own array (structure of arrays)',
    unaligned:
      '`{structure}` has {bytes} bytes and moves in pieces of {size}: {sectors} sectors per request instead of {ideal}{assumed}; align it to {align} bytes (`alignas({align})`), which moves {align} at once, or store each field in its own array',
    opaque:
      'each lane moves a `{structure}` of its own, too large for one instruction: {sectors} sectors per request instead of {ideal}{assumed}, which L1 keeps for the next pieces; load it once, work with the copy for as long as possible, and store it once',
    scattered:
      'the lanes of a warp touch {sectors} sectors per request instead of {ideal}{assumed}; let neighbouring threads access neighbouring elements',
    sparse:
      'lanes that take part here are side by side, but others between them do not: {sectors} sectors per request instead of {ideal}{assumed}; where those move theirs on the other side of the branch, choose the value first and let all lanes move it at once',
    stretch:
      'each thread goes through a stretch of `{array}` of its own, which begins where loaded data says: up to {lanes} sectors per request instead of {ideal}; let several lanes go through one stretch together, a whole warp where most are that long (`k = start + lane; k < end; k += lanes`)',
    list: 'each thread works through a list of its own in `{array}`, which begins where loaded data says: up to {lanes} sectors per request instead of {ideal}; interleave the lists (element k of all threads side by side) so that neighbouring threads access neighbouring elements',
    gathered:
      'loaded data says where each lane goes in `{array}`: up to {lanes} sectors per request, where neighbouring elements take {ideal}; run the program to see how many, and order the data so that neighbouring threads meet neighbouring elements',
    someLoad:
      'loaded values decide in `{condition}` which lanes read `{array}`: a sector moves whole even for one lane; read before the branch where most lanes need it, or order the data so that neighbours agree',
    someStore:
      'loaded values decide in `{condition}` which lanes write `{array}`: a sector moves whole even for one lane; where most lanes write and each element is one thread’s own, let all of them (`a[i] = c ? x : old`), or order the data so that neighbours agree',
    pitch:
      'neighbouring lanes touch neighbouring elements, but most rows begin in the middle of a sector: {sectors} sectors per request instead of {ideal}{assumed}; pad the rows to a multiple of 32 bytes (`cudaMallocPitch`)',
    inside:
      'neighbouring lanes touch neighbouring elements, but the first of them begins in the middle of a sector: {sectors} sectors per request instead of {ideal}{assumed}; L1 has the rest of those sectors only where other requests need it soon',
  },
  around: (kernel, file) => ({
    isOnce: isOneOff(kernel, file),
    isForOneBlock: isOneBlock(kernel, file),
    hasBetter: kernel.accesses.some(wastes) && hasBetterVersion(kernel, file, 'global', wastes),
    hasPlanes: file.launches.some(({ kernelName, block: { y = 1 } }) => kernelName !== kernel.name && y > 1),
  }),
  *detect(kernel, _settings, around) {
    const found = [...apart(kernel, around)];
    const mains = mainOf(found, ({ layout }) => layout);
    for (const each of found) {
      const main = mains.get(each.layout)!;
      const own = each.report.causes ?? [];
      yield { ...each.report, causes: main === each ? [...own, ...splitting(each.access)] : [...own, main.report.at] };
    }
    yield* gathers(kernel);
    yield* chosenByData(kernel);
  },
});

/** What is said of an access, and the name of the layout that is its cause. */
interface Found {
  readonly access: AccessFacts;
  readonly layout: string;
  readonly report: Report<Message>;
}

/** By cause what all of it is told with: the first of its warnings, or else the first. */
function mainOf<T extends { readonly report: Report<Message> }, K>(found: readonly T[], causeOf: (each: T) => K): ReadonlyMap<K, T> {
  const mains = new Map<K, T>();
  const isWarning = ({ report: { severity } }: T) => severity === undefined || severity === 'warning';
  for (const each of found) {
    const main = mains.get(causeOf(each));
    if (!main || (isWarning(each) && !isWarning(main))) mains.set(causeOf(each), each);
  }
  return mains;
}

/** Lanes that go to places of which the distance is known. */
function* apart(kernel: VariantFacts, around: Around): Iterable<Found> {
  const arrays = new Map(kernel.structureArrays.flatMap((array) => array.accesses.map((access) => [access, array] as const)));
  const isAside = around.isOnce || around.hasBetter || isForComparison(kernel.name);
  for (const access of requestsOf(kernel)) {
    const pattern = access.global;
    if (!pattern || pattern.gathered || pattern.activeLanes < LEAST_LANES) continue;
    if (pattern.sectors <= pattern.idealSectors * TOLERANCE || access.kept || isForUnaligned(access.control)) continue;
    if (isOfTwoSectors(pattern)) yield insideSector(access, pattern);
    if (pattern.sectors < pattern.idealSectors + 1) continue;
    // Neighbours are side by side already, and the sector that they share with the next warp is in L1.
    if (pattern.shape === 'misaligned' && (pattern.idealSectors <= 1 || pattern.sectors <= pattern.idealSectors * SHIFTED)) continue;
    const array = arrays.get(access);
    if (array && isPutTogether(array, kernel)) continue;
    const report = array ? ofStructure(access, pattern, array) : ofElements(access, pattern, kernel);
    const isSmall =
      isAside ||
      (around.isForOneBlock && access.control.loops.length === 0) ||
      (report.message === 'scattered' && isUsedByNextRounds(access, { ...pattern, strideBytes: laneStride(access) })) ||
      ((report.message === 'strided' || report.message === 'transposed') &&
        (isUsedByNextRounds(access, pattern) || (around.hasPlanes && isBorder(access, pattern, kernel)))) ||
      costsLittle(access, pattern, kernel) ||
      isFineOtherwise(access);
    const usual = access.control.choosesOneBlock && report.severity !== 'hint' ? 'information' : report.severity;
    const severity = isSmall ? 'hint' : usual;
    const data = { ...report.data, ...inOtherShape(access, kernel, report) };
    const subject = report.subject ?? saidOnce(report);
    const said = asMean({ ...report, data, severity, subject }, { isSampled: true });
    yield { access, layout: layoutOf(access, pattern, array), report: said };
  }
}

/** A warp's bytes, which would be one sector and mostly lie in two: from the next row or pixel on. */
function isOfTwoSectors({ shape, sectors, idealSectors, activeLanes }: GlobalPattern): boolean {
  return shape === 'misaligned' && idealSectors === 1 && sectors >= MOSTLY_TWO && activeLanes === LANES;
}

const MOSTLY_TWO = 1.5;

function insideSector(access: AccessFacts, { sectors, idealSectors: ideal }: GlobalPattern): Found {
  const data = { sectors, ideal, assumed: '' };
  const short = phrase('sectorsInstead', { sectors, ideal });
  // What misaligned-access says of the same place, by its text.
  const causes = [access.place];
  const report: Report<Message> = { at: access.place, message: 'inside', data, short, severity: 'hint', weight: sectors, causes };
  return { access, layout: `${access.object.id} inside`, report: asMean(report, { isSampled: true }) };
}

/** The same distance with the same numbers is one finding in a file, whatever lies in between. */
function saidOnce({ message, data = {} }: Report<Message>): string | undefined {
  const parts = [data.bytes, data.size, data.sectors, data.ideal].map((part) => JSON.stringify(part));
  return REPEATED.has(message) ? [message, ...parts].join(' ') : undefined;
}

const REPEATED: ReadonlySet<Message> = new Set(['strided', 'together', 'transposed', 'scattered']);

/** Atomics of which the distance between lanes is known move sectors as stores do. */
function requestsOf({ accesses, atomics }: VariantFacts): readonly AccessFacts[] {
  const apart = atomics.flatMap(({ request }) => (request.global?.strideBytes === undefined ? [] : [request]));
  return apart.length > 0 ? [...accesses, ...apart].sort((a, b) => a.order - b.order) : accesses;
}

/** Of one layout there is one finding: of an array of structures, or of an array whose lanes are equally far apart wherever it is touched. */
function layoutOf({ object }: AccessFacts, pattern: GlobalPattern, array: StructureArrayFacts | undefined): string {
  if (array) return `${object.id} ${array.structure.name}`;
  return `${object.id} ${pattern.shape} ${pattern.strideBytes ?? pattern.strideText} ${pattern.sectors}`;
}

/** What another usual shape of the block makes of it, where the shape is assumed. */
function isFineOtherwise({ otherwise }: AccessFacts): boolean {
  return otherwise !== undefined && otherwise.sectors <= otherwise.idealSectors * TOLERANCE;
}

/** Where it begins is loaded, the same for all lanes: what its place in a sector is, nobody knows. */
function assumedStart({ offset, global }: AccessFacts): Wording | '' {
  return offset.fromMemory && !global!.gathered ? phrase('assumedStart') : '';
}

/** At the ends of rows and of the data a warp has fewer lanes, which need less. */
function unlessLeftOut({ control }: AccessFacts): Wording | '' {
  const { branches } = control;
  // A condition of the thread's place that the first warps agree about parts those at the ends.
  const isOfThreads = branches.some(({ branch: { condition } }) => condition.uniformity === 'lane' || condition.uniformity === 'warp');
  return isOfThreads ? phrase('withAllLanes') : '';
}

/** Numbers of both shapes, where they differ. */
function inOtherShape(access: AccessFacts, kernel: VariantFacts, { data }: Report<Message>): Parts {
  const { global, otherwise } = access;
  // The least is that of the best start.
  if (!otherwise) return { assumed: assumedPlane(kernel) || (isLeast(data?.sectors) ? unlessLeftOut(access) : assumedStart(access)) };
  const both = (a: number, b: number) => (a === b ? a : phrase('fromTo', { least: Math.min(a, b), most: Math.max(a, b) }));
  return {
    sectors: both(global!.sectors, otherwise.sectors),
    ideal: both(global!.idealSectors, otherwise.idealSectors),
    assumed: phrase('assumedBlocks', { size: `${kernel.block.x} × ${kernel.block.y * kernel.block.z}`, other: '16 × 16' }),
  };
}

/** Beside all that the kernel does, next to the ideal, or found in L1 by the loads of the thread's other elements. */
function costsLittle(access: AccessFacts, pattern: GlobalPattern, kernel: VariantFacts): boolean {
  const { sectors, idealSectors, shape } = pattern;
  if (sectors <= FEW_SECTORS || (pattern.activeLanes <= FEW_LANES && shape !== 'strided') || isForFewThreads(access)) return true;
  if (isBesideTraffic(kernel, access.control.loops, sectors / idealSectors) || isBesideArithmetic(access, pattern, kernel)) return true;
  if (isMostlyUsed(access, kernel) || isWholeRow(shape, kernel)) return true;
  const isWidest = (access.type.size ?? 0) >= WIDEST_BYTES;
  const loud = shape === 'pieces' ? LOUD_PIECES : isWidest ? LOUD_VECTORS : LOUD;
  return (shape !== 'strided' || isWidest) && sectors <= loud * idealSectors;
}

/** Once, for a small part of the block: a table that all of it uses, or the rim of a tile. */
function isForFewThreads({ control: { branches, loops } }: AccessFacts): boolean {
  if (loops.length > 0) return false;
  return branches.some(({ branch: { splits }, side }) => {
    const level = splits.levels?.[0];
    const takers = side === 'then' ? level?.passing : level?.others;
    return takers !== undefined && level!.ofBlock > 1 && takers.threads * FEW_OF_BLOCK <= level!.ofBlock * LANES;
  });
}

/** One thread in so many. */
const FEW_OF_BLOCK = 8;

/** What one lane moves is there for all that ask for the same. */
export function leastSectors(ideal: number, access: AccessFacts | undefined): number {
  const { laneOffsets, type } = access ?? {};
  if (!laneOffsets || ideal < 2) return ideal;
  return Math.min(ideal, Math.max(1, Math.ceil((new Set(laneOffsets).size * (type!.size ?? 4)) / SECTOR_BYTES)));
}

function isLeast(part: Parts[string]): boolean {
  return typeof part === 'object' && (part as Wording).id === 'atLeast';
}

/** A whole number, unless that is no more than the ideal. */
export function atLeast(sectors: number, ideal: number): Wording {
  const whole = Math.floor(sectors);
  return phrase('atLeast', { count: whole > ideal ? whole : sectors });
}

/** The shape of the blocks is the cause, of each array that they go through. */
export function ofBlocks(sectors: number | Wording, ideal: number) {
  return { message: 'pieces', subject: 'pieces', short: phrase('sectorsInstead', { sectors, ideal }) } as const;
}

/** What makes the pieces longer where a warp is several rows of its block. */
export function widerBlocks({ block }: VariantFacts): Wording | '' {
  return block.x < LANES ? phrase('widerBlocks') : '';
}

/** Not worth a thought, however few would do. */
const FEW_SECTORS = 2;

/** The rim of a tile, or the face of a cube. */
const FEW_LANES = 8;

/** What one instruction moves at most: half a sector. */
const WIDEST_BYTES = 16;

/**
 * An iteration of so many instructions takes several times as long as the sectors in excess, or all of those of another loop do, which the
 * same thread runs and which wastes none itself.
 */
function isBesideArithmetic(access: AccessFacts, { sectors, idealSectors }: GlobalPattern, kernel: VariantFacts): boolean {
  const { loops } = access.control;
  const excess = sectors - idealSectors;
  if ((loops.at(-1)?.bodyCost ?? 0) > INSTRUCTIONS_PER_SECTOR * excess) return true;
  const most = INSTRUCTIONS_ELSEWHERE * excess * roundsOf(loops);
  const isWasting = (loop: LoopFacts) => kernel.accesses.some((other) => other.control.loops.includes(loop) && wastes(other));
  return kernel.loops.some(
    (loop) =>
      !loops.includes(loop) &&
      loop.bodyCost * roundsOf([...loop.control.loops, loop]) > most &&
      isRunBeside(access, loop) &&
      !isWasting(loop),
  );
}

function wastes({ global: pattern, kept }: AccessFacts): boolean {
  return pattern !== undefined && !kept && pattern.sectors > pattern.idealSectors * TOLERANCE;
}

/** Not on the other side of a branch, nor behind one that returns on the way from the access. */
function isRunBeside({ control }: AccessFacts, loop: LoopFacts): boolean {
  return control.branches.every(({ branch, side }) => {
    const step = loop.control.branches.find((other) => other.branch === branch);
    if (step) return step.side === side;
    return loop.order < branch.order || (side === 'then' ? branch.leaves : branch.otherLeaves) === undefined;
  });
}

const INSTRUCTIONS_PER_SECTOR = 32;
/** An H200 issues 4 in the two sectors that L2 has for a multiprocessor per cycle (64 bytes): four times as many take most of the time. */
const INSTRUCTIONS_ELSEWHERE = 8;

/** Times the ideal. */
export const LOUD = 1.9;
/** The same of vectors, of which a sector holds two: the other one is often the thread's next. */
const LOUD_VECTORS = 2.1;
/** The same of what another shape of the block mends. */
const LOUD_PIECES = 1.35;

/** Three bytes of a pixel, or coordinates of a point, all of which the thread moves: no vector type has their size, or none may begin where they do. */
function isMostlyUsed(access: AccessFacts, kernel: VariantFacts): boolean {
  const used = ownBytes(access, kernel);
  if (used === undefined || used.bytes < 0.75 * used.stride) return false;
  return (used.stride & (used.stride - 1)) !== 0 || !beginsAligned(access, kernel, used.stride);
}

/** One or two columns of a matrix, by a thread for each row, where other kernels go through planes: a small part of it. */
function isBorder({ object }: AccessFacts, { strideText }: GlobalPattern, { accesses, loops, block, grid }: VariantFacts): boolean {
  if (strideText === undefined || loops.length > 0 || block.y * block.z > 1 || grid.y !== 1 || grid.z !== 1) return false;
  return accesses.filter((other) => other.object === object).length <= 2;
}

/** A window that a loop moves over the gaps: what is left of a sector is for the next rounds, and L1 has it until then. */
function isUsedByNextRounds({ moves }: AccessFacts, { strideBytes, sectors }: GlobalPattern): boolean {
  if (strideBytes === undefined || sectors > LANES / 2) return false;
  const stride = Math.abs(strideBytes);
  return moves.some(({ bytes, trips }) => Math.abs(bytes) > 0 && Math.abs(bytes) < stride && (trips ?? stride) * Math.abs(bytes) >= stride);
}

/** Of neighbouring elements, all of which a thread moves by themselves: the bytes of the vector that they could be. */
function vectorOf(access: AccessFacts, kernel: VariantFacts): number | undefined {
  const used = ownBytes(access, kernel);
  if (!used || (used.stride & (used.stride - 1)) !== 0 || used.bytes !== used.stride) return undefined;
  return beginsAligned(access, kernel, used.stride) ? used.stride : undefined;
}

/** The same where lanes are not equally far apart, as in rows of threads, if nothing of the sectors is left then. */
function vectorApart(access: AccessFacts, kernel: VariantFacts): number | undefined {
  const { type, field, laneOffsets } = access;
  const size = type.size ?? 4;
  if (field || (type.kind === 'struct' && !type.vector) || !laneOffsets || new Set(laneOffsets).size < LANES) return undefined;
  for (let bytes = WIDEST_BYTES; bytes > size; bytes /= 2) if (isPieceOf(access, bytes, kernel)) return bytes;
  return undefined;
}

/** Each lane has so many bytes of its own, all of which it moves. */
function isPieceOf(access: AccessFacts, bytes: number, { accesses }: VariantFacts): boolean {
  const { object, kind, type, control } = access;
  const size = type.size ?? 4;
  const places = access.laneOffsets!.map((offset) => offset * size);
  const within = modulo(places[0], bytes);
  const sectors = new Set(places.map((at) => Math.floor(at / SECTOR_BYTES)));
  if (sectors.size * SECTOR_BYTES !== LANES * bytes) return false;
  const parts = new Map<number, AccessFacts>();
  for (const other of accesses) {
    const { laneOffsets } = other;
    if (other.object !== object || other.kind !== kind || other.type.size !== size || other.field || !laneOffsets) continue;
    if (!goTogether(access, other)) continue;
    const apart = laneOffsets[0] * size - places[0];
    const isBeside = within + apart >= 0 && within + apart < bytes && other.control.loops.at(-1) === control.loops.at(-1);
    if (isBeside && places.every((at, lane) => laneOffsets[lane] * size - at === apart)) parts.set(within + apart, other);
  }
  return parts.size * size === bytes && parts.get(0)!.alignBytes >= bytes;
}

/** Every other lane, or fewer, of a row in which the lanes would be side by side; those in between do the same on the other side of the branch. */
function isSparse({ laneOffsets, object, kind, control }: AccessFacts, { accesses }: VariantFacts): boolean {
  if (!laneOffsets?.every((offset, lane) => offset === laneOffsets[0] + lane)) return false;
  const steps = control.branches.filter(({ branch }) => branch.splits.kind === 'lanes');
  const isOtherSide = ({ control: { branches } }: AccessFacts) =>
    steps.some(({ branch, side }) => branches.some((other) => other.branch === branch && other.side !== side));
  return accesses.some((other) => other.object === object && other.kind === kind && isOtherSide(other));
}

/**
 * `out[x * height + y] = in[y * width + x]`: with x and y of the thread exchanged, this one would be side by side, and the other one apart. In
 * a block of several rows both can be, through shared memory.
 */
function transposedWith(access: AccessFacts, { accesses, block }: VariantFacts): AccessFacts | undefined {
  if (block.y < LEAST_TILE || block.x < LEAST_TILE || !isSideBySide(access, block.x)) return undefined;
  const { control, type } = access;
  return accesses.find(
    (other) =>
      other !== access &&
      other.object.space === 'global' &&
      other.type.size === type.size &&
      other.control.loops.at(-1) === control.loops.at(-1) &&
      other.text !== access.text &&
      isSideBySide(other, 1) &&
      isApart(other, block.x),
  );
}

const LEAST_TILE = 4;

/** Threads that are so many apart in the block have neighbouring elements. */
function isSideBySide({ blockOffsets: offsets }: AccessFacts, threads: number): boolean {
  return offsets !== undefined && offsets[threads] - offsets[0] === 1 && offsets[2 * threads] - offsets[threads] === 1;
}

function isApart({ blockOffsets: offsets }: AccessFacts, threads: number): boolean {
  return Math.abs(offsets![threads] - offsets![0]) >= 2 * threads || Math.abs(offsets![threads] - offsets![0]) > LANES;
}

/** CUDA's vector of so many bytes of elements, or a word of as many where there is none. */
export function vectorType(element: TypeFacts | undefined, bytes: number): string {
  const base = VECTOR_BASES.get(element?.name ?? '');
  const count = bytes / (element?.size ?? 4);
  return base && (count === 2 || count === 4) ? `${base}${count}` : (WORDS[bytes] ?? 'int4');
}

const VECTOR_BASES: ReadonlyMap<string, string> = new Map([
  ...['char', 'short', 'int', 'long', 'float', 'double'].map((name) => [name, name] as const),
  ...['char', 'short', 'int', 'long'].map((name) => [`unsigned ${name}`, `u${name}`] as const),
  ['long long', 'longlong'],
  ['unsigned long long', 'ulonglong'],
]);

const WORDS: Readonly<Record<number, string>> = { 2: 'short', 4: 'int', 8: 'int2', 16: 'int4' };

/** Not of `a[2 * t + phase]` and the element behind it, where phase may be odd. */
function beginsAligned({ object, kind }: AccessFacts, { accesses }: VariantFacts, stride: number): boolean {
  const own = accesses.filter((other) => other.object === object && other.kind === kind && laneStride(other) === stride);
  const first = own.reduce((lowest, other) => (other.laneOffsets![0] < lowest.laneOffsets![0] ? other : lowest));
  return first.alignBytes >= stride;
}

/** A thread does both, or neither: not one of them on each side of a branch. What only a condition lets through cannot be stored with the rest. */
function goTogether({ kind, control: { branches } }: AccessFacts, { control: { branches: others } }: AccessFacts): boolean {
  if (branches.some(({ branch, side }) => others.some((other) => other.branch === branch && other.side !== side))) return false;
  if (kind === 'load') return true;
  const isAmong = (step: BranchStep, steps: readonly BranchStep[]) =>
    step.branch.splits.kind === 'guard' ||
    steps.some(({ branch, side }) => side === step.side && branch.condition.text === step.branch.condition.text);
  return branches.every((step) => isAmong(step, others)) && others.every((step) => isAmong(step, branches));
}

type BranchStep = AccessFacts['control']['branches'][number];

/** Bytes from lane to lane, at most those of a vector, and how many of them the thread loads, or stores. */
function ownBytes(access: AccessFacts, { accesses }: VariantFacts): { readonly stride: number; readonly bytes: number } | undefined {
  const { kind, object, type, field } = access;
  if (field || type.kind === 'struct') return undefined;
  const stride = laneStride(access);
  const size = type.size ?? 4;
  if (stride <= size || stride > 16) return undefined;
  const used = new Set<number>();
  for (const other of accesses) {
    if (other.object !== object || other.kind !== kind || laneStride(other) !== stride || !goTogether(access, other)) continue;
    for (const at of withinLoops(other, stride)) used.add(((at % stride) + stride) % stride);
  }
  return { stride, bytes: used.size * size };
}

/** Where a lane goes in the loops that step within the stride, and whose iterations are counted. */
function withinLoops({ laneOffsets, type, moves }: AccessFacts, stride: number): readonly number[] {
  let places = [laneOffsets![0] * (type.size ?? 4)];
  for (const { bytes, trips } of moves) {
    if (trips === undefined || trips > WIDEST_BYTES || bytes % stride === 0) continue;
    places = places.flatMap((at) => Array.from({ length: trips }, (_, k) => at + k * bytes));
  }
  return places;
}

/** Bytes from the first lane to the second. */
function laneStride({ laneOffsets, type }: AccessFacts): number {
  return laneOffsets ? (laneOffsets[1] - laneOffsets[0]) * (type.size ?? 4) : 0;
}

/** Rows of a single block: none that is wider would find more of the row. */
function isWholeRow(shape: GlobalPattern['shape'], { launches, grid, block }: VariantFacts): boolean {
  return shape === 'pieces' && launches.length > 0 && grid.x === 1 && block.x < LANES;
}

/** Neighbouring elements, but of those lanes alone that a comparison of loaded values lets through. */
function* chosenByData({ accesses }: VariantFacts): Iterable<Report<Message>> {
  const firsts = new Map<BranchFacts, Place>();
  for (const access of accesses) {
    const { global: pattern, object, place: at, control, kind } = access;
    if (!pattern || pattern.gathered || pattern.activeLanes < LEAST_LANES || pattern.shape === 'broadcast' || access.kept) continue;
    if (pattern.sectors > pattern.idealSectors * TOLERANCE) continue;
    // A warp's bytes of one sector waste none.
    if (pattern.idealSectors <= 1) continue;
    const decider = control.branches.map(({ branch }) => branch).find(isChoice);
    if (!decider || isStoredAnyway(access, decider, accesses)) continue;
    const first = firsts.get(decider) ?? at;
    firsts.set(decider, first);
    yield {
      at,
      message: kind === 'load' ? 'someLoad' : 'someStore',
      data: { array: object.name, condition: decider.condition.text },
      severity: 'hint',
      causes: first === at ? [decider.headPlace] : [decider.headPlace, first],
      short: phrase('sectorsHere', { array: object.name }),
    };
  }
}

/**
 * On another way the thread stores to the same element, too: compilers make one store of both, of the value that was chosen
 * (`a[i] = x; if (c) a[i] = y;`).
 */
function isStoredAnyway({ kind, object, text, control }: AccessFacts, decider: BranchFacts, accesses: readonly AccessFacts[]): boolean {
  const loop = control.loops.at(-1);
  return (
    kind === 'store' &&
    accesses.some((other) => {
      if (other.kind !== 'store' || other.object !== object || other.text !== text || other.control.loops.at(-1) !== loop) return false;
      return other.control.branches.every(({ branch }) => branch !== decider);
    })
  );
}

/** One that sends some lanes this way and some the other, who come together again. */
function isChoice({ kind, splits, comparesData, exceptional, leaves, otherLeaves }: BranchFacts): boolean {
  return kind === 'if' && comparesData && splits.kind === 'data' && !exceptional && leaves === undefined && otherLeaves === undefined;
}

/** Conditions that let every other lane through, or fewer: a request for those that are left wastes what the others would use. */
function splitting({ control }: AccessFacts): readonly Place[] {
  return control.branches.flatMap(({ branch }) => (branch.splits.kind === 'lanes' ? [branch.condition.place, branch.headPlace] : []));
}

function ofStructure(access: AccessFacts, pattern: GlobalPattern, array: StructureArrayFacts): Report<Message> {
  const { place, field, kind } = access;
  const { structure, mostlyUsed } = array;
  const { sectors, idealSectors: ideal } = pattern;
  return {
    at: place,
    message: !field ? wholeMessage(structure) : movesAtOnce(array) ? 'vector' : isWord(array) ? 'aligned' : 'field',
    subject: `structure ${structure.name}`,
    short: field && phrase('fieldHere', { name: field.name }),
    data: { bytes: structure.size, ...piecesOf(structure), sectors, ideal, structure: structure.name, field: field?.name },
    // What this request fetches too much, those for the other fields find in L1. Stores go on to L2, each by itself.
    severity:
      !mostlyUsed || kind === 'store'
        ? undefined
        : isMild(access, array)
          ? 'hint'
          : sectors < MANY_TIMES * ideal
            ? 'information'
            : undefined,
    weight: excessOf(access),
  };
}

/** `uchar3`: a warp's structures are three sectors or four, whichever field it asks for first. */
const PIXEL_BYTES = 3;

/** Times the ideal: L1 has what the other fields need, but takes as many cycles for each request. */
const MANY_TIMES = 3;

function isMild(access: AccessFacts, array: StructureArrayFacts): boolean {
  return isWholeSector(access, array) || array.structure.size === PIXEL_BYTES;
}

/** `double4`, all of whose fields the thread loads: a sector of its own, of which all is used. */
function isWholeSector({ field }: AccessFacts, { structure, usedBytes }: StructureArrayFacts): boolean {
  return field !== undefined && structure.size === SECTOR_BYTES && usedBytes === SECTOR_BYTES;
}

function isMovedAtOnce(bytes: number): boolean {
  return bytes <= WIDEST_BYTES && (bytes & (bytes - 1)) === 0;
}

/** CUDA's vectors of two and four are aligned to their size: several fields are one load where the source moves the whole vector. */
/**
 * All fields of a structure that is aligned to its size, one after the other: the compiler makes one instruction of them, unless a store in
 * between may go there.
 */
function isPutTogether({ object, structure, accesses }: StructureArrayFacts, kernel: VariantFacts): boolean {
  const { size = 0, align } = structure;
  if (align < size || size > WIDEST_BYTES) return false;
  const [first] = accesses;
  const isOne = (kind: AccessFacts['kind']) => {
    const own = accesses.filter((access) => access.kind === kind);
    const bytes = new Set(own.map(({ laneOffsets, type }) => (laneOffsets?.[0] ?? 0) * (type.size ?? 4)));
    return own.length === 0 || [...bytes].length * (own[0].type.size ?? 4) === size;
  };
  const isBeside = ({ control, epoch, field }: AccessFacts) => field !== undefined && control === first.control && epoch === first.epoch;
  const orders = accesses.map(({ order }) => order);
  const [from, to] = [Math.min(...orders), Math.max(...orders)];
  const stores = kernel.accesses.filter(
    ({ kind, order, object: other }) => kind === 'store' && order > from && order < to && other !== object,
  );
  return isOne('load') && isOne('store') && accesses.every(isBeside) && stores.length === 0;
}

/** No vector has more than 16 bytes: a larger structure moves in pieces as large as it is aligned, and so does one that could be a vector. */
function wholeMessage(structure: TypeFacts): 'whole' | 'large' | 'unaligned' {
  if ((structure.size ?? 0) <= WIDEST_BYTES && !isMovedAtOnce(structure.size ?? 0)) return 'whole';
  const { size, align } = piecesOf(structure);
  return align > size ? 'unaligned' : 'large';
}

/** A structure that no instruction moves at once: neighbours may be side by side, each of them in pieces. */
export function ofWhole({ type, field }: AccessFacts): Pick<Report<Message>, 'message' | 'data'> | undefined {
  const { kind, size, align } = type;
  if (kind !== 'struct' || field || size === undefined || (isMovedAtOnce(size) && align >= size)) return undefined;
  return { message: wholeMessage(type), data: { structure: type.name, bytes: size, ...piecesOf(type) } };
}

/** How it is aligned, and how it could be without growing. */
function piecesOf({ size = 0, align }: TypeFacts): { readonly size: number; readonly align: number } {
  return { size: align, align: Math.min(WIDEST_BYTES, size & -size) };
}

export function movesAtOnce({ structure, fields }: StructureArrayFacts): boolean {
  if (fields.length < 2 || (structure.size ?? 0) > WIDEST_BYTES) return false;
  return /^(u?(char|short|int|long|longlong)|float|double)[24]$/.test(structure.name);
}

/** All of it is used, and if it were aligned to its size one instruction would move it. */
function isWord({ structure, fields, usedBytes }: StructureArrayFacts): boolean {
  const { size = 0 } = structure;
  return fields.length > 1 && usedBytes === size && size <= 16 && (size & (size - 1)) === 0;
}

function ofElements(access: AccessFacts, pattern: GlobalPattern, kernel: VariantFacts): Report<Message> {
  const { place: at } = access;
  const weight = excessOf(access);
  const { sectors, mostSectors, strideBytes, strideText, shape } = pattern;
  const ideal = leastSectors(pattern.idealSectors, access);
  const bytes = strideBytes === undefined ? strideText : `${Math.abs(strideBytes)}`;
  // How far apart a size that is not known puts them is not known either.
  const isSure = strideBytes !== undefined || access.offset.lanes !== undefined || sectors < pattern.activeLanes;
  const mayBeMore = mostSectors !== undefined && (strideBytes !== undefined || shape !== 'strided');
  const most = !isSure ? phrase('upTo', { count: Math.ceil(sectors) }) : mayBeMore ? atLeast(sectors, ideal) : sectors;
  const vector = shape === 'strided' ? vectorOf(access, kernel) : shape === 'scattered' ? vectorApart(access, kernel) : undefined;
  if (vector) {
    const data = { bytes: vector, size: access.type.size, vector: vectorType(access.type, vector), sectors: most, ideal };
    return { at, message: 'together', data, weight };
  }
  if (shape === 'scattered' && isSparse(access, kernel))
    return { at, message: 'sparse', data: { sectors: most, ideal }, weight, severity: 'hint' };
  const whole = shape === 'scattered' || Math.abs(strideBytes ?? 0) === access.type.size ? ofWhole(access) : undefined;
  if (whole) {
    const isMild = access.kind === 'load' && sectors < MANY_TIMES * ideal;
    return { at, ...whole, data: { ...whole.data, sectors: most, ideal }, weight, severity: isMild ? 'information' : undefined };
  }
  // Neither a distance nor a number: the values of parameters may well put neighbours side by side. Of pieces of one row that begin where a
  // size says which nobody knows, how many there are is made up.
  // The same of a row of threads that is no shorter than the warp.
  const isOneRow = shape === 'misaligned' || (shape === 'pieces' && kernel.block.x % LANES === 0);
  const isGuess = (!isSure && (bytes === undefined || shape !== 'strided')) || (isOneRow && access.offset.lanes === undefined);
  const severity = isGuess ? ('hint' as const) : undefined;
  const other = shape === 'strided' || shape === 'scattered' ? transposedWith(access, kernel) : undefined;
  if (other) {
    // Of a row of the block, where a warp has several.
    const [first, second] = access.blockOffsets!;
    const inRow = bytes ?? `${Math.abs(second - first) * (access.type.size ?? 4)}`;
    return { at, message: 'transposed', data: { bytes: inRow, sectors: most, ideal, other: other.text }, weight };
  }
  return bytes !== undefined && shape === 'strided'
    ? { at, message: 'strided', data: { bytes, sectors: most, ideal }, weight }
    : {
        at,
        ...(shape === 'pieces' || shape === 'misaligned' ? ofBlocks(most, ideal) : { message: 'scattered' }),
        data: { sectors: most, ideal, wide: widerBlocks(kernel) },
        weight,
        severity,
      };
}

/**
 * Loaded data says where each lane goes. How far apart lanes are then is for a run to say: what the text shows is that they may be, and, where
 * each goes on from a place of its own, that they are. One finding for each array, and for each loaded value that sends lanes to several arrays: the rest is folded into the first.
 */
function* gathers(kernel: VariantFacts): Iterable<Report<Message>> {
  const found = [...placedByData(kernel)];
  const mains = mainOf(found, ({ first }) => first);
  for (const { first, report } of found) {
    const main = mains.get(first)!.report;
    yield { ...report, causes: main === report ? [] : [main.at] };
  }
}

/** `first`: the access that the same data, or the same array, has come up at before. */
function* placedByData(kernel: VariantFacts): Iterable<{ readonly first: AccessFacts; readonly report: Report<Message> }> {
  const accesses = [...kernel.accesses.filter(isGather), ...kernel.atomics.flatMap(ofScattered)].sort((a, b) => a.order - b.order);
  if (accesses.length === 0) return;
  const walked = new Set(accesses.flatMap(({ object, walksFrom }) => walksFrom.map((source) => `${object.id} ${source}`)));
  const isRandom = kernel.accesses.some(({ object, kind }) => kind === 'load' && RANDOM.test(object.name));
  const firsts = new Firsts();
  const seen: AccessFacts[] = [];
  // What is a list to one access is none to be shared out for another.
  const lists = new Set(accesses.filter((access) => goesOnByItself(access, kernel)).map(({ object }) => object.id));
  for (const access of accesses) {
    const isRepeated = seen.some((before) => isLoadedAgain(before, access, kernel));
    seen.push(access);
    if (isRepeated) continue;
    const { object, placedBy, place: at, type, global } = access;
    const first = firsts.of(access);
    const active = Math.round(global!.activeLanes);
    const ideal = Math.ceil((active * (type.size ?? 4)) / SECTOR_BYTES);
    const lanes = Math.min(active, global!.places ?? active, sectorsOf(object));
    if (lanes < active && lanes < ideal + LEAST_LANES) continue;
    const isWalked = isLongWay(access) && placedBy.length > 0 && placedBy.every((source) => walked.has(`${object.id} ${source}`));
    const isSerial = isWalked && lists.has(object.id);
    const report: Report<Message> = {
      at,
      message: !isWalked ? 'gathered' : isSerial ? 'list' : 'stretch',
      data: { array: object.name, lanes, ideal },
      // Where data is to be found is seldom the author's to choose.
      severity:
        !isWalked ||
        (isSerial && !isFilled(access, kernel)) ||
        isRandom ||
        type.size === 1 ||
        isBeforeLoops(access, kernel) ||
        isShort(access) ||
        isOfNeighbours(access, kernel)
          ? 'hint'
          : undefined,
      short: phrase('placedHere', { array: object.name }),
      aside: isWalked ? undefined : 'alone',
    };
    yield { first, report };
  }
}

/**
 * A stack, a list that grows, or a search: where the thread goes next hangs on what it has done so far, so that other lanes cannot take a
 * part of it.
 */
function goesOnByItself({ control, object, kind, loopInvariant }: AccessFacts, { accesses }: VariantFacts): boolean {
  const loop = control.loops.at(-1);
  if (!loop) return false;
  if (!loopInvariant && loop.counted === 'no') return true;
  return accesses.some(
    (other) => other.walksFrom.length > 0 && ((other.object === object && other.kind !== kind) || isKeptInTurn(other, loop)),
  );
}

/** `if (v > last) list[++n] = v;`: where the next one goes hangs on how many there were before. */
function isKeptInTurn({ kind, control }: AccessFacts, loop: LoopFacts): boolean {
  if (kind !== 'store' || control.loops.at(-1) !== loop) return false;
  return control.branches.some(({ branch: { kind: of, condition, control: around } }) => {
    return of !== 'loop-exit' && condition.fromMemory && around.loops.includes(loop);
  });
}

/** Longer stretches go another way. */
function isShort({ control }: AccessFacts): boolean {
  return (control.loops.at(-1)?.mostTrips ?? LANES) < LANES;
}

/**
 * A list for each of the places around a thread, or one whose elements take loops of their own: such lists have few elements, and there is
 * more to do than to move them.
 */
function isOfNeighbours({ control: { loops } }: AccessFacts, kernel: VariantFacts): boolean {
  const [innermost, ...around] = loops.toReversed();
  const isCounted = ({ trips }: LoopFacts) => trips !== undefined && trips <= MOST_NEIGHBOURS;
  return around.some(isCounted) || kernel.loops.some((loop) => loop.control.loops.includes(innermost) && !isCounted(loop));
}

const MOST_NEIGHBOURS = 32;

/** The thread fills the list itself, so that how it lies is the author's to choose. */
function isFilled({ object }: AccessFacts, { accesses }: VariantFacts): boolean {
  return accesses.some((other) => other.kind === 'store' && other.object === object);
}

/** In a kernel that reads random numbers, places are random on purpose. */
const RANDOM = /rand|rnd|shuffl|perms\b|permut/i;

/** A loop that goes on from there asks for more. */
function isBeforeLoops({ control }: AccessFacts, { loops }: VariantFacts): boolean {
  return control.loops.length === 0 && loops.some(({ trips }) => (trips ?? Number.POSITIVE_INFINITY) > FEW_ROUNDS);
}

const FEW_ROUNDS = 4;

/** Not just through the parts of one element. */
function isLongWay({ control: { loops } }: AccessFacts): boolean {
  return loops.some(({ trips }) => (trips ?? Number.POSITIVE_INFINITY) > FEW_ROUNDS);
}

/** All that a table of known size has. */
export function sectorsOf({ dims, element }: ObjectFacts): number {
  const elements = dims?.reduce<number>((product, extent) => product * (extent ?? Number.NaN), 1);
  const sectors = Math.ceil(((elements ?? Number.NaN) * (element.size ?? Number.NaN)) / SECTOR_BYTES);
  return Number.isNaN(sectors) ? Number.POSITIVE_INFINITY : sectors;
}

const SECTOR_BYTES = 32;
/** Requests of few lanes need few sectors, however far apart they are. */
export const LEAST_LANES = 4;

function isGather(access: AccessFacts): boolean {
  const pattern: GlobalPattern | undefined = access.global;
  if (!pattern?.anywhere || pattern.activeLanes < LEAST_LANES) return false;
  return access.placedByLoads && !access.kept;
}

/** Where data chooses among few counters, the lanes that go to one share its sector: hot-global-atomic says what those cost. */
function ofScattered({ request, fewTargets, object }: AtomicFacts): readonly AccessFacts[] {
  return fewTargets || COUNTERS.test(object.name) || !isGather(request) ? [] : [request];
}

const COUNTERS = /hist|bin|bucket|count/i;

/** The first access that is placed by the same data, or to the same array. */
class Firsts {
  readonly #byArray = new Map<string, AccessFacts>();
  readonly #bySource = new Map<number, AccessFacts>();

  of(access: AccessFacts): AccessFacts {
    const { object, placedBy } = access;
    const bySource = placedBy.map((source) => this.#bySource.get(source)).find((x) => x !== undefined);
    const first = this.#byArray.get(object.id) ?? bySource ?? access;
    if (!this.#byArray.has(object.id)) this.#byArray.set(object.id, first);
    for (const source of placedBy) if (!this.#bySource.has(source)) this.#bySource.set(source, first);
    return first;
  }
}

/** The same words again on the way from the one to the other, with no store between: the compiler keeps the value. */
function isLoadedAgain(before: AccessFacts, access: AccessFacts, { accesses }: VariantFacts): boolean {
  if (before.kind !== 'load' || access.kind !== 'load' || before.object !== access.object || before.text !== access.text) return false;
  // A pointer of its own may have moved in between.
  if (!access.text.startsWith(access.object.name)) return false;
  if (!before.control.loops.every((loop) => access.control.loops.includes(loop))) return false;
  if (!before.control.branches.every((step) => isPassed(step, access))) return false;
  return !accesses.some(({ kind, order }) => kind === 'store' && order > before.order && order < access.order);
}

/** On the way to the access this side was taken: by itself, or as a term of the condition of one that was. */
function isPassed({ branch, side }: Step, { control }: AccessFacts): boolean {
  return control.branches.some(
    (step) =>
      step.side === side &&
      (step.branch === branch || (branch.kind === 'logical' && isWithin(branch.condition.place, step.branch.headPlace))),
  );
}

type Step = ControlFacts['branches'][number];
