/** A kernel's code linked to device memory and to what it calls: made once, since launches may be short and many. */
import { mathImports } from './math-calls.ts';
import { KernelFault, MemoryHost, PartedLanes } from './memory-host.ts';
import type { ProbeCalls } from './probe-teller.ts';

/** Whose blocks the code executes. */
export interface Caller {
  readonly host: MemoryHost;
  /** Executes an instruction that WebAssembly has no code for. */
  hostStep(at: { readonly frame: number; readonly mask: number; readonly step: number }): void;
  /** A request that belongs to the launch's trace. */
  traced(record: number, addresses: number, mask: number, flags: number): void;
  tracedUniform(record: number, address: number, mask: number): void;
  /** Asks whether the code may go on. */
  checkpoint(): void;
  /** Returns when all blocks before have ended. */
  awaitTurn(): void;
}

/** Making them takes longer than small launches do. */
export interface MemoryViews {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  readonly data: DataView;
}

export class KernelCode {
  readonly #module: WebAssembly.Module;
  readonly #memory: WebAssembly.Memory;
  #instance: KernelInstance | undefined;
  #views: MemoryViews | undefined;

  constructor(module: WebAssembly.Module, memory: WebAssembly.Memory) {
    this.#module = module;
    this.#memory = memory;
  }

  /** Of all that device memory is now. */
  views(): MemoryViews {
    const buffer = this.#memory.buffer as unknown as SharedArrayBuffer;
    if (this.#views?.words.buffer !== buffer)
      this.#views = { words: new Int32Array(buffer), bytes: new Uint8Array(buffer), data: new DataView(buffer) };
    return this.#views;
  }

  /** Only one caller at a time has it, unless it comes with probes, which are linked in. */
  instanceFor(caller: Caller, probes: ProbeCalls | undefined): KernelInstance {
    if (probes) return new KernelInstance(this.#module, this.#memory, { caller, probes });
    this.#instance ??= new KernelInstance(this.#module, this.#memory, { caller });
    this.#instance.caller = caller;
    return this.#instance;
  }
}

class KernelInstance {
  caller: Caller;
  #host: MemoryHost | undefined;
  readonly runWarps: (area: number, frames: number, warps: number) => void;
  /** Of kernels that run path by path. */
  readonly runPath: (area: number, frame: number) => number;
  readonly clear: (at: number, bytes: number) => void;
  readonly copy: (to: number, from: number, bytes: number) => void;

  constructor(
    module: WebAssembly.Module,
    memory: WebAssembly.Memory,
    { caller, probes }: { readonly caller: Caller; readonly probes?: ProbeCalls },
  ) {
    this.caller = caller;
    const { exports } = new WebAssembly.Instance(module, { host: { memory, ...this.#calls(), ...probes, ...mathImports(module) } });
    this.runWarps = exports.block as KernelInstance['runWarps'];
    this.runPath = exports.path as KernelInstance['runPath'];
    this.clear = exports.clear as KernelInstance['clear'];
    this.copy = exports.copy as KernelInstance['copy'];
  }

  /** For one launch: its footprint begins anew. */
  hostFor(buffer: SharedArrayBuffer, launch: ConstructorParameters<typeof MemoryHost>[1]): MemoryHost {
    if (this.#host) this.#host.begin(buffer, launch);
    else this.#host = new MemoryHost(buffer, launch);
    return this.#host;
  }

  #calls(): Record<string, (...args: number[]) => unknown> {
    return {
      describe: (w, addresses, mask, record) => this.caller.host.describe(w, addresses, mask, record),
      describeUniform: (w, address, mask, record) => this.caller.host.describeUniform(w, address, mask, record),
      describeAtomic: (w, addresses, mask, record, _, flags) => this.caller.host.describeAtomic(w, { addresses, mask, record, flags }),
      host: (_, frame, mask, step) => this.caller.hostStep({ frame, mask, step }),
      reduceAdd: (w, addresses, values, mask, record, _, flags) =>
        this.caller.host.reduceAdd(w, { addresses, values, mask, record, flags }),
      traced: (w, addresses, mask, record, flags) => this.caller.traced(record - w, addresses, mask, flags),
      tracedUniform: (w, address, mask, record) => this.caller.tracedUniform(record - w, address, mask),
      parted: () => {
        throw new PartedLanes();
      },
      unreachable: (mask, site) => {
        const message = 'the kernel reached code that the compiler considers unreachable: the program has undefined behaviour';
        throw new KernelFault('illegal-instruction', { site, lane: 31 - Math.clz32(mask & -mask), message });
      },
      checkpoint: () => this.caller.checkpoint(),
      turn: () => this.caller.awaitTurn(),
    };
  }
}

export type { KernelInstance };
