/** The language server in Helix, set up as docs/editors/helix.md says, in a terminal whose screen is read. One session, of which each test goes on. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const root = join(fileURLToPath(import.meta.url), '../../..');
const scratch = mkdtempSync(join(tmpdir(), 'lanewise-helix-'));
const fixture = (name: string) => join(root, 'test/fixtures/editor', name);

/** Blocks of code of the page, by language. */
function pageCode(language: string): string[] {
  const page = readFileSync(join(root, 'docs/editors/helix.md'), 'utf8');
  return [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, text]) => (name === language ? [text] : []));
}

function shell(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: environment });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const environment = {
  ...process.env,
  HOME: scratch,
  XDG_CONFIG_HOME: join(scratch, '.config'),
  XDG_CACHE_HOME: join(scratch, '.cache'),
  LC_ALL: 'C.UTF-8',
  PATH: `${scratch}:${process.env.PATH}`,
};

/** A terminal of its own, so that no other one of the user's is touched. */
const tmux = (...args: string[]) => shell('tmux', ['-L', `lanewise-${process.pid}`, ...args]);
const screen = () => tmux('capture-pane', '-p');
const shows = (text: RegExp) => expect.poll(screen, { timeout: 60_000, interval: 200 }).toMatch(text);

/** The editor hears them one after the other. */
async function type(...keys: string[]): Promise<void> {
  for (const key of keys) {
    tmux('send-keys', key);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** With the cursor there. */
async function open(name: string, line: number, column: number): Promise<void> {
  await type('Escape', `:open ${join(scratch, name)}:${line}:${column}`, 'Enter');
  await shows(new RegExp(`${name}[^\\n]* ${line}:${column}\\b`));
}

/** An action of the menu, whose rows lie over those of the text; the first one is chosen already. */
async function act(title: string): Promise<void> {
  const before = screen().split('\n');
  await type('Space', 'a');
  await shows(new RegExp(title));
  const rows = screen()
    .split('\n')
    .filter((row, index) => row !== before[index]);
  await type(
    ...rows
      .slice(
        0,
        rows.findIndex((row) => row.includes(title)),
      )
      .map(() => 'Down'),
    'Enter',
  );
}

describe('in Helix', () => {
  beforeAll(async () => {
    const settings = join(scratch, '.config/helix');
    mkdirSync(settings, { recursive: true });
    const [languages, config] = pageCode('toml');
    writeFileSync(join(settings, 'languages.toml'), languages);
    writeFileSync(join(settings, 'config.toml'), config);
    shell('sh', ['-c', pageCode('sh')[0]]);
    writeFileSync(join(scratch, 'lanewise'), `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/cli.mjs')}" "$@"\n`, {
      mode: 0o755,
    });
    for (const name of ['doubling.cu', 'racing.cu']) cpSync(fixture(name), join(scratch, name));
    tmux('new-session', '-d', '-x', '220', '-y', '50', join(root, 'build/helix/hx'), join(scratch, 'doubling.cu'));
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.log(screen());
  });
  afterAll(() => {
    spawnSync('tmux', ['-L', `lanewise-${process.pid}`, 'kill-server'], { env: environment });
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10 });
  });

  it('findings stand behind their lines', async () => {
    await shows(/8 +if \(threadIdx\.x % 2 == 0\) \{ +diverges in all of the warps/);
    await shows(/18 +out\[i\] = in\[i \* 32\]; +lanes of a warp are 128 bytes apart/);
  });

  it('a hover explains what the cursor is on, in words', async () => {
    await open('doubling.cu', 18, 3);
    await type('Space', 'k');
    await shows(/Store of out\[i\] in global memory: 4 sectors/);
    await type('Escape');
  });

  it('a launch leads to its kernel', async () => {
    await open('doubling.cu', 28, 5);
    await type('g', 'd');
    await shows(/doubling\.cu[^\n]* 16:17\b/);
  });

  it('a program runs from the menu of actions, and the line at the bottom says how it has ended', async () => {
    await open('doubling.cu', 1, 1);
    await act('▶ Run in simulator');
    await shows(/^first 41, second 88, argument none · Exit code 0 · doubleEven\(int \*, int\)/m);
  });

  it('counters are hints at the ends of lines when the text has been changed, or changed and restored', async () => {
    await type('i', 'Space');
    await shows(/18 +out\[i\] = in\[i \* 32\]; before your last changes: 4\.5× ideal sectors/);
    await type('Escape', 'u');
    await shows(/18 +out\[i\] = in\[i \* 32\]; 4\.5× ideal sectors/);
  });

  it('a rule is suppressed from the menu of actions, and its finding goes when the reason is written', async () => {
    await open('doubling.cu', 8, 7);
    await act('Suppress divergent-branch here');
    await shows(/8 +\/\/ lanewise: allow\(divergent-branch\) reason:/);
    expect(screen()).toMatch(/diverges in all of the warps/);
    await type('k', 'A', 'both sides are short', 'Escape');
    await expect.poll(screen).not.toMatch(/diverges in all of the warps/);
  });

  it('races are errors behind their lines', async () => {
    await open('racing.cu', 1, 1);
    await act('▶ Run in simulator');
    await shows(/Exit code 0 .* racing\.cu:6: race: write and read of values/);
    await shows(/6 +values\[threadIdx\.x\] = threadIdx\.x; +write and read of values\[\d+\] in shared memory by two threads/);
  });
});
