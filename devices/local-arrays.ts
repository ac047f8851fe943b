/** Which local arrays ptxas keeps in registers although they are indexed by what is computed: read from nvcc's machine code (13.0, sm_90). */

/** A local array that is filled with constants and then only read. */
export interface ReadArray {
  readonly bytes: number;
  /** Of each number that is read. */
  readonly elementBytes: number;
  /** Numbers read at computed indices by the instructions of the kernel. */
  readonly reads: number;
}

/**
 * ptxas chooses from registers where each access moves one number of 32 bits, or of 16 where NVVM does not store them in pairs, and
 * the choices, of as many numbers as the array has, do not cost more than the stores that they save. The limit is fitted to 631 kernels,
 * of 3 to 129 numbers and 1 to 24 reads, and agrees with 617; the other 14 lie on the edge.
 */
export function staysInRegisters({ bytes, elementBytes, reads }: ReadArray): boolean {
  const count = bytes / elementBytes;
  if (!Number.isInteger(count) || (elementBytes !== 4 && (elementBytes !== 2 || count % 2 === 0))) return false;
  const perStore = count % 2 === 1 ? 1 : count % 4 === 0 ? 4 : 2;
  return reads * (count - 7) <= 5 + (2.3 * count) / perStore;
}
