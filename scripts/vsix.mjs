// Packs a folder into a .vsix whose bytes depend on the contents of the files alone: not on when, where, by whom or in which order they
// were made. Deflate belongs to Node, so the same bytes need the same version of Node.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX } from '@vscode/vsce';
import { zipEntries } from './zip-entries.mjs';

/** The first moment that a zip file can express, 1980-01-01 in seconds. */
const epoch = 315_532_800;

/** In a process of its own, since the order of names depends on the locale, and times in zip files on the time zone. */
export function packVsix(folder, packagePath) {
  const environment = { ...process.env, SOURCE_DATE_EPOCH: String(epoch), TZ: 'UTC', LC_ALL: 'C' };
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder, packagePath], { stdio: 'inherit', env: environment });
  if (child.status !== 0) throw new Error(`${packagePath} could not be packed`);
}

async function pack(folder, packagePath) {
  // Everything is bundled, so no node_modules; links stay as they are, since the project has no public address yet.
  const readmePath = await extensionPage(folder);
  await createVSIX({
    cwd: folder,
    packagePath,
    readmePath,
    dependencies: false,
    rewriteRelativeLinks: false,
    allowMissingRepository: true,
  });
  const archive = await readFile(packagePath);
  withPlainModes(archive);
  await writeFile(packagePath, archive);
}

/**
 * docs/extension.md with its pictures in it: editors show pictures of an installed extension from nowhere else, and some not even these. What
 * they show stands below them as text: a picture without words leaves no mark where it is missing. Pages beside it are not in the package, so
 * nothing leads to them. Gives its path in the folder.
 */
async function extensionPage(folder) {
  const page = await readFile(join(folder, 'docs/extension.md'), 'utf8');
  const pictures = [...page.matchAll(/^!\[(.+)\]\((images\/[\w-]+\.png)\)$/gm)];
  let inlined = page.replace(/: \[[\w-]+\.md\]\([\w-]+\.md\)/g, '');
  for (const [picture, words, path] of pictures) {
    const bytes = await readFile(join(folder, 'docs', path));
    inlined = inlined.replace(picture, `![](data:image/png;base64,${bytes.toString('base64')})\n\n*${words}*`);
  }
  await mkdir(join(folder, 'build'), { recursive: true });
  await writeFile(join(folder, 'build/extension-page.md'), inlined);
  return 'build/extension-page.md';
}

/** Every file may be read by all and written by its owner, whatever the umask was when it was made. */
function withPlainModes(archive) {
  const attributes = 38;
  for (const { at } of zipEntries(archive).values()) {
    const mode = archive.readUInt32LE(at + attributes) >>> 16;
    archive.writeUInt32LE(((mode & 0o100 ? 0o100755 : 0o100644) << 16) >>> 0, at + attributes);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await pack(...process.argv.slice(2));
