/** The shape of a rule, and the check at definition that its name is one. */
import type { Severity, Wording } from '../../protocol/finding.ts';
import type { ControlFacts, LaunchFacts, LoopFacts, VariantFacts } from '../model/facts.ts';
import type { FileFacts } from '../model/file-facts.ts';
import type { Place } from '../syntax/source.ts';
import type { Parts } from '../wording.ts';
import { phrase } from './phrases.ts';

export type Category = 'divergence' | 'memory' | 'synchronisation' | 'atomics' | 'launches' | 'arithmetic';

export interface RuleEdit {
  readonly at: Place;
  readonly newText: string;
}

export interface RuleFix {
  readonly title: Wording;
  readonly edits: readonly RuleEdit[];
  /** Keeps the program's meaning: may be applied in bulk. */
  readonly safe: boolean;
}

export interface Report<Message extends string = string> {
  readonly at: Place;
  readonly message: Message;
  /** For the `{name}` parts of the message: code, names and numbers, which have at most two decimals, as they are, words as phrases. */
  readonly data?: Parts;
  readonly related?: readonly { readonly at: Place; readonly message: Wording }[];
  /** Where something else is the reason: findings there, of whatever rule, take this one in. */
  readonly causes?: readonly Place[];
  /**
   * Says little by itself: goes to the gravest finding of the kernel in the rule's category. Where there is none, it stands `alone` or, being
   * worth no finding, is left out.
   */
  readonly aside?: 'alone' | 'folded';
  /** What is said of the place where another finding has taken this one in; the message unless it is given. */
  readonly short?: Wording;
  /**
   * What it is about, where one finding in a file is enough: a structure's layout, a function that is no more. Unless it is given, that is
   * for a cost the line's text: what a rule says of one line, it does not say again of the same line in a kernel's next version.
   */
  readonly subject?: string;
  readonly fixes?: readonly RuleFix[];
  /** Where this one is less (or more) certain or costly than the rule's own severity. */
  readonly severity?: Severity;
  /** How bad it is, in a unit of the rule's own: of several variants of a kernel the worst is shown. */
  readonly weight?: number;
}

export interface Rule<Message extends string = string> {
  /** A noun phrase for the defect in kebab-case; also the names of the rule's file, page and fixtures. */
  readonly id: string;
  readonly summary: string;
  readonly category: Category;
  /** What is slow in the same words twice is known after the first time; what is wrong has to be mended in each place. */
  readonly costs?: true;
  readonly severity: Severity;
  /** Each says what is wrong, why it matters (with a number) and what to do. */
  readonly messages: Readonly<Record<Message, string>>;
  /** Answers about the text around a kernel. What the rule has said of the kernel stands while they stay the same. */
  around?(kernel: VariantFacts, file: FileFacts): Around;
  /** Once per variant of each kernel in the file. */
  detect?(kernel: VariantFacts, settings: RuleSettings, around: Around): Iterable<Report<Message>>;
  /** Once per file: host code, launches. */
  detectFile?(file: FileFacts): Iterable<Report<Message>>;
}

export type Around = Readonly<Record<string, boolean>>;
export type RuleSettings = Pick<FileFacts, 'device' | 'cudaVersion'>;

export function defineRule<Message extends string>(rule: Rule<Message>): Rule<Message> {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(rule.id)) throw new Error(`Not a rule id: ${rule.id}`);
  return rule;
}

/** `1 warp`, `2 warps`. */
export function counted(
  count: number,
  noun: 'warp' | 'block' | 'thread' | 'element' | 'byte' | 'instruction' | 'furtherInstruction',
): Wording {
  return count === 1 ? phrase(noun) : phrase(`${noun}s`, { count });
}

/** What a message with numbers of a block says where no launch of the file gives its size. */
export function assumedBlock({ blockKnown, block: { x, y, z } }: VariantFacts): Wording | '' {
  return blockKnown ? '' : phrase('assumedBlock', { size: y * z > 1 ? `${x} × ${y * z}` : x });
}

/** The same of what a warp does: in blocks of one dimension that does not hang on their size. */
export function assumedPlane(kernel: VariantFacts): Wording | '' {
  return kernel.block.y * kernel.block.z > 1 ? assumedBlock(kernel) : '';
}

/**
 * Numbers that are no whole ones are means of several requests, and said to be. `isSampled`: of some iterations of those that there are, so
 * that the next ones move the mean.
 */
export function asMean<R extends Report>(report: R, { isSampled }: { readonly isSampled: boolean }): R {
  const { data, short } = report;
  if (!data) return report;
  const { sectors, wavefronts, ideal } = data;
  if (![sectors, wavefronts, ideal].some(isFraction)) return report;
  const moved =
    isSampled && typeof sectors === 'number' && isFraction(sectors) ? phrase('about', { count: Math.round(Number(sectors)) }) : sectors;
  const isShort = short?.id === 'sectorsInstead';
  return {
    ...report,
    data: { ...data, sectors: moved, assumed: phrase('onAverage', { assumed: data.assumed ?? '' }) },
    short: isShort ? phrase('sectorsInsteadMean', { sectors: moved, ideal }) : short,
  };
}

function isFraction(part: Parts[string]): boolean {
  if (typeof part === 'number') return !Number.isInteger(Math.round(part * 100) / 100);
  if (typeof part !== 'object' || Array.isArray(part)) return false;
  return Object.values((part as Wording).parts ?? {}).some(isFraction);
}

/** What was said beside numbers before others took their place. */
export function besideMean(assumed: Parts[string]): Parts[string] {
  const wording = assumed as Wording | undefined;
  return typeof wording === 'object' && wording.id === 'onAverage' ? wording.parts!.assumed : assumed;
}

/** `the other 31 threads`; without the number where that is not known. */
export function otherThreads({ blockKnown, block: { x, y, z } }: VariantFacts): Wording {
  const count = x * y * z - 1;
  if (!blockKnown) return phrase('otherThreads');
  return count === 1 ? phrase('otherThread') : phrase('otherThreadsCounted', { count });
}

/** Outside of the loops that take the kernel's time: some loop has more to do than moving elements. */
export function isBesideTheWork({ loops }: Pick<VariantFacts, 'loops'>, around: readonly LoopFacts[]): boolean {
  const isShort = around.every(({ strided }) => strided === 'block');
  return around.length <= 1 && isShort && loops.some((loop) => !around.includes(loop) && loop.bodyCost > MUCH_WORK);
}

/**
 * The same of accesses to global memory, or another loop goes there several times as often. `excess`: how many times the sectors that it
 * needs each request moves, for which it counts as so many.
 */
export function isBesideTraffic(kernel: VariantFacts, around: readonly LoopFacts[], excess: number): boolean {
  const long = around.filter(({ trips }) => trips === undefined || trips > FEW_TRIPS);
  if (isBesideTheWork(kernel, long)) return true;
  const often = SEVERAL * roundsOf(around) * excess;
  const busy = kernel.loops.filter((loop) => !around.includes(loop) && roundsOf([...loop.control.loops, loop]) >= often);
  if (busy.length === 0) return false;
  return kernel.accesses.some(({ object, control }) => object.space === 'global' && control.loops.some((loop) => busy.includes(loop)));
}

/** Launched with one block alone, beside others that have more: what is left at the end, or prepared at the start. */
export function isOneBlock({ launches, grid: { x, y, z } }: VariantFacts, file: FileFacts): boolean {
  const isOne = x === 1 && (y ?? 1) === 1 && (z ?? 1) === 1;
  return isOne && launches.length > 0 && file.launches.some(({ grid, inDeviceCode }) => grid.x !== 1 && !inDeviceCode);
}

/** By its name, what results are compared with or looked through by: nobody waits for it. */
export function isForComparison(name: string): boolean {
  return COMPARES.test(name);
}

const COMPARES =
  /(?:^|_)(?:ref|gold(?:en)?|verify|check)(?:_|$)|reference|verif(?:y|ication)|validat|^(?:check|ref|gold)[A-Z]|(?:Ref|Check|Gold)$/;

/**
 * Launched once by a function that launches others in a loop: what begins, or checks at the end. One that has as many threads as several
 * rounds of the loop together is neither, and none whose threads each go through many elements.
 */
export function isOneOff({ launches, name, loops }: VariantFacts, file: FileFacts): boolean {
  if (loops.some(({ strided, trips = MANY_TRIPS }) => strided === 'no' && trips >= MANY_TRIPS)) return false;
  if (launches.length === 0 || launches.some(({ loops, inDeviceCode }) => loops.length > 0 || inDeviceCode)) return false;
  return launches.every((launch) => {
    const isRepeated = (other: LaunchFacts) =>
      other.functionName === launch.functionName && other.kernelName !== name && other.loops.length > 0;
    const repeated = file.launches.filter(isRepeated);
    return repeated.length > 0 && !(threadsOf(launch) >= ROUNDS * Math.max(...repeated.map(threadsOf)));
  });
}

const ROUNDS = 8;
const MANY_TRIPS = 64;

/** Of the whole grid; not a number where that is not known. */
function threadsOf({ grid, block }: LaunchFacts): number {
  return [grid.x, grid.y, grid.z, block.x, block.y, block.z].reduce((product: number, extent) => product * (extent ?? Number.NaN), 1);
}

/**
 * The side that is taken where a pointer is not aligned, behind a test of its address (`uintptr_t(p) % 16 == 0`). What an allocation gives
 * is aligned, and the other side moves vectors already.
 */
export function isForUnaligned({ branches }: ControlFacts): boolean {
  return branches.some(({ branch: { condition }, side }) => side === 'else' && TESTS_ADDRESS.test(condition.text));
}

const TESTS_ADDRESS = /\b(?:u?intptr_t|size_t|u?int64_t|unsigned long(?: long)?)\b.*(?:%|[^&]&)\s*\(?\w[^&|]*==\s*0/s;

/** Written out in a row. */
const FEW_TRIPS = 4;
const SEVERAL = 8;
/** Of a loop of which the text does not say. */
const UNKNOWN_TRIPS = 64;

/** A thread's or block's place, without the axes behind the last that is not zero. */
export function placeText({ x, y, z }: { readonly x: number; readonly y: number; readonly z: number }): string {
  if (z > 0) return `(${x}, ${y}, ${z})`;
  return y > 0 ? `(${x}, ${y})` : `${x}`;
}

/** Of a grid's elements most threads have one. */
export function roundsOf(loops: readonly LoopFacts[]): number {
  return loops.reduce((rounds, { trips, strided }) => rounds * (strided === 'grid' ? 1 : (trips ?? UNKNOWN_TRIPS)), 1);
}

/** Instructions of an iteration beside which a single access is little. */
const MUCH_WORK = 50;

export function isWithin(inner: Place, outer: Place): boolean {
  return inner.item === outer.item && inner.start >= outer.start && inner.end <= outer.end;
}
