/** Compiles a kernel to a WebAssembly module and a plan of a worker's memory that block runners follow. */

import { LOCAL_BASE } from '../ir/address-map.ts';
import { alignUp, sizeOf, storeSizeOf } from '../ir/layout.ts';
import { type Instruction, type IrFunction, type Type, UnsupportedIr } from '../ir/types.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { resolveSymbol } from '../machine/load-module.ts';
import { type Access, shapeOf } from '../machine/request.ts';
import type { MergedAccess } from '../simt/access-merging.ts';
import { adoptFacts, type FunctionFacts, functionFacts } from '../simt/analyze.ts';
import type { Aggregation } from '../simt/atomics.ts';
import { componentsOf } from './components.ts';
import { controlFlowOf } from './control-flow.ts';
import { expandAddresses } from './exact-addresses.ts';
import { FunctionEmitter } from './function-emitter.ts';
import type { Callable } from './helper-parts.ts';
import { type InlinedKernel, inlineCalls } from './inlining.ts';
import type { CodeUnit, HostStep, KernelContext, MemorySite } from './kernel-context.ts';
import { laneFormsOf } from './lane-forms.ts';
import { BLOCK_ROW, COUNTERS, INFO, PARAMETER_BYTES, PARTING, PARTING_SIDE, RECORD } from './layout.ts';
import { emitMathHelpers, importMath } from './math-calls.ts';
import { emitMemoryHelpers } from './memory-helpers.ts';
import { emitScheduler } from './scheduler.ts';
import { lanesMayWait, runsPathByPath } from './scheduling.ts';
import { type StructureLoad, structureLoads } from './structure-loads.ts';
import { emitWarpHelpers } from './warp-helpers.ts';
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
  readonly sites: readonly MemorySite[];
  /** Offset in the area of each block's row. */
  readonly blockRows: readonly number[];
  /** Lanes of a warp may have to wait for others that have taken another way, which only code that runs path by path can do. */
  readonly mayPart: boolean;
  /** Of a kernel whose paths the host schedules: where its code can stop and go on. */
  readonly paths: { readonly units: readonly CodeUnit[]; readonly parting: number } | undefined;
}

/**
 * `paths`: each part of a warp runs by itself until it waits or parts, as the interpreter's scheduler decides. Kernels that need it get
 * it anyway: those with lanes, warps or blocks that may have to wait for each other elsewhere than at a barrier of the whole block.
 */
export function compileKernel(module: LoadedModule, name: string, paths = false): CompiledKernel {
  const kernel = module.ir.functions.get(name);
  if (!kernel) throw module.ir.unsupported.get(name) ?? new Error(`the module has no kernel ${name}`);
  const parameterBytes = bytesByValue(kernel);
  const inlined = inlineCalls(module.ir, kernel, parameterBytes);
  const { fn, origins, locals } = inlined;
  const facts = factsOf(module, inlined);
  adoptFacts(fn, facts);
  const builder = new ModuleBuilder();
  const address = ['i32', 'i32', 'i32', 'i32', 'i32'] as const;
  const describe = builder.importFunction('describe', { parameters: address, results: ['i32'] });
  const describeUniform = builder.importFunction('describeUniform', { parameters: address.slice(1), results: ['i32'] });
  const describeAtomic = builder.importFunction('describeAtomic', { parameters: [...address, 'i32'], results: [] });
  const host = builder.importFunction('host', { parameters: address.slice(1), results: [] });
  const checkpoint = builder.importFunction('checkpoint', { parameters: ['i32', 'i32'], results: [] });
  const reduceAdd = builder.importFunction('reduceAdd', { parameters: [...address, 'i32', 'i32'], results: [] });
  const parted = builder.importFunction('parted', { parameters: [], results: [] });
  const unreachable = builder.importFunction('unreachable', { parameters: ['i32', 'i32'], results: [] });
  const math = importMath(builder, fn);
  const helpers = emitMemoryHelpers(builder, { describe, describeUniform, describeAtomic }, parameterBytes);
  const warpHelpers = emitWarpHelpers(builder);
  const mathHelpers = emitMathHelpers(builder, math);

  const steps: HostStep[] = [];
  const sites = new Map<Instruction, MemorySite>();
  const shared = new Map<string, Callable>();
  let area = COUNTERS;
  const reserve = (bytes: number): number => {
    const at = area;
    area += bytes;
    return at;
  };
  const parting = paths ? reserve(alignUp(PARTING.sides + mostSuccessors(fn) * PARTING_SIDE.bytes, 8)) : undefined;
  const blockRows = fn.blocks.map(() => reserve(BLOCK_ROW.bytes));
  const parameters = layOutParameters(fn);
  const structures = structureLoads(fn);
  const context: KernelContext = {
    parting,
    resolve: (symbol, space) => resolveSymbol(module, name, symbol, space),
    helpers,
    warpHelpers,
    mathHelpers,
    imports: { host, checkpoint, reduceAdd, parted, unreachable },
    loadIsUniform: (load) => structures.has(load) || loadIsUniform(fn, load),
    structureOffset: (load) => structures.get(load)?.offset,
    parameterOffset: (_, id, component) => parameters.get(id)! + 8 * component,
    blockRow: (_, block) => blockRows[block],
    site(_, instruction) {
      let site = sites.get(instruction);
      if (!site) {
        site = memorySite(fn, instruction, { record: reserve(RECORD.bytes), facts: functionFacts(fn, module.ir) });
        sites.set(instruction, site);
      }
      return site;
    },
    addStep(step) {
      steps.push(step);
      return steps.length - 1;
    },
    sharedFunction(name, make) {
      let found = shared.get(name);
      if (!found) {
        found = make(builder);
        shared.set(name, found);
      }
      return found;
    },
    isDefined: (callee) => module.ir.functions.has(callee),
    allocaAddress(_, instruction) {
      const offset = locals.get(instruction);
      if (offset === undefined) throw new UnsupportedIr('the compiled engine has no arrays of variable size', instruction.location);
      return (instruction.type.kind === 'ptr' && instruction.type.space === 5 ? 0 : LOCAL_BASE) + offset;
    },
  };
  const f = builder.function(name, { parameters: ['i32', 'i32'], results: ['i32'] });
  const emitter = new FunctionEmitter(context, forEmission(inlined, facts, context), f);
  if (!paths && runsPathByPath(inlined, emitter.forms)) return compileKernel(module, name, true);
  emitter.emit();
  const frameBytes = alignUp(emitter.frameBytes, 64);
  const usesLocal = parameterBytes > 0 || locals.size > 0;
  if (paths) builder.export(f, 'path');
  else {
    const scheduler = builder.function('block', { parameters: ['i32', 'i32', 'i32'], results: [] });
    emitScheduler(scheduler, { kernel: f, frameBytes, localBytes: usesLocal ? 32 * inlined.localBytes : 0, parted });
    builder.export(scheduler);
  }
  return {
    fn,
    origins,
    bytes: builder.encode(),
    frameBytes,
    usesLocal,
    areaBytes: alignUp(area, 64),
    localBytes: inlined.localBytes,
    parameterBytes,
    structures,
    steps,
    sites: [...sites.values()],
    blockRows,
    mayPart: !paths && lanesMayWait(fn, emitter.forms),
    paths: parting === undefined ? undefined : { units: emitter.units, parting },
  };
}

/** The kernel with its address arithmetic taken apart. */
function forEmission(inlined: InlinedKernel, facts: FunctionFacts, { resolve, loadIsUniform }: KernelContext): InlinedKernel {
  const { fn, meeting } = inlined;
  const { isScalar } = laneFormsOf(fn, controlFlowOf(fn, meeting), {
    uniformParameters: fn.isKernel,
    loadIsUniform,
    meetEarly: () => false,
  });
  const expanded = expandAddresses(inlined, { isUniform: (operand) => operand.kind !== 'value' || isScalar(operand.id), resolve });
  adoptFacts(expanded.fn, facts);
  return expanded;
}

function mostSuccessors(fn: IrFunction): number {
  return Math.max(...fn.blocks.map((b) => b.successors.length));
}

function layOutParameters(fn: IrFunction): ReadonlyMap<number, number> {
  const offsets = new Map<number, number>();
  let at = INFO.parameters;
  for (const parameter of fn.parameters) {
    offsets.set(parameter.id, at);
    at += 8 * componentsOf(parameter.type).length;
  }
  if (at > INFO.parameters + PARAMETER_BYTES) throw new UnsupportedIr(`${fn.name} has too many parameters`);
  return offsets;
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
    // Of the leader only that it is this one matters here.
    if (group) merged.set(site, { ...group, leader: group.leader === origin.site ? site : -1 });
    const aggregation = facts.aggregated.get(origin.site);
    if (aggregation) aggregated.set(site, aggregation);
    if (facts.counting.has(origin.site)) counting.add(site);
    if (facts.predicated.has(origin.site)) predicated.add(site);
  });
  return { uniformity: functionFacts(module.ir.functions.get(fn.name)!, module.ir).uniformity, merged, aggregated, counting, predicated };
}

function memorySite(
  fn: IrFunction,
  instruction: Instruction,
  { record, facts }: { readonly record: number; readonly facts: FunctionFacts },
): MemorySite {
  const { op } = instruction;
  if (op !== 'load' && op !== 'store' && op !== 'atomicrmw' && op !== 'cmpxchg') throw new Error('no access to memory');
  const type: Type = op === 'store' ? instruction.value.type : op === 'cmpxchg' ? instruction.expected.type : instruction.type;
  const pointer = instruction.pointer.type;
  const bytes = storeSizeOf(type);
  const access = accessOf(instruction);
  const align = 'align' in instruction && access !== 'atomic' ? instruction.align : bytes;
  const space = pointer.kind === 'ptr' ? pointer.space : 0;
  return {
    ...shapeOf({ access, space, bytes, align }, instruction.site, facts),
    record,
    fn,
    instruction,
    aggregation: facts.aggregated.get(instruction.site),
    countsUp: facts.counting.has(instruction.site),
  };
}

function accessOf({ op }: Instruction): Access {
  return op === 'load' ? 'read' : op === 'store' ? 'write' : 'atomic';
}

/** Only local memory holds different values behind one address; generic pointers may lead there if the kernel has any. */
function loadIsUniform(fn: IrFunction, load: Instruction): boolean {
  if (load.op !== 'load' || load.pointer.type.kind !== 'ptr') return false;
  const { space } = load.pointer.type;
  if (space === 5) return false;
  if (space !== 0) return true;
  const hasLocals = fn.blocks.some((b) => b.instructions.some((i) => i.op === 'alloca'));
  return !hasLocals && !fn.parameters.some((p) => p.byval);
}
