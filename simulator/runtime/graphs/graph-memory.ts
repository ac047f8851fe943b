/**
 * Memory of graphs: a node that allocates has its address when it is added, and the memory lives from when the node runs until a node,
 * cudaFree or the next launch frees it. The addresses stay the graph's, so they are never given to others.
 */
import type { CudaContext } from '../cuda-context.ts';
import { CUDA } from '../cuda-errors.ts';

interface GraphAllocation {
  readonly sizeBytes: number;
  live: boolean;
}

export class GraphMemory {
  readonly #context: CudaContext;
  readonly #allocations = new Map<number, GraphAllocation>();
  #used = 0;
  #mostUsed = 0;
  /** Kept since the last trim. */
  #reserved = 0;
  #mostReserved = 0;

  constructor(context: CudaContext) {
    this.#context = context;
  }

  /** Address for a node; undefined where there is no room. */
  reserve(sizeBytes: number): number | undefined {
    const allocation = this.#context.memory.allocate(sizeBytes, this.#context.label('cudaGraphAddMemAllocNode'));
    if (allocation) this.#allocations.set(allocation.address, { sizeBytes, live: false });
    return allocation?.address;
  }

  has(address: number): boolean {
    return this.#allocations.has(address);
  }

  isLive(address: number): boolean {
    return this.#allocations.get(address)?.live ?? false;
  }

  allocate(address: number): number {
    const allocation = this.#allocations.get(address);
    if (!allocation || allocation.live) return CUDA.InvalidValue;
    allocation.live = true;
    this.#used += allocation.sizeBytes;
    this.#mostUsed = Math.max(this.#mostUsed, this.#used);
    this.#reserved = Math.max(this.#reserved, this.#used);
    this.#mostReserved = Math.max(this.#mostReserved, this.#reserved);
    return CUDA.Success;
  }

  free(address: number): number {
    const allocation = this.#allocations.get(address);
    if (!allocation?.live) return CUDA.InvalidValue;
    allocation.live = false;
    this.#used -= allocation.sizeBytes;
    return CUDA.Success;
  }

  trim(): void {
    this.#reserved = this.#used;
  }

  /** By cudaGraphMemAttributeType. */
  attribute(which: number): number | undefined {
    return [this.#used, this.#mostUsed, this.#reserved, this.#mostReserved][which];
  }

  /** The greatest values alone can be set, to 0. */
  reset(which: number): boolean {
    if (which === 1) this.#mostUsed = this.#used;
    else if (which === 3) this.#mostReserved = this.#reserved;
    else return false;
    return true;
  }
}
