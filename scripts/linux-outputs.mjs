// Renews what the programs of test/fixtures/linux print on 64-bit Linux, with g++ 12 there: NAME.out, and NAME.end where a program ends with
// something else than 0 or writes to its error stream. The tests compare with these files and need no g++.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fixtures = fileURLToPath(new URL('../test/fixtures/linux/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lanewise-linux-'));
const program = join(folder, 'program');
const only = process.argv.slice(2);

for (const source of readdirSync(fixtures).filter((name) => name.endsWith('.cpp'))) {
  const name = source.slice(0, -'.cpp'.length);
  if (only.length > 0 && !only.includes(name)) continue;
  succeed(spawnSync('g++', ['-O1', '-fopenmp', '-pthread', '-w', join(fixtures, source), '-o', program], { encoding: 'utf8' }));
  // Line by line, as on a terminal: a program that aborts loses nothing.
  const run = spawnSync('stdbuf', ['-oL', program], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, OMP_NUM_THREADS: '1', TZ: 'UTC' },
    input: '',
    timeout: 20_000,
  });
  if (run.error) throw run.error;
  // What a shell reports for a signal.
  const exit = run.status ?? 128 + { SIGABRT: 6, SIGFPE: 8, SIGSEGV: 11 }[run.signal];
  writeFileSync(join(fixtures, `${name}.out`), run.stdout);
  rmSync(join(fixtures, `${name}.end`), { force: true });
  if (exit !== 0 || run.stderr !== '') writeFileSync(join(fixtures, `${name}.end`), `exit ${exit}\n${run.stderr}`);
}
rmSync(folder, { recursive: true });

function succeed({ status, stderr }) {
  if (status === 0) return;
  process.stderr.write(stderr);
  process.exit(1);
}
