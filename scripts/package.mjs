// Builds lanewise-<version>.vsix: the production bundles and what they load, nothing else. Fails above the size that is promised.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX } from '@vscode/vsce';

const largestMegabytes = 48;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--production'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

const packagePath = join(root, `${name}-${version}.vsix`);
// Everything is bundled, so no node_modules; links in the README stay as they are, since the project has no public address yet.
await createVSIX({ cwd: root, packagePath, dependencies: false, rewriteRelativeLinks: false, allowMissingRepository: true });
const megabytes = statSync(packagePath).size / 1e6;
console.log(`${packagePath}: ${megabytes.toFixed(1)} MB`);
if (megabytes > largestMegabytes) {
  console.error(`The package is larger than ${largestMegabytes} MB.`);
  process.exit(1);
}
