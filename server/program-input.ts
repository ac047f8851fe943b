/** Where a program that is run from the editor gets its standard input from: a file that the settings name, or whoever sits before the editor. */
import { dirname, resolve } from 'node:path';
import { isInside, realPath, regularText } from '../project/regular-files.ts';
import type { Settings } from './settings.ts';

/** What a user asks for a program to read; more belongs in a file that the program opens. */
const MOST_BYTES = 64 << 20;

export type Fetch = () => Promise<Uint8Array | undefined>;

/** The bytes of the file, at once; or why it may not be read, as a sentence. The workspace names it, so it may lie only where a program may read. */
export function fileInput(file: string, folder: string | undefined, { allowRead, runStdin }: Settings): Fetch | string {
  const path = resolve(folder ?? dirname(file), runStdin);
  const real = realPath(path);
  if (real === undefined) return `There is no file ${path}, which lanewise.run.stdin names as the standard input.`;
  const roots = [dirname(file), ...(folder === undefined ? [] : [folder]), ...allowRead].flatMap((root) => realPath(root) ?? []);
  if (!roots.some((root) => isInside(root, real)))
    return `${path}, which lanewise.run.stdin names, is outside the folders that the program may read.`;
  const text = regularText(real, MOST_BYTES);
  if (text === undefined) return `${path}, which lanewise.run.stdin names, is no regular file of at most 64 MiB.`;
  return once(Buffer.from(text));
}

function once(bytes: Uint8Array): Fetch {
  let given = false;
  return async () => {
    if (given) return undefined;
    given = true;
    return bytes;
  };
}

/** Line by line; `ask` gives nothing at the end of the input. */
export function linesInput(ask: () => Promise<string | null | undefined>): Fetch {
  let ended = false;
  return async () => {
    const line = ended ? undefined : await ask();
    if (line === undefined || line === null) {
      ended = true;
      return undefined;
    }
    return Buffer.from(`${line}\n`);
  };
}
