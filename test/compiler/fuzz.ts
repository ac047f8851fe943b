/** Random kernels on both engines, alone and spread over threads, for some minutes. Prints the seeds on which they differ. */
import { compareRandom } from './differential.ts';

const argument = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};

const minutes = argument('minutes', 1);
const first = argument('seed', Math.floor(Date.now() / 1000) % 1_000_000);
const end = performance.now() + minutes * 60_000;
let kernels = 0;
let interpreted = 0;
let helped = 0;
let faults = 0;
let failures = 0;
for (let seed = first; performance.now() < end; seed++) {
  const threaded = seed % 10 === 0;
  try {
    const result = compareRandom(seed, threaded ? { workers: 1, parallelWarps: 1 } : { workers: 0, pathByPath: seed % 2 === 0 });
    kernels++;
    if (result.interpreted) interpreted++;
    if (result.helpers > 0) helped++;
    if (result.fault) faults++;
    if (result.differences.length > 0) {
      failures++;
      console.log(`seed ${seed}: ${result.differences.join('; ')}`);
    }
  } catch (error) {
    failures++;
    console.log(`seed ${seed}: ${(error as Error).stack}`);
  }
}
console.log(
  `${kernels} kernels from seed ${first}: ${kernels - interpreted} compiled, ${interpreted} left to the interpreter, ${helped} on several threads, ${faults} end in a fault, ${failures} differ`,
);
process.exitCode = failures > 0 ? 1 : 0;
