/**
 * Copy in, kernel, copy out, one after the other in a loop over pieces of an array: while a synchronous copy runs, the GPU waits.
 * Only loops whose copies move along a host array are meant; repeating one measurement is not.
 */
import type { HostCallFacts, HostFunctionFacts } from '../model/file-facts.ts';
import { defineRule } from './define-rule.ts';

export const serialTransfer = defineRule({
  id: 'serial-transfer',
  summary: 'Synchronous copies in a loop that two streams could overlap with kernels',
  category: 'launches',
  severity: 'information',
  messages: {
    serial:
      'copy, kernel and copy run one after the other in every iteration; use two streams, pinned host memory and cudaMemcpyAsync to overlap the copies of one chunk with the kernel of another',
  },
  *detectFile(file) {
    for (const f of file.hostFunctions) {
      const copy = serialLoop(f);
      if (copy) yield { at: copy.namePlace, message: 'serial' };
    }
  },
});

function serialLoop(f: HostFunctionFacts): HostCallFacts | undefined {
  for (const launch of f.calls) {
    const loop = launch.launch && launch.loops.at(-1);
    if (!loop) continue;
    const copies = f.calls.filter((call) => call.name === 'cudaMemcpy' && call.loops.includes(loop));
    const into = copies.find((call) => call.order < launch.order && direction(call) === 'in');
    const out = copies.find((call) => call.order > launch.order && direction(call) === 'out');
    if (into && out && (moves(into.args[1]?.text) || moves(out.args[0]?.text))) return into;
  }
  return undefined;
}

function direction(call: HostCallFacts): 'in' | 'out' | undefined {
  const kind = call.args[3]?.text ?? '';
  return kind.includes('HostToDevice') ? 'in' : kind.includes('DeviceToHost') ? 'out' : undefined;
}

/** The host pointer is a place in an array: `in + offset`, `&in[offset]`. */
function moves(pointer: string | undefined): boolean {
  return pointer !== undefined && /\+|&\s*\w+\s*\[(?!\s*0\s*\])/.test(pointer);
}
