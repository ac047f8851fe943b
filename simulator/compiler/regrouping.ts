/**
 * Bit casts between values of other widths (four bytes and a word, a double word and two words): each scalar of the result is a part of
 * one of the source's, or several of them side by side. Other groupings, such as three bytes, are left to the host's steps.
 */
import type { Instruction, Operand } from '../ir/types.ts';
import { bitsOf } from './components.ts';
import { type EmitScalar, type EmitVector, HIGH_WORDS, LOW_WORDS, onesOf } from './operation.ts';
import type { LaneOperation } from './strip.ts';
import type { Reference, ValueNames } from './values.ts';

type Cast = Instruction & { readonly a: Operand };

/** undefined for groupings that are not known here. */
export function regroupings(names: ValueNames, instruction: Cast): readonly LaneOperation[] | undefined {
  const sources = names.references(instruction.a);
  const results = names.ofValue(instruction.id, instruction.type);
  const from = sources.length > 0 ? bitsOf(sources[0].type) : 0;
  const to = results.length > 0 ? bitsOf(results[0].type) : 0;
  if (![8, 16, 32, 64].includes(from) || ![8, 16, 32, 64].includes(to) || from === to) return undefined;
  if (sources.some(({ type }) => bitsOf(type) !== from) || results.some(({ type }) => bitsOf(type) !== to)) return undefined;
  if (sources.length * from !== results.length * to) return undefined;
  return results.map((result, index) => {
    const isPart = to < from;
    const first = Math.floor((index * to) / from);
    const operands: readonly Reference[] = isPart ? [sources[first]] : sources.slice(first, first + to / from);
    const shift = isPart ? (index * to) % from : 0;
    const [vector, scalar] = isPart ? part(from, to, shift) : joined(from, to);
    return { instruction, operands, result: result as LaneOperation['result'], vector, scalar };
  });
}

function part(from: number, to: number, shift: number): readonly [EmitVector, EmitScalar] {
  const within = shift % 32;
  const isCut = within + to < Math.min(from, 32);
  return [
    ({ f, push }) => {
      push(0, 0);
      if (from === 64) {
        push(0, 1);
        f.shuffle(shift < 32 ? LOW_WORDS : HIGH_WORDS);
      }
      if (within > 0) f.i32(within).op('i32x4.shr_u');
      if (isCut) f.v128([onesOf(to), onesOf(to), onesOf(to), onesOf(to)]).op('v128.and');
    },
    ({ f, push }) => {
      push(0);
      if (from === 64) f.i64(BigInt(shift)).op('i64.shr_u', 'i32.wrap_i64');
      else if (within > 0) f.i32(within).op('i32.shr_u');
      if (from === 64 ? to < 32 && shift + to < 64 : isCut) f.i32(onesOf(to)).op('i32.and');
    },
  ];
}

function joined(from: number, to: number): readonly [EmitVector, EmitScalar] {
  const count = to / from;
  const isWide = to === 64;
  return [
    ({ f, push, half }) => {
      for (let index = 0; index < count; index++) {
        push(index);
        if (isWide) f.op(`i64x2.extend_${half ? 'high' : 'low'}_i32x4_u`);
        if (index > 0) f.i32(index * from).op(isWide ? 'i64x2.shl' : 'i32x4.shl', 'v128.or');
      }
    },
    ({ f, push }) => {
      for (let index = 0; index < count; index++) {
        push(index);
        if (isWide) f.op('i64.extend_i32_u');
        if (index === 0) continue;
        if (isWide) f.i64(BigInt(index * from)).op('i64.shl', 'i64.or');
        else f.i32(index * from).op('i32.shl', 'i32.or');
      }
    },
  ];
}
