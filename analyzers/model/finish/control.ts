/** What stands around a place: branches, loops, and how many threads get there. */
import { conjuncts, isBoundsGuard, pathForms, restrictionsOf } from '../conditions.ts';
import { blockSampleOf, firstBlockOf, type Iterations, iterationsOf, sampleOf } from '../context.ts';
import type { Sample } from '../evaluate.ts';
import type { ControlFacts, LoopFacts } from '../facts.ts';
import type { Form } from '../form.ts';
import { sideForm } from '../path-forms.ts';
import { countLanes } from '../patterns.ts';
import { LANES } from '../rows.ts';
import { activeInBlock, activeLanes, dataVaries } from '../splits.ts';
import type { PathStep, RawLoop } from '../values.ts';
import type { Finisher } from './finisher.ts';

/** What is asked of few places is computed for these alone. */
export class Control implements ControlFacts {
  readonly branches: ControlFacts['branches'];
  readonly loops: readonly LoopFacts[];
  private readonly f: Finisher;
  private readonly path: readonly PathStep[];
  private readonly rawLoops: readonly RawLoop[];
  private single: SingleThread | undefined = undefined;
  private divided: boolean | undefined = undefined;
  private choosing: boolean | undefined = undefined;
  private choosingOne: boolean | undefined = undefined;
  private lanes: { readonly active: number | undefined } | undefined = undefined;

  constructor(f: Finisher, path: readonly PathStep[], loops: readonly RawLoop[]) {
    this.f = f;
    this.path = path;
    this.rawLoops = loops;
    this.branches = path.map((s) => ({ branch: f.branch(s.branch), side: s.side }));
    this.loops = loops.map((l) => f.loop(l));
  }

  get activeLanes(): number | undefined {
    this.lanes ??= { active: lanesOfFirstWarp(this.f, this.path) };
    return this.lanes.active;
  }

  get oneThreadPerBlock(): boolean {
    this.single ??= singleThread(this.f, this.path, this.rawLoops);
    return this.single.oneThreadPerBlock;
  }

  get oneThreadPerWarp(): boolean {
    this.single ??= singleThread(this.f, this.path, this.rawLoops);
    return this.single.oneThreadPerWarp;
  }

  get dividedByData(): boolean {
    this.divided ??= this.path.some((s) => dividesByData(this.f, s));
    return this.divided;
  }

  get choosesBlocks(): boolean {
    this.choosing ??= choosesBlocks(this.f, this.path);
    return this.choosing;
  }

  get choosesOneBlock(): boolean {
    this.choosingOne ??= choosesOneBlock(this.f, this.path);
    return this.choosingOne;
  }
}

function lanesOfFirstWarp(f: Finisher, path: readonly PathStep[]): number | undefined {
  if (path.some((s) => s.branch.condition.form.data || s.branch.condition.form.unknown)) return undefined;
  return countLanes(activeLanes(f.c, sampleOf(f.c, 0, 0), path, 0) ?? 0);
}

/** After `if (data) return;` the rest is not a side of its own. */
function dividesByData(f: Finisher, { branch, side }: PathStep): boolean {
  if (branch.kind === 'loop-exit' || branch.kind === 'logical' || !branch.condition.form.data) return false;
  if ((side === 'then' ? branch.otherLeaves : branch.leaves) !== undefined) return false;
  if (holdsMostLanes(branch.condition.form, side)) return false;
  const facts = f.branch(branch);
  return facts.splits.kind === 'data' && facts.predicated === 'no';
}

/** The side of those that do not equal something. */
function holdsMostLanes(condition: Form, side: PathStep['side']): boolean {
  return condition.f === 'op' && condition.op === (side === 'then' ? '!=' : '==');
}

type SingleThread = Pick<ControlFacts, 'oneThreadPerBlock' | 'oneThreadPerWarp'>;

function singleThread(f: Finisher, path: readonly PathStep[], loops: readonly RawLoop[]): SingleThread {
  const constrained = path.some((s) => s.branch.condition.form.lane);
  if (!constrained) {
    const alone = f.spec.blockKnown && f.spec.block[0] * f.spec.block[1] * f.spec.block[2] === 1;
    return { oneThreadPerBlock: alone, oneThreadPerWarp: alone };
  }
  const forms = path.flatMap((s) => conjuncts(f.c.memos, sideForm(s)));
  if (forms.some((form) => elects(f, form, blockSampleOf(f.c, 0)))) return { oneThreadPerBlock: true, oneThreadPerWarp: true };
  const elected = forms.some((form) => elects(f, form, sampleOf(f.c, 0, 0)));
  let oneThreadPerBlock = true;
  let oneThreadPerWarp = true;
  for (const iterations of iterationsOf(f.c, pathForms(f.c.memos, path), loops, 0, 0)) {
    let inBlock = 0;
    for (const active of lanesInBlock(f, path, iterations)) {
      const lanes = countLanes(active);
      inBlock += lanes;
      if (lanes > 1) oneThreadPerWarp = false;
    }
    if (inBlock > 1) oneThreadPerBlock = false;
    if (!oneThreadPerWarp) break;
  }
  return { oneThreadPerBlock, oneThreadPerWarp: oneThreadPerWarp || elected };
}

/** By warp, in a block in which some thread gets there: the first one, where conditions pick that. */
function lanesInBlock({ c }: Finisher, path: readonly PathStep[], iterations: Iterations): readonly number[] {
  const restrictions = restrictionsOf(c.memos, path);
  const isReached = (masks: readonly number[]) => masks.some((lanes) => lanes !== 0);
  if (restrictions.some((form) => form.block) && !isReached(activeInBlock(c, blockSampleOf(c, 0, iterations), restrictions, 'strict'))) {
    const inFirst = activeInBlock(c, firstBlockOf(c, 0, iterations), restrictions, 'strict');
    if (isReached(inFirst)) return inFirst;
  }
  return activeInBlock(c, blockSampleOf(c, 0, iterations), restrictions);
}

/** `lane == leader`: values that differ in all threads of a sample against one that these threads share. */
function elects(f: Finisher, form: Form, sample: Sample): boolean {
  const args = equatedIn(form);
  if (!args) return false;
  return [args, [...args].reverse()].some(([x, y]) => {
    if (!x.lane || x.data || x.unknown || (y.lane && (sample.lanes > LANES || dataVaries(y, sampleOf(f.c, 0, 0))))) return false;
    const value = sample.value(x);
    return typeof value !== 'number' && new Set(value).size === value.length;
  });
}

/** A condition on the block's index that is no bounds guard, such as `blockIdx.x == 0` or `i == 0`. */
function choosesBlocks(f: Finisher, path: readonly PathStep[]): boolean {
  return path.some((s) => conjuncts(f.c.memos, sideForm(s)).some((form) => form.block && !isBoundsGuard(f.c.memos, form)));
}

/** The same where the index is compared with one number, as in these examples: not `i % 2 == 0`, `i > 0`, or a test of what the block has loaded. */
function choosesOneBlock(f: Finisher, path: readonly PathStep[]): boolean {
  return path.some((s) => conjuncts(f.c.memos, sideForm(s)).some((form) => form.block && !form.data && isEquality(form)));
}

function isEquality(form: Form): boolean {
  const args = equatedIn(form);
  return args !== undefined && !args.some((arg) => arg.f === 'op' && PICKS_PART.has(arg.op));
}

/** Of an index: several have the same. */
const PICKS_PART: ReadonlySet<string> = new Set(['%', '/', '&', '>>']);

/** What `==` compares here. */
function equatedIn(form: Form): readonly Form[] | undefined {
  const isNegated = form.f === 'op' && form.op === '!';
  const comparison = isNegated ? form.args[0] : form;
  return comparison.f === 'op' && comparison.op === (isNegated ? '!=' : '==') ? comparison.args : undefined;
}
