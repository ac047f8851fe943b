/**
 * The fast engine: compiles kernels to WebAssembly with SIMD and runs them. What it does not compile the interpreter executes, with
 * the same results.
 */
import { createFunctionCounters, FIELD, type FunctionCounters, SITE_FIELDS } from '../counters/site-counters.ts';
import type { CreateEngine, Engine, EngineOptions, Fault, Launch, LaunchOutcome } from '../engine.ts';
import { byvalOffsets } from '../interpreter/calls.ts';
import { leavesOf } from '../interpreter/cells.ts';
import { createInterpreter } from '../interpreter/interpreter.ts';
import { sizeOf } from '../ir/layout.ts';
import { type Instruction, UnsupportedIr } from '../ir/types.ts';
import { GLOBAL_BASE, LOCAL_BASE } from '../machine/address-map.ts';
import { misalignedMessage, outOfBoundsMessage } from '../machine/faults.ts';
import { sharedLimit } from '../machine/load-module.ts';
import { BlockRunner, type FaultPlace, SITE_COUNTS } from './block-runner.ts';
import { HostSteps, PartedLanes } from './host-steps.ts';
import { type CompiledKernel, compileKernel } from './kernel-compiler.ts';
import { type KernelPlan, type LaunchPlan, workerLayout } from './kernel-plan.ts';
import type { KnownAllocation } from './memory-host.ts';
import { optimisedModule } from './optimised-module.ts';

interface CompiledProgram {
  readonly kind: 'compiled';
  readonly compiled: CompiledKernel;
  readonly plan: KernelPlan;
  readonly module: WebAssembly.Module;
  /** Instructions that the host executes. */
  readonly steps: HostSteps | undefined;
}

/** A kernel as the engine keeps it: compiled, or the reason why the interpreter runs it. */
type Kernel = CompiledProgram | { readonly kind: 'interpreted'; readonly reason: string };

export interface CompilerEngine extends Engine {
  /** Why the interpreter executes a kernel; undefined for one that is compiled. */
  whyInterpreted(kernel: string): string | undefined;
}

export const createCompiler: CreateEngine = (options): CompilerEngine => {
  const kernels = new Map<string, Kernel>();
  let interpreter: Engine | undefined;
  const prepared = (name: string): Kernel => {
    let kernel = kernels.get(name);
    if (!kernel) {
      kernel = prepare(options, name);
      kernels.set(name, kernel);
    }
    return kernel;
  };
  return {
    launch(launch) {
      const kernel = launch.cooperative ? undefined : prepared(launch.kernel);
      const outcome = kernel?.kind === 'compiled' ? runOrRestore(options, kernel, launch) : undefined;
      if (outcome) return outcome;
      interpreter ??= createInterpreter(options);
      return interpreter.launch(launch);
    },
    whyInterpreted(name) {
      const kernel = prepared(name);
      return kernel.kind === 'interpreted' ? kernel.reason : undefined;
    },
    close() {
      kernels.clear();
      interpreter?.close();
    },
  };
};

function prepare(options: EngineOptions, name: string): Kernel {
  try {
    const compiled = compileKernel(options.module, name);
    const steps = compiled.steps.length > 0 ? new HostSteps(options, compiled) : undefined;
    return { kind: 'compiled', compiled, plan: planOf(compiled), module: optimisedModule(compiled.bytes), steps };
  } catch (error) {
    if (error instanceof UnsupportedIr) return { kind: 'interpreted', reason: error.message };
    throw error;
  }
}

function planOf(compiled: CompiledKernel): KernelPlan {
  const { fn, frameBytes, areaBytes, localBytes, parameterBytes, blockRows } = compiled;
  return {
    name: fn.name,
    frameBytes,
    areaBytes,
    localBytes,
    parameterBytes,
    usesLocal: parameterBytes > 0 || fn.blocks.some((b) => b.instructions.some((i) => i.op === 'alloca')),
    sites: compiled.sites.map(({ record, instruction, bytes, align, counted }) => ({
      record,
      site: instruction.site,
      bytes,
      align,
      counted,
    })),
    blockRows,
    blockInstructions: fn.blocks.map((b) => b.instructions.length),
  };
}

/** undefined if lanes had to wait for others that have taken another way: then memory is as it was before the launch. */
function runOrRestore(options: EngineOptions, kernel: CompiledProgram, launch: Launch): LaunchOutcome | undefined {
  if (!kernel.compiled.mayPart) return run(options, kernel, launch);
  const { memory } = options;
  const saved = memory.allocations.map(({ address, sizeBytes }) => ({
    at: address - GLOBAL_BASE,
    bytes: memory.bytes.slice(address - GLOBAL_BASE, address - GLOBAL_BASE + sizeBytes),
  }));
  try {
    return run(options, kernel, launch);
  } catch (error) {
    if (!(error instanceof PartedLanes)) throw error;
    for (const { at, bytes } of saved) memory.bytes.set(bytes, at);
    return undefined;
  }
}

function run(options: EngineOptions, kernel: CompiledProgram, launch: Launch): LaunchOutcome {
  const { memory } = options;
  const plan = launchPlan(options, kernel.compiled, launch);
  const { bytes } = workerLayout(kernel.plan, plan);
  const area = memory.allocateInternal(bytes, `scratch memory of ${launch.kernel}`);
  if (!area) throw new UnsupportedIr('device memory has no room for the engine itself');
  try {
    const base = area.address - GLOBAL_BASE;
    const steps = kernel.steps?.begin(launch);
    const runner = new BlockRunner({
      module: kernel.module,
      memory: memory.memory,
      kernel: kernel.plan,
      launch: plan,
      base,
      hostStep: steps && ((at, step) => steps.run(at, step)),
      stopped: () => false,
    });
    const count = launch.grid[0] * launch.grid[1] * launch.grid[2];
    let next = 0;
    const place = runner.run(() => (next < count ? next++ : -1));
    const counters = countersOf(kernel, [runner.counts()]);
    steps?.counters.forEach((value, index) => {
      counters.data[index] += value;
    });
    return {
      counters: new Map([[launch.kernel, counters]]),
      fault: place && faultOf(options, kernel, launch, place),
      output: new Uint8Array(Buffer.concat(steps?.grid.output ?? [])),
      children: [],
    };
  } finally {
    memory.release(area.address);
  }
}

function launchPlan({ module, memory, limits }: EngineOptions, { fn }: CompiledKernel, launch: Launch): LaunchPlan {
  const constants = new Set([...module.ir.globals.values()].filter((g) => g.space === 4).map((g) => module.addresses.get(g.name)!));
  const allocations: KnownAllocation[] = memory.allocations.map(({ address, sizeBytes }) => ({
    address,
    sizeBytes,
    constant: constants.has(address),
  }));
  const { offsets } = byvalOffsets(fn.parameters);
  const words: bigint[] = [];
  const byval: { bytes: Uint8Array; offset: number }[] = [];
  fn.parameters.forEach((parameter, index) => {
    const bytes = launch.args[index];
    const expected = sizeOf(parameter.byval?.type ?? parameter.type);
    if (!bytes || bytes.length < expected) {
      throw new Error(`argument ${index} of ${fn.name} has ${bytes?.length ?? 0} bytes instead of ${expected}`);
    }
    const offset = offsets[index];
    if (offset !== undefined) {
      words.push(BigInt(LOCAL_BASE + offset));
      byval.push({ bytes: bytes.slice(0, expected), offset });
      return;
    }
    for (const leaf of leavesOf(parameter.type)) {
      let bits = 0n;
      for (let byte = leaf.bytes - 1; byte >= 0; byte--) bits = (bits << 8n) | BigInt(bytes[leaf.offset + byte]);
      words.push(BigInt.asUintN(leaf.bits, bits));
    }
  });
  return {
    grid: launch.grid,
    block: launch.block,
    sharedLimit: sharedLimit(module, launch.kernel, launch.dynamicSharedBytes),
    dynamicSharedBytes: launch.dynamicSharedBytes,
    parameters: new Uint8Array(BigUint64Array.from(words).buffer),
    byval,
    allocations,
    limit: limits.warpInstructions,
    parallel: false,
  };
}

/** Rows of all sites of the kernel: executions come from its blocks, the rest from the records of its memory instructions. */
function countersOf(
  { compiled, plan }: CompiledProgram,
  counts: readonly { readonly blocks: Float64Array; readonly sites: Float64Array }[],
): FunctionCounters {
  const { fn } = compiled;
  const counters = createFunctionCounters(fn.name, fn.siteCount);
  for (const { blocks, sites } of counts) {
    for (const block of fn.blocks) {
      const [executions, lanes, divergent] = blocks.subarray(3 * block.index, 3 * block.index + 3);
      for (const { site } of block.instructions) {
        counters.data[site * SITE_FIELDS.length + FIELD.executions] += executions;
        counters.data[site * SITE_FIELDS.length + FIELD.lanes] += lanes;
      }
      const last = block.instructions[block.instructions.length - 1];
      counters.data[last.site * SITE_FIELDS.length + FIELD.divergent] += divergent;
    }
    plan.sites.forEach(({ site }, index) => {
      SITE_COUNTS.forEach(({ name }, k) => {
        counters.data[site * SITE_FIELDS.length + FIELD[name]] += sites[index * SITE_COUNTS.length + k];
      });
    });
  }
  return counters;
}

function faultOf(options: EngineOptions, { compiled, plan }: CompiledProgram, launch: Launch, place: FaultPlace): Fault {
  const { fault, block, thread } = place;
  const [x, y] = launch.grid;
  const instruction = compiled.fn.blocks.flatMap((b) => b.instructions).find((i) => i.site === fault.site);
  const site = plan.sites.find((s) => s.site === fault.site);
  let message = fault.sentence ?? fault.kind;
  if (fault.sentence === undefined && instruction && site && fault.address !== undefined) {
    const bad = {
      access: accessOf(instruction),
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
    kernel: launch.kernel,
    location: instruction?.location,
    block: [block % x, Math.floor(block / x) % y, Math.floor(block / (x * y))],
    thread,
    address: fault.address,
  };
}

function accessOf(instruction: Instruction): 'read' | 'write' | 'atomic' {
  return instruction.op === 'load' ? 'read' : instruction.op === 'store' ? 'write' : 'atomic';
}
