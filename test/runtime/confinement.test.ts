/** What a hostile program tries with files: nothing outside its folders is read or written, whatever way leads there. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, test } from 'vitest';
import { inPlace, onItself } from '../../simulator/runtime/linux/confinement.ts';
import { HERE, O, OTHER, OUT, program } from './linux-process.ts';

// Not in /tmp, which programs have for themselves.
const top = realpathSync(mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'lanewise-confined-')));
afterAll(() => rmSync(top, { recursive: true }));

/** What a system call returns for EACCES. */
const REFUSED = -13;
const home = join(top, 'home');
const outside = join(top, 'outside');
const secret = join(outside, 'secret');

type Program = ReturnType<typeof program>;

beforeEach(() => {
  for (const folder of [home, outside]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
  writeFileSync(secret, 'kept');
  writeFileSync(join(home, 'own'), 'mine');
  for (const folder of ['.git/hooks', '.vscode', 'node_modules/x', 'sub/.hidden', 'deep/er'])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, '.git/config'), 'safe');
  symlinkSync(secret, join(home, 'link'));
  symlinkSync('../outside/secret', join(home, 'relative-link'));
  symlinkSync(outside, join(home, 'folder-link'));
  symlinkSync('link', join(home, 'link-to-link'));
  symlinkSync(join(outside, 'new'), join(home, 'dangling'));
  symlinkSync('.git', join(home, 'git-link'));
  symlinkSync('loop', join(home, 'loop'));
});

/** Ways to a file outside, as the program would write them. */
const WAYS: readonly (readonly [how: string, path: string])[] = [
  ['its absolute path', secret],
  ['..', '../outside/secret'],
  ['.. behind a folder', 'deep/er/../../../outside/secret'],
  ['double slashes', `//${secret}`],
  ['a link', 'link'],
  ['a relative link', 'relative-link'],
  ['a link to a link', 'link-to-link'],
  ['a link to its folder', 'folder-link/secret'],
  ['a link to its folder, and back', '../outside/../home/folder-link/secret'],
  ['the process', `/proc/self/root${secret}`],
  ['the process by number', `/proc/${process.pid}/root${secret}`],
];

describe.each(WAYS)('a file outside, by %s', (_, path) => {
  const attempts: readonly (readonly [string, (of: Program) => number])[] = [
    ['read', (of) => of.open(path)],
    ['written', (of) => of.open(path, O.writeOnly)],
    ['cut when opened', (of) => of.open(path, O.truncate)],
    ['appended to', (of) => of.open(path, O.writeOnly | O.append)],
    ['cut', (of) => of.call('truncate', of.put(path), 0)],
    ['looked at', (of) => of.call('stat', of.put(path), OUT)],
    ['tested for', (of) => of.call('access', of.put(path), 4)],
    ['made executable', (of) => of.call('chmod', of.put(path), 0o777)],
    ['given another time', (of) => of.call('utimensat', HERE, of.put(path), 0, 0)],
  ];
  test.each(attempts)('is not %s', (_what, attempt) => {
    const { mtimeMs, mode } = statSync(secret);
    expect(attempt(program(home))).toBe(REFUSED);
    expect(readFileSync(secret, 'utf8')).toBe('kept');
    expect(statSync(secret)).toMatchObject({ mtimeMs, mode });
  });
});

describe('the place of a file', () => {
  const moves: readonly (readonly [string, (of: Program) => number])[] = [
    ['a new file outside', (of) => of.open(join(outside, 'new'), O.writeOnly | O.create)],
    ['a new file behind a link to a folder', (of) => of.open('folder-link/new', O.writeOnly | O.create)],
    ['a new file through a link that leads nowhere', (of) => of.open('dangling', O.writeOnly | O.create)],
    ['a new folder outside', (of) => of.call('mkdir', of.put('../outside/new'), 0o755)],
    ['a folder behind a link', (of) => of.call('mkdir', of.put('folder-link/new'), 0o755)],
    ['a file of outside removed', (of) => of.call('unlink', of.put('folder-link/secret'))],
    ['a file of outside moved in', (of) => of.call('rename', of.put(secret), of.put('taken', OTHER))],
    ['a file moved out', (of) => of.call('rename', of.put('own'), of.put('../outside/new', OTHER))],
    ['a file moved out through a link', (of) => of.call('rename', of.put('own'), of.put('folder-link/new', OTHER))],
    ['a link to outside', (of) => of.call('symlink', of.put(secret), of.put('new-link', OTHER))],
    ['a relative link to outside', (of) => of.call('symlink', of.put('../outside'), of.put('new-link', OTHER))],
    ['a link by a link', (of) => of.call('symlink', of.put('folder-link'), of.put('new-link', OTHER))],
    ['the working directory outside', (of) => of.call('chdir', of.put('folder-link'))],
    ['the entries of a folder outside', (of) => of.open('folder-link', O.folder)],
    ['a file below the descriptor of a folder', (of) => of.call('openat', of.open('deep', O.folder), of.put('../../outside/secret'), 0, 0)],
  ];
  test.each(moves)('%s', (_, move) => {
    const before = [readdirSync(home), readdirSync(outside)];
    expect(move(program(home))).toBe(REFUSED);
    expect([readdirSync(home), readdirSync(outside)]).toEqual(before);
  });

  it('is looked at anew after a link inside has been moved to where it leads out', () => {
    const { call, put, open } = program(home);
    expect(call('symlink', put('../../outside/secret'), put('deep/er/up', OTHER))).toBe(0);
    expect(call('rename', put('deep/er/up'), put('deep/up', OTHER))).toBe(0);
    expect(open('deep/up')).toBe(REFUSED);
  });

  it('may be a link that goes in circles, which fails as on Linux', () => {
    expect(program(home).open('loop')).toBe(-40);
  });
});

describe('names that tools run', () => {
  const NAMES = [
    '.git/config',
    '.git/hooks/pre-commit',
    'git-link/config',
    '.vscode/tasks.json',
    'node_modules/x/index.js',
    'sub/.hidden/x',
    '.bashrc',
  ];
  test.each(NAMES)('%s is not written', (path) => {
    const { open, call, put } = program(home);
    expect(open(path, O.writeOnly | O.create)).toBe(REFUSED);
    expect(call('rename', put('own'), put(path, OTHER))).toBe(REFUSED);
    expect(readFileSync(join(home, '.git/config'), 'utf8')).toBe('safe');
  });

  it('are read, and written where the user names them', () => {
    const { open, read } = program(home);
    expect(read(open('.git/config'))).toBe('safe');
    const allowed = program(home, { write: [home, join(home, '.vscode')] });
    expect(allowed.open('.vscode/tasks.json', O.writeOnly | O.create)).toBeGreaterThan(2);
  });

  it('come into being by no other way', () => {
    const { call, put } = program(home);
    expect(call('mkdir', put('.npm'), 0o755)).toBe(REFUSED);
    expect(call('mkdir', put('Node_Modules'), 0o755)).toBe(REFUSED);
    expect(call('symlink', put('deep'), put('.config', OTHER))).toBe(REFUSED);
  });
});

describe('what is no file', () => {
  it('is not opened: a pipe with a name would wait for ever', () => {
    execFileSync('mkfifo', [join(home, 'pipe')]);
    const { open, linux } = program(home);
    expect([open('pipe'), open('pipe', O.writeOnly), open('pipe', O.readWrite)]).toEqual([REFUSED, REFUSED, REFUSED]);
    expect(linux.refusals).toContainEqual({ access: 'read', path: join(home, 'pipe'), protected: false });
  });

  it('is not opened: a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(home, 'socket'), resolve));
    expect(program(home).open('socket', O.readWrite)).toBe(REFUSED);
    server.close();
  });

  test.each(['/proc/self/environ', '/proc/self/mem', '/dev/sda', '/dev/full', '/sys/kernel', '/etc/passwd', '/etc/shadow', '/root'])(
    'is out of reach: %s',
    (path) => {
      expect(program(home).open(path)).toBe(REFUSED);
    },
  );

  test.each(['/etc/localtime', '/usr/share/zoneinfo/Europe/Berlin'])('is not there, so that time is UTC: %s', (path) => {
    const { open, linux } = program(home);
    expect(open(path)).toBe(-2);
    expect(linux.refusals).toEqual([]);
  });

  test.each(['/dev/null', '/dev/zero', '/dev/urandom'])('is there for all: %s', (path) => {
    expect(program(home).open(path)).toBeGreaterThan(2);
  });
});

describe('a place that changes while a call runs', () => {
  const file = join(home, 'deep', 'file');
  const swap = (): void => {
    renameSync(join(home, 'deep'), join(home, 'moved'));
    symlinkSync(outside, join(home, 'deep'));
  };

  it.runIf(process.platform === 'linux')('is noticed: its folder became a link', () => {
    swap();
    expect(() => inPlace(file, (path) => writeFileSync(path, 'x'))).toThrow('Linux error 20');
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  it.runIf(process.platform === 'linux')('is noticed: a folder above it became a link', () => {
    mkdirSync(join(outside, 'er'));
    swap();
    expect(() => inPlace(join(home, 'deep/er/file'), (path) => writeFileSync(path, 'x'))).toThrow('Linux error 13');
    expect(readdirSync(join(outside, 'er'))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('is noticed: it became a link itself', () => {
    symlinkSync(secret, file);
    expect(() => onItself(file, (path) => writeFileSync(path, 'x'))).toThrow('Linux error 40');
    expect(readFileSync(secret, 'utf8')).toBe('kept');
  });
});

describe('what the user allows', () => {
  it('is read, and only read', () => {
    const { open, read } = program(home, { read: [outside] });
    expect(read(open('link'))).toBe('kept');
    expect(open(secret, O.writeOnly)).toBe(REFUSED);
  });

  it('may be a single file', () => {
    writeFileSync(join(outside, 'other'), '');
    const { open, read } = program(home, { read: [secret] });
    expect(read(open(secret))).toBe('kept');
    expect(open(join(outside, 'other'))).toBe(REFUSED);
  });

  it('is written', () => {
    const { open, write } = program(home, { write: [home, outside] });
    expect(write(open(join(outside, 'new'), O.writeOnly | O.create), 'text')).toBe(4);
    expect(readFileSync(join(outside, 'new'), 'utf8')).toBe('text');
  });

  it('is everything, with all', () => {
    const { open, read } = program(home, { all: true });
    expect(read(open('link'))).toBe('kept');
    expect(open('.git/config', O.writeOnly)).toBeGreaterThan(2);
  });

  it('is a folder behind a link, too', () => {
    const { open, read } = program(home, { read: [join(home, 'folder-link')] });
    expect(read(open(secret))).toBe('kept');
  });
});

describe('/tmp', () => {
  const temporary = join(top, 'own-temporary');
  const inTmp = join(tmpdir(), `lanewise-probe-${process.pid}`);

  it("is the program's own", () => {
    const { open, write, read, call, put, textOf } = program(home, { temporary });
    writeFileSync(inTmp, 'of others');
    expect([open(inTmp), open(inTmp, O.writeOnly)]).toEqual([REFUSED, REFUSED]);
    expect(open(`${inTmp}-absent`)).toBe(-2);
    expect(write(open(inTmp, O.writeOnly | O.create), 'its own')).toBe(7);
    expect([read(open(inTmp)), readFileSync(inTmp, 'utf8')]).toEqual(['its own', 'of others']);
    expect(write(open('/tmp/new', O.writeOnly | O.create), 'text')).toBe(4);
    expect(read(open('/tmp/../tmp/new'))).toBe('text');
    expect(readFileSync(join(temporary, 'new'), 'utf8')).toBe('text');
    expect(call('chdir', put('/tmp'))).toBe(0);
    expect(textOf(call('getcwd', OUT, 100)).replace('\0', '')).toBe('/tmp');
    expect(call('symlink', put('/tmp/new'), put('/tmp/link', OTHER))).toBe(0);
    expect([read(open('link')), textOf(call('readlink', put('/tmp/link'), OUT, 100))]).toEqual(['text', '/tmp/new']);
    expect(open('/tmp/../etc/passwd')).toBe(REFUSED);
    rmSync(inTmp);
  });

  it('does not come into being where nobody asks for it', () => {
    const unused = join(top, 'unused');
    program(home, { temporary: unused }).open('own');
    expect(existsSync(unused)).toBe(false);
  });

  it('is the real one below folders that the program has', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanewise-project-'));
    writeFileSync(join(folder, 'own'), 'mine');
    const { open, read } = program(folder);
    expect([read(open(join(folder, 'own'))), read(open('own'))]).toEqual(['mine', 'mine']);
    rmSync(folder, { recursive: true });
  });
});

test('each refusal is remembered once, with what would be allowed', () => {
  const { open, linux } = program(home);
  for (const path of ['link', 'link', '.git/config']) open(path, O.writeOnly);
  expect(linux.refusals).toEqual([
    { access: 'read', path: join(home, 'link'), protected: false },
    { access: 'write', path: join(home, '.git/config'), protected: true },
  ]);
  expect(lstatSync(join(home, 'link')).isSymbolicLink()).toBe(true);
});
