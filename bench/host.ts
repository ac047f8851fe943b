/**
 * How fast host code runs: ten loops of bench/host.cpp, the best of several rounds. `npm run bench:host -- [CHECKOUT]` compares with
 * another checkout, built before, whose runs alternate with this one's; exits with 1 if their geometric mean is more than 1.15 times
 * its, or if what a loop computes differs.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const RUNS = 3;
const ROUNDS = '12';
const MOST = 1.15;

interface Loop {
  milliseconds: number;
  readonly result: string;
}

const root = process.cwd();
const [other] = process.argv.slice(2);
const checkouts = other ? [root, other] : [root];
const best = checkouts.map(() => new Map<string, Loop>());
for (let run = 0; run < RUNS; run++) for (const [index, checkout] of checkouts.entries()) keepBest(best[index], measured(checkout));

const ratios: number[] = [];
let differs = false;
console.log(other ? '| loop | ms | ms, other | ratio |\n|---|---:|---:|---:|' : '| loop | ms |\n|---|---:|');
for (const [name, { milliseconds, result }] of best[0]) {
  const before = best[1]?.get(name);
  if (before) ratios.push(milliseconds / before.milliseconds);
  if (before && before.result !== result) {
    differs = true;
    console.log(`${name}: ${result}, the other checkout says ${before.result}`);
  }
  const comparison = before ? ` ${before.milliseconds.toFixed(2)} | ${(milliseconds / before.milliseconds).toFixed(2)} |` : '';
  console.log(`| ${name} | ${milliseconds.toFixed(2)} |${comparison}`);
}
if (ratios.length > 0) {
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  console.log(`\nGeometric mean: ${mean.toFixed(2)} times the other checkout`);
  process.exitCode = mean > MOST || differs ? 1 : 0;
}

function measured(checkout: string): Map<string, Loop> {
  const command = [join(checkout, 'dist/cli.mjs'), 'run', join(root, 'bench/host.cpp'), '--', ROUNDS];
  const output = execFileSync(process.execPath, command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const rows = output
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(({ length }) => length === 3);
  return new Map(rows.map(([name, milliseconds, result]) => [name, { milliseconds: Number(milliseconds), result }]));
}

function keepBest(best: Map<string, Loop>, loops: ReadonlyMap<string, Loop>): void {
  for (const [name, loop] of loops) {
    const known = best.get(name);
    if (known) known.milliseconds = Math.min(known.milliseconds, loop.milliseconds);
    else best.set(name, { ...loop });
  }
}
