/** What device programs call from the mathematics library and the runtime, and what ends or delays a thread. */
import { LIBDEVICE } from '../math/libdevice.ts';
import { type CodeKey, type Effect, type Intrinsic, pure, type RuntimeCall } from './description.ts';

function runtime(call: RuntimeCall, effect: Effect): [string, Intrinsic] {
  return [call, { effect, result: 'varying', keepsPointers: true, cost: 'call', meaning: { kind: 'runtime', call } }];
}

function trap(because: string): Intrinsic {
  return { effect: 'fault', result: 'uniform', cost: 'call', meaning: { kind: 'trap', because } };
}

const TRAP = trap('the program executed a trap');
/** A call that trap-constant-writes.ts puts before stores and atomics to `__constant__` variables. */
export const CONSTANT_WRITE = '__lanewise_constant_write';
/** A call that indirect-calls.ts puts where a pointer leads to no function of the call's type. */
export const NO_FUNCTION = '__lanewise_no_function';

/** Functions of singles with code of their own. */
const CODES: Readonly<Record<string, CodeKey>> = {
  __nv_expf: 'exp',
  __nv_exp2f: 'exp2',
  __nv_logf: 'log',
  __nv_log2f: 'log2',
  __nv_rsqrtf: 'rsqrt',
  __nv_sinf: 'sin',
  __nv_cosf: 'cos',
  __nv_powf: 'pow',
  __nv_tanhf: 'tanh',
  __nv_fast_expf: 'fastExp',
  __nv_fast_exp10f: 'fastExp10',
  __nv_fast_logf: 'fastLog',
  __nv_fast_log2f: 'log2',
  __nv_fast_log10f: 'fastLog10',
  __nv_fast_sinf: 'fastSin',
  __nv_fast_cosf: 'fastCos',
  __nv_fast_powf: 'fastPower',
  __nv_fast_fdividef: 'fastQuotient',
};

export const RUNTIME: Readonly<Record<string, Intrinsic>> = {
  ...Object.fromEntries(
    Object.entries(LIBDEVICE).map(([name, run]) => [name, pure({ kind: 'scalar', run }, { cost: 'function', code: CODES[name] })]),
  ),
  ...Object.fromEntries([
    runtime('vprintf', 'print'),
    runtime('malloc', 'heap'),
    runtime('free', 'heap'),
    runtime('__assertfail', 'fault'),
    runtime(NO_FUNCTION, 'fault'),
    runtime('cudaGetParameterBuffer', 'launch'),
    runtime('cudaLaunchDevice', 'launch'),
    runtime('cudaGetLastError', 'launch'),
    runtime('cudaPeekAtLastError', 'launch'),
    runtime('__lanewise_device_stream', 'launch'),
  ]),
  'llvm.trap': TRAP,
  'llvm.ubsantrap': TRAP,
  [CONSTANT_WRITE]: trap(
    'the kernel writes to __constant__ memory, which only the host can do: use cudaMemcpyToSymbol, or a __device__ variable',
  ),
  'llvm.nvvm.exit': { effect: 'exit', result: 'uniform', cost: 'call', meaning: { kind: 'exit' } },
  'llvm.nvvm.nanosleep': { effect: 'pause', result: 'uniform', cost: 'call', meaning: { kind: 'nothing' } },
  __lanewise_grid_is_cooperative: { effect: 'none', result: 'uniform', cost: 'call', meaning: { kind: 'gridIsCooperative' } },
};
