/** Reports of Nsight Compute's own: every number is the one that Nsight Compute itself exports, and no file hangs or exhausts the reader. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { besideMeasured } from '../../measured/beside.ts';
import { parseNsightCsv } from '../../measured/nsight-csv.ts';
import { parseNsightReport } from '../../measured/nsight-report.ts';
import { readMeasured } from '../../measured/read-measured.ts';
import type { KernelReport, Report } from '../../protocol/report.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/nsight', name));
const sections = gunzipSync(fixture('sections.ncu-rep.gz'));
const csv = (name: string) => parseNsightCsv(name, gunzipSync(fixture(`${name}.gz`)).toString());

const SHOWN = {
  'Instructions Executed': 'inst_executed',
  'Thread Instructions Executed': 'thread_inst_executed',
  '# Samples': 'smsp__pcsamp_sample_count',
  'L2 Theoretical Sectors Global': 'memory_l2_theoretical_sectors_global',
  'L2 Theoretical Sectors Global Ideal': 'memory_l2_theoretical_sectors_global_ideal',
} as const;
const zeros = Object.fromEntries(Object.values(SHOWN).map((metric) => [metric, 0]));

/** Of Nsight Compute's page of sources, the rows of lines of measured.cu: kernels have tables of their own, one below the other. */
function shownLines(): { readonly kernel: string; readonly counters: Map<number, Record<string, number>> }[] {
  const rows = gunzipSync(fixture('sections.lines.csv.gz')).toString().trim().split('\n');
  const cells = (row: string) => [...row.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell]) => cell);
  const tables: { readonly kernel: string; readonly counters: Map<number, Record<string, number>> }[] = [];
  let [file, columns] = ['', [] as string[]];
  for (const row of rows.map(cells)) {
    if (row[0] === 'File Path') file = row[1];
    else if (row[0] === 'Function Name' && file.endsWith('/measured.cu')) tables.push({ kernel: row[1], counters: new Map() });
    else if (row[0] === 'Line No') columns = row;
    else if (row[0] !== '' && file.endsWith('/measured.cu')) {
      const values = Object.entries(SHOWN).map(([column, metric]) => [metric, Number(row[columns.indexOf(column)]) || 0]);
      tables.at(-1)!.counters.set(Number(row[0]), Object.fromEntries(values));
    }
  }
  return tables;
}

/** Of the digits that are printed. */
const isPrinted = (printed: number, value: number, digits: number) => Math.abs(printed - value) <= digits + 1e-9 * Math.abs(value);

describe('a report of Nsight Compute', () => {
  const { launches } = readMeasured('sections.ncu-rep', sections);

  it('has the launches, with grids and blocks, that Nsight Compute exports', () => {
    const shapes = (all: typeof launches) => all.map(({ kernel, grid, block }) => ({ kernel, grid, block }));
    expect(shapes(launches)).toEqual(shapes(csv('sections.base.csv').launches));
    expect(shapes(launches)[4]).toEqual({ kernel: 'transposeHalves(const __half *, __half *, int)', grid: [8, 8, 1], block: [32, 32, 1] });
    expect(launches).toHaveLength(6);
  });

  it('has each number of each launch that Nsight Compute exports', () => {
    const exported = csv('sections.base.csv').launches;
    let numbers = 0;
    for (const [index, { metrics }] of exported.entries()) {
      const own = launches[index].metrics;
      expect(Object.keys(metrics).filter((name) => !(name in own))).toEqual([]);
      expect(Object.keys(own).filter((name) => !(name in metrics))).toEqual([]);
      const other = Object.entries(metrics).filter(([name, value]) => !isPrinted(value, own[name], 0.005));
      expect(other.map(([name, value]) => [name, value, own[name]])).toEqual([]);
      numbers += Object.keys(metrics).length;
    }
    expect(numbers).toBe(3678);
    expect(launches[0].metrics).toMatchObject({ 'gpu__time_duration.sum': 2720, inst_executed: 32_768, launch__registers_per_thread: 16 });
  });

  it('has the same in the units that Nsight Compute chooses', () => {
    for (const [index, { metrics }] of csv('sections.csv').launches.entries()) {
      const own = launches[index].metrics;
      // Two digits behind the point of numbers that may be as small as 1.
      const other = Object.entries(metrics).filter(([name, value]) => !isPrinted(value, own[name], 0.005 + 0.005 * Math.abs(own[name])));
      expect(other.map(([name, value]) => [name, value, own[name]])).toEqual([]);
    }
  });

  it('has at each line the instructions and samples that Nsight Compute shows there', () => {
    // Instructions of inlined calls are shown at one row of several: lines without such code are compared.
    let compared = 0;
    const shownOfLaunches = shownLines();
    expect(shownOfLaunches.map(({ kernel }) => kernel)).toEqual(launches.map(({ kernel }) => kernel));
    for (const [index, { kernel, counters }] of shownOfLaunches.entries()) {
      const { lines = [] } = launches[index];
      const inlined = new Set(lines.filter(({ places }) => places.length > 1).flatMap(({ places }) => places.map(({ line }) => line)));
      for (const [line, shown] of counters) {
        if (inlined.has(line)) continue;
        const own = lines.find(({ places }) => places[0].line === line)?.counters ?? {};
        expect({ kernel, line, ...zeros, ...own }).toMatchObject({ kernel, line, ...shown });
        compared++;
      }
    }
    expect(compared).toBe(41);
  });

  it('names the call in the program for code of headers', () => {
    const { lines = [] } = launches.find(({ kernel }) => kernel.startsWith('shapes::collatz'))!;
    const atomic = lines.find(({ places }) => places.length > 1)!;
    expect(atomic.places.map(({ file, line }) => [file.split('/').at(-1), line])).toEqual([
      ['device_atomic_functions.hpp', 112],
      ['measured.cu', 45],
    ]);
    expect(atomic.counters.memory_l2_theoretical_sectors_global).toBe(8192);
  });

  it('says what to do where it is of ranges, not of kernels', () => {
    const ranges = gunzipSync(fixture('range.ncu-rep.gz'));
    expect(() => readMeasured('range.ncu-rep', ranges)).toThrow('range.ncu-rep has ranges of several launches');
    expect(() => readMeasured('range.ncu-rep', ranges)).toThrow('--replay-mode kernel');
  });

  it('is refused where it is of another version, cut off or no report at all', () => {
    const later = Buffer.from(sections);
    later[9] = 8;
    const way = 'ncu --import a.ncu-rep --csv --page raw';
    expect(() => readMeasured('a.ncu-rep', later)).toThrow('a.ncu-rep has version 8 of the format; only version 7 can be read.');
    expect(() => readMeasured('a.ncu-rep', later)).toThrow(way);
    expect(() => readMeasured('a.ncu-rep', Buffer.from('ID,Kernel Name'))).toThrow(way);
    expect(() => readMeasured('a.ncu-repz', Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))).toThrow('ncu --import a.ncu-repz --csv --page raw');
    expect(() => readMeasured('a.ncu-repz', fixture('sections.ncu-repz').subarray(0, -100))).toThrow(way.replace('rep ', 'repz '));
  });

  it('is the same where it is compressed', () => {
    expect(readMeasured('sections.ncu-repz', fixture('sections.ncu-repz')).launches).toEqual(launches);
  });

  it('takes no memory and no time for what its compressed frames claim', () => {
    const magic = [0x28, 0xb5, 0x2f, 0xfd];
    // Windows of 1.9 GB; 3 GB of content; 250,000 blocks of one byte, each of which moves 128 MB; 2,200 runs of 128 KB.
    const window = [...magic, 0, 0xa7, 1, 0, 0];
    const content = [...magic, 0xa0, 0, 0, 0, 0xc0, 1, 0, 0];
    const blocks = [...magic, 0, 0x88, ...Array.from({ length: 250_000 }, () => [8, 0, 0, 7]).flat(), 1, 0, 0];
    const runs = [...magic, 0, 0x38, ...Array.from({ length: 2200 }, () => [2, 0, 16, 7]).flat(), 1, 0, 0];
    const begin = performance.now();
    for (const bytes of [window, content, runs])
      expect(() => readMeasured('a.ncu-repz', Uint8Array.from(bytes))).toThrow('larger than 256 MiB');
    expect(() => readMeasured('a.ncu-repz', Uint8Array.from(blocks))).toThrow('no report of Nsight Compute');
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it('has its details as CSV, too, where rules have rows of their own', () => {
    const [launch] = readMeasured('details.csv', fixture('details.csv')).launches;
    expect(launch).toMatchObject({ kernel: 'scale(float *, float, int)', grid: [256, 1, 1], metrics: { 'gpu__time_duration.sum': 2820 } });
  });
});

describe('a page of sources', () => {
  const text = gunzipSync(fixture('sections.lines.csv.gz')).toString();
  const { launches } = parseNsightCsv('lines.csv', text);
  const atLine = (line: number) => launches.map(({ lines = [] }) => lines.find(({ places }) => places[0].line === line)?.counters);

  it('has launches with the counters of their lines, those of headers too', () => {
    const whole = readMeasured('sections.ncu-rep', sections).launches;
    expect(launches.map(({ kernel }) => kernel)).toEqual(whole.map(({ kernel }) => kernel));
    expect(atLine(8).slice(0, 2)).toEqual([
      {
        smsp__pcsamp_sample_count: 57,
        inst_executed: 20_480,
        thread_inst_executed: 655_360,
        memory_l2_theoretical_sectors_global: 16_384,
        memory_l2_theoretical_sectors_global_ideal: 16_384,
      },
      expect.objectContaining({ inst_executed: 10_240, memory_l2_theoretical_sectors_global: 8192 }),
    ]);
    // With the instruction of CUDA's header that the line calls.
    expect(atLine(45)[5]).toMatchObject({ memory_l2_theoretical_sectors_global: 8192 });
    expect(launches[5].lines?.map(({ places: [{ file, line }] }) => `${file.split('/').at(-1)}:${line}`)).toContain(
      'device_atomic_functions.hpp:112',
    );
  });

  it('stands beside a run without grids, by the order of a kernel’s launches', () => {
    const run = { grid: [1, 1, 1], block: [1, 1, 1], metrics: {} } as const;
    const kernels = ['scale(float*, float, int)', 'shapes::collatz(int const*, unsigned int*, int)', 'scale(float*, float, int)'];
    const beside = besideMeasured(launches, {
      kernels: kernels.map((kernel) => ({ ...run, kernel })) as unknown as KernelReport[],
      lines: { [kernels[0]]: { 'measured.cu:8': {} }, [kernels[1]]: { 'measured.cu:45': {} } } as unknown as Report['lines'],
    });
    expect(beside.alone).toBe(3);
    expect(beside.kernels.map(({ lines = {} }) => [lines['measured.cu:8']?.inst_executed, lines['measured.cu:45']?.inst_executed])).toEqual(
      [
        [30_720, undefined],
        [undefined, 10_240],
      ],
    );
  });

  it('of instructions alone is told what to do', () => {
    const sass = '"Function Name","f(int *)"\n"#","Address","Source","# Samples"\n"0","0x10","EXIT","3"\n';
    expect(() => parseNsightCsv('sass.csv', sass)).toThrow(
      'sass.csv has no source lines: write them with ncu --import FILE --csv --page source',
    );
  });
});

describe('a file that only looks like a report', () => {
  /** What comes of it; anything but an Error of the reader's fails. */
  function outcome(bytes: Uint8Array): 'read' | 'refused' {
    try {
      parseNsightReport('bad.ncu-rep', bytes);
      return 'read';
    } catch (error) {
      expect((error as Error).message).toMatch(/^bad\.ncu-rep (is cut off or damaged|has (version|ranges|no launches|more than))/);
      return 'refused';
    }
  }

  it('is refused wherever it is cut off, but between blocks', () => {
    let read = 0;
    for (let end = 4; end < sections.length; end += end < 1000 ? 1 : 397) if (outcome(sections.subarray(0, end)) === 'read') read++;
    expect(read).toBeLessThan(10);
    expect(outcome(sections.subarray(0, sections.length - 1))).toBe('refused');
  });

  it('is read or refused, whatever bytes are changed', () => {
    // A generator of Lehmer's: the same every time.
    let state = 42;
    const next = (below: number) => {
      state = (state * 48_271) % 0x7fff_ffff;
      return state % below;
    };
    const outcomes = { read: 0, refused: 0 };
    for (let round = 0; round < 300; round++) {
      const bytes = Uint8Array.from(sections);
      // Most lie in sources, which nobody reads: headers and tables of names are changed as often.
      const end = round % 2 === 0 ? bytes.length : 60_000;
      for (let change = 0; change < 20; change++) bytes[next(end)] = next(256);
      outcomes[outcome(bytes)]++;
    }
    expect(outcomes.read).toBeGreaterThan(10);
    expect(outcomes.refused).toBeGreaterThan(10);
  });

  it('takes neither time nor memory for what it claims to have', () => {
    const message = (write: (writer: BinaryWriter) => void) => {
      const writer = new BinaryWriter();
      write(writer);
      const body = writer.finish();
      const length = Buffer.alloc(4);
      length.writeUInt32LE(body.length);
      return Buffer.concat([length, body]);
    };
    const version = message((writer) => writer.tag(1, 0).uint32(7));
    const report = (...parts: Uint8Array[]) => Buffer.concat([Buffer.from('NVR\0'), version, ...parts]);
    const heap = process.memoryUsage().heapUsed;
    const begin = performance.now();
    const counts = [1, 2, 5].map((field) => (writer: BinaryWriter) => writer.tag(field, 0).uint32(0xffff_ffff));
    for (const count of counts) expect(outcome(report(message(count)))).toBe('refused');
    const all = (writer: BinaryWriter) => {
      for (const count of counts) count(writer);
    };
    expect(outcome(report(message(all)))).toBe('refused');
    expect(outcome(report(Buffer.from([0xff, 0xff, 0xff, 0xff])))).toBe('refused');
    // Blocks without anything, and groups within groups.
    expect(outcome(report(Buffer.alloc(1 << 20)))).toBe('refused');
    expect(outcome(report(message((writer) => writer.raw(new Uint8Array(1 << 20).fill(0x1b)))))).toBe('refused');
    expect(performance.now() - begin).toBeLessThan(30_000);
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(100 << 20);
  });

  it('has no more numbers than anybody measures', () => {
    const names = new BinaryWriter().tag(1, 2).string('a').finish();
    const launch = new BinaryWriter();
    const value = new BinaryWriter().tag(5, 0).uint64(1).finish();
    for (let each = 0; each < 50_000; each++) launch.tag(13, 2).fork().tag(1, 0).uint32(0).tag(2, 2).bytes(value).join();
    const body = launch.finish();
    const entry = Buffer.concat([Buffer.alloc(4), body]);
    entry.writeUInt32LE(body.length);
    const header = new BinaryWriter()
      .tag(2, 0)
      .uint32(100)
      .tag(4, 2)
      .bytes(names)
      .tag(5, 0)
      .uint32(100 * entry.length)
      .finish();
    const lengths = Buffer.alloc(4);
    lengths.writeUInt32LE(header.length);
    const file = Buffer.concat([Buffer.from('NVR\0\x02\0\0\0\x08\x07'), lengths, header, ...Array<Buffer>(100).fill(entry)]);
    expect(() => parseNsightReport('bad.ncu-rep', file)).toThrow('has more than 4,000,000 numbers');
  });
});
