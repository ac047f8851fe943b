/**
 * A CUDA toolkit among the folders that are searched for headers. Since CUDA 13 its libraries (Thrust, CUB, libcu++) have a folder of their
 * own in it, which nvcc adds by itself and which stands for ours. Its other headers are left out: they are written for nvcc's built-in
 * functions and for its runtime, and ours stand for them.
 */
import { paths } from '#platform';
import type { ReadableFiles } from './readable-files.ts';

export function searchedFolders(folders: readonly string[], readable: ReadableFiles): string[] {
  const kind = (...path: string[]) => readable.at(paths.join(...path))?.kind;
  return folders.map((folder) =>
    kind(folder, 'cccl') === 'folder' && kind(folder, 'cuda_runtime_api.h') === 'file' ? paths.join(folder, 'cccl') : folder,
  );
}

/** NVIDIA's CCCL is searched: where `__NVCC__` is defined its headers ask for what only nvcc has. */
export function hasCccl(folders: readonly string[], readable: ReadableFiles): boolean {
  return folders.some((folder) => readable.at(paths.join(folder, 'cuda', 'std'))?.kind === 'folder');
}
