/**
 * A thousand runs in one server: `npm run soak:runs`, or `npm run soak:runs -- 200`. The server's resident memory after the last one is to be
 * within 30 MB of that after the tenth, and no file and no process may stay.
 */
import { manyRuns } from './many-runs.ts';

const runs = Number(process.argv[2] ?? 1000);
const begin = performance.now();
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const { tenth, last, ...left } = await manyRuns(runs, (done, { rss, heapUsed }) =>
  console.log(`${done} runs: ${megabytes(rss)} resident, ${megabytes(heapUsed)} of objects`),
);
const growth = last.rss - tenth.rss;
console.log(`${runs} runs in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
console.log(
  `resident after the tenth ${megabytes(tenth.rss)}, after the last ${megabytes(last.rss)}: ${megabytes(growth)} more (limit 30 MB)`,
);
console.log(`left: ${JSON.stringify(left)}`);
const { temporaryFiles, workFiles, cacheFiles, processesLeft, exit } = left;
const clean = temporaryFiles.length === 0 && workFiles.length === 1 && cacheFiles === 1 && processesLeft.length === 0 && exit === 0;
if (growth > 30e6 || !clean) process.exitCode = 1;
