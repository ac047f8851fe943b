/** Calls of the device runtime, which executes them lane by lane, and instructions that end or delay threads. */
import { leavesOf } from '../machine/cells.ts';
import { forLanes, lowestLane } from '../machine/lanes.ts';
import { DEVICE_RUNTIME } from '../scheduling/device-runtime.ts';
import type { Meaning, Step } from '../scheduling/program.ts';
import { FaultSignal } from '../scheduling/warp.ts';
import type { Call } from './intrinsics.ts';
import type { Translation } from './translate.ts';

export function runtimeCall(t: Translation, call: Call): Meaning | undefined {
  switch (call.callee) {
    case 'llvm.trap':
    case 'llvm.ubsantrap':
      return { step: trap(call) };
    case 'llvm.nvvm.exit':
      return {
        end: (path) => {
          path.warp.exit(path, path.mask);
          return false;
        },
      };
    case 'llvm.nvvm.nanosleep':
      return { step: () => {} };
    default:
      return Object.hasOwn(DEVICE_RUNTIME, call.callee) ? perLane(t, call) : undefined;
  }
}

function perLane(t: Translation, call: Call): Meaning {
  const run = DEVICE_RUNTIME[call.callee];
  const args = call.args.map((a) => ({ cell: t.cells(a)[0], wide: leavesOf(a.type)[0].bits > 32 }));
  const [result] = t.results(call);
  return {
    step: (path) => {
      forLanes(path.mask, (lane) => {
        const { cells } = path.frame;
        const operands = args.map(({ cell, wide }) => (wide ? Number(cells[cell].q[lane]) : cells[cell].i[lane] >>> 0));
        const value = run(path, lane, operands, call.location);
        if (result !== undefined) cells[result].i[lane] = value;
      });
    },
  };
}

function trap(call: Call): Step {
  return (path) => {
    const lane = lowestLane(path.mask);
    throw new FaultSignal(path, { kind: 'trap', message: 'the program executed a trap', lane, location: call.location });
  };
}
