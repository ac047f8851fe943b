/** All functions of the CUDA runtime, as the host program imports them: a pointer that leads nowhere is the program's fault, not ours. */
import { arrayCopyFunctions } from './cuda-array-copies.ts';
import { ArrayTable, arrayFunctions } from './cuda-arrays.ts';
import { batchFunctions } from './cuda-batches.ts';
import type { CudaContext, Functions } from './cuda-context.ts';
import { deviceFunctions } from './cuda-device.ts';
import { driverFunctions } from './cuda-driver.ts';
import { CUDA } from './cuda-errors.ts';
import { graphFunctions } from './cuda-graphs.ts';
import { hintFunctions } from './cuda-hints.ts';
import { type Kernel, launchFunctions } from './cuda-launch.ts';
import { memoryFunctions, symbolCopies } from './cuda-memory.ts';
import { poolFunctions } from './cuda-pools.ts';
import { StreamTable, streamFunctions } from './cuda-streams.ts';
import { textureFunctions } from './cuda-textures.ts';
import { unsupportedFunctions } from './cuda-unsupported.ts';
import type { DeviceProgram } from './device-program.ts';
import type { DriverModules } from './driver-modules.ts';
import { BadAddress } from './host-memory.ts';
import { libraryFunctions } from './libraries/libraries.ts';
import { ProgramFault } from './linux/errors.ts';
import type { RankOptions } from './mpi/exchange.ts';
import { mpiFunctions } from './mpi/mpi.ts';
import { type DeviceCompiler, nvrtcFunctions } from './nvrtc.ts';
import { shownBufferFunctions } from './shown-buffers.ts';
import { windowFunctions } from './window/window.ts';

interface HostSide {
  /** Calls a function of the host program through its table. */
  callHost(pointer: number, ...args: (number | bigint)[]): number;
  readonly modules: DriverModules;
  readonly compiler: DeviceCompiler;
  /** Which of several ranks the program is; the only one unless given. */
  readonly rank?: RankOptions;
}

export function cudaFunctions(context: CudaContext, program: DeviceProgram, { callHost, modules, compiler, rank }: HostSide): Functions {
  const streams = new StreamTable(context.clock, () => context.current.index, context.tasks);
  const arrays = new ArrayTable();
  const symbols = new Map<number, { address: number; sizeBytes: number }>();
  const kernels = new Map<number, Kernel>();
  const launches = { context, program, streams, symbols, callHost };
  const plain: Functions = {
    ...deviceFunctions(context),
    ...memoryFunctions(context, { symbols, streams, arrays }),
    ...arrayFunctions(context, arrays),
    ...arrayCopyFunctions({ context, arrays, streams }),
    ...textureFunctions(context, arrays, symbols),
    ...batchFunctions({ context, arrays, streams }),
    ...streamFunctions({ context, streams, callHost }),
    ...launchFunctions(launches, kernels),
  };
  const graphs = { launches, kernels, arrays, symbols: symbolCopies(context, symbols), functions: plain };
  const captured = { ...plain, ...graphFunctions(context, streams, graphs) };
  const functions: Functions = {
    ...captured,
    ...poolFunctions({ context, streams, plain: captured }),
    ...hintFunctions(context, streams, plain),
    ...unsupportedFunctions(context),
    ...libraryFunctions(context),
    ...mpiFunctions(context, rank),
    ...shownBufferFunctions(context),
    ...nvrtcFunctions(context, modules, compiler),
    ...windowFunctions(context, { callHost }, plain),
  };
  const driver = driverFunctions({ launches, kernels, runtime: functions, modules });
  return Object.fromEntries(
    Object.entries({ ...functions, ...driver }).map(([name, call]) => [name, guarded(name, call, context)] as const),
  );
}

function guarded(name: string, call: Functions[string], context: CudaContext): Functions[string] {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      if (!(error instanceof BadAddress)) throw error;
      if (!error.isNull) throw new ProgramFault('host-fault', badAddressText(name, error, context));
      context.lastError = CUDA.InvalidValue;
      return CUDA.InvalidValue;
    }
  };
}

function badAddressText(name: string, { address, access }: BadAddress, { memory }: CudaContext): string {
  const hex = BigInt.asUintN(64, BigInt(address)).toString(16);
  const onDevice = memory.find(address, 1) !== undefined;
  const advice = onDevice ? 'it is memory of the device, and the call wants the address of a variable of the host' : 'check the pointer';
  const verb = access === 'read' ? 'read' : 'wrote';
  return `segmentation fault: ${name} ${verb} at 0x${hex}, which is not memory of the host program: ${advice}`;
}
