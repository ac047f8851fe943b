/**
 * Static data that a 32-bit memory cannot hold. LLVM's writer of WebAssembly counts the bytes of data in 32 bits when it runs as WebAssembly
 * itself: a larger object would get its size modulo 4 GiB without a word. The symbol's own size is written whole
 * (github.com/WebAssembly/tool-conventions, Linking.md).
 */
import { demangle } from './demangle.ts';
import { customSection, ModuleReader } from './lowering/module-bytes.ts';

const SYMBOL_TABLE = 8;
const KIND = { function: 0, data: 1, section: 3 };
const UNDEFINED = 0x10;
const EXPLICIT_NAME = 0x40;
const MOST_BYTES = 2 ** 32;

/** What to say of an object file with data that does not fit. */
export function largeData(object: Uint8Array): string | undefined {
  const linking = customSection(object, 'linking');
  if (!linking) return undefined;
  const reader = new ModuleReader(linking);
  // Its version.
  reader.unsigned();
  while (reader.at < linking.length) {
    const kind = reader.byte();
    const size = reader.unsigned();
    const end = reader.at + size;
    if (kind === SYMBOL_TABLE) return largeSymbol(reader);
    reader.at = end;
  }
  return undefined;
}

function largeSymbol(reader: ModuleReader): string | undefined {
  for (let left = reader.unsigned(); left > 0; left--) {
    const kind = reader.byte();
    const flags = reader.unsigned();
    const isDefined = (flags & UNDEFINED) === 0;
    if (kind === KIND.data) {
      const name = reader.name();
      if (!isDefined) continue;
      reader.unsigned();
      reader.unsigned();
      const bytes = reader.unsigned();
      if (bytes >= MOST_BYTES)
        return `the static variable ${demangle(name)} takes ${bytes} bytes; the simulator has at most 3.9 GB on the host and 3.4 GB on the device`;
    } else {
      reader.unsigned();
      if (kind !== KIND.section && (isDefined || (flags & EXPLICIT_NAME) !== 0)) reader.name();
    }
  }
  return undefined;
}
