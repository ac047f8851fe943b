/** Reads what the package brings for Clang: its headers and the C and C++ libraries from archives, our CUDA headers from a folder. */
import { assets, bytes, files as disk, paths } from '#platform';
import type { PackageFiles } from './file-tree.ts';
import { clangHeaders, cudaHeaders, sysroot } from './virtual-paths.ts';

/** `sysroot`: the archive of the standard libraries. */
export function loadPackageFiles(sysrootArchive: Uint8Array): PackageFiles {
  const files = new Map<string, Uint8Array>();
  for (const [name, data] of archiveEntries(assets.load('clang', 'headers.tar'))) files.set(`${clangHeaders}/${name}`, data);
  for (const [name, data] of archiveEntries(sysrootArchive)) files.set(`${sysroot}/${name}`, data);
  addFolder(files, assets.path('include'), cudaHeaders);
  return { files, folders: foldersOf(files.keys()) };
}

/** Regular files of a tar archive in ustar format. */
function* archiveEntries(archive: Uint8Array): Iterable<[string, Uint8Array]> {
  const text = (from: number, length: number) => bytes.latin1(archive.subarray(from, from + length)).replace(/\0.*$/s, '');
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const prefix = text(at + 345, 155);
    const name = prefix ? `${prefix}/${text(at, 100)}` : text(at, 100);
    if (archive[at + 156] === 0x30 || archive[at + 156] === 0) yield [name, archive.subarray(at + 512, at + 512 + size)];
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

function addFolder(files: Map<string, Uint8Array>, folder: string, virtualFolder: string): void {
  for (const entry of disk.list(folder)) {
    if (entry.kind === 'folder') addFolder(files, paths.join(folder, entry.name), `${virtualFolder}/${entry.name}`);
    else files.set(`${virtualFolder}/${entry.name}`, disk.read(paths.join(folder, entry.name)));
  }
}

export function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
