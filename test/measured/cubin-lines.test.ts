/** Line tables of cubins: those of a real one, and that nothing that only looks like one hangs or exhausts the reader. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CubinLines } from '../../measured/cubin-lines.ts';

const report = gunzipSync(readFileSync(join(import.meta.dirname, '../fixtures/nsight/sections.ncu-rep.gz')));
/** The module that the report carries; its length stands in front of it, as a number of 7 bits a byte. */
const at = report.indexOf('\x7fELF', 0, 'latin1');
const length = (report[at - 3] & 0x7f) | ((report[at - 2] & 0x7f) << 7) | (report[at - 1] << 14);
const cubin = report.subarray(at, at + length);
/** Symbol of `scale` there, and of `blockSums<__half>`. */
const [SCALE, HALVES] = [24, 21];

function read(bytes: Uint8Array): CubinLines | RangeError {
  try {
    return new CubinLines(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return error as RangeError;
  }
}

describe('the line table of a cubin', () => {
  const lines = new CubinLines(cubin);

  it('has the lines of instructions', () => {
    const { section, base } = lines.sectionOf(SCALE, 0x1000)!;
    expect(base).toBe(0x1000);
    const line = (offset: number) => lines.places(section, offset).map((place) => place.line);
    expect([0, 0x10, 0x40, 0x50, 0x70].map(line)).toEqual([[6], [7], [7], [8], [8]]);
    expect(lines.places(section, 0)[0].file).toBe('/home/user/measured/measured.cu');
    expect(lines.places(section, 0x10_0000)).toEqual([]);
    expect(lines.places(999, 0)).toEqual([]);
    expect(lines.sectionOf(999, 0)).toBeUndefined();
  });

  it('has the calls that an instruction is inlined by', () => {
    const { section } = lines.sectionOf(HALVES, 0)!;
    expect(lines.places(section, 0x110).map(({ file, line }) => [file.split('/').at(-1), line])).toEqual([
      ['cuda_fp16.hpp', 708],
      ['cuda_fp16.hpp', 138],
      ['measured.cu', 15],
    ]);
  });

  it('is read or refused, wherever it is cut off and whatever bytes are changed', () => {
    for (let end = 0; end < cubin.length; end += 61) read(cubin.subarray(0, end));
    let refused = 0;
    for (let byte = 0x10c0; byte < 0x133b; byte++) {
      for (const value of [0, 0x7f, 0xff]) {
        const bytes = Uint8Array.from(cubin);
        bytes[byte] = value;
        const found = read(bytes);
        if (found instanceof RangeError) refused++;
        else for (let offset = 0; offset < 0x500; offset += 0x10) found.places(29, offset);
      }
    }
    expect(refused).toBeGreaterThan(50);
  });

  /** The cubin with other contents of `.debug_line`, its fifth section. */
  function withTable(table: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([cubin, table]);
    const section = Number(cubin.readBigUInt64LE(0x28)) + 5 * 64;
    bytes.writeBigUInt64LE(BigInt(cubin.length), section + 24);
    bytes.writeBigUInt64LE(BigInt(table.length), section + 32);
    return bytes;
  }

  it('takes time in proportion to its length, whatever it claims', () => {
    const begin = performance.now();
    // Units without lengths, and such whose version nobody knows.
    for (const fill of [0x00, 0x01, 0x7f, 0x90, 0xff]) read(withTable(new Uint8Array(4 << 20).fill(fill)));
    // One whose every byte is a row.
    const header = Buffer.from([0, 0, 0, 0, 2, 0, 17, 0, 0, 0, 1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0]);
    const rows = Buffer.concat([header, Buffer.alloc(4 << 20, 0xe6)]);
    rows.writeUInt32LE(rows.length - 4);
    expect(read(withTable(rows))).toMatchObject({ message: 'too many rows' });
    expect(performance.now() - begin).toBeLessThan(20_000);
  });
});
