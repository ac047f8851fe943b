/**
 * Which accesses of the host are told, and whom: the sanitizer, which looks for races with the device, and the clock, for which managed
 * memory comes back from the device when the host touches it.
 */
import { hostFaultNs } from './clock/copies.ts';
import type { CudaContext } from './cuda-context.ts';
import type { RunningHost } from './host-program.ts';
import { hostAddress } from './unified-memory.ts';

export interface HostAccess {
  readonly address: number;
  readonly bytes: number;
  readonly writes: boolean;
}

export class HostWatch {
  readonly #context: CudaContext;
  readonly #host: () => RunningHost;
  #forSanitizer = false;

  constructor(context: CudaContext, host: () => RunningHost) {
    this.#context = context;
    this.#host = host;
    context.unified.moved = () => this.#choose();
  }

  /** Until what it orders is settled. */
  sanitize(): void {
    this.#forSanitizer = true;
    this.#choose();
  }

  accessed(access: HostAccess): void {
    const { unified, clock, busy } = this.#context;
    if (this.#forSanitizer) this.#tell(access);
    const returned = unified.returnBlocks(access.address, access.bytes);
    if (returned.bytes > 0) clock.host.spend(hostFaultNs(busy.profile, returned));
  }

  #tell({ address, bytes, writes }: HostAccess): void {
    const { tasks, unified } = this.#context;
    if (!tasks || tasks.order.isSettled) {
      this.#forSanitizer = false;
      this.#choose();
      return;
    }
    const mirror = unified.find(address);
    if (!mirror) return;
    const offset = hostAddress(mirror, address) - mirror.host;
    tasks.hostAccess(mirror.device + offset, Math.min(bytes, mirror.sizeBytes - offset), writes);
  }

  #choose(): void {
    const { unified } = this.#context;
    const { start, bytes } = this.#forSanitizer ? unified.hull : unified.away;
    this.#host().watch(start, bytes);
  }
}
