/**
 * The host program's own WebAssembly memory, as the functions that it imports see it: little endian, addresses below 4 GiB. The
 * views are renewed when the memory has grown.
 */

import { DEVICE_TOP } from '../ir/address-map.ts';
import { AddressLine } from '../machine/address-line.ts';
import { AddressSpace } from './linux/address-space.ts';

const PAGE_BYTES = 65536;
/** Nothing lies here: C++ programs take address 0 for "no object", and members of one lie a little above. */
const NULL_PAGE_BYTES = 1024;

/** An address that the program gave us and where it has no memory. */
export class BadAddress extends RangeError {
  override readonly name = 'BadAddress';
  constructor(
    readonly address: number,
    readonly access: 'read' | 'write',
  ) {
    super(`the host program has no memory at ${address}`);
  }

  /** It is the null pointer, or a member of what that points to. */
  get isNull(): boolean {
    return this.address >= 0 && this.address < NULL_PAGE_BYTES;
  }
}

export class HostMemory {
  #memory: WebAssembly.Memory | undefined;
  #view = new DataView(new ArrayBuffer(0));
  #bytes = new Uint8Array(0);
  readonly #line: AddressLine;
  #space: AddressSpace | undefined;
  /** End of what the program has in use, memory that the device sees, too, included. */
  end = 0;
  #malloc: ((sizeBytes: number) => number) | undefined;
  #free: ((address: number) => unknown) | undefined;
  readonly #kept = new Map<string, number>();

  /** `line`: how far it may grow; `mostBytes`: how much of it may be in use. */
  constructor(
    line = new AddressLine(DEVICE_TOP),
    readonly mostBytes = Number.POSITIVE_INFINITY,
  ) {
    this.#line = line;
  }

  /** `malloc` and `free`: the program's own, for what the runtime hands out by address. */
  attach(memory: WebAssembly.Memory, malloc: (sizeBytes: number) => number, free?: (address: number) => unknown): void {
    this.#memory = memory;
    this.#malloc = malloc;
    this.#free = free;
    this.end = memory.buffer.byteLength;
    this.#space = new AddressSpace(this);
    this.#line.raiseHost(this.end);
    this.#line.hostHolds = (address) => this.owns(address, 1);
  }

  /** What of it is in use for what. */
  get space(): AddressSpace {
    if (!this.#space) throw new Error('the host program has no memory yet');
    return this.#space;
  }

  /** It grows no further. */
  get limit(): number {
    return this.#line.hostLimit;
  }

  get sizeBytes(): number {
    return this.#memory?.buffer.byteLength ?? 0;
  }

  get bytes(): Uint8Array {
    this.#renew();
    return this.#bytes;
  }

  get view(): DataView {
    this.#renew();
    return this.#view;
  }

  /** Whether [address, address + sizeBytes) is memory that the host program has. */
  owns(address: number, sizeBytes: number): boolean {
    return address > 0 && address + sizeBytes <= this.end && !this.space.isFree(address, sizeBytes);
  }

  u32(address: number): number {
    return this.#at(address, 4, 'read').getUint32(address, true);
  }

  setU32(address: number, value: number): void {
    this.#at(address, 4, 'write').setUint32(address, value >>> 0, true);
  }

  /** A pointer, size_t or long of the program, as a signed number: exact below 2^53. */
  u64(address: number): number {
    const view = this.#at(address, 8, 'read');
    return view.getInt32(address + 4, true) * 2 ** 32 + view.getUint32(address, true);
  }

  /** Integers from -2^53 to 2^53; negative ones are sign-extended. */
  setU64(address: number, value: number): void {
    const view = this.#at(address, 8, 'write');
    view.setUint32(address, value >>> 0, true);
    view.setInt32(address + 4, Math.floor(value / 2 ** 32), true);
  }

  f32(address: number): number {
    return this.#at(address, 4, 'read').getFloat32(address, true);
  }

  setF32(address: number, value: number): void {
    this.#at(address, 4, 'write').setFloat32(address, value, true);
  }

  /** A copy of bytes of the program. */
  read(address: number, sizeBytes: number): Uint8Array {
    this.#at(address, sizeBytes, 'read');
    return this.bytes.slice(address, address + sizeBytes);
  }

  write(address: number, bytes: Uint8Array): void {
    this.#at(address, bytes.length, 'write');
    this.bytes.set(bytes, address);
  }

  /** The text of a C string. */
  text(address: number): string {
    this.#at(address, 1, 'read');
    const bytes = this.bytes;
    const end = bytes.indexOf(0, address);
    if (end < 0) throw new BadAddress(bytes.length, 'read');
    return new TextDecoder().decode(bytes.slice(address, end));
  }

  /** The view, if the program has memory there. Throws BadAddress. */
  #at(address: number, sizeBytes: number, access: BadAddress['access']): DataView {
    const { view } = this;
    if (address < NULL_PAGE_BYTES || address + sizeBytes > view.byteLength) throw new BadAddress(address, access);
    return view;
  }

  /** Address of a C string that stays: the same text has the same address. 0 where memory is exhausted. */
  keep(text: string): number {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    const bytes = new TextEncoder().encode(`${text}\0`);
    const address = this.allocate(bytes.length);
    if (address === 0) return 0;
    this.bytes.set(bytes, address);
    this.#kept.set(text, address);
    return address;
  }

  /** Memory from the program's own heap; 0 where it is exhausted. */
  allocate(sizeBytes: number): number {
    return (this.#malloc?.(sizeBytes) ?? 0) >>> 0;
  }

  /** Gives back what `allocate` gave. */
  release(address: number): void {
    this.#free?.(address);
  }

  /** The lowest address in the null page that the program has written something other than 0 to: WebAssembly does not stop it there. */
  get writtenNullAddress(): number | undefined {
    const address = this.bytes.subarray(0, NULL_PAGE_BYTES).findIndex((byte) => byte !== 0);
    return address < 0 ? undefined : address;
  }

  /** Makes every address below `end` accessible; untouched pages cost nothing. */
  growTo(end: number): boolean {
    const missing = Math.ceil((end - this.sizeBytes) / PAGE_BYTES);
    if (missing <= 0) return true;
    if (!this.#line.raiseHost(this.sizeBytes + missing * PAGE_BYTES)) return false;
    try {
      this.#memory?.grow(missing);
      return true;
    } catch {
      return false;
    }
  }

  #renew(): void {
    const buffer = this.#memory?.buffer;
    if (!buffer || this.#bytes.buffer === buffer) return;
    this.#bytes = new Uint8Array(buffer);
    this.#view = new DataView(buffer);
  }
}
