/** A program's output on its way to its reader. */
import { expect, test } from 'vitest';
import { KeptText, OutputFlow } from '../../simulator/runtime/program-output.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('a text of moderate length is kept whole, characters in pieces too', () => {
  const kept = new KeptText(5_000_000);
  const text = bytes('naïve ▲');
  for (const byte of text) kept.add(Uint8Array.of(byte));
  expect(String(kept)).toBe('naïve ▲');
});

test('of a long one the beginning and the end are, with how much is missing', () => {
  const kept = new KeptText(5_000_000);
  for (let i = 0; i < 40; i++) kept.add(bytes(String(i % 10).repeat(1_000_000)));
  const text = String(kept);
  const [, head, leftOut, tail] =
    /^(\d+)\n\[Lanewise: (\d+) characters of output are left out here; to allow more, pass --limit outputMB=N, [^\]]*\]\n(\d+)$/.exec(
      text,
    ) ?? [];
  expect([head.length, tail.length]).toEqual([5_000_000, 5_000_000]);
  expect(head.length + Number(leftOut) + tail.length).toBe(40_000_000);
  expect([head.at(-1), tail[0], tail.at(-1)]).toEqual(['4', '5', '9']);
});

test('what is on its way holds a program back until it is taken', async () => {
  const flow = new OutputFlow();
  const far = new OutputFlow(flow.shared);
  far.send(9 << 20);
  // Another thread takes what was sent while this one waits for room.
  const { Worker } = await import('node:worker_threads');
  const taker = new Worker(
    'const view = new Int32Array(require("node:worker_threads").workerData); setTimeout(() => { Atomics.sub(view, 0, 9 << 20); Atomics.notify(view, 0); }, 100);',
    { eval: true, workerData: flow.shared },
  );
  far.send(1);
  // It did not go on before there was room.
  expect(new Int32Array(flow.shared)[0]).toBe(1);
  await taker.terminate();
});
