import type { LaunchFacts } from '../model/facts.ts';
import type { FileFacts } from '../model/file-facts.ts';
import { defineRule } from './define-rule.ts';

/** A kernel is given the address of memory that only the host has. */
export const hostPointerArgument = defineRule({
  id: 'host-pointer-argument',
  summary: 'Kernel argument that points to host memory',
  category: 'launches',
  severity: 'error',
  messages: {
    stack:
      'argument {number} of `{kernel}` is the address of a variable on the stack of `{function}`, which the GPU cannot access: the kernel fails with an illegal address; pass device memory, or the value itself',
    heap: 'argument {number} of `{kernel}` points to memory from malloc or `new`, which the GPU cannot access: the kernel fails with an illegal address; allocate it with cudaMalloc and copy, or with cudaMallocManaged',
  },
  *detectFile(file) {
    if (sharesHostMemory(file)) return;
    for (const launch of file.launches) {
      if (launch.inDeviceCode) continue;
      for (const [i, argument] of launch.args.entries()) {
        if (!argument.onHost || !takesPointer(launch, i)) continue;
        const data = { number: i + 1, kernel: launch.kernelName, function: launch.functionName };
        yield { at: argument.place, message: argument.onHost, data };
      }
    }
  },
});

function takesPointer({ kernel }: LaunchFacts, index: number): boolean {
  return kernel?.variants.some(({ parameters }) => parameters[index]?.type.kind === 'pointer') === true;
}

/** Registered memory is accessible, and a program that asks whether the device can reach all memory knows what it does. */
export function sharesHostMemory(file: FileFacts): boolean {
  return file.identifiers(SHARING).length > 0;
}

const SHARING = new Set([
  'cudaHostRegister',
  'cudaDevAttrPageableMemoryAccess',
  'pageableMemoryAccess',
  'cudaMemAdvise',
  'cudaMemPrefetchAsync',
]);
