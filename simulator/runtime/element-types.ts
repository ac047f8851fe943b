/** Elements of arrays in memory, by C++'s names of their types. */

export interface Element {
  readonly bytes: number;
  write(view: DataView, at: number, value: number): void;
  read(view: DataView, at: number): number | bigint;
}

const integer = (bytes: 1 | 2 | 4, signed: boolean): Element => {
  const kind = `${signed ? 'Int' : 'Uint'}${8 * bytes}` as 'Int8' | 'Uint8' | 'Int16' | 'Uint16' | 'Int32' | 'Uint32';
  return {
    bytes,
    write: (view, at, value) => view[`set${kind}`](at, value, true),
    read: (view, at) => view[`get${kind}`](at, true),
  };
};
const long = (signed: boolean): Element => ({
  bytes: 8,
  write: (view, at, value) => view.setBigInt64(at, BigInt(Math.trunc(value)), true),
  read: (view, at) => (signed ? view.getBigInt64(at, true) : view.getBigUint64(at, true)),
});

/** Types of elements, by C++'s names. */
export const ELEMENTS: Readonly<Record<string, Element>> = {
  float: { bytes: 4, write: (view, at, value) => view.setFloat32(at, value, true), read: (view, at) => view.getFloat32(at, true) },
  double: { bytes: 8, write: (view, at, value) => view.setFloat64(at, value, true), read: (view, at) => view.getFloat64(at, true) },
  bool: integer(1, false),
  char: integer(1, true),
  'signed char': integer(1, true),
  'unsigned char': integer(1, false),
  short: integer(2, true),
  'unsigned short': integer(2, false),
  int: integer(4, true),
  unsigned: integer(4, false),
  'unsigned int': integer(4, false),
  long: long(true),
  'long long': long(true),
  'unsigned long': long(false),
  'unsigned long long': long(false),
};
export const SHORT_NAMES: Readonly<Record<string, string>> = {
  uchar: 'unsigned char', ushort: 'unsigned short', uint: 'unsigned int', ulong: 'unsigned long', size_t: 'unsigned long',
  int8_t: 'signed char', uint8_t: 'unsigned char', int16_t: 'short', uint16_t: 'unsigned short', int32_t: 'int',
  uint32_t: 'unsigned int', int64_t: 'long', uint64_t: 'unsigned long',
}; // biome-ignore format: table
