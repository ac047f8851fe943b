/**
 * The driver's virtual memory management: reserved addresses, physical memory by handles, and mappings of the one to the other. Memory is
 * there for kernels and copies while it is mapped and accessible; a handle keeps its content while it is not mapped. A handle is mapped at
 * one place at a time, and no other process sees it: what would need more is refused by name.
 */
import type { CudaContext, Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';

interface Handle {
  readonly sizeBytes: number;
  /** CUmemAllocationProp as it was given, without compression. */
  readonly properties: Uint8Array;
  readonly device: number;
  references: number;
  mapping: Mapping | undefined;
  /** While it is not mapped, or not accessible. */
  content: Uint8Array | undefined;
}

interface Mapping {
  readonly address: number;
  readonly sizeBytes: number;
  readonly number: number;
  readonly handle: Handle;
  /** CUmemAccess_flags of its device. */
  access: number;
}

/** Of memory of a device. */
const GRANULARITY_BYTES = 2 << 20;
const PINNED = 1;
const ON_DEVICE = 1;
const ACCESS = { none: 0, read: 1, readWrite: 3 };
/** CUmemAllocationProp and CUmemAccessDesc. */
const PROPERTIES = { type: 0, handleTypes: 4, locationType: 8, locationId: 12, compression: 24, bytes: 32 };
const DESCRIPTOR = { locationType: 0, locationId: 4, flags: 8, bytes: 12 };

export function mappingCalls(context: CudaContext): Functions {
  const state = new Mappings(context);
  return {
    cuMemGetAllocationGranularity: (out, properties) => state.granularity(out, properties),
    cuMemCreate: (out, bytes, properties, flags) => state.create(out, { bytes, properties, flags }),
    cuMemRelease: (number) => state.release(number),
    cuMemGetAllocationPropertiesFromHandle: (out, number) => state.properties(out, number),
    cuMemRetainAllocationHandle: (out, address) => state.retain(out, address),
    cuMemAddressReserve: (out, bytes, align, _, flags) => state.reserve(out, { bytes, align, flags }),
    cuMemAddressFree: (address, bytes) => state.unreserve(address, bytes),
    cuMemMap: (address, bytes, offset, number, flags) => state.map(address, { bytes, offset, number, flags }),
    cuMemUnmap: (address, bytes) => state.unmap(address, bytes),
    cuMemSetAccess: (address, bytes, descriptors, count) => state.setAccess(address, { bytes, descriptors, count }),
    cuMemGetAccess: (out, location, address) => state.access(out, location, address),
    ...Object.fromEntries(SHARING.map((name) => [name, () => state.refuse(name, OTHER_PROCESSES)])),
  };
}

const SHARING = [
  ...['cuMemExportToShareableHandle', 'cuMemImportFromShareableHandle', 'cuIpcGetMemHandle', 'cuIpcOpenMemHandle', 'cuIpcCloseMemHandle'],
  ...['cuIpcGetEventHandle', 'cuIpcOpenEventHandle'],
];
const OTHER_PROCESSES = 'memory and events of other processes';

class Mappings {
  readonly #context: CudaContext;
  readonly #handles = new Map<number, Handle>();
  /** By address, ascending. */
  #mappings: Mapping[] = [];
  #handleCount = 0;

  constructor(context: CudaContext) {
    this.#context = context;
    context.unmappedBytes = (device) => this.#unmappedBytes(device);
  }

  refuse(call: string, what: string): number {
    this.#context.notSupported.set(call, what);
    return CUDA.NotSupported;
  }

  granularity(out: number, properties: number): number {
    const error = this.#problemOf(properties);
    if (error === CUDA.Success) this.#context.host.setU64(out, GRANULARITY_BYTES);
    return error;
  }

  create(out: number, { bytes, properties, flags }: { bytes: number; properties: number; flags: number }): number {
    const { host } = this.#context;
    const error = this.#problemOf(properties);
    if (error !== CUDA.Success) return error;
    if (bytes <= 0 || bytes % GRANULARITY_BYTES !== 0 || flags !== 0) return CUDA.InvalidValue;
    if (host.u32(properties + PROPERTIES.handleTypes) !== 0) return this.refuse('cuMemCreate', OTHER_PROCESSES);
    const device = host.u32(properties + PROPERTIES.locationId);
    if (bytes > this.#context.device.globalBytes - this.#context.heldBytes()) return CUDA.MemoryAllocation;
    const own = host.bytes.slice(properties, properties + PROPERTIES.bytes);
    own[PROPERTIES.compression] = 0;
    this.#handles.set(++this.#handleCount, {
      sizeBytes: bytes,
      properties: own,
      device,
      references: 1,
      mapping: undefined,
      content: undefined,
    });
    host.setU64(out, this.#handleCount);
    return CUDA.Success;
  }

  release(number: number): number {
    const handle = this.#handles.get(number);
    if (!handle || handle.references === 0) return CUDA.InvalidValue;
    handle.references--;
    this.#forget(number, handle);
    return CUDA.Success;
  }

  properties(out: number, number: number): number {
    const handle = this.#handles.get(number);
    if (!handle) return CUDA.InvalidValue;
    this.#context.host.write(out, handle.properties);
    return CUDA.Success;
  }

  retain(out: number, address: number): number {
    const mapping = this.#mappingAt(address);
    if (!mapping) return CUDA.InvalidValue;
    mapping.handle.references++;
    this.#context.host.setU64(out, mapping.number);
    return CUDA.Success;
  }

  reserve(out: number, { bytes, align, flags }: { bytes: number; align: number; flags: number }): number {
    if (bytes <= 0 || bytes % GRANULARITY_BYTES !== 0 || (align & (align - 1)) !== 0 || flags !== 0) return CUDA.InvalidValue;
    const address = this.#context.memory.reserve(bytes, Math.max(align, GRANULARITY_BYTES));
    if (address === undefined) return this.#context.refuse('cuMemAddressReserve', bytes);
    this.#context.host.setU64(out, address);
    return CUDA.Success;
  }

  unreserve(address: number, bytes: number): number {
    const reservation = this.#context.memory.reservationAt(address);
    if (reservation?.address !== address || reservation.sizeBytes !== bytes || this.#within(address, bytes).length > 0)
      return CUDA.InvalidValue;
    this.#context.memory.unreserve(address);
    return CUDA.Success;
  }

  map(address: number, { bytes, offset, number, flags }: { bytes: number; offset: number; number: number; flags: number }): number {
    const handle = this.#handles.get(number);
    const reservation = this.#context.memory.reservationAt(address);
    if (!handle || !reservation || offset !== 0 || flags !== 0 || bytes !== handle.sizeBytes) return CUDA.InvalidValue;
    if (address % GRANULARITY_BYTES !== 0 || address + bytes > reservation.address + reservation.sizeBytes) return CUDA.InvalidValue;
    if (this.#within(address, bytes).length > 0) return CUDA.InvalidValue;
    if (handle.mapping) return this.refuse('cuMemMap', 'one handle at several addresses');
    handle.mapping = { address, sizeBytes: bytes, number, handle, access: ACCESS.none };
    this.#mappings = [...this.#mappings, handle.mapping].sort((a, b) => a.address - b.address);
    return CUDA.Success;
  }

  unmap(address: number, bytes: number): number {
    const found = this.#covering(address, bytes);
    if (!found) return CUDA.InvalidValue;
    const error = this.#context.synchronizeAll();
    if (error) return error;
    for (const mapping of found) {
      this.#withdraw(mapping);
      mapping.handle.mapping = undefined;
      this.#mappings = this.#mappings.filter((each) => each !== mapping);
      this.#forget(mapping.number, mapping.handle);
    }
    return CUDA.Success;
  }

  setAccess(address: number, { bytes, descriptors, count }: { bytes: number; descriptors: number; count: number }): number {
    const { host } = this.#context;
    const found = this.#covering(address, bytes);
    if (!found || count <= 0) return CUDA.InvalidValue;
    for (let k = 0; k < count; k++) {
      const at = descriptors + k * DESCRIPTOR.bytes;
      const [type, device, flags] = [DESCRIPTOR.locationType, DESCRIPTOR.locationId, DESCRIPTOR.flags].map((field) => host.u32(at + field));
      if (type !== ON_DEVICE || device >= this.#context.devices.length) return CUDA.InvalidDevice;
      if (flags === ACCESS.read) return this.refuse('cuMemSetAccess', 'memory that kernels may only read');
      if (flags !== ACCESS.none && flags !== ACCESS.readWrite) return CUDA.InvalidValue;
      for (const mapping of found)
        if (!this.#give(mapping, device, flags)) return this.#context.refuse('cuMemSetAccess', mapping.sizeBytes);
    }
    return CUDA.Success;
  }

  access(out: number, location: number, address: number): number {
    const { host } = this.#context;
    const mapping = this.#mappingAt(address);
    if (!mapping || host.u32(location) !== ON_DEVICE) return CUDA.InvalidValue;
    host.setU64(out, host.u32(location + 4) === mapping.handle.device ? mapping.access : ACCESS.none);
    return CUDA.Success;
  }

  /** False when there is no room for it. Another device than the handle's sees its memory as that one does. */
  #give(mapping: Mapping, device: number, flags: number): boolean {
    const { handle, address, sizeBytes } = mapping;
    if (device !== handle.device || flags === mapping.access) return true;
    if (flags === ACCESS.none) this.#withdraw(mapping);
    else {
      const { memory } = this.#context;
      if (!memory.back(address, sizeBytes, { label: this.#context.label('cuMemCreate'), owner: handle.device })) return false;
      if (handle.content) memory.write(address, handle.content);
      handle.content = undefined;
    }
    mapping.access = flags;
    return true;
  }

  /** Takes the memory of a mapping away; its handle keeps the content. */
  #withdraw({ handle, address, sizeBytes, access }: Mapping): void {
    if (access === ACCESS.none) return;
    const { memory } = this.#context;
    if (handle.references > 0) handle.content = memory.bytes.slice(address, address + sizeBytes);
    memory.unback(address, sizeBytes, `cuMemUnmap ${this.#context.launchesSoFar()}`);
  }

  #forget(number: number, { references, mapping }: Handle): void {
    if (references === 0 && !mapping) this.#handles.delete(number);
  }

  #problemOf(properties: number): number {
    const { host, devices } = this.#context;
    if (host.u32(properties + PROPERTIES.type) !== PINNED || host.u32(properties + PROPERTIES.locationType) !== ON_DEVICE)
      return CUDA.InvalidValue;
    return host.u32(properties + PROPERTIES.locationId) < devices.length ? CUDA.Success : CUDA.InvalidDevice;
  }

  /** What handles of a device hold that no allocation shows. */
  #unmappedBytes(device: number): number {
    const hidden = [...this.#handles.values()].filter((each) => each.device === device && !each.mapping?.access);
    return hidden.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  #mappingAt(address: number): Mapping | undefined {
    return this.#mappings.find((each) => address >= each.address && address < each.address + each.sizeBytes);
  }

  #within(address: number, bytes: number): readonly Mapping[] {
    return this.#mappings.filter((each) => each.address < address + bytes && each.address + each.sizeBytes > address);
  }

  /** Mappings that together are exactly these addresses. */
  #covering(address: number, bytes: number): readonly Mapping[] | undefined {
    const found = this.#within(address, bytes);
    const last = found.at(-1);
    if (!last || found[0].address !== address || last.address + last.sizeBytes !== address + bytes) return undefined;
    return found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) === bytes ? found : undefined;
  }
}
