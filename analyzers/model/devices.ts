/** Limits of devices that rules compare with. Sources: CUDA C++ Programming Guide, tables of technical specifications; H200 measured. */
import type { DeviceLimits } from './facts.ts';

const KIB = 1024;

const H200: DeviceLimits = {
  name: 'H200',
  computeCapability: 9.0,
  multiprocessors: 132,
  maxThreadsPerBlock: 1024,
  maxThreadsPerMultiprocessor: 2048,
  maxBlocksPerMultiprocessor: 32,
  registersPerMultiprocessor: 65536,
  sharedPerMultiprocessor: 228 * KIB,
  sharedPerBlockDefault: 48 * KIB,
  sharedPerBlockOptIn: 227 * KIB,
  sharedReservedPerBlock: KIB,
  l2Bytes: 60 * KIB * KIB,
  maxPersistingL2Bytes: 39_321_600,
  maxAccessPolicyWindowBytes: 134_217_728,
};

export function deviceLimits(): DeviceLimits {
  return H200;
}
