/** Clang's process beside the server: there before the first run where programs may be run, and only there. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { Editor, fixtures } from './editor.ts';

// Each starts a server and Clang's process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const doubling = readFileSync(join(fixtures, 'doubling.cu'), 'utf8');

let editor: Editor;
afterEach(async () => {
  expect(editor.messages.filter((message) => /Uncaught|Unhandled/.test(message))).toEqual([]);
  expect(await editor.stop()).toBe(0);
});

/** Clang's processes of the server, by id. */
function children(): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [id, parent, ...command] = line.trim().split(/ +/);
    return Number(parent) === editor.process.pid && command.join(' ').includes('toolchain-process') ? [Number(id)] : [];
  });
}

it('starts when a file is opened in a trusted workspace, and serves the first run', async () => {
  editor = await Editor.start({ pull: true, extension: true, options: { trustedWorkspace: true } });
  await editor.pulled(editor.open('kernel-only.cu'));
  await expect.poll(children, { timeout: 30_000 }).toHaveLength(1);
  const started = children();
  const uri = editor.open('doubling.cu', `${doubling}// not run before\n`);
  expect(await editor.run(uri)).toMatchObject({ kind: 'finished' });
  expect(children()).toEqual(started);
});

it('starts when the workspace comes to be trusted, not before', async () => {
  editor = await Editor.start({ pull: true, extension: true });
  await editor.pulled(editor.open('doubling.cu'));
  // Longer than a trusted workspace's file waits.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect(children()).toEqual([]);
  await editor.connection.sendNotification('lanewise/workspaceTrusted', {});
  await expect.poll(children, { timeout: 30_000 }).toHaveLength(1);
});

it('starts when a program is edited that was run without it', async () => {
  const first = await Editor.start({ pull: true, extension: true });
  await first.run(first.open('doubling.cu'), []);
  await first.stop();
  editor = await Editor.start({ pull: true, extension: true });
  const uri = editor.open('doubling.cu');
  expect(await editor.run(uri, [])).toMatchObject({ kind: 'finished' });
  expect(children()).toEqual([]);
  editor.edit(uri, { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '// above\n' });
  await expect.poll(children, { timeout: 30_000 }).toHaveLength(1);
});
