/** How much a program may leave on the disk: what goes beyond fails as if the disk were full. */
import type { RunLimits } from '../../options/limits.ts';
import { ERRNO, LinuxError } from './errors.ts';

export class FileQuota {
  readonly #limits: Pick<RunLimits, 'files' | 'fileMiB'>;
  readonly #exceeded = new Set<'files' | 'fileMiB'>();
  #created = 0;
  #writtenBytes = 0;

  constructor(limits: Pick<RunLimits, 'files' | 'fileMiB'>) {
    this.#limits = limits;
  }

  /** The limits that the program has come to, in that order. */
  get exceeded(): readonly ('files' | 'fileMiB')[] {
    return [...this.#exceeded];
  }

  /** Before a file, a folder or a link is made. */
  creates(): void {
    if (this.#created >= this.#limits.files) this.#fail('files');
    this.#created++;
  }

  /** Before so many bytes are written; what is overwritten counts again, and nothing is given back. */
  writes(sizeBytes: number): void {
    const written = this.#writtenBytes + Math.max(0, sizeBytes);
    if (written > this.#limits.fileMiB * 2 ** 20) this.#fail('fileMiB');
    this.#writtenBytes = written;
  }

  #fail(name: 'files' | 'fileMiB'): never {
    this.#exceeded.add(name);
    throw new LinuxError(ERRNO.nospc);
  }
}
