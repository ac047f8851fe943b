/**
 * Functions of the runtime API that need what a simulated machine does not have: other processes, graphics, NVIDIA's interfaces of a car,
 * code that is compiled while the program runs. They answer cudaErrorNotSupported, and the report says which were called.
 */
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';

/** Names of functions by what they need. */
export const UNSUPPORTED: Readonly<Record<string, readonly string[]>> = {
  'memory and events of other processes': [
    'cudaIpcGetMemHandle', 'cudaIpcOpenMemHandle', 'cudaIpcCloseMemHandle', 'cudaIpcGetEventHandle', 'cudaIpcOpenEventHandle',
    'cudaMemPoolExportToShareableHandle', 'cudaMemPoolImportFromShareableHandle', 'cudaMemPoolExportPointer', 'cudaMemPoolImportPointer',
  ],
  'memory and semaphores of other interfaces': [
    'cudaImportExternalMemory', 'cudaDestroyExternalMemory', 'cudaExternalMemoryGetMappedBuffer', 'cudaExternalMemoryGetMappedMipmappedArray',
    'cudaImportExternalSemaphore', 'cudaDestroyExternalSemaphore', 'cudaSignalExternalSemaphoresAsync', 'cudaWaitExternalSemaphoresAsync',
    'cudaGraphAddExternalSemaphoresSignalNode', 'cudaGraphAddExternalSemaphoresWaitNode', 'cudaGraphExternalSemaphoresSignalNodeGetParams',
    'cudaGraphExternalSemaphoresSignalNodeSetParams', 'cudaGraphExternalSemaphoresWaitNodeGetParams',
    'cudaGraphExternalSemaphoresWaitNodeSetParams', 'cudaGraphExecExternalSemaphoresSignalNodeSetParams',
    'cudaGraphExecExternalSemaphoresWaitNodeSetParams', 'cudaDeviceGetNvSciSyncAttributes',
  ],
  graphics: [
    'cudaGraphicsResourceGetMappedMipmappedArray',
  ],
  'device code that is loaded while the program runs': [
    'cudaLibraryLoadData', 'cudaLibraryLoadFromFile', 'cudaLibraryUnload', 'cudaLibraryGetKernel', 'cudaLibraryGetKernelCount',
    'cudaLibraryEnumerateKernels', 'cudaLibraryGetGlobal', 'cudaLibraryGetManaged', 'cudaLibraryGetUnifiedFunction',
  ],
  'the driver itself': [
    'cudaGetDriverEntryPoint', 'cudaGetDriverEntryPointByVersion', 'cudaGetExportTable', 'cudaDeviceFlushGPUDirectRDMAWrites',
    'cudaDeviceRegisterAsyncNotification', 'cudaDeviceUnregisterAsyncNotification', 'cudaDeviceGetHostAtomicCapabilities',
    'cudaDeviceGetP2PAtomicCapabilities', 'cudaLogsCurrent', 'cudaLogsDumpToFile', 'cudaLogsDumpToMemory', 'cudaLogsRegisterCallback',
    'cudaLogsUnregisterCallback', 'cudaLaunchCooperativeKernelMultiDevice',
  ],
  'memory whose content may be lost': ['cudaMemDiscardBatchAsync', 'cudaMemDiscardAndPrefetchBatchAsync'],
}; // biome-ignore format: table

export function unsupportedFunctions(context: CudaContext): Functions {
  const refuse = (name: string, what: string) => () => {
    context.notSupported.set(name, what);
    return CUDA.NotSupported;
  };
  const entries = Object.entries(UNSUPPORTED).flatMap(([what, names]) => names.map((name) => [name, refuse(name, what)] as const));
  return apiCalls(context, Object.fromEntries(entries));
}
