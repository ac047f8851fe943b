/**
 * What the sanitizer costs: the six kernels of `npm run bench`, in turns with and without all checks, median of five launches each, after
 * two of each that nobody counts, and what the checks remember. Without checks a launch may run on several threads; with them it runs on one. `npm run bench:sanitizer`.
 */
import { cpus, loadavg } from 'node:os';
import { Sanitizer } from '../simulator/sanitizer/sanitizer.ts';
import { CASES, type Case, createFast, geometricMean, median, prepared, timed } from './cases.ts';

const ROUNDS = 5;

console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}, Node ${process.versions.node}\n`,
);
console.log('| kernel | ms | with checks | times | CPU ms | with checks | times | MB of data | shadow | events |');
console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
const only = process.argv[2];
const rows = CASES.filter(({ kernel }) => !only || kernel === only).map(measure);
console.log(
  `\nGeometric mean: ${geometricMean(rows.map(({ wall }) => wall)).toFixed(2)} times the time, ${geometricMean(rows.map(({ cpu }) => cpu)).toFixed(2)} times the processor time`,
);
process.exit(0);

/** Prints a row. */
function measure(c: Case): { readonly wall: number; readonly cpu: number } {
  const plain = prepared(c, createFast);
  const checked = prepared(c, createFast);
  const sanitizer = new Sanitizer({ memory: checked.memory });
  plain.engine.warmUp();
  const without: ReturnType<typeof timed>[] = [];
  const withChecks: ReturnType<typeof timed>[] = [];
  let events = 0;
  for (let round = 0; round < ROUNDS + 2; round++) {
    without.push(timed(plain.engine, plain.launch, plain.module));
    withChecks.push(timed(checked.engine, checked.launch, checked.module, sanitizer.probes(checked.module, checked.launch)));
    sanitizer.endKernel();
    events = Math.max(events, sanitizer.sizeBytes.events);
  }
  if (sanitizer.findings.length > 0) throw new Error(`${c.kernel}: ${sanitizer.findings[0].message}`);
  plain.engine.close();
  checked.engine.close();
  const middle = (all: typeof without, field: 'ms' | 'cpuMs'): number => median(all.slice(2).map((each) => each[field]));
  const [ms, checkedMs, cpuMs, checkedCpuMs] = [
    middle(without, 'ms'),
    middle(withChecks, 'ms'),
    middle(without, 'cpuMs'),
    middle(withChecks, 'cpuMs'),
  ];
  const [wall, cpu] = [checkedMs / ms, checkedCpuMs / cpuMs];
  const data = checked.memory.allocations
    .filter(({ label }) => label === 'benchmark data')
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const mebibytes = [data, sanitizer.sizeBytes.shadow, events].map((bytes) => (bytes / 2 ** 20).toFixed(1)).join(' | ');
  console.log(
    `| ${c.name} | ${ms.toFixed(1)} | ${checkedMs.toFixed(1)} | ${wall.toFixed(2)} | ${cpuMs.toFixed(1)} | ${checkedCpuMs.toFixed(1)} | ${cpu.toFixed(2)} | ${mebibytes} |`,
  );
  return { wall, cpu };
}
