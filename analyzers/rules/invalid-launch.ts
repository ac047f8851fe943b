/** Launches that the runtime rejects: the kernel does not run, and without a check nobody notices. */
import type { DeviceProfile } from '../../devices/profile.ts';
import { type LaunchFacts, variantOf } from '../model/facts.ts';
import { defineRule, type Report } from './define-rule.ts';
import { phrase } from './phrases.ts';

const AXES = ['x', 'y', 'z'] as const;

type Message = 'threads' | 'axis' | 'empty' | 'grid' | 'shared' | 'optin' | 'bounds';

export const invalidLaunch = defineRule<Message>({
  id: 'invalid-launch',
  summary: 'Launch configuration that the runtime rejects',
  category: 'launches',
  severity: 'error',
  messages: {
    threads:
      'a block of {threads} threads exceeds the limit of {limit}: the launch fails with cudaErrorInvalidValue; use more, smaller blocks',
    axis: 'block.{axis} is {value}, above the limit of {limit}: the launch fails with cudaErrorInvalidValue',
    empty: '{what}.{axis} is 0: the launch fails with cudaErrorInvalidValue; skip the launch when there is nothing to do',
    grid: 'grid.{axis} is {value}, above the limit of {limit}: the launch fails with cudaErrorInvalidValue; put the long dimension in x',
    shared: '{bytes} bytes of shared memory per block exceed the limit of {limit} on {device}: the launch fails with cudaErrorInvalidValue',
    optin:
      '{bytes} bytes of dynamic shared memory{beside} require cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {bytes}) first: without it the limit is {limit} bytes per block, and the launch fails with cudaErrorInvalidValue',
    bounds:
      'a block of {threads} threads exceeds the limit of {limit} in __launch_bounds__ of `{kernel}`: the launch fails with cudaErrorInvalidValue',
  },
  *detectFile(file) {
    for (const launch of file.launches) {
      yield* shape(launch, file.device);
      yield* shared(launch, file.device);
    }
  },
});

function* shape(launch: LaunchFacts, device: DeviceProfile): Iterable<Report<Message>> {
  const at = launch.configPlace;
  for (const what of ['grid', 'block'] as const)
    for (const axis of AXES) if (launch[what][axis] === 0) yield { at, message: 'empty', data: { what, axis } };
  for (const [i, axis] of AXES.entries()) {
    const blocks = launch.grid[axis] ?? 1;
    const limit = device.maxGrid[i];
    if (blocks > limit) yield { at, message: 'grid', data: { axis, value: blocks, limit } };
  }
  const { x = 1, y = 1, z = 1 } = launch.block;
  const threads = x * y * z;
  const bounds = launch.kernel?.maxThreadsPerBlock;
  if (threads > device.maxThreadsPerBlock) yield { at, message: 'threads', data: { threads, limit: device.maxThreadsPerBlock } };
  else if (z > device.maxBlock[2]) yield { at, message: 'axis', data: { axis: 'z', value: z, limit: device.maxBlock[2] } };
  else if (launch.kernel && bounds !== undefined && threads > bounds)
    yield { at, message: 'bounds', data: { threads, limit: bounds, kernel: launch.kernel.name } };
}

function* shared(launch: LaunchFacts, device: DeviceProfile): Iterable<Report<Message>> {
  const dynamic = launch.sharedBytes ?? 0;
  const fixed = variantOf(launch)?.staticSharedBytes ?? 0;
  const bytes = dynamic + fixed;
  const at = launch.configPlace;
  if (bytes > device.sharedPerBlockOptin)
    yield { at, message: 'shared', data: { bytes, limit: device.sharedPerBlockOptin, device: device.name } };
  else if (bytes > device.sharedPerBlock && dynamic > 0 && launch.sharedOptIn === undefined)
    yield {
      at,
      message: 'optin',
      data: { bytes: dynamic, beside: fixed > 0 ? phrase('onTopOfStatic', { bytes: fixed }) : '', limit: device.sharedPerBlock },
    };
}
