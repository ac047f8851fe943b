/** Calls of the device runtime, which executes them lane by lane, and traps. */
import type { RuntimeCall } from '../ir/intrinsics/description.ts';
import { leavesOf } from '../machine/cells.ts';
import { forLanes, lowestLane } from '../machine/lanes.ts';
import { DEVICE_RUNTIME } from '../scheduling/device-runtime.ts';
import type { Step } from '../scheduling/program.ts';
import { FaultSignal } from '../scheduling/warp.ts';
import type { Call } from './intrinsics.ts';
import type { Translation } from './translate.ts';

export function runtimeCall(t: Translation, call: Call, name: RuntimeCall): Step {
  const run = DEVICE_RUNTIME[name];
  const args = call.args.map((a) => ({ cell: t.cells(a)[0], wide: leavesOf(a.type)[0].bits > 32 }));
  const [result] = t.results(call);
  return (path) => {
    forLanes(path.mask, (lane) => {
      const { cells } = path.frame;
      const operands = args.map(({ cell, wide }) => (wide ? Number(cells[cell].q[lane]) : cells[cell].i[lane] >>> 0));
      const value = run(path, lane, operands, call.location);
      if (result !== undefined) cells[result].i[lane] = value;
    });
  };
}

export function trap(call: Call, message: string): Step {
  return (path) => {
    const lane = lowestLane(path.mask);
    throw new FaultSignal(path, { kind: 'trap', message, lane, location: call.location });
  };
}
