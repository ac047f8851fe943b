import { expect, it } from 'vitest';
import { manyRuns } from '../server/many-runs.ts';

// `npm run soak:runs` has a thousand.
it.runIf(process.platform === 'linux')(
  '30 runs in one server leave no memory, no file and no process behind',
  { timeout: 180_000 },
  async () => {
    const { tenth, last, ...left } = await manyRuns(30);
    expect(left).toEqual({ temporaryFiles: [], workFiles: ['squares.cu'], cacheFiles: 1, processesLeft: [], exit: 0 });
    expect((last.rss - tenth.rss) / 1e6).toBeLessThan(30);
  },
);
