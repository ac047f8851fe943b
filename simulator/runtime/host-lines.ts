/** Where in the program's text the host program was when an error came up, from the error's stack trace and the module's line table. */
import { code } from '#platform';
import { DEBUG_LINES, readDebugLines } from '../toolchain/lowering/debug-lines.ts';
import type { LineRows } from '../toolchain/lowering/line-table.ts';
import { fromVirtualPath } from '../toolchain/virtual-paths.ts';

export interface HostPlace {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
}

export type HostPlaceFinder = (error: unknown) => HostPlace | undefined;

/** `isUsers`: false for files that are not the user's, whose lines say nothing to them. */
export function hostPlaceFinder(module: WebAssembly.Module, isUsers: (file: string) => boolean): HostPlaceFinder {
  let table: LineRows | undefined;
  return (error) => {
    const sections = table ? [] : WebAssembly.Module.customSections(module, DEBUG_LINES);
    table ??= sections.length > 0 ? readDebugLines(new Uint8Array(sections[0])) : { files: [], rows: [] };
    for (const offset of code.framesOf(error)) {
      const place = placeAt(table, offset, isUsers);
      if (place) return place;
    }
    return undefined;
  };
}

/** The user's line of the code at an offset: its own, or where it is inlined from elsewhere, the last one before it in its function. */
function placeAt({ files, rows }: LineRows, offset: number, isUsers: (file: string) => boolean): HostPlace | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].address <= offset) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= 0 && isCode(rows[at].file, rows[at].line); at--) {
    const { file, line } = rows[at];
    if (line > 0 && isUsers(files[file])) return { file: fromVirtualPath(files[file]), line };
  }
  return undefined;

  /** Line 0 of file 0 ends a function; elsewhere it is code without a line. */
  function isCode(file: number, line: number): boolean {
    return line > 0 || file > 0;
  }
}
