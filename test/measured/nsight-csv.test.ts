/** What Nsight Compute exports as CSV, in either of its shapes, and what it looks like when shells and programs have had their hands on it. */
import { describe, expect, it } from 'vitest';
import { parseNsightCsv, toNsightCsv } from '../../measured/nsight-csv.ts';
import { readMeasured } from '../../measured/read-measured.ts';

const HEAD = '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC"';
const LAUNCH = (id: number, kernel: string) => `"${id}","77","a.out","127.0.0.1","${kernel}","1","7","(256, 1, 1)","(64, 2, 1)","0","9.0"`;
const LONG = [
  `${HEAD},"Section Name","Metric Name","Metric Unit","Metric Value"`,
  `${LAUNCH(0, 'scale(float *, float)')},"Command line profiler metrics","gpu__time_duration.sum","us","2.50"`,
  `${LAUNCH(0, 'scale(float *, float)')},"Command line profiler metrics","dram__bytes_read.sum","Kbyte","1,024.5"`,
  `${LAUNCH(1, 'scale(float *, float)')},"Command line profiler metrics","gpu__time_duration.sum","ms","1.25"`,
];
const WIDE = [
  `${HEAD},"dram__bytes_read.sum","dram__bytes_read.sum.per_second","gpu__time_duration.sum","inst_executed","lts__cycles_elapsed.avg.per_second"`,
  '"","","","","","","","","","","","Mbyte","Gbyte/s","ms","inst","Ghz"',
  `${LAUNCH(0, 'scale(float *, float)')},"1.5","3.0","1.5","12,288","1.6"`,
];

describe('a CSV of Nsight Compute', () => {
  it('has one row for each metric, in a unit of its own', () => {
    expect(parseNsightCsv('gpu.csv', LONG.join('\n'))).toEqual({
      name: 'gpu.csv',
      launches: [
        {
          kernel: 'scale(float *, float)',
          grid: [64, 2, 1],
          block: [256, 1, 1],
          metrics: { 'gpu__time_duration.sum': 2500, 'dram__bytes_read.sum': 1_024_500 },
        },
        { kernel: 'scale(float *, float)', grid: [64, 2, 1], block: [256, 1, 1], metrics: { 'gpu__time_duration.sum': 1_250_000 } },
      ],
    });
  });

  it('has one row for each launch, with units below the names', () => {
    expect(parseNsightCsv('gpu.csv', WIDE.join('\n')).launches).toEqual([
      {
        kernel: 'scale(float *, float)',
        grid: [64, 2, 1],
        block: [256, 1, 1],
        metrics: {
          'dram__bytes_read.sum': 1_500_000,
          'dram__bytes_read.sum.per_second': 3e9,
          'gpu__time_duration.sum': 1_500_000,
          inst_executed: 12_288,
          'lts__cycles_elapsed.avg.per_second': 1.6e9,
        },
      },
    ]);
  });

  it('follows what the program and ncu have printed, even a quotation mark', () => {
    const printed = ['==PROF== Connected to process 77', 'the 7" disk', '==PROF== Disconnected from process 77'];
    expect(parseNsightCsv('gpu.csv', [...printed, ...LONG].join('\r\n')).launches).toHaveLength(2);
  });

  it('is UTF-16 where a Windows shell has written it', () => {
    const text = LONG.join('\r\n');
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    expect(readMeasured('gpu.csv', utf16)).toEqual(readMeasured('gpu.csv', Buffer.from(text)));
  });

  it('is refused with what to do where it is none', () => {
    expect(() => parseNsightCsv('no.csv', 'a,b\n1,2\n')).toThrow('no.csv has no column "Kernel Name": write it with ncu --csv');
    expect(() => parseNsightCsv('no.csv', LONG[0])).toThrow('no.csv has no launches.');
  });

  it('comes back from what is written of a run here', () => {
    const metrics = { 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum': 1_234_567, memory_l2_theoretical_sectors_global: 8 };
    const written = toNsightCsv('a.cu', [{ kernel: 'void f<"x">(int*)', grid: [1, 2, 3], block: [32, 1, 1], metrics }]);
    expect(parseNsightCsv('own.csv', written).launches).toEqual([
      { kernel: 'void f<"x">(int*)', grid: [1, 2, 3], block: [32, 1, 1], metrics },
    ]);
  });

  it('takes time in proportion to its length, whatever its quotation marks', () => {
    const begin = performance.now();
    for (const piece of ['"a,', '"",', '""""a,', '"""', ',"""']) {
      const text = `${LONG[0]}\n${piece.repeat((1 << 20) / piece.length)}`;
      expect(() => parseNsightCsv('hostile.csv', text)).toThrow('no launches');
    }
    expect(performance.now() - begin).toBeLessThan(30_000);
  });
});
