// Packages two fresh clones of the last commit, in folders of different names and lengths and under different umasks and time zones, and
// compares the packages byte by byte. Takes two full builds. `--keep` keeps the clones.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipEntries } from './zip-entries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'lanewise-reproducible-'));
const places = [
  { name: 'a', umask: 0o022, environment: { TZ: 'America/Los_Angeles', LC_ALL: 'C' } },
  { name: 'another folder/with a longer path', umask: 0o077, environment: { TZ: 'Asia/Kolkata', LC_ALL: 'en_US.UTF-8' } },
];

try {
  const packages = places.map(packaged);
  const [first, second] = packages;
  for (const { path, bytes } of packages) console.log(`${createHash('sha256').update(bytes).digest('hex')}  ${path}`);
  if (!first.bytes.equals(second.bytes)) {
    for (const line of differences(first.bytes, second.bytes)) console.error(line);
    console.error('The two packages differ.');
    process.exitCode = 1;
  } else console.log(`The two packages are the same ${first.bytes.length} bytes.`);
} finally {
  if (process.argv.includes('--keep')) console.log(`The clones are in ${folder}.`);
  else rmSync(folder, { recursive: true, force: true });
}

function packaged({ name, umask, environment }) {
  const clone = join(folder, name);
  process.umask(umask);
  run('git', ['clone', '--quiet', '--no-hardlinks', root, clone], folder);
  run('npm', ['run', '--silent', 'package'], clone, environment);
  const file = readdirSync(clone).find((each) => each.endsWith('.vsix'));
  return { path: join(clone, file), bytes: readFileSync(join(clone, file)) };
}

function run(command, args, cwd, environment = {}) {
  const child = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (child.status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}`);
}

/** What differs: files of one package only, contents, or how they are stored. */
function differences(first, second) {
  const [before, after] = [zipEntries(first), zipEntries(second)];
  const lines = [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [one, other] = [before.get(name), after.get(name)];
    if (!one || !other) return [`${name}: in ${one ? 'the first' : 'the second'} only`];
    return one.crc === other.crc ? [] : [`${name}: the contents differ (${one.size} and ${other.size} bytes)`];
  });
  return lines.length ? lines : ['The contents are the same; order, times, modes or compression differ.'];
}
