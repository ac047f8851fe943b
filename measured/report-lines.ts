/** Source lines of what a report has of single instructions: modules, the addresses of their functions, and counters by address. */
import { CubinLines } from './cubin-lines.ts';
import type { MeasuredLine } from './launches.ts';

/** Metrics of instructions that are kept; their sums by line mean something. */
export const LINE_SOURCES: ReadonlySet<string> = new Set([
  'inst_executed',
  'thread_inst_executed',
  'smsp__branch_targets_threads_divergent',
  'smsp__pcsamp_sample_count',
  'memory_l2_theoretical_sectors_global',
  'memory_l2_theoretical_sectors_global_ideal',
  'memory_l1_wavefronts_shared',
  'memory_l1_wavefronts_shared_ideal',
]);

/** A kernel that was loaded. */
export interface LoadedKernel {
  readonly name: string;
  readonly address: number;
  readonly symbol: number;
}

/** A number of an instruction. */
export interface InstructionValue {
  readonly metric: string;
  readonly address: number;
  readonly value: number;
}

type Places = MeasuredLine['places'];

/** Code of one module. */
export class ModuleLines {
  private cubin: Uint8Array | undefined;
  private lines: CubinLines | undefined;
  private readonly kernels = new Map<string, LoadedKernel>();
  /** By address: the same for all launches. */
  private readonly known = new Map<number, Places>();
  /** Equal ones are one. */
  private readonly places = new Map<string, Places>();

  /** The code comes once, kernels as they are launched. */
  add(cubin: Uint8Array | undefined, kernels: readonly LoadedKernel[]): void {
    this.cubin ??= cubin;
    for (const kernel of kernels) this.kernels.set(kernel.name, kernel);
  }

  /** Undefined where the module says nothing of the kernel's lines. */
  linesOf(name: string, values: readonly InstructionValue[]): MeasuredLine[] | undefined {
    const kernel = this.kernels.get(name);
    const table = kernel && values.length > 0 ? this.table() : undefined;
    if (!table) return undefined;
    const lines = new Map<Places, Record<string, number>>();
    for (const { metric, address, value } of values) {
      const places = value === 0 ? [] : this.placesAt(table, kernel!, address);
      if (places.length === 0) continue;
      const counters = lines.get(places) ?? {};
      lines.set(places, counters);
      counters[metric] = (counters[metric] ?? 0) + value;
    }
    return lines.size > 0 ? [...lines].map(([places, counters]) => ({ places, counters })) : undefined;
  }

  /** Functions that a kernel calls lie in its section, too. */
  private placesAt(table: CubinLines, kernel: LoadedKernel, address: number): Places {
    const known = this.known.get(address);
    if (known) return known;
    const section = table.sectionOf(kernel.symbol, kernel.address);
    const found = section ? table.places(section.section, address - section.base) : [];
    const key = found.map(({ file, line }) => `${file}:${line}`).join('|');
    const places = this.places.get(key) ?? found;
    this.places.set(key, places);
    this.known.set(address, places);
    return places;
  }

  /** A module whose table cannot be read has no lines; what was counted of its kernels is still there. */
  private table(): CubinLines | undefined {
    if (!this.cubin || this.lines) return this.lines;
    try {
      this.lines = new CubinLines(this.cubin);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    this.cubin = undefined;
    return this.lines;
  }
}
