/** The roofline of a report, by numbers that can be checked by hand. */
import { describe, expect, it } from 'vitest';
import { deviceNamed } from '../../devices/devices.ts';
import { devicePeaks } from '../../devices/peaks.ts';
import type { KernelReport, Report, TimeEstimate } from '../../protocol/report.ts';
import { rooflinePicture } from '../../simulator/timeline/roofline.ts';

const PEAKS = {
  device: 'H200',
  clockHz: 1.98e9,
  fp32FlopsPerNs: 1000,
  fp64FlopsPerNs: 500,
  warpInstructionsPerNs: 100,
  l2BytesPerNs: 50,
  dramBytesPerNs: 10,
};

function kernel(
  name: string,
  work: { ns: number; fp32?: number; issued?: number; bytes: number; limit?: TimeEstimate['limit'] },
  device = 0,
) {
  const { ns, fp32 = 0, issued = fp32 / 32, bytes, limit = 'dram' } = work;
  const estimate: Partial<TimeEstimate> = {
    ...{ ns, limit, parts: [{ limit, ns }], instructions: { issued }, flops: { fp16: 0, fp32, fp64: 0 } },
    ...{ dramReadBytes: bytes, dramWrittenBytes: 0 },
  };
  const launch: Partial<KernelReport> = { kernel: `void ${name}(const float *)`, estimate: estimate as TimeEstimate };
  return { ...launch, ...(device > 0 && { device }) } as KernelReport;
}

const of = (...kernels: readonly KernelReport[]): Pick<Report, 'kernels' | 'peaks'> => ({ kernels: [...kernels], peaks: [PEAKS] });

describe('a roofline', () => {
  it('has a point for each kernel, with what it reaches of the roof above it', () => {
    // 0.5 FLOP per byte under a slope of 10 bytes per ns: 5 FLOP per ns at most. 200 per byte: the ceiling of 1000.
    const slow = kernel('copyish', { ns: 1000, fp32: 2500, bytes: 5000 });
    const fast = kernel('product<(int)4>', { ns: 500, fp32: 400_000, bytes: 2000, limit: 'fp32' });
    const { svg, words } = rooflinePicture(of(slow, slow, fast))!;
    expect(words).toBe(
      'roofline, estimated for H200, with cold caches; fp32 1 TFLOP/s; fp64 0.5 TFLOP/s; DRAM 10 GB/s; ' +
        'copyish x2: 2.5 GFLOP/s, 0.5 FLOP/byte, 50 % of its roof, limited by DRAM; ' +
        'product<(int)4>: 800 GFLOP/s, 200 FLOP/byte, 80 % of its roof, limited by fp32 pipe.',
    );
    const circles = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
    expect(circles).toHaveLength(2);
    expect(circles[1][0]).toBeGreaterThan(circles[0][0]);
    expect(circles[1][1]).toBeLessThan(circles[0][1]);
    expect(svg).toContain('1  copyish x2: 2.5 GFLOP/s');
    expect(svg).toContain('role="img"');
  });

  it('counts warp instructions where there is little floating-point work, and says what has no point', () => {
    const count = kernel('count', { ns: 100, issued: 1000, bytes: 1000, limit: 'atomics' });
    expect(rooflinePicture(of(count))!.words).toContain(
      'count: 10 warp instructions/ns, 1 per byte, 100 % of its roof, limited by atomics',
    );
    const scale = kernel('scale', { ns: 900, fp32: 900, bytes: 9000 });
    const { words } = rooflinePicture(of(count, scale))!;
    expect(words).toContain('scale: 1 GFLOP/s');
    expect(words).toContain('count: no floating-point operations');
    expect(rooflinePicture(of(count, scale), { of: 'instructions' })!.words).not.toContain('no floating-point');
  });

  it('is that of one device, and there is none without estimates', () => {
    const there = kernel('there', { ns: 10, fp32: 10, bytes: 10 }, 1);
    expect(rooflinePicture(of(there))).toBeUndefined();
    expect(rooflinePicture({ kernels: [there], peaks: [PEAKS, { ...PEAKS, device: 'A100' }] }, { device: 1 })!.words).toContain('for A100');
    expect(rooflinePicture(of({ ...there, estimate: undefined }))).toBeUndefined();
    expect(rooflinePicture(of())).toBeUndefined();
  });

  it('takes text and lines from the ground that it is shown on, and brings its own in a file of its own', () => {
    const launch = kernel('odd"<name>', { ns: 10, fp32: 10, bytes: 10 });
    const colours = (svg: string) => new Set([...svg.matchAll(/(?:fill|stroke|color)="([^"]+)"/g)].map(([, colour]) => colour));
    expect(colours(rooflinePicture(of(launch))!.svg)).toEqual(new Set(['currentColor', 'none']));
    // Dark grey on white: 16 to 1.
    expect(colours(rooflinePicture(of(launch), { alone: true })!.svg)).toEqual(new Set(['#1f1f1f', '#ffffff', 'currentColor', 'none']));
    expect(rooflinePicture(of(launch))!.svg).not.toContain('odd"');
  });

  it('has the roofs of data sheets', () => {
    const { fp32FlopsPerNs, fp64FlopsPerNs, dramBytesPerNs, device } = devicePeaks(deviceNamed('h200')!);
    // NVIDIA H200 Tensor Core GPU data sheet: 67 and 34 TFLOP/s, 4.8 TB/s.
    expect([device, Math.round(fp32FlopsPerNs / 1000), Math.round(fp64FlopsPerNs / 1000), Math.round(dramBytesPerNs / 100)]).toEqual([
      ...['H200', 67, 33, 48],
    ]);
  });
});
