/**
 * Loads that nvcc narrows because a mask or a shift drops the rest (read from its PTX, nvcc 13 -O3): `k[i] & 255` loads one byte,
 * `k[i] >> 16` of unsigned words two. A mask that is not a whole number of bytes narrows nothing, except in a `switch`, whose value is
 * narrowed to 16 bits first. Narrower loads touch as many sectors, but their ideal number of sectors is smaller
 * (h200-reference.json: divergence.cu, dataDependent).
 */
import { storeSizeOf } from '../ir/layout.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import type { MergedAccess } from './access-merging.ts';

/** The part of a load that is left: `bytes` bytes from byte `offset` on. */
interface Part {
  readonly offset: number;
  readonly bytes: number;
}

type Load = Extract<Instruction, { op: 'load' }>;
type Binary = Extract<Instruction, { readonly b: Operand; readonly contract?: boolean }>;

/** By site of a load: the narrower access that the hardware makes. */
export function narrowedLoads(fn: IrFunction): ReadonlyMap<number, MergedAccess> {
  const users = singleUsers(fn);
  const narrowed = new Map<number, MergedAccess>();
  for (const { instructions } of fn.blocks) {
    for (const load of instructions) {
      if (load.op !== 'load' || load.volatile || load.order || load.type.kind !== 'int') continue;
      const part = partOf(load, users);
      if (!part) continue;
      const { offset, bytes } = part;
      narrowed.set(load.site, { leader: load.site, leaderOffset: -offset || 0, bytes, members: [{ site: load.site, offset: 0, bytes }] });
    }
  }
  return narrowed;
}

function partOf(load: Load, users: ReadonlyMap<number, Instruction>): Part | undefined {
  const loadBytes = storeSizeOf(load.type);
  const user = users.get(load.id);
  let offset = 0;
  let bytes: number | undefined;
  if (user?.op === 'and') bytes = maskedBytes(user, users);
  else if (user?.op === 'lshr' && user.b.kind === 'int' && user.b.value % 8n === 0n) {
    offset = Number(user.b.value / 8n);
    const mask = users.get(user.id);
    bytes = (mask?.op === 'and' ? wholeBytes(constantOf(mask)) : undefined) ?? loadBytes - offset;
  }
  const isAccess = bytes === 1 || bytes === 2 || bytes === 4;
  return isAccess && offset % bytes! === 0 && offset + bytes! <= loadBytes && bytes! < loadBytes ? { offset, bytes: bytes! } : undefined;
}

function maskedBytes(mask: Binary, users: ReadonlyMap<number, Instruction>): number | undefined {
  const constant = constantOf(mask);
  const whole = wholeBytes(constant);
  if (whole !== undefined) return whole;
  return users.get(mask.id)?.op === 'switch' && constant !== undefined && constant < 0x10000n ? 2 : undefined;
}

function constantOf({ a, b }: Binary): bigint | undefined {
  if (b.kind === 'int') return b.value;
  return a.kind === 'int' ? a.value : undefined;
}

function wholeBytes(mask: bigint | undefined): number | undefined {
  if (mask === 0xffn) return 1;
  if (mask === 0xffffn) return 2;
  return mask === 0xffffffffn ? 4 : undefined;
}

/** By value: the one instruction that uses it; values with several users are missing. */
function singleUsers(fn: IrFunction): ReadonlyMap<number, Instruction> {
  const users = new Map<number, Instruction>();
  const shared = new Set<number>();
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      for (const operand of operandsOf(instruction)) {
        if (operand.kind !== 'value') continue;
        if (users.has(operand.id)) shared.add(operand.id);
        users.set(operand.id, instruction);
      }
    }
  }
  for (const id of shared) users.delete(id);
  return users;
}
