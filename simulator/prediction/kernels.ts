/** Predicts the kernels of a file in the shapes in which its text launches them. */
import type { CompiledKernel, CompiledMeans, CompiledSite, KernelShape } from '../../protocol/compiled.ts';
import { lineLocation } from '../counters/launch-metrics.ts';
import { hasLine } from '../ir/moved-instructions.ts';
import type { Instruction, IrFunction, Location } from '../ir/types.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { COST } from '../machine/request.ts';
import { functionFacts } from '../simt/analyze.ts';
import { demangle } from '../toolchain/demangle.ts';
import { type FunctionPlan, planOf } from './plan.ts';
import { type ArgumentFacts, type LaunchPrediction, predictLaunch } from './predict.ts';
import type { LaneRow } from './requests.ts';
import { leastOf, meanOf, mostOf, roughMeanOf, type SiteTally } from './tally.ts';

export interface KernelsOptions {
  /** Files whose lines are not the user's: what is theirs belongs to the call. */
  readonly isHeader: (file: string) => boolean;
  /** The file that is asked about. */
  readonly isOwn: (file: string) => boolean;
  /** Instructions of warps that are walked for each shape. */
  readonly steps?: number;
}

export interface KernelPredictions {
  readonly kernels: readonly CompiledKernel[];
  /** Names of kernels with ways that are too long to be followed: what they cost is not known. */
  readonly tooLong: readonly string[];
}

export function predictKernels(module: LoadedModule, shapes: readonly KernelShape[], options: KernelsOptions): KernelPredictions {
  const kernels = new Map<string, FoundSite[]>();
  const unplaced = new Map<string, Set<CompiledSite['kind']>>();
  const tooLong = new Set<string>();
  for (const { shape, fn, prediction, others } of predictShapes(module, shapes, options.steps)) {
    if ([prediction, ...others].some(({ tooDeep }) => tooDeep)) tooLong.add(shape.kernel);
    const { withoutArguments } = shape;
    const assumed = withoutArguments && predictLaunch(module, launchOf(fn, { ...shape, ...withoutArguments }), options.steps);
    const of = (predictions: readonly LaunchPrediction[]) =>
      copiesTogether(predictions.map((each) => sitesOf(module, each, fn, options))).reduce(inAgreement);
    const sites = of([prediction, ...others]);
    const found = assumed ? completed(sites, of([assumed])) : sites;
    kernels.set(shape.id, [...(kernels.get(shape.id) ?? []), ...found]);
    unplaced.set(shape.id, new Set([...(unplaced.get(shape.id) ?? []), ...unplacedIn(module, prediction, fn)]));
  }
  const named = [...kernels].map(([id, sites]) => ({
    id,
    sites: sites.map(({ copyOf, ...site }) => site),
    unplaced: [...unplaced.get(id)!],
  }));
  return { kernels: named, tooLong: [...tooLong] };
}

/** An instruction, and what tells it from copies that unrolling has made. */
interface FoundSite extends CompiledSite {
  readonly copyOf: string;
}

/** A loop that is unrolled has an instruction of each access for each iteration; a run counts them together. Of each shape in the same way. */
function copiesTogether(shapes: readonly (readonly FoundSite[])[]): FoundSite[][] {
  const open = new Set(
    shapes.flatMap((sites) => sites.filter(({ means, executions }) => !means || !executions).map(({ copyOf }) => copyOf)),
  );
  return shapes.map((sites) => {
    const places = new Map<string, FoundSite[]>();
    for (const site of sites) places.set(site.copyOf, [...(places.get(site.copyOf) ?? []), site]);
    return [...places].flatMap(([copyOf, copies]) => (copies.length === 1 || open.has(copyOf) ? copies : [together(copies)]));
  });
}

/** Each as often as it is executed. */
function together(copies: readonly FoundSite[]): FoundSite {
  const executions = copies.reduce((sum, each) => sum + each.executions!, 0);
  const mean = (of: (means: CompiledMeans) => number) =>
    copies.reduce((sum, each) => sum + of(each.means!) * each.executions!, 0) / executions;
  const divergent = mean((each) => each.divergent);
  const means: CompiledMeans = {
    sectors: mean((each) => each.sectors),
    idealSectors: mean((each) => each.idealSectors),
    wavefronts: mean((each) => each.wavefronts),
    idealWavefronts: mean((each) => each.idealWavefronts),
    turns: mean((each) => each.turns),
    divergent,
    smallerSide: divergent > 0 ? mean((each) => each.smallerSide * each.divergent) / divergent : 0,
  };
  return { ...copies[0], means, executions };
}

/** With what is known where nobody gives the program arguments: of copies of one instruction there may be fewer then. */
function completed(sites: readonly FoundSite[], assumed: readonly FoundSite[]): FoundSite[] {
  const open = new Map<string, FoundSite[]>();
  for (const site of assumed) open.set(site.copyOf, [...(open.get(site.copyOf) ?? []), site]);
  const asked = new Set<string>();
  return sites.flatMap((site) => {
    const { copyOf } = site;
    const isKnown = sites.every((other) => other.copyOf !== copyOf || other.means !== undefined || other.parts === 'sure');
    if (isKnown) return [site];
    if (asked.has(copyOf)) return [];
    asked.add(copyOf);
    return (open.get(copyOf) ?? []).map((each) =>
      each.means || each.parts || each.least ? { ...each, executions: undefined, withoutArguments: true as const } : each,
    );
  });
}

/** Of the same instructions in two shapes: what both say. */
function inAgreement(sites: FoundSite[], others: readonly FoundSite[]): FoundSite[] {
  return sites.map((site, index) => {
    const [a, b] = [site.means, others[index].means];
    const agree = a && b && Object.entries(a).every(([name, mean]) => Math.abs(mean - b[name as keyof CompiledMeans]) < 1e-9);
    const executions = site.executions === others[index].executions ? site.executions : undefined;
    const parts = site.parts === others[index].parts ? site.parts : undefined;
    return {
      ...site,
      means: agree ? a : undefined,
      parts,
      least: undefined,
      most: undefined,
      chosenBy: undefined,
      rough: undefined,
      executions,
    };
  });
}

/** A kernel of the module in one of the shapes. */
export interface ShapePrediction {
  readonly shape: KernelShape;
  readonly fn: IrFunction;
  readonly prediction: LaunchPrediction;
  /** In the shape's other blocks. */
  readonly others: readonly LaunchPrediction[];
}

/** For each shape the kernels that it may mean: instantiations of a template, where the text does not say which. */
export function predictShapes(module: LoadedModule, shapes: readonly KernelShape[], steps?: number): ShapePrediction[] {
  const kernels = kernelsByName(module);
  return shapes.flatMap((shape) =>
    instantiations(kernels.get(shape.kernel) ?? [], shape.templateArgs).map((fn) => {
      const others = (shape.otherBlocks ?? []).map((block) => predictLaunch(module, launchOf(fn, { ...shape, block }), steps));
      return { shape, fn, prediction: predictLaunch(module, launchOf(fn, shape), steps), others };
    }),
  );
}

function launchOf(fn: IrFunction, { block, grid, args, sharedBytes }: KernelShape) {
  const facts = fn.parameters.map((_, index): ArgumentFacts => args[index]);
  return { kernel: fn.name, block, grid, args: facts, dynamicSharedBytes: sharedBytes };
}

interface NamedKernel {
  readonly fn: IrFunction;
  readonly templateArgs: readonly string[];
}

function kernelsByName({ ir }: LoadedModule): ReadonlyMap<string, readonly NamedKernel[]> {
  const kernels = new Map<string, NamedKernel[]>();
  for (const fn of ir.functions.values()) {
    if (!fn.isKernel) continue;
    const { name, templateArgs } = namesIn(demangle(fn.name));
    kernels.set(name, [...(kernels.get(name) ?? []), { fn, templateArgs }]);
  }
  return kernels;
}

/** `void ns::reduce<int, 4>(const int *)`: the name without namespaces, and the arguments of its template. */
function namesIn(signature: string): { readonly name: string; readonly templateArgs: readonly string[] } {
  let depth = 0;
  let end = signature.length;
  for (let at = 0; at < signature.length; at++) {
    if (signature[at] === '<') depth++;
    else if (signature[at] === '>') depth--;
    else if (signature[at] === '(' && depth === 0 && !signature.startsWith('(anonymous', at)) {
      end = at;
      break;
    }
  }
  const head = signature.slice(0, end);
  const open = head.endsWith('>') ? openOfLast(head) : head.length;
  const name = head.slice(0, open).match(/[\w$]+$/)?.[0] ?? head;
  return { name, templateArgs: open < head.length ? partsOf(head.slice(open + 1, -1)) : [] };
}

function openOfLast(head: string): number {
  let depth = 0;
  for (let at = head.length - 1; at >= 0; at--) {
    if (head[at] === '>') depth++;
    else if (head[at] === '<' && --depth === 0) return at;
  }
  return head.length;
}

function partsOf(args: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= args.length; at++) {
    if (at === args.length || (args[at] === ',' && depth === 0)) {
      parts.push(args.slice(start, at).trim());
      start = at + 1;
    } else if ('<('.includes(args[at])) depth++;
    else if ('>)'.includes(args[at])) depth--;
  }
  return parts;
}

/** Those of the text's template arguments; all where the text does not say which, or says it in words of its own. */
function instantiations(kernels: readonly NamedKernel[], templateArgs: readonly string[]): readonly IrFunction[] {
  if (templateArgs.length > 0) {
    const wanted = templateArgs.map(spelled);
    const same = kernels.filter((kernel) => wanted.every((arg, index) => spelled(kernel.templateArgs[index] ?? arg) === arg));
    if (same.length > 0) return same.map(({ fn }) => fn);
  }
  return kernels.map(({ fn }) => fn);
}

function spelled(arg: string): string {
  return arg
    .replace(/^\([\w ]+\)/, '')
    .replace(/^true$/, '1')
    .replace(/^false$/, '0')
    .replace(/^unsigned$/, 'unsigned int')
    .replace(/(?<=^\d+)[uUlL]+$/, '')
    .replace(/\s+/g, '');
}

/** Those of the kernel and of what it calls. */
function functionsOf({ ir }: LoadedModule, { tallies }: LaunchPrediction, kernel: IrFunction): readonly IrFunction[] {
  return [...new Set([kernel.name, ...tallies.keys()])].map((name) => ir.functions.get(name)!);
}

/** What a run counts by line, or a rule asks about. */
function countedAs(
  instruction: Instruction,
  { accesses, innerBranches }: FunctionPlan,
  predicated: ReadonlySet<number>,
): 'branch' | 'access' | 'division' | undefined {
  if (innerBranches.has(instruction.site)) return 'branch';
  if (isDivision(instruction)) return 'division';
  if (instruction.op === 'condbr' || instruction.op === 'switch') return predicated.has(instruction.site) ? undefined : 'branch';
  return accesses.get(instruction.site)?.shape.counted !== undefined ? 'access' : undefined;
}

/** Of integers, by a value: what is left of a division by a constant is none. */
function isDivision(instruction: Instruction): boolean {
  const { op } = instruction;
  return (op === 'udiv' || op === 'sdiv' || op === 'urem' || op === 'srem') && instruction.b.kind === 'value';
}

/** Kinds of those whose lines are lost: a loop of one iteration leaves its instructions behind without any. */
function unplacedIn(module: LoadedModule, prediction: LaunchPrediction, kernel: IrFunction): ReadonlySet<CompiledSite['kind']> {
  const kinds = functionsOf(module, prediction, kernel).flatMap((fn) => {
    const { predicated } = functionFacts(fn, module.ir);
    const plan = planOf(fn, module.ir);
    const isLost = (instruction: Instruction) => !hasLine(instruction) && countedAs(instruction, plan, predicated) !== undefined;
    return fn.blocks.flatMap(({ instructions }) => instructions.filter(isLost).map((each) => kindOf(each, plan)));
  });
  return new Set(kinds);
}

function sitesOf(module: LoadedModule, prediction: LaunchPrediction, kernel: IrFunction, { isHeader, isOwn }: KernelsOptions): FoundSite[] {
  return functionsOf(module, prediction, kernel).flatMap((fn) => {
    const { name } = fn;
    const { predicated } = functionFacts(fn, module.ir);
    const plan = planOf(fn, module.ir);
    const sites = prediction.tallies.get(name)?.sites;
    const pieces = piecesIn(fn, plan, sites);
    return fn.blocks.flatMap(({ instructions, index }) =>
      instructions.flatMap((instruction): FoundSite[] => {
        const counted = countedAs(instruction, plan, predicated);
        if (!counted) return [];
        const isBranch = counted === 'branch';
        const isAccess = counted === 'access';
        const { location } = instruction;
        const places = placesOf(lineLocation(location, isHeader), isOwn);
        if (places.length === 0) return [];
        const tally = sites?.get(instruction.site);
        const mean = tally && !prediction.incomplete && counted !== 'division' ? meanOf(tally) : undefined;
        const [{ line, column }] = places;
        const lines = places.map((place) => place.line);
        const kind = kindOf(instruction, plan);
        const endsLoop = kind === 'branch' && leavesLoop(plan, index);
        const copyOf = JSON.stringify([name, kind, endsLoop, location]);
        const executions = tally && !tally.unweighted && !tally.uneven ? tally.executions : undefined;
        const isOfHeader = !isOwn(location!.file);
        const parts = tally && partingOf(tally);
        const least = tally && isAccess && !mean && !prediction.incomplete ? leastOf(tally) : undefined;
        const most = tally && least && mostOf(tally);
        const rough = tally && least && roughMeanOf(tally);
        const bytes = plan.accesses.get(instruction.site)?.shape.bytes;
        const known = {
          bytes,
          pieceOf: pieces.get(instruction.site),
          isSparse: isAccess && tally?.row?.hasHoles && tally.row.stride === bytes ? (true as const) : undefined,
          means: mean && meansOf(mean, isBranch),
          parts,
          least: least && meansOf(least, isBranch),
          most: most && meansOf(most, isBranch),
          chosenBy: most && tally.chosenBy,
          rough: rough && meansOf(rough, isBranch),
          executions,
          unreached: sites && !tally && !prediction.incomplete ? (true as const) : undefined,
        };
        return [{ kind, line, column, lines, endsLoop, isOfHeader, copyOf, ...known }];
      }),
    );
  });
}

/** What one instruction moves at most. */
const MOST_BYTES = 16;

/** Of loads, or stores, of which several together move all the bytes from each lane's place to the next one's: how many that are. */
function piecesIn(fn: IrFunction, plan: FunctionPlan, sites: ReadonlyMap<number, SiteTally> | undefined): ReadonlyMap<number, number> {
  const rows = new Map<string, Piece[]>();
  for (const instruction of fn.blocks.flatMap(({ instructions }) => instructions)) {
    const { site } = instruction;
    const row = sites?.get(site)?.row;
    const bytes = plan.accesses.get(site)?.shape.bytes;
    if (!row || !bytes || bytes >= row.gap || row.gap > MOST_BYTES || (row.gap & (row.gap - 1)) !== 0) continue;
    const key = `${kindOf(instruction, plan)} ${row.base}`;
    rows.set(key, [...(rows.get(key) ?? []), { site, row, end: row.start + bytes }]);
  }
  const found = new Map<number, number>();
  for (const own of rows.values()) {
    for (const { row } of own) {
      const { start, gap, align } = row;
      // Surely in the middle of what could be one value.
      if (align >= gap && start % gap !== 0) continue;
      const inside = own.filter((each) => each.row.start >= start && each.end <= start + gap);
      const moved = new Set(inside.flatMap((each) => Array.from({ length: each.end - each.row.start }, (_, at) => each.row.start + at)));
      if (moved.size === gap) for (const { site } of inside) found.set(site, gap);
    }
  }
  return found;
}

interface Piece {
  readonly site: number;
  readonly row: LaneRow;
  readonly end: number;
}

/** In the file that is asked about: the innermost first. */
function placesOf(location: Location | undefined, isOwn: (file: string) => boolean): readonly Location[] {
  const places: Location[] = [];
  for (let at = location; at; at = at.inlinedAt) if (at.line > 0 && isOwn(at.file)) places.push(at);
  return places;
}

function partingOf({ parting, unweighted }: SiteTally): CompiledSite['parts'] {
  if (parting === 'sure') return 'sure';
  if (parting === 'edge') return unweighted ? undefined : 'edge';
  return parting === 'data' ? (unweighted ? 'rarely' : 'data') : undefined;
}

function leavesLoop({ fn, loops, members }: FunctionPlan, block: number): boolean {
  const loop = loops.innermost[block];
  return loop >= 0 && fn.blocks[block].successors.some((target) => !members[loop].has(target));
}

function kindOf(instruction: Instruction, { innerBranches }: FunctionPlan): CompiledSite['kind'] {
  const { op, site } = instruction;
  if (innerBranches.has(site)) return 'slowPath';
  if (op === 'condbr' || op === 'switch') return 'branch';
  if (isDivision(instruction)) return 'division';
  if (op === 'atomicrmw' || op === 'cmpxchg') return 'atomic';
  return op === 'store' ? 'store' : 'load';
}

function meansOf(mean: readonly number[], isBranch: boolean): CompiledMeans {
  const of = (column: keyof typeof COST) => (isBranch ? 0 : mean[COST[column]]);
  return {
    sectors: of('globalSectors'),
    idealSectors: of('globalSectorsIdeal'),
    wavefronts: of('sharedWavefronts'),
    idealWavefronts: of('sharedWavefrontsIdeal'),
    turns: of('globalAtomicTurns'),
    divergent: isBranch ? mean[0] : 0,
    smallerSide: isBranch && mean[0] > 0 ? mean[1] / mean[0] : 0,
  };
}
