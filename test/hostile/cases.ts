import type { HostileCase } from './case.ts';
import { COMPILE_CASES } from './compile-cases.ts';
import { DEVICE_CASES } from './device-cases.ts';
import { HOST_CASES } from './host-cases.ts';
import { INCLUDE_CASES } from './include-cases.ts';
import { INPUT_CASES } from './input-cases.ts';

export const ALL_CASES: readonly HostileCase[] = [...INCLUDE_CASES, ...INPUT_CASES, ...COMPILE_CASES, ...DEVICE_CASES, ...HOST_CASES];
