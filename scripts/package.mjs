// Builds lanewise-<version>.vsix: the production bundles and what they load, nothing else. Fails above the size that is promised.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packVsix } from './vsix.mjs';

const largestMegabytes = 48;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--production'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

const packagePath = join(root, `${name}-${version}.vsix`);
packVsix(root, packagePath);
const bytes = readFileSync(packagePath);
const megabytes = bytes.length / 1e6;
console.log(`${packagePath}: ${megabytes.toFixed(1)} MB, sha256 ${createHash('sha256').update(bytes).digest('hex')}`);
if (megabytes > largestMegabytes) {
  console.error(`The package is larger than ${largestMegabytes} MB.`);
  process.exit(1);
}
