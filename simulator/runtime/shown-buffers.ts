/** What a harness hands to the report: arrays as they were before its kernel and after it. */
import type { BufferReport } from '../../protocol/report.ts';
import type { CudaContext, Functions } from './cuda-context.ts';
import { ELEMENTS } from './element-types.ts';

/** The first elements of each: enough for a table and a picture. */
const MOST_VALUES = 4096;

export function shownBufferFunctions({ host, shownBuffers }: CudaContext): Functions {
  return {
    lanewiseShowBuffer: (name, type, before, after, expected, count, wrong) => {
      const element = ELEMENTS[host.text(type)];
      if (!element) return undefined;
      const shown = Math.min(count, MOST_VALUES);
      const values = (address: number) => {
        const bytes = host.read(address, shown * element.bytes);
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        return Array.from({ length: shown }, (_, index) => plain(element.read(view, index * element.bytes)));
      };
      shownBuffers.push({
        name: host.text(name),
        type: host.text(type),
        count,
        before: values(before),
        after: values(after),
        ...(expected !== 0 && { expected: values(expected), wrong }),
      });
      return undefined;
    },
  };
}

/** JSON has no other numbers than finite ones, and none of 64 bits. */
function plain(value: number | bigint): BufferReport['after'][number] {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return Number.isFinite(value) ? value : Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}
