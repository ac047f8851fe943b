/** What the code of operations on scalars is put together from. */
import { type EmitScalar, onesOf, type ScalarContext } from './operation.ts';

export function prefix(bits: number): 'i32' | 'i64' {
  return bits > 32 ? 'i64' : 'i32';
}

export function pushOnes({ f }: ScalarContext, bits: number): void {
  if (bits > 32) f.i64((1n << BigInt(bits)) - 1n);
  else f.i32(onesOf(bits));
}

/** Clears the bits above the width. */
export function fit(context: ScalarContext, bits: number): void {
  if (bits === 32 || bits === 64) return;
  pushOnes(context, bits);
  context.f.op(`${prefix(bits)}.and`);
}

export function pushNumber({ f }: ScalarContext, bits: number, value: number): void {
  if (bits > 32) f.i64(BigInt(value));
  else f.i32(value);
}

/** Pushes an operand sign-extended to its word. */
export function pushSigned(context: ScalarContext, operand: number, bits: number): void {
  const unused = (bits > 32 ? 64 : 32) - bits;
  context.push(operand);
  if (unused === 0) return;
  pushNumber(context, bits, unused);
  context.f.op(`${prefix(bits)}.shl`);
  pushNumber(context, bits, unused);
  context.f.op(`${prefix(bits)}.shr_s`);
}

export function chain(...names: string[]): EmitScalar {
  return ({ f, push }) => {
    push(0);
    f.op(...names);
  };
}
