/** Accesses of the host to managed or pinned memory while a kernel, or a copy, that was given it may still be running. */
import type { MemoryObject, Moment, RawFacts, RawHostCall } from './values.ts';

export interface EarlyAccess {
  readonly access: RawFacts['dereferences'][number];
  /** The launch, or the copy; of a `__managed__` variable, a launch of whatever kernel. */
  readonly user: RawHostCall;
}

/** Calls that leave the device running. Others wait, or may. */
const GOES_ON = /^(cudaGetLastError|cudaPeekAtLastError|cudaGetErrorString|cudaEventRecord|cudaMemcpyAsync|cudaMemsetAsync)$/;

/** The first access after each call that was given the memory. */
export function earlyAccesses({ dereferences, hostCalls, foreignCalls }: RawFacts): EarlyAccess[] {
  const found = new Map<RawHostCall, EarlyAccess>();
  const ofVariables: EarlyAccess[] = [];
  const isRunning = (user: RawHostCall, moment: Moment) => {
    if (!isOnWay(user, moment)) return false;
    const isBetween = (order: number) => order > user.order && order < moment.order;
    return !hostCalls.some((call) => call !== user && isBetween(call.order) && mayWait(call)) && !foreignCalls.some(isBetween);
  };
  for (const access of dereferences) {
    const { object, moment } = access;
    if (!object.managed && !object.inCommon) continue;
    const earlier = hostCalls.filter((call) => call.order < moment.order);
    if (object.managed) {
      // Of launches in front of a call that waits, none is still running.
      const since = earlier.slice(earlier.findLastIndex(mayWait) + 1);
      for (const user of since) if (user.launch && isRunning(user, moment)) ofVariables.push({ access, user });
    }
    if (!object.inCommon) continue;
    const user = earlier.findLast((call) => uses(call, object));
    if (user && !found.has(user) && isRunning(user, moment)) found.set(user, { access, user });
  }
  return [...found.values(), ...ofVariables];
}

function mayWait({ launch, name }: RawHostCall): boolean {
  return !launch && !GOES_ON.test(name);
}

/** Device memory is copied to pageable memory before the call returns; to pinned memory, later. */
function uses({ name, launch, args }: RawHostCall, { id }: MemoryObject): boolean {
  const given = launch?.api === 'triple-chevron' ? launch.args : name === 'cudaMemcpyAsync' ? args.slice(0, 1) : [];
  return given.some(({ value }) => value.v === 'ptr' && value.object.id === id);
}

/** Whoever gets there has passed the call: one branch stands for all of host code, so steps are compared and not branches. */
export function isOnWay(call: Moment, { path }: Moment): boolean {
  return call.path.every((step, i) => path[i] === step || step.branch.kind === 'loop-exit');
}
