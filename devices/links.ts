/** How devices are connected to the host and to each other, with what the link's standard or the product's data sheet says. */
import type { DeviceProfile } from './profile.ts';

export interface Link {
  /** As tools write it: "PCIe 5.0 x16". */
  readonly name: string;
  /** Between the host and the device, in each direction at once. */
  readonly hostBytesPerNs: number;
  /** Between two devices that both have it, in each direction; undefined where they copy through the host's link. */
  readonly peerBytesPerNs?: number;
}

/**
 * PCI Express Base Specification: transfers per nanosecond and lane of 16, 130 bits for 128 from generation 3 on. A packet of 256 bytes has
 * 24 more: framing and sequence number 4, header 16, check 4.
 */
function pcie(generation: 3 | 4 | 5, lanes: 4 | 8 | 16): Pick<Link, 'name' | 'hostBytesPerNs'> {
  const gigatransfers = { 3: 8, 4: 16, 5: 32 }[generation];
  const hostBytesPerNs = ((gigatransfers * lanes) / 8) * (128 / 130) * (256 / 280);
  return { name: `PCIe ${generation}.0 x${lanes}`, hostBytesPerNs };
}

/** Total of both directions as data sheets have it, halved: what is not data in NVLink's packets is not known and left out. */
const nvlink = (bothDirectionsBytesPerNs: number): Pick<Link, 'peerBytesPerNs'> => ({ peerBytesPerNs: bothDirectionsBytesPerNs / 2 });

/** By id. Data sheets: NVIDIA H200, H100 SXM, A100 SXM, V100 SXM2 and HGX B200 Tensor Core GPU, NVLink and PCIe; T4, PCIe 3.0 x16. */
const PRODUCTS: Readonly<Record<string, Link>> = {
  h200: { ...pcie(5, 16), ...nvlink(900) },
  h100: { ...pcie(5, 16), ...nvlink(900) },
  a100: { ...pcie(4, 16), ...nvlink(600) },
  b200: { ...pcie(5, 16), ...nvlink(1800) },
  v100: { ...pcie(3, 16), ...nvlink(300) },
};

/** By compute capability: what the first boards with it have (architecture white papers). */
const GENERATIONS: readonly (readonly [capability: number, Link])[] = [
  [9, pcie(5, 16)],
  [8, pcie(4, 16)],
  [0, pcie(3, 16)],
];

export function linkOf({ id, computeCapability: [major] }: DeviceProfile): Link {
  const ofGeneration = (major >= 10 ? GENERATIONS[0] : GENERATIONS.find(([capability]) => major >= capability))![1];
  return PRODUCTS[id] ?? ofGeneration;
}

/** Whether kernels of one device may use the memory of the other: boards for servers of one kind, as the drivers of GeForce do not allow it. */
export function areConnected(a: DeviceProfile, b: DeviceProfile): boolean {
  return a.id === b.id && !/GeForce/.test(a.name);
}

/** Bytes per nanosecond from one device to another, and whether they go from device to device. */
export function peerLink(from: DeviceProfile, to: DeviceProfile): { readonly bytesPerNs: number; readonly direct: boolean } {
  const [a, b] = [linkOf(from), linkOf(to)];
  if (areConnected(from, to) && a.peerBytesPerNs) return { bytesPerNs: a.peerBytesPerNs, direct: true };
  return { bytesPerNs: Math.min(a.hostBytesPerNs, b.hostBytesPerNs), direct: false };
}
