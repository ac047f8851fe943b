/** The bytes of a constant in memory, little endian, laid out as the device's data layout says; undef and poison are zero. */

import { addressOf } from '../ir/address-map.ts';
import { elementAt, storeSizeOf } from '../ir/layout.ts';
import type { AddressSpace, Constant } from '../ir/types.ts';

/** Address of a variable or function as a pointer of address space `space`. */
export type ResolveSymbol = (name: string, space: AddressSpace) => number;

/** Writes a constant to zeroed memory, of which what stays zero is not touched. */
export function writeConstant(bytes: Uint8Array, offset: number, constant: Constant, resolve: ResolveSymbol): void {
  if (constant.kind === 'undef' || constant.kind === 'zero') return;
  if (constant.kind === 'aggregate') {
    constant.elements.forEach((element, index) => {
      writeConstant(bytes, offset + elementAt(constant.type, index).offset, element, resolve);
    });
    return;
  }
  let bits = scalarBits(constant, resolve);
  for (let i = 0; i < storeSizeOf(constant.type); i++) {
    bytes[offset + i] = Number(bits & 0xffn);
    bits >>= 8n;
  }
}

/** Value of an integer, float, pointer, undef or zero constant as zero-extended bits. */
export function scalarBits(constant: Constant, resolve: ResolveSymbol): bigint {
  switch (constant.kind) {
    case 'int':
      return constant.value;
    case 'float':
      return constant.bits;
    case 'symbol': {
      const space = constant.type.kind === 'ptr' ? constant.type.space : 0;
      const address = resolve(constant.name, space) + constant.offset;
      return BigInt(space === 3 || space === 5 ? address >>> 0 : addressOf(address));
    }
    case 'undef':
    case 'zero':
      return 0n;
    case 'aggregate':
      throw new Error('an aggregate constant is not a scalar');
  }
}
