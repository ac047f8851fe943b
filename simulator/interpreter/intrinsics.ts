/** What calls of functions mean that the module does not define: LLVM's intrinsics, the math library, the device runtime. */
import { type Instruction, UnsupportedIr } from '../ir/types.ts';
import { MATH } from '../machine/math.ts';
import type { Meaning } from '../scheduling/program.ts';
import { arithmeticIntrinsic } from './arithmetic-intrinsics.ts';
import { mathStep } from './math-calls.ts';
import { memoryIntrinsic } from './memory-intrinsics.ts';
import { runtimeCall } from './runtime-calls.ts';
import { specialRegister } from './special-registers.ts';
import { move } from './step-basics.ts';
import type { Translation } from './translate.ts';
import { warpIntrinsic } from './warp-intrinsics.ts';

export type Call = Extract<Instruction, { op: 'call' }>;

/** Say something to the compiler and nothing to the machine. */
const WITHOUT_EFFECT =
  /^llvm\.(lifetime|assume|dbg|invariant|experimental\.noalias|sideeffect|var\.annotation|donothing|prefetch|debugtrap|nvvm\.(fence|membar)|pseudoprobe)/;
/** Give back their first operand. */
const IDENTITY = /^llvm\.(expect|annotation|ptr\.annotation|launder|strip|ssa\.copy|arithmetic\.fence)/;

/** undefined: the call does nothing. Throws UnsupportedIr for a function that the simulator does not know. */
export function intrinsic(t: Translation, call: Call): Meaning | undefined {
  if (WITHOUT_EFFECT.test(call.callee)) return undefined;
  if (IDENTITY.test(call.callee)) return { step: move(t.results(call), t.cells(call.args[0])) };
  const math = MATH.get(call.callee);
  if (math) return { step: mathStep(t, call, math) };
  const meaning =
    specialRegister(t, call) ?? arithmeticIntrinsic(t, call) ?? warpIntrinsic(t, call) ?? memoryIntrinsic(t, call) ?? runtimeCall(t, call);
  if (meaning) return meaning;
  throw new UnsupportedIr(`the simulator does not know the function ${call.callee}`, call.location);
}
