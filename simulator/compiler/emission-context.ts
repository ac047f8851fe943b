/** What is known of the kernel while its code is emitted, and what the code leaves behind for the host. */

import { LOCAL_BASE } from '../ir/address-map.ts';
import { alignUp, storeSizeOf } from '../ir/layout.ts';
import { type Instruction, type IrFunction, type Type, UnsupportedIr } from '../ir/types.ts';
import type { ResolveSymbol } from '../machine/constant-bytes.ts';
import { type LoadedModule, resolveSymbol } from '../machine/load-module.ts';
import { type Access, shapeOf } from '../machine/request.ts';
import { type ChosenProbes, NO_PROBES } from '../scheduling/probes.ts';
import { type FunctionFacts, functionFacts } from '../simt/analyze.ts';
import { componentsOf } from './components.ts';
import type { Callable } from './helper-parts.ts';
import type { InlinedKernel } from './inlining.ts';
import type { EmittedProbe, HostStep, KernelContext, MemorySite, ProbeImports } from './kernel-context.ts';
import type { InnerBranches } from './kernel-plan.ts';
import { BLOCK_ROW, COUNTERS, INFO, PARAMETER_BYTES, PARTING, PARTING_SIDE, RECORD } from './layout.ts';
import { emitMathHelpers, importMath, type MathHelpers } from './math-calls.ts';
import { emitMemoryHelpers, type MemoryHelpers } from './memory-helpers.ts';
import { type StructureLoad, structureLoads } from './structure-loads.ts';
import { emitWarpHelpers, type WarpHelpers } from './warp-helpers.ts';
import type { ModuleBuilder } from './wasm-encoder.ts';

export class EmissionContext implements KernelContext {
  readonly chosen: ChosenProbes;
  readonly inTurn: ReadonlySet<number>;
  readonly parting: number | undefined;
  readonly imports: KernelContext['imports'];
  readonly helpers: MemoryHelpers;
  readonly warpHelpers: WarpHelpers;
  readonly mathHelpers: MathHelpers;
  readonly structures: ReadonlyMap<Instruction, StructureLoad>;
  /** Offset in the area of each block's row. */
  readonly blockRows: readonly number[];
  readonly innerBranches: InnerBranches[] = [];
  readonly steps: HostStep[] = [];
  readonly probes: EmittedProbe[] = [];
  readonly sites = new Map<Instruction, MemorySite>();
  /** Bytes of a worker's area so far. */
  areaBytes: number = COUNTERS;
  readonly #module: LoadedModule;
  readonly #inlined: InlinedKernel;
  readonly #builder: ModuleBuilder;
  readonly #parameters: ReadonlyMap<number, number>;
  readonly #shared = new Map<string, Callable>();

  constructor({
    module,
    inlined,
    builder,
    parameterBytes,
    paths,
    probes,
    inTurn,
  }: {
    readonly module: LoadedModule;
    readonly inlined: InlinedKernel;
    readonly builder: ModuleBuilder;
    readonly parameterBytes: number;
    readonly paths?: boolean;
    readonly probes?: ChosenProbes;
    readonly inTurn: ReadonlySet<number>;
  }) {
    const { fn } = inlined;
    this.#module = module;
    this.#inlined = inlined;
    this.#builder = builder;
    this.chosen = probes ?? NO_PROBES;
    this.inTurn = inTurn;
    const { memory, ...imports } = importHost(builder, this.chosen);
    this.imports = imports;
    const math = importMath(builder, fn);
    this.helpers = emitMemoryHelpers(builder, memory, parameterBytes);
    this.warpHelpers = emitWarpHelpers(builder);
    this.mathHelpers = emitMathHelpers(builder, math);
    this.parting = paths ? this.reserve(alignUp(PARTING.sides + mostSuccessors(fn) * PARTING_SIDE.bytes, 8)) : undefined;
    this.blockRows = fn.blocks.map(() => this.reserve(BLOCK_ROW.bytes));
    this.#parameters = layOutParameters(fn);
    this.structures = structureLoads(fn);
  }

  readonly resolve: ResolveSymbol = (symbol, space) => resolveSymbol(this.#module, this.#inlined.fn.name, symbol, space);

  readonly loadIsUniform = (load: Instruction): boolean => this.structures.has(load) || loadIsUniform(this.#inlined.fn, load);

  structureOffset(load: Instruction): number | undefined {
    return this.structures.get(load)?.offset;
  }

  parameterOffset(_: IrFunction, id: number, component: number): number {
    return this.#parameters.get(id)! + 8 * component;
  }

  blockRow(_: IrFunction, block: number): number {
    return this.blockRows[block];
  }

  innerBranchCount(site: number, reads: number): number {
    const offset = this.reserve(16);
    this.innerBranches.push({ site, offset, reads });
    return offset;
  }

  site(_: IrFunction, instruction: Instruction): MemorySite {
    const { fn } = this.#inlined;
    let site = this.sites.get(instruction);
    if (!site) {
      site = memorySite(fn, instruction, { record: this.reserve(RECORD.bytes), facts: functionFacts(fn, this.#module.ir) });
      this.sites.set(instruction, site);
    }
    return site;
  }

  addStep(step: HostStep): number {
    return this.steps.push(step) - 1;
  }

  addProbe(probe: EmittedProbe): number {
    return this.probes.push(probe) - 1;
  }

  sharedFunction(name: string, make: (module: ModuleBuilder) => Callable): Callable {
    let found = this.#shared.get(name);
    if (!found) {
      found = make(this.#builder);
      this.#shared.set(name, found);
    }
    return found;
  }

  isDefined(callee: string): boolean {
    return this.#module.ir.functions.has(callee);
  }

  allocaAddress(_: IrFunction, instruction: Instruction): number {
    const offset = this.#inlined.locals.get(instruction);
    if (offset === undefined) throw new UnsupportedIr('the compiled engine has no arrays of variable size', instruction.location);
    return (instruction.type.kind === 'ptr' && instruction.type.space === 5 ? 0 : LOCAL_BASE) + offset;
  }

  reserve(bytes: number): number {
    const at = this.areaBytes;
    this.areaBytes += bytes;
    return at;
  }
}

function importHost(builder: ModuleBuilder, chosen: ChosenProbes) {
  const address = ['i32', 'i32', 'i32', 'i32', 'i32'] as const;
  const describe = builder.importFunction('describe', { parameters: address, results: ['i32'] });
  const describeUniform = builder.importFunction('describeUniform', { parameters: address.slice(1), results: ['i32'] });
  const describeAtomic = builder.importFunction('describeAtomic', { parameters: [...address, 'i32'], results: [] });
  const traced = builder.importFunction('traced', { parameters: address, results: [] });
  const tracedUniform = builder.importFunction('tracedUniform', { parameters: address.slice(1), results: [] });
  return {
    memory: { describe, describeUniform, describeAtomic, traced, tracedUniform },
    host: builder.importFunction('host', { parameters: address.slice(1), results: [] }),
    checkpoint: builder.importFunction('checkpoint', { parameters: ['i32', 'i32'], results: [] }),
    turn: builder.importFunction('turn', { parameters: [], results: [] }),
    reduceAdd: builder.importFunction('reduceAdd', { parameters: [...address, 'i32', 'i32'], results: [] }),
    parted: builder.importFunction('parted', { parameters: [], results: [] }),
    unreachable: builder.importFunction('unreachable', { parameters: ['i32', 'i32'], results: [] }),
    opened: chosen.has('meeting') ? builder.importFunction('opened', { parameters: [], results: [] }) : undefined,
    probes: chosen.size > 0 ? importProbes(builder) : undefined,
  };
}

function importProbes(builder: ModuleBuilder): ProbeImports {
  const word = ['i32', 'i32', 'i32', 'i32'] as const;
  const declare = (name: string, count: number) => builder.importFunction(name, { parameters: word.slice(0, count), results: [] });
  return { probe: declare('probe', 3), known: declare('known', 4), same: declare('same', 4), whole: declare('whole', 2) };
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
