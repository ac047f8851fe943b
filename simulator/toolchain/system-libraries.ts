/**
 * Libraries that are headers alone and lie where the system keeps such things: g++ searches these folders by itself, so programs name no
 * `-I` for them. The rest of the folders stays unseen: its C library is not the one that programs are linked with here.
 */
import { paths } from '#platform';
import { packageRoot, toVirtualPath } from './virtual-paths.ts';

const FOLDERS = ['/usr/local/include', '/usr/include', '/opt/homebrew/include'];
const LIBRARIES = ['boost', 'CLI', 'cereal', 'glm', 'nlohmann', 'rapidjson', 'tclap'];

/** A system's folder under another name, below which Clang finds the libraries only. */
const PREFIX = `${packageRoot}/system`;

/** Those of this system, unless others are given. */
export function systemFolders(given: readonly string[] = paths.windows ? [] : FOLDERS): readonly string[] {
  return given;
}

/** Where headers of the libraries may be read. */
export function librariesIn(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => LIBRARIES.map((library) => paths.join(folder, library)));
}

/** What Clang is told to search, last of all. */
export function librarySearch(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => ['-internal-isystem', PREFIX + toVirtualPath(folder)]);
}

/**
 * What a virtual path below PREFIX stands for: another virtual path, which may be on the disk, or a folder of libraries, of which nothing else
 * is seen. Undefined for all other paths.
 */
export function systemPlace(path: string): { readonly path: string } | 'folder' | undefined {
  if (!path.startsWith(`${PREFIX}/`)) return undefined;
  const real = path.slice(PREFIX.length);
  if (LIBRARIES.some((library) => `${real}/`.includes(`/${library}/`))) return { path: real };
  return real.endsWith('/include') ? 'folder' : undefined;
}

/** Why a header that is not found may be missing, and what to do. */
export function missingLibrary(header: string): string | undefined {
  const library = LIBRARIES.find((name) => header.startsWith(`${name}/`));
  return (
    library && `this machine has no ${library} where its compilers look; install its headers, or give the folder that has them with -I`
  );
}
