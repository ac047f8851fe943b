/** Source lines of a host module that runs, in a section of its own: what a fault's place in the code is in the program's text. */
import type { LineRow, LineRows } from './line-table.ts';
import { ModuleReader, type ModuleWriter } from './module-bytes.ts';

export const DEBUG_LINES = 'lanewise.lines';

/** Rows' addresses are bytes from the start of the module, which is what V8's stack traces give. */
export function writeDebugLines(out: ModuleWriter, { files, rows }: LineRows): void {
  const names = [DEBUG_LINES, ...files].map((text) => new TextEncoder().encode(text));
  const bytes = names.reduce((sum, name) => sum + name.length + 5, 0);
  out.reserve(bytes + 15 * rows.length + 32);
  out.byte(0);
  out.sized(() => {
    const text = (name: Uint8Array) => {
      out.unsigned(name.length);
      out.copy(name, 0, name.length);
    };
    text(names[0]);
    out.unsigned(files.length);
    for (const name of names.slice(1)) text(name);
    out.unsigned(rows.length);
    let last = 0;
    for (const { address, file, line } of rows) {
      out.unsigned(address - last);
      out.unsigned(file);
      out.unsigned(line);
      last = address;
    }
  });
}

/** What is in such a section, without its name. */
export function readDebugLines(section: Uint8Array): LineRows {
  const reader = new ModuleReader(section);
  const files = Array.from({ length: reader.unsigned() }, () => reader.name());
  let address = 0;
  const rows = Array.from({ length: reader.unsigned() }, (): LineRow => {
    address += reader.unsigned();
    return { address, file: reader.unsigned(), line: reader.unsigned() };
  });
  return { files, rows };
}
