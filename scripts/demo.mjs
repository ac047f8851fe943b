// From a fresh clone to a simulated kernel: installs what is missing, builds, and runs an example. Uses only what Node brings.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const example = join('examples', 'reduction.cu');
const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (colours ? `\x1b[1m${text}\x1b[0m` : text);
const quiet = (text) => (colours ? `\x1b[3m${text}\x1b[0m` : text);

/** Runs a script of ours; what it reports goes where the demo's own output goes. */
function node(script, ...args) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', 1, 1] });
  if (status !== 0) process.exit(status ?? 1);
}

node('scripts/setup.mjs');
if (!existsSync(join(root, 'dist', 'cli.mjs'))) console.log(quiet('Building (once, a minute or two) ...'));
node('scripts/build.mjs');

const title = readFileSync(join(root, example), 'utf8')
  .split('\n')[0]
  .replace(/^\/\/ /, '')
  .replace(/ Run it:.*$/, '');
console.log(`\n${bold('Lanewise')}  ${title}`);
console.log(quiet(`$ lanewise run ${example}\n`));
node('dist/cli.mjs', 'run', example);
console.log(`
${bold('Next')}
  node dist/cli.mjs run ${join('examples', 'transpose.cu')}       coalescing and bank conflicts
  node dist/cli.mjs run ${join('examples', 'out-of-bounds.cu')}   a defect, named with its line, thread and address
  ${quiet('In VS Code: open a .cu file and click "Run in simulator" over main.')}`);
