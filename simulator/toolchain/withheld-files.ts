/** Says of a file that Clang did not find, although something is there, why it was kept back and what would allow it. */
import { paths } from '#platform';
import type { ProgramDiagnostic } from '../../protocol/report.ts';
import type { ReadableFiles } from './readable-files.ts';
import { tooLarge } from './source-texts.ts';
import { fromVirtualPath } from './virtual-paths.ts';

/** `#include`, `#embed` and the assembler's `.incbin`; a larger file than there may be is found, and then not opened. */
const notFound = /^(?:'(.+)' file not found|Could not find incbin file '(.+)'|cannot open file '(.+)': .*)$/;

/** `includeDirs`: where it was looked for, beside the folder of the file that names it. */
export function explained(diagnostic: ProgramDiagnostic, includeDirs: readonly string[], readable: ReadableFiles): ProgramDiagnostic {
  const [, ...names] = notFound.exec(diagnostic.message) ?? [];
  const name = names.find((each) => each !== undefined);
  if (name === undefined) return diagnostic;
  const places = [paths.dirname(diagnostic.file), ...includeDirs].map((folder) => paths.resolve(folder, fromVirtualPath(name)));
  for (const place of places) {
    const reason = reasonFor(place, readable);
    if (reason) return { ...diagnostic, message: `'${name}' cannot be included: ${reason}` };
  }
  return diagnostic;
}

function reasonFor(path: string, readable: ReadableFiles): string | undefined {
  const withheld = readable.withheld(path);
  if (withheld === 'special') return `${path} is not a regular file`;
  if (withheld === 'outside')
    return `${path} is outside the program's folders. To allow it, pass --allow-read=${paths.dirname(path)}, or set lanewise.run.allowRead`;
  if (readable.at(path)?.kind === 'large file') return tooLarge(path, readable);
  return undefined;
}
