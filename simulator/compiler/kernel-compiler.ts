/** Compiles a kernel to a WebAssembly module and a plan of a worker's memory that block runners follow. */

import { alignUp, sizeOf } from '../ir/layout.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import type { EngineOptions } from '../scheduling/engine.ts';
import type { ChosenProbes } from '../scheduling/probes.ts';
import type { MergedAccess } from '../simt/access-merging.ts';
import { adoptFacts, type FunctionFacts, functionFacts } from '../simt/analyze.ts';
import type { Aggregation } from '../simt/atomics.ts';
import { controlFlowOf } from './control-flow.ts';
import { EmissionContext } from './emission-context.ts';
import { expandAddresses } from './exact-addresses.ts';
import { FunctionEmitter } from './function-emitter.ts';
import { type InlinedKernel, inlineCalls } from './inlining.ts';
import { withInnerBranches } from './inner-branches.ts';
import type { CodeUnit, EmittedProbe, HostStep, KernelContext, MemorySite } from './kernel-context.ts';
import type { InnerBranches } from './kernel-plan.ts';
import { laneFormsOf } from './lane-forms.ts';
import { openBarrier } from './ledger-meetings.ts';
import { emitScheduler } from './scheduler.ts';
import { lanesMayWait, runsPathByPath } from './scheduling.ts';
import { type StructureLoad, structureLoads } from './structure-loads.ts';
import { ModuleBuilder } from './wasm-encoder.ts';

/** A kernel ready to run: everything but the host's functions and the launch. */
export interface CompiledKernel {
  /** With the functions that it calls inlined. */
  readonly fn: IrFunction;
  /** By site: the instruction in the module. */
  readonly origins: InlinedKernel['origins'];
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly frameBytes: number;
  /** Bytes of a worker's area. */
  readonly areaBytes: number;
  /** Local memory of a lane: parameters passed by value, variables, and what a call costs. */
  readonly localBytes: number;
  readonly usesLocal: boolean;
  /** Bytes of the structures passed by value, at the start of local memory. */
  readonly parameterBytes: number;
  /** Loads that give what the launch passed. */
  readonly structures: ReadonlyMap<Instruction, StructureLoad>;
  readonly steps: readonly HostStep[];
  /** What the host tells when the code calls it, by number. */
  readonly probes: readonly EmittedProbe[];
  readonly sites: readonly MemorySite[];
  /** Offset in the area of each block's row. */
  readonly blockRows: readonly number[];
  /** Instructions with branches of their own, and where in the area is counted how many of these diverge. */
  readonly innerBranches: readonly InnerBranches[];
  /** Lanes of a warp may have to wait for others that have taken another way, which only code that runs path by path can do. */
  readonly mayPart: boolean;
  /** It has loops in which lanes may have to wait for others, and begins again if they do. */
  readonly hopes: boolean;
  /** Sites of accesses that can wait until all blocks before have ended. */
  readonly inTurn: ReadonlySet<number>;
  /** Where the code can stop and go on, if the host schedules the kernel's paths. */
  readonly paths: { readonly units: readonly CodeUnit[]; readonly parting: number } | undefined;
}

export interface CompileOptions {
  /**
   * Each part of a warp runs by itself until it waits or parts, as the scheduler decides. Kernels that need it get it anyway: those with
   * lanes, warps or blocks that may have to wait for each other elsewhere than at a barrier of the whole block.
   */
  readonly paths?: boolean;
  /** A launch can be undone, and begin again if lanes turn out to wait for others in a loop. */
  readonly mayHope?: boolean;
  readonly probes?: ChosenProbes;
  readonly weigh?: EngineOptions['weigh'];
  /** Which accesses of a kernel are to be able to wait until all blocks before have ended. */
  readonly inTurn?: (kernel: Pick<CompiledKernel, 'fn' | 'structures'>) => ReadonlySet<number>;
}

const NO_SITES: ReadonlySet<number> = new Set();

export function compileKernel(module: LoadedModule, name: string, options: CompileOptions = {}): CompiledKernel {
  const kernel = module.ir.functions.get(name);
  if (!kernel) throw module.ir.unsupported.get(name) ?? new Error(`the module has no kernel ${name}`);
  const parameterBytes = bytesByValue(kernel);
  const inlined = inlineCalls(module.ir, kernel, parameterBytes);
  const { fn, origins, locals } = inlined;
  const facts = factsOf(module, inlined);
  adoptFacts(fn, facts);
  const builder = new ModuleBuilder();
  const inTurn = (!options.paths && options.inTurn?.({ fn, structures: structureLoads(fn) })) || NO_SITES;
  const context = new EmissionContext({ module, inlined, builder, parameterBytes, ...options, inTurn });
  const { parting } = context;
  const f = builder.function(name, { parameters: ['i32', 'i32'], results: ['i32'] });
  const emitter = new FunctionEmitter(context, forEmission(inlined, facts, context), f, options.weigh);
  const mayHope = options.mayHope === true;
  if (!options.paths && runsPathByPath(inlined, emitter.forms, mayHope)) return compileKernel(module, name, { ...options, paths: true });
  const hopes = !options.paths && inlined.waitingEdges.size > 0;
  emitter.emit();
  const frameBytes = alignUp(emitter.frameBytes, 64);
  const usesLocal = parameterBytes > 0 || locals.size > 0;
  if (options.paths) builder.export(f, 'path');
  else {
    const scheduler = builder.function('block', { parameters: ['i32', 'i32', 'i32'], results: [] });
    const localBytes = usesLocal ? 32 * inlined.localBytes : 0;
    const { parted, opened: told } = context.imports;
    const opened = told && { told, noted: openBarrier(builder) };
    emitScheduler(scheduler, { kernel: f, frameBytes, localBytes, parted, opened });
    builder.export(scheduler);
  }
  emitClearing(builder);
  return {
    fn,
    origins,
    bytes: builder.encode(),
    frameBytes,
    usesLocal,
    areaBytes: alignUp(context.areaBytes, 64),
    localBytes: inlined.localBytes,
    parameterBytes,
    structures: context.structures,
    steps: context.steps,
    probes: context.probes,
    sites: [...context.sites.values()],
    blockRows: context.blockRows,
    innerBranches: context.innerBranches,
    inTurn,
    mayPart: !options.paths && (hopes || lanesMayWait(fn, emitter.forms)),
    hopes,
    paths: parting === undefined ? undefined : { units: emitter.units, parting },
  };
}

/** From JavaScript, elements of a shared memory are written one at a time. */
function emitClearing(builder: ModuleBuilder): void {
  const clear = builder.function('clear', { parameters: ['i32', 'i32'], results: [] });
  clear.get(0).i32(0).get(1).memoryFill();
  builder.export(clear);
  const copy = builder.function('copy', { parameters: ['i32', 'i32', 'i32'], results: [] });
  copy.get(0).get(1).get(2).memoryCopy();
  builder.export(copy);
}

/** The kernel with its address arithmetic taken apart, and with what counts lanes that part inside of instructions. */
function forEmission(inlined: InlinedKernel, facts: FunctionFacts, { resolve, loadIsUniform }: KernelContext): InlinedKernel {
  const { fn, meeting } = inlined;
  const { isScalar } = laneFormsOf(fn, controlFlowOf(fn, meeting), {
    uniformParameters: fn.isKernel,
    loadIsUniform,
    meetEarly: () => false,
  });
  const isUniform = (operand: Operand): boolean => operand.kind !== 'value' || isScalar(operand.id);
  const expanded = expandAddresses(inlined, { isUniform, resolve });
  const marked = withInnerBranches(expanded, isUniform);
  adoptFacts(marked.fn, facts);
  return marked;
}

/** Bytes of the structures passed by value to a kernel: its local memory begins with them, as in the interpreter. */
function bytesByValue(fn: IrFunction): number {
  let bytes = 0;
  for (const { byval } of fn.parameters) if (byval) bytes = alignUp(bytes, Math.max(byval.align, 4)) + sizeOf(byval.type);
  return alignUp(bytes, 16);
}

/** What the analyses found in the kernel and in the functions that were inlined, by the sites of the whole. */
function factsOf(module: LoadedModule, { origins, fn }: InlinedKernel): FunctionFacts {
  const merged = new Map<number, MergedAccess>();
  const aggregated = new Map<number, Aggregation>();
  const counting = new Set<number>();
  const predicated = new Set<number>();
  origins.forEach((origin, site) => {
    if (!origin) return;
    const facts = functionFacts(origin.fn, module.ir);
    const group = facts.merged.get(origin.site);
    // All that matters of the leader is whether it is this one.
    if (group) merged.set(site, { ...group, leader: group.leader === origin.site ? site : -1 });
    const aggregation = facts.aggregated.get(origin.site);
    if (aggregation) aggregated.set(site, aggregation);
    if (facts.counting.has(origin.site)) counting.add(site);
    if (facts.predicated.has(origin.site)) predicated.add(site);
  });
  return { uniformity: functionFacts(module.ir.functions.get(fn.name)!, module.ir).uniformity, merged, aggregated, counting, predicated };
}
