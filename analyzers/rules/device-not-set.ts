/** Every MPI rank on a node starts on device 0: without cudaSetDevice they share one GPU and leave the others idle. */
import { defineRule } from './define-rule.ts';

/** Whoever starts the ranks is to choose their devices: what only asks for its rank may find one chosen. */
const STARTS = new Set(['MPI_Init', 'MPI_Init_thread']);
/** Calls that ask about devices but use none. */
const NEUTRAL = /^cuda(GetDevice|DeviceGet|GetError|Driver|Runtime|GetLastError|PeekAtLastError)/;

export const deviceNotSet = defineRule({
  id: 'device-not-set',
  summary: 'CUDA work in MPI ranks or host threads that never select a device',
  category: 'launches',
  severity: 'warning',
  messages: {
    rank: 'no MPI rank calls cudaSetDevice in this file: unless another file does, all ranks on a node share device 0; call cudaSetDevice(localRank % deviceCount) before any other CUDA call',
  },
  *detectFile(file) {
    const calls = file.hostFunctions.flatMap((f) => f.calls);
    if (!calls.some((call) => STARTS.has(call.name)) || calls.some((call) => call.name === 'cudaSetDevice' || call.name === 'cuCtxCreate'))
      return;
    const first = calls.find((call) => call.launch || (call.name.startsWith('cuda') && !NEUTRAL.test(call.name)));
    if (first) yield { at: first.launch?.configPlace ?? first.namePlace, message: 'rank' };
  },
});
