/** What the meanings of single instructions get to see of a compiled kernel's values and local memory. */
import type { Cell } from '../machine/cells.ts';
import type { LocalMemory } from '../machine/local-memory.ts';
import { MemoryViews } from '../machine/memory-views.ts';
import type { BlockState } from '../scheduling/block.ts';
import type { Grid } from '../scheduling/grid.ts';
import type { BlockPlace, PathCode } from '../scheduling/path-code.ts';
import type { Program } from '../scheduling/program.ts';
import type { BlockRunner } from './block-runner.ts';

/** The lanes of a value in a frame. Most are looked at in one way only. */
export class CellView implements Cell {
  readonly #buffer: ArrayBuffer;
  readonly #at: number;
  readonly #words: number;
  #i: Int32Array | undefined;
  #f: Float32Array | undefined;
  #d: Float64Array | undefined;
  #q: BigUint64Array | undefined;
  #s: BigInt64Array | undefined;

  /** `wide`: 64 bits for each lane instead of 32. */
  constructor(buffer: ArrayBufferLike, at: number, wide: boolean) {
    this.#buffer = buffer as ArrayBuffer;
    this.#at = at;
    this.#words = wide ? 64 : 32;
  }

  get i(): Int32Array {
    this.#i ??= new Int32Array(this.#buffer, this.#at, this.#words);
    return this.#i;
  }

  get f(): Float32Array {
    this.#f ??= new Float32Array(this.#buffer, this.#at, this.#words);
    return this.#f;
  }

  get d(): Float64Array {
    this.#d ??= new Float64Array(this.#buffer, this.#at, this.#words / 2);
    return this.#d;
  }

  get q(): BigUint64Array {
    this.#q ??= new BigUint64Array(this.#buffer, this.#at, this.#words / 2);
    return this.#q;
  }

  get s(): BigInt64Array {
    this.#s ??= new BigInt64Array(this.#buffer, this.#at, this.#words / 2);
    return this.#s;
  }
}

/** Local memory of a warp of the block that the runner's context holds. */
export function lentLocalMemory(runner: BlockRunner, warp: number): LocalMemory {
  const { usesLocal, localBytes } = runner.kernel;
  // Structures by value that stay in the kernel's parameters have a place in local memory, but no memory.
  return {
    capacity: usesLocal ? localBytes : 0,
    views: usesLocal ? new MemoryViews(runner.words.buffer, runner.local(warp)) : NO_MEMORY,
    reserve: () => {},
  };
}

const NO_MEMORY = new MemoryViews(new ArrayBuffer(0));

/** Where single instructions find the values of a block that runs compiled code of its own accord. */
export class LentFrames implements PathCode {
  /** Kernels that read clocks run path by path. */
  readonly steps = 0;
  readonly weight = 0;
  /** Runs the block. */
  runner: BlockRunner | undefined;
  readonly #program: Program;
  readonly #parameterBytes: number;
  /** The same for all blocks: they run one after the other. */
  #place: BlockPlace | undefined;

  constructor(program: Program, parameterBytes: number) {
    this.#program = program;
    this.#parameterBytes = parameterBytes;
  }

  open({ grid }: BlockState): BlockPlace {
    const runner = this.runner!;
    this.#place ??= {
      shared: new MemoryViews(runner.words.buffer, runner.shared),
      all: new MemoryViews(runner.words.buffer),
      sharedAt: runner.shared,
      warps: grid.shapes.map(({ index }) => this.#lend(runner, index, grid)),
    };
    return this.#place;
  }

  run(): boolean {
    throw new Error('compiled code runs by itself');
  }

  close(): void {}

  #lend(runner: BlockRunner, warp: number, grid: Grid): BlockPlace['warps'][number] {
    const program = this.#program;
    const local = lentLocalMemory(runner, warp);
    // Each step brings the cells that it looks at.
    const cells: Cell[] = [...program.kinds.map(() => undefined as unknown as Cell), ...program.constants];
    const { capacity } = local;
    const counts = grid.countsOf(program);
    return {
      frame: { program, counts, cells, caller: undefined, stackBase: this.#parameterBytes, stackTop: capacity, split: false },
      local,
    };
  }
}
