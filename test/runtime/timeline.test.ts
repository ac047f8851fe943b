/** When operations run, by themselves: all times in nanoseconds that can be checked by hand. */
import { describe, expect, it } from 'vitest';
import { deviceNamed } from '../../devices/devices.ts';
import { linkOf, peerLink } from '../../devices/links.ts';
import type { Timeline as ShownTimeline } from '../../protocol/timeline.ts';
import { copyCost, fillCost } from '../../simulator/runtime/clock/copies.ts';
import { BLOCK_LAUNCH_NS, DEVICE_LAUNCH_NS, TAIL_LAUNCH_NS } from '../../simulator/runtime/clock/costs.ts';
import { type KernelTree, phasesOf, throughputOf } from '../../simulator/runtime/clock/kernels.ts';
import type { Needs, Operation, OperationRequest, Phase } from '../../simulator/runtime/clock/operation.ts';
import { Timeline } from '../../simulator/runtime/clock/timeline.ts';
import { chromeTrace } from '../../simulator/timeline/chrome-trace.ts';
import { timelinePicture } from '../../simulator/timeline/picture.ts';

const engine = (name: string): Needs => ({ kind: 'engines', engines: [name] });
const kernel = (...phases: readonly Phase[]): Needs => ({ kind: 'kernel', device: 0, phases });
const at = ({ startNs, endNs }: Operation) => [startNs, endNs];

function submitter(timeline = new Timeline()) {
  const submit = (ns: number, needs: Needs, more: Partial<OperationRequest> = {}) =>
    timeline.submit({ after: [], arrivesNs: 0, ns, needs, ...more });
  const run = (share: number, ns: number, more: Partial<OperationRequest> = {}) => submit(ns, kernel({ ns, share }), more);
  return { timeline, submit, run };
}

describe('a timeline', () => {
  it('starts what comes behind something when that has ended, and no earlier than it arrives', () => {
    const { timeline, submit } = submitter();
    const first = submit(50, engine('in'), { arrivesNs: 10 });
    const second = submit(20, engine('out'), { after: [first], gapNs: 5 });
    const late = submit(20, engine('out'), { after: [first], arrivesNs: 200 });
    const event = submit(0, { kind: 'nothing' }, { after: [second, late] });
    expect(timeline.finish(event)).toBe(220);
    expect([first, second, late, event].map(at)).toEqual([
      [10, 60],
      [65, 85],
      [200, 220],
      [220, 220],
    ]);
    expect(timeline.pending).toBe(0);
  });

  it('lets an engine do one thing at a time, and what is ready go before what was submitted earlier', () => {
    const { timeline, submit, run } = submitter();
    const before = run(1, 100);
    const waits = submit(10, engine('in'), { after: [before] });
    const passes = submit(30, engine('in'));
    const next = submit(30, engine('in'));
    timeline.advance(1000);
    expect([waits, passes, next].map(at)).toEqual([
      [100, 110],
      [0, 30],
      [30, 60],
    ]);
  });

  it('lets kernels share a device as far as there is room', () => {
    const { timeline, run } = submitter();
    const [a, b] = [run(0.5, 100), run(0.5, 100)];
    // Gets the rest only when one of them ends.
    const c = run(0.5, 100);
    timeline.advance(1000);
    expect([a, b, c].map(at)).toEqual([
      [0, 100],
      [0, 100],
      [100, 200],
    ]);
    const slow = submitter();
    const [big, wide] = [slow.run(0.6, 100), slow.run(1, 100)];
    slow.timeline.advance(1000);
    // 40 % of the device for 100 ns, then all of it.
    expect([big, wide].map(at)).toEqual([
      [0, 100],
      [0, 160],
    ]);
  });

  it('gives room by priority, and in the last wave', () => {
    const { timeline, submit, run } = submitter();
    const low = run(1, 100);
    const high = run(1, 40, { arrivesNs: 10, priority: -1 });
    timeline.advance(1000);
    expect([low, high].map(at)).toEqual([
      [0, 140],
      [10, 50],
    ]);
    const waves = submit(100, kernel({ ns: 60, share: 1 }, { ns: 40, share: 0.25 }), { arrivesNs: 1000 });
    const behind = run(0.75, 40, { arrivesNs: 1000 });
    timeline.advance(2000);
    expect([waves, behind].map(at)).toEqual([
      [1000, 1100],
      [1060, 1100],
    ]);
  });

  it('foresees a start without changing anything', () => {
    const { timeline, run } = submitter();
    const first = run(1, 100);
    const request = { after: [first], arrivesNs: 0, gapNs: 7, ns: 1, needs: kernel({ ns: 1, share: 1 }) };
    expect([timeline.forecast(request), timeline.forecast(request)]).toEqual([107, 107]);
    expect([timeline.pending, first.endNs]).toEqual([1, undefined]);
    expect(timeline.finish(timeline.submit(request))).toBe(108);
  });

  it('runs at most 128 kernels at once', () => {
    const { timeline, run } = submitter();
    const all = Array.from({ length: 130 }, () => run(0.001, 100));
    timeline.advance(10_000);
    expect(all.map(({ startNs }) => startNs).filter((start) => start === 100)).toHaveLength(2);
  });

  it('stays exact over many operations', () => {
    const { timeline, submit } = submitter();
    let last: Operation | undefined;
    for (let i = 0; i < 20_000; i++) last = submit(0.3, engine(i % 2 ? 'in' : 'out'), { after: [last], gapNs: 0.1 });
    expect(timeline.finish(last!)).toBeCloseTo(20_000 * 0.4 - 0.1, 5);
  });
});

describe('a kernel', () => {
  const tree = (changes: Partial<KernelTree>): KernelTree => {
    const shape = { name: 'k', grid: [1, 1, 1], block: [32, 1, 1], migratedBytes: 0, throughput: 0, children: [], tails: [] } as const;
    return { ...shape, ns: 100, blocks: 10, residentBlocks: 100, ...changes };
  };

  it('takes as much of a device as its blocks, or as its share of the busiest unit', () => {
    expect(phasesOf(tree({}))).toEqual([{ ns: 100, share: 0.1 }]);
    expect(phasesOf(tree({ throughput: 0.8 }))).toEqual([{ ns: 100, share: 0.8 }]);
    const waves = phasesOf(tree({ blocks: 250 }));
    expect(waves.map(({ share }) => share)).toEqual([1, 0.5]);
    expect(waves[0].ns).toBeCloseTo(200 / 3);
  });

  it('leaves others what its busiest unit does not do, on the multiprocessors that have its blocks', () => {
    const parts = [
      { limit: 'issue', ns: 90 },
      { limit: 'dram', ns: 20 },
      { limit: 'latency', ns: 100 },
    ] as const;
    expect(throughputOf({ ns: 100, parts }, 1)).toBeCloseTo(0.9);
    // 66 blocks of 132: eight such kernels in as many streams took half as long as one after the other, not a quarter (self-timed.cu).
    expect(throughputOf({ ns: 100, parts }, 0.5)).toBeCloseTo(0.45);
    expect(throughputOf({ ns: 100, parts }, 0.1)).toBeCloseTo(0.2);
    expect(throughputOf({ ns: 0, parts: [] }, 1)).toBe(0);
  });

  it('has its children beside each other, and tail launches one after the other', () => {
    const child = (ns: number, blocks: number) => tree({ ns, blocks });
    expect(phasesOf(tree({ children: [child(9000, 50), child(9000, 50)], blocks: 2 }))[2]).toEqual({ ns: 9000, share: 1 });
    expect(phasesOf(tree({ children: [child(9000, 100), child(9000, 100)] }))[2]).toEqual({ ns: 18_000, share: 1 });
    // One launch of the device after the other, and of each of its blocks.
    const many = (blocks: number) => phasesOf(tree({ children: Array.from({ length: 100 }, () => child(2000, 1)), blocks }))[2];
    expect(many(100)).toEqual({ ns: 100 * DEVICE_LAUNCH_NS, share: expect.closeTo(2000 / 100 / DEVICE_LAUNCH_NS) });
    expect([many(4).ns, many(1).ns]).toEqual([25 * BLOCK_LAUNCH_NS, 100 * BLOCK_LAUNCH_NS]);
    const tails = phasesOf(tree({ tails: [child(10, 1), child(20, 1)] })).map(({ ns }) => ns);
    expect(tails).toEqual([100, TAIL_LAUNCH_NS, 10, TAIL_LAUNCH_NS, 20]);
  });
});

describe('links', () => {
  it('are what standard and data sheet say', () => {
    const [h200, t4, a100, rtx] = ['h200', 't4', 'a100', 'rtx4090'].map((id) => deviceNamed(id)!);
    expect(linkOf(h200)).toMatchObject({ name: 'PCIe 5.0 x16', hostBytesPerNs: expect.closeTo(57.6, 1), peerBytesPerNs: 450 });
    expect(linkOf(t4)).toMatchObject({ name: 'PCIe 3.0 x16', hostBytesPerNs: expect.closeTo(14.4, 1) });
    expect(peerLink(a100, a100)).toEqual({ bytesPerNs: 300, direct: true });
    expect(peerLink(h200, a100)).toEqual({ bytesPerNs: expect.closeTo(28.8, 1), direct: false });
    expect(peerLink(h200, rtx)).toEqual({ bytesPerNs: expect.closeTo(28.8, 1), direct: false });
  });

  it('decide what copies take and occupy', () => {
    const h200 = deviceNamed('h200')!;
    const two = [h200, h200];
    const device = (index: number) => ({ at: 'device', device: index }) as const;
    const pinned = copyCost(two, { at: 'pinned' }, device(1), 57_600_000);
    expect(pinned).toMatchObject({ needs: engine('1 in'), waits: false, hostNs: 0, direction: 'HtoD' });
    // 55.3 bytes per nanosecond, after 2.4 microseconds.
    expect((pinned.ns - 2400) / 1e6).toBeCloseTo(57.6 / 55.3, 2);
    expect(copyCost(two, device(0), { at: 'pageable' }, 14_000_000)).toMatchObject({ ns: 1_001_500, needs: engine('0 out'), waits: true });
    // Small ones are only staged when the call returns.
    expect(copyCost(two, { at: 'pageable' }, device(0), 13_000)).toMatchObject({ hostNs: 1000, heldNs: 6000, waits: false });
    expect(copyCost(two, device(0), device(1), 450_000)).toMatchObject({ ns: 3400, needs: { engines: ['0 peer out', '1 peer in'] } });
    expect(copyCost(two, device(0), device(0), 4_814_304).ns).toBeCloseTo(6000 + 2000 / 0.85, 0);
    expect(fillCost(two, 0, 4_814_304).ns).toBeCloseTo(3700 + 1000 / 0.85, 0);
  });
});

describe('a timeline that is shown', () => {
  const shown: ShownTimeline = {
    devices: ['NVIDIA H200'],
    endNs: 10_000,
    tracks: [
      { name: 'host', spans: [{ kind: 'call', name: 'cudaMemcpy', startNs: 0, endNs: 3000 }] },
      {
        name: 'default stream',
        device: 0,
        spans: [
          { kind: 'copy', name: 'Memcpy HtoD', startNs: 1000, endNs: 3000, bytes: 100_000 },
          {
            kind: 'kernel',
            name: 'void reduce<int>(const int *)',
            startNs: 3500,
            endNs: 9500,
            grid: [16384, 1, 1],
            block: [256, 1, 1],
            ownNs: 2000,
            nested: [
              { name: 'child(int *)', launches: 16_384, totalNs: 30_000, nested: [{ name: 'leaf()', launches: 8, totalNs: 10_000 }] },
            ],
          },
        ],
      },
    ],
  };

  it('is a Chrome trace in which nested launches lie below their parents, added up', () => {
    const { traceEvents, otherData } = JSON.parse(chromeTrace(shown, 'a.cu'));
    expect(otherData).toMatchObject({ devices: ['NVIDIA H200'], times: 'estimated, not measured' });
    const named = (name: string) => traceEvents.find((event: { name: string }) => event.name === name);
    expect(traceEvents.filter(({ ph }: { ph: string }) => ph === 'M').map(({ args }: { args: { name: string } }) => args.name)).toEqual([
      'host: a.cu',
      'device 0: NVIDIA H200 (estimated)',
      'host',
      'default stream',
    ]);
    expect(named('cudaMemcpy')).toMatchObject({ ph: 'X', pid: 0, tid: 0, ts: 0, dur: 3 });
    expect(named('Memcpy HtoD')).toMatchObject({ pid: 1, tid: 1, ts: 1, dur: 2, args: { bytes: 100_000, 'GB/s': 50 } });
    const parent = named('void reduce<int>(const int *)');
    expect(parent).toMatchObject({ ts: 3.5, dur: 6, args: { grid: '16384 x 1 x 1', 'nested launches': 16_392, 'own us': 2 } });
    const child = named('child(int *) x16,384');
    expect(child).toMatchObject({ ts: 5.5, dur: 4, args: { launches: 16_384, 'total us': 30 } });
    expect(named('leaf() x8')).toMatchObject({ ts: 8.5, dur: 1 });
  });

  it('is a picture with a row for each track that has something to show', () => {
    const { svg: picture, words } = timelinePicture(shown);
    expect(picture).toContain('>0</text>');
    expect(picture).not.toContain('>0 ns<');
    expect(words).toBe('timeline, estimated for NVIDIA H200, 10 µs; host: calls 3 µs; default stream: copies 2 µs, kernels 6 µs.');
    expect(picture).toContain(`aria-label="${words.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`);
    expect(picture).toContain('estimated for NVIDIA H200');
    expect(picture.match(/height="16"/g)).toHaveLength(3);
    expect(picture).toContain('reduce&lt;int&gt;(const int *): 6 µs from 3.5 µs on, with 16,392 launches of its own (estimated)');
    expect(picture).toContain('>10 µs</text>');
    // What the colours mean, of those that are there.
    expect(
      [...picture.matchAll(/height="10" fill="(#\w+)"\/>\n<text[^>]*>([^<]+)</g)].map(([, colour, word]) => `${word} ${colour}`),
    ).toEqual(['calls #6e7681', 'kernels #2f7d32', 'copies #1a73c8']);
    const [, left, width] = /<rect x="([\d.]+)" y="\d+" width="([\d.]+)" height="16" fill="#1a73c8"/.exec(picture)!;
    expect([Number(left), Number(width)]).toEqual([150 + 72.6, 145.2]);
    const part = timelinePicture(shown, { fromNs: 3200, toNs: 5000 });
    expect(part.svg.match(/height="16"/g)).toHaveLength(1);
    expect(part.svg.match(/height="10"/g)).toHaveLength(1);
    expect(timelinePicture({ devices: [], endNs: 0, tracks: [] }).svg).toContain('</svg>');
  });
});
