/** What a launch of compiled code came to: its counters and its fault, by the module's own functions and instructions. */
import {
  BROADCAST_FIELDS,
  createFunctionCounters,
  FIELD,
  type FunctionCounters,
  SITE_FIELDS,
  type SiteCounters,
} from '../counters/site-counters.ts';
import { locationAt } from '../ir/moved-instructions.ts';
import { misalignedMessage, outOfBoundsMessage } from '../machine/faults.ts';
import type { Elapsed, Fault, Launch } from '../machine/launch.ts';
import { type LoadedModule, sharedLimit } from '../machine/load-module.ts';
import type { EngineOptions } from '../scheduling/engine.ts';
import type { FaultAt } from '../scheduling/warp.ts';
import { type FaultPlace, type LaunchCounts, SITE_COUNTS } from './block-runner.ts';
import type { NoRoomForBlock } from './compiled-paths.ts';
import type { HostSteps } from './host-steps.ts';
import type { CompiledKernel } from './kernel-compiler.ts';
import type { KernelCode } from './kernel-instance.ts';
import type { KernelPlan } from './kernel-plan.ts';
import type { KernelFault } from './memory-host.ts';

export interface CompiledProgram {
  readonly kind: 'compiled';
  readonly compiled: CompiledKernel;
  readonly plan: KernelPlan;
  /** For other threads. */
  readonly module: WebAssembly.Module;
  readonly code: KernelCode;
  /** Instructions that the host executes. */
  readonly steps: HostSteps | undefined;
  /** By which worker threads know it. */
  readonly number: number;
}

/**
 * Rows of the kernel and of the functions that it called, in the module's order: executions come from its blocks, the rest from the
 * records of its memory instructions and from what host steps have counted.
 */
export function countersOf(
  { ir }: LoadedModule,
  { compiled, plan }: CompiledProgram,
  counts: readonly LaunchCounts[],
  steps: Float64Array | undefined,
): SiteCounters {
  const { fn, origins } = compiled;
  const rows = new Map<string, FunctionCounters>();
  const add = (site: number, field: number, value: number): void => {
    const origin = origins[site];
    if (!origin || value === 0) return;
    let row = rows.get(origin.fn.name);
    if (!row) {
      row = createFunctionCounters(origin.fn.name, origin.fn.siteCount);
      rows.set(origin.fn.name, row);
    }
    row.data[origin.site * SITE_FIELDS.length + field] += value;
  };
  for (const { blocks, innerBranches, sites } of counts) {
    for (const block of fn.blocks) {
      const at = 3 * block.index;
      const executions = blocks[at];
      const lanes = blocks[at + 1];
      for (const { site } of block.instructions) {
        add(site, FIELD.executions, executions);
        add(site, FIELD.lanes, lanes);
      }
      add(block.instructions[block.instructions.length - 1].site, FIELD.divergent, blocks[at + 2]);
    }
    plan.innerBranches.forEach(({ site, reads }, index) => {
      const [divergent, slow] = innerBranches.subarray(2 * index, 2 * index + 2);
      add(site, FIELD.divergent, divergent);
      add(site, FIELD.slowPaths, slow);
      for (const field of BROADCAST_FIELDS) add(site, field, reads * slow);
    });
    plan.sites.forEach(({ site }, index) => {
      SITE_COUNTS.forEach(({ name }, k) => {
        add(site, FIELD[name], sites[index * SITE_COUNTS.length + k]);
      });
    });
  }
  steps?.forEach((value, index) => {
    add(Math.floor(index / SITE_FIELDS.length), index % SITE_FIELDS.length, value);
  });
  if (rows.size < 2) return rows;
  return new Map([...ir.functions.keys()].flatMap((name) => (rows.has(name) ? [[name, rows.get(name)!] as const] : [])));
}

export function faultOf(options: EngineOptions, kernel: CompiledProgram, launch: Launch, place: FaultPlace): Fault {
  const { fault, block, thread } = place;
  const [x, y] = launch.grid;
  const { kind, message, location, address, assertion } = describeFault(options, kernel, launch, fault);
  return {
    kind,
    message,
    kernel: launch.kernel,
    location,
    block: [block % x, Math.floor(block / x) % y, Math.floor(block / (x * y))],
    thread,
    address,
    assertion,
  };
}

export function describeFault(options: EngineOptions, { compiled, plan }: CompiledProgram, launch: Launch, fault: KernelFault): FaultAt {
  const instruction = compiled.fn.blocks.flatMap((b) => b.instructions).find((i) => i.site === fault.site);
  const site = plan.sites.find((s) => s.site === fault.site);
  let message = fault.sentence ?? fault.kind;
  if (fault.sentence === undefined && instruction && site && fault.address !== undefined) {
    const bad = {
      access: site.access,
      address: fault.address,
      bytes: site.bytes,
      sharedBytes: sharedLimit(options.module, launch.kernel, launch.dynamicSharedBytes),
      localBytes: plan.localBytes,
    };
    message = fault.kind === 'misaligned' ? misalignedMessage(bad, site.align) : outOfBoundsMessage(options.memory, bad);
  }
  return {
    kind: fault.kind,
    message,
    lane: fault.lane,
    location: locationAt(compiled.fn, fault.site),
    address: fault.address,
    assertion: fault.assertion,
  };
}

/** Of parts of a launch. */
export function joinElapsed(parts: readonly Elapsed[]): Elapsed {
  return {
    longest: Math.max(0, ...parts.map(({ longest }) => longest)),
    blocks: parts.reduce((sum, { blocks }) => sum + blocks, 0),
  };
}

export function noRoom(launch: Launch, { contexts, contextBytes }: NoRoomForBlock): Fault {
  const kilobytes = Math.ceil(contextBytes / 1024);
  const message = `${contexts + 1} blocks of the grid must run at the same time, and each needs ${kilobytes} KB for its values and shared memory: more than the simulator has`;
  return { kind: 'unsupported', message, kernel: launch.kernel };
}
