/**
 * The program's address space up to the device's memory: its data and stack, then heap and mapped ranges as they are asked for. Everything
 * in use stays close together, so that an access behind it traps; so the heap's end, which brk moves, jumps over what was mapped meanwhile.
 */
import { clearBytes } from '../../machine/zeroing.ts';
import type { HostMemory } from '../host-memory.ts';

export const PAGE_BYTES = 4096;

interface Range {
  readonly start: number;
  readonly end: number;
}

export class AddressSpace {
  readonly #memory: HostMemory;
  readonly #start: number;
  /** The heap's end does not come back below what is mapped. */
  #mappedEnd: number;
  /** Ranges below the end of what is in use that are free again, ascending; no two of them touch. */
  #free: Range[] = [];
  /** Nothing above has ever been in use: it is zero. */
  #touchedEnd: number;
  /** The first request that could not be met; `call`: of the runtime, for memory that the device sees, too. */
  refused: { readonly sizeBytes: number; readonly heldBytes: number; readonly call?: string } | undefined;

  constructor(memory: HostMemory) {
    this.#memory = memory;
    this.#start = this.#mappedEnd = this.#touchedEnd = memory.end;
  }

  get freeBytes(): number {
    return this.#memory.limit - this.#memory.end + this.#free.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** Moves the end of the heap where it may lie there; the end of the heap, as Linux' brk answers. */
  brk(end: number): number {
    const old = this.#memory.end;
    if (end >= this.#mappedEnd && !(this.#mayHold(end - old) && this.#moveEnd(end)))
      this.refused ??= { sizeBytes: end - old, heldBytes: old };
    return this.#memory.end;
  }

  /** Zeroed memory, not below `lowest`; undefined where there is no room. */
  map(sizeBytes: number, lowest = 0, call?: string): number | undefined {
    const size = pageEnd(sizeBytes);
    if (!this.#mayHold(size)) return this.#refuse(sizeBytes, call);
    const hole = this.#free.find(({ start, end }) => end - Math.max(start, lowest) >= size);
    if (hole) {
      const start = Math.max(hole.start, lowest);
      this.#take(start, start + size);
      clearBytes(this.#memory.bytes, start, start + size);
      return start;
    }
    // A free range at the end would have been given back.
    const old = pageEnd(this.#memory.end);
    const start = Math.max(old, lowest);
    if (this.#moveEnd(start + size, start)) {
      this.#mappedEnd = start + size;
      if (start > old) this.#free.push({ start: old, end: start });
      return start;
    }
    return this.#refuse(sizeBytes, call);
  }

  #refuse(sizeBytes: number, call?: string): undefined {
    this.refused ??= { sizeBytes, heldBytes: this.#memory.end, call };
  }

  /** Whether the program may have so much more. */
  #mayHold(sizeBytes: number): boolean {
    if (this.#memory.mostBytes === Number.POSITIVE_INFINITY) return true;
    const free = this.#free.reduce((sum, { start, end }) => sum + end - start, 0);
    return this.#memory.end - free + sizeBytes <= this.#memory.mostBytes;
  }

  unmap(address: number, sizeBytes: number): void {
    const end = Math.min(address + pageEnd(sizeBytes), pageEnd(this.#memory.end));
    if (end <= address) return;
    const others = this.#free.filter((range) => range.end < address || range.start > end);
    const merged = this.#free.filter((range) => !others.includes(range));
    const start = Math.min(address, ...merged.map((range) => range.start));
    const last = Math.max(end, ...merged.map((range) => range.end));
    this.#free = [...others, { start, end: last }].sort((a, b) => a.start - b.start);
    if (last >= this.#memory.end) {
      this.#free.pop();
      this.#moveEnd(start);
      this.#mappedEnd = Math.min(this.#mappedEnd, start);
    }
  }

  /** Makes a mapped range larger or smaller, at another address if need be; undefined where there is no room. */
  remap(address: number, oldBytes: number, newBytes: number, mayMove: boolean): number | undefined {
    const oldEnd = address + pageEnd(oldBytes);
    const newEnd = address + pageEnd(newBytes);
    if (newEnd <= oldEnd) {
      if (newEnd < oldEnd) this.unmap(newEnd, oldEnd - newEnd);
      return address;
    }
    if (!this.#mayHold(newEnd - oldEnd)) return this.#refuse(newBytes - oldBytes);
    if (oldEnd === this.#memory.end && this.#moveEnd(newEnd)) {
      this.#mappedEnd = newEnd;
      return address;
    }
    if (this.#free.some(({ start, end }) => start === oldEnd && end >= newEnd)) {
      this.#take(oldEnd, newEnd);
      clearBytes(this.#memory.bytes, oldEnd, newEnd);
      return address;
    }
    const moved = mayMove ? this.map(newBytes) : undefined;
    if (moved === undefined) return undefined;
    this.#memory.bytes.copyWithin(moved, address, oldEnd);
    this.unmap(address, oldBytes);
    return moved;
  }

  /** Whether all of a range is in use. */
  holds(address: number, sizeBytes: number): boolean {
    return address >= this.#start && address + sizeBytes <= pageEnd(this.#memory.end) && !this.isFree(address, sizeBytes);
  }

  /** Whether some of a range below the end of what is in use is in use no more, or not yet. */
  isFree(address: number, sizeBytes: number): boolean {
    return this.#free.some(({ start, end }) => start < address + sizeBytes && end > address);
  }

  #take(start: number, end: number): void {
    this.#free = this.#free.flatMap((range) =>
      range.start <= start && range.end >= end
        ? [
            { start: range.start, end: start },
            { start: end, end: range.end },
          ]
        : [range],
    );
    this.#free = this.#free.filter((range) => range.end > range.start);
  }

  /** Moves the end of what is in use. What comes into use, from `start` on, reads as zero; what is free before that is cleared when it does. */
  #moveEnd(end: number, start = this.#memory.end): boolean {
    if (!this.#memory.growTo(end)) return false;
    if (end > start) clearBytes(this.#memory.bytes, start, Math.min(end, this.#touchedEnd));
    this.#memory.end = end;
    this.#touchedEnd = Math.max(this.#touchedEnd, end);
    return true;
  }
}

export function pageEnd(address: number): number {
  return Math.ceil(address / PAGE_BYTES) * PAGE_BYTES;
}
