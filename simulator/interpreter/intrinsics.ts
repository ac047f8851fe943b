/** What calls of functions mean that no module defines: each kind of meaning that the table in ../ir/intrinsics.ts has, as steps. */

import type { Meaning as How } from '../ir/intrinsics/description.ts';
import { intrinsicOf, unknownFunction } from '../ir/intrinsics.ts';
import { type Instruction, UnsupportedIr } from '../ir/types.ts';
import type { Meaning, Step } from '../scheduling/program.ts';
import { classStep, integerStep, numberStep, overflowStep, reduceStep, saturatingStep, signStep } from './arithmetic-intrinsics.ts';
import { imageStep } from './image-steps.ts';
import { mathStep } from './math-calls.ts';
import { cachedLoad, copyMemory, fillMemory, isInSpace, restoreStack, saveStack } from './memory-intrinsics.ts';
import { runtimeCall, trap } from './runtime-calls.ts';
import { specialRegister } from './special-registers.ts';
import { move } from './step-basics.ts';
import type { Translation } from './translate.ts';
import {
  activeMask,
  blockBarrier,
  clusterBarrier,
  gridBarrier,
  gridIsCooperative,
  match,
  matrixProduct,
  reduceLanes,
  shuffle,
  vote,
  warpBarrier,
} from './warp-intrinsics.ts';

export type Call = Extract<Instruction, { op: 'call' }>;

/** The part of the table's meanings that is of one kind. */
export type HowOf<Kind extends How['kind']> = Extract<How, { kind: Kind }>;

type Translate<Kind extends How['kind']> = (t: Translation, call: Call, how: HowOf<Kind>) => Meaning | undefined;

const nothing = (): undefined => undefined;
const never = (_: Translation, call: Call): never => {
  throw new Error(`a call of ${call.callee}, which the parser or the compiler replaces`);
};
const step = (made: Step): Meaning => ({ step: made });

const MEANINGS: { readonly [Kind in How['kind']]: Translate<Kind> } = {
  hint: nothing,
  nothing,
  identity: (t, call) => step(move(t.results(call), t.cells(call.args[0]))),
  fence: never,
  expression: never,
  emitted: never,
  test: never,
  innerBranch: never,
  integer: (t, call, how) => step(integerStep(t, call, how)),
  float: (t, call, how) => step(numberStep(t, call, how)),
  scalar: (t, call, how) => step(mathStep(t, call, how.run)),
  sign: (t, call, how) => step(signStep(t, call, how.of === 'none' ? () => 0 : (_, sign) => sign)),
  overflow: (t, call, how) => step(overflowStep(t, call, how)),
  classify: (t, call) => step(classStep(t, call)),
  saturatingCast: (t, call, how) => step(saturatingStep(t, call, how.signed)),
  reduceVector: (t, call, how) => step(reduceStep(t, call, how.combine)),
  register: (t, call, how) => step(specialRegister(t, call, how.register)),
  activeMask,
  warpBarrier,
  shuffle,
  vote,
  match,
  reduceLanes,
  matrixProduct,
  blockBarrier,
  gridBarrier,
  clusterBarrier,
  gridIsCooperative,
  copyMemory: (t, call) => step(copyMemory(t, call)),
  fillMemory: (t, call) => step(fillMemory(t, call)),
  cachedLoad: (t, call) => step(cachedLoad(t, call)),
  isInSpace: (t, call, how) => step(isInSpace(t, call, how.space)),
  saveStack: (t, call) => step(saveStack(t, call)),
  restoreStack: (t, call) => step(restoreStack(t, call)),
  trap: (_, call, { because }) => step(trap(call, because)),
  exit: () => ({
    end: (path) => {
      path.warp.exit(path, path.mask);
      return false;
    },
  }),
  image: (t, call, how) => step(imageStep(t, call, how.call)),
  runtime: (t, call, how) => step(runtimeCall(t, call, how.call)),
};

/** undefined: the call does nothing. Throws UnsupportedIr for a function that is not in the table. */
export function intrinsic(t: Translation, call: Call): Meaning | undefined {
  const known = intrinsicOf(call.callee);
  if (!known) throw new UnsupportedIr(unknownFunction(call.callee), call.location);
  const how = known.meaning;
  const translate = MEANINGS[how.kind] as (t: Translation, call: Call, how: How) => Meaning | undefined;
  return translate(t, call, how);
}
