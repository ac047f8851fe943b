/** What the compiler's analyses need to know of calls to functions that no module defines. */

const LAUNCH_CONSTANT = /^llvm\.nvvm\.read\.ptx\.sreg\.(ctaid|ntid|nctaid|warpsize)/;

/** The compiler's own: the upper half of an integer of 64 bits. */
export const HIGH_WORD = 'lanewise.high';
/** And with a scale behind it: min(index + quotient, count) * scale + base, of the arguments index, quotient, count, base. */
export const LIMITED_ADDRESS = 'lanewise.address.';

/** Results that depend on nothing but the operands. */
const PURE =
  /^(__nv_|lanewise\.(high|address)\b|llvm\.(abs|smax|smin|umax|umin|fabs|sqrt|fma|fmuladd|floor|ceil|trunc|rint|nearbyint|round|roundeven|copysign|minnum|maxnum|minimum|maximum|ctpop|ctlz|cttz|bitreverse|bswap|fshl|fshr|uadd|usub|sadd|ssub|umul|smul|is\.fpclass|exp|exp2|log|log2|log10|sin|cos|pow|powi|canonicalize|fptosi|fptoui|vector\.reduce|ucmp|scmp|ushl|sshl|ldexp|frexp)\b)/;

const PURE_NVVM =
  /^llvm\.nvvm\.(abs|add|bf16|bitcast|brev|ceil|clz|cos|d2|div|ex2|f2|fabs|fma|floor|fmax|fmin|fneg|h2f|i2|idp|lg2|lohi|ll2|max|min|mul|neg|popc|prmt|rcp|round|rsqrt|saturate|sad|sin|sqrt|tanh|trunc|ui2|ull2|ff2|fsub|fshl|fshr|fns)\b/;

export function isLaunchConstantCall(callee: string): boolean {
  return LAUNCH_CONSTANT.test(callee);
}

export function isPureCall(callee: string): boolean {
  return PURE.test(callee) || PURE_NVVM.test(callee);
}

/** Calls that do nothing: debugging and optimisation hints, and fences, since memory is sequentially consistent. */
export function isHint(callee: string): boolean {
  return /^llvm\.(dbg|lifetime|assume|experimental\.noalias|donothing|invariant|prefetch|var\.annotation|sideeffect|debugtrap|pseudoprobe|nvvm\.(fence|membar))/.test(
    callee,
  );
}

/** Calls that the compiled engine leaves to the interpreter, with the whole kernel: they change what memory there is or end lanes. */
export function needsInterpreter(callee: string): boolean {
  return /^(malloc|free|cudaGetParameterBuffer|cudaLaunchDevice|llvm\.nvvm\.exit|llvm\.stack(save|restore))/.test(callee);
}

/** Calls at which paths stop otherwise than at a barrier of all threads, or that read how many instructions have been executed. */
export function needsPaths(callee: string): boolean {
  return /^(__lanewise_grid_sync$|llvm\.nvvm\.(read\.ptx\.sreg\.(clock|globaltimer)|bar(?!rier\.cta\.sync\.aligned\.all|rier0$|\.warp\.sync|\.sync)))/.test(
    callee,
  );
}
