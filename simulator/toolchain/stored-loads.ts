/**
 * A value that is loaded in one place and stored in another is loaded again by nvcc (its PTX, 13.0) if the two may be one:
 * `s[i] = s[j]; s[j] += x`, the way down of a scan, loads `s[j]` twice unless i and j are known to differ. LLVM 22 sees that a store of
 * what `s[j]` is cannot change it. It does not look through a `freeze`, which is put between such a load and store where the same place is
 * loaded again in the block. The text is what Clang writes before any pass.
 */
const LOAD = /^ +(%[-\w$.]+) = load (\w+), ptr (%[-\w$.]+), align \d+(.*)$/;
const STORE = /^ +store (\w+) (%[-\w$.]+), ptr (%[-\w$.]+), align \d+/;
const VALUE = /^ +(%[-\w$.]+) = (.*?)(?:, !dbg !\d+)?$/;

/** The module with such values frozen. */
export function withLoadsAfterCopies(ir: string): string {
  let count = 0;
  return ir.replace(/^define .*?^\}$/gms, (body) => {
    const lines = body.split('\n');
    const at = new Map(lines.flatMap((line, index) => (VALUE.test(line) ? [[VALUE.exec(line)![1], index] as const] : [])));
    let changed = false;
    lines.forEach((line, index) => {
      const [, type, value, to] = STORE.exec(line) ?? [];
      const from = value === undefined ? undefined : at.get(value);
      const load = from === undefined ? undefined : LOAD.exec(lines[from]);
      // Only places that are computed: variables of the function are in registers later.
      if (
        !load ||
        !isComputed(lines, at, load[3]) ||
        !isComputed(lines, at, to) ||
        !isLoadedAgain(lines, at, { from: from!, store: index })
      )
        return;
      const name = `%copied.value.${count++}`;
      lines[index] = `  ${name} = freeze ${type} ${value}\n${line.replace(`store ${type} ${value},`, `store ${type} ${name},`)}`;
      changed = true;
    });
    return changed ? lines.join('\n') : body;
  });
}

type Places = ReadonlyMap<string, number>;

function isComputed(lines: readonly string[], at: Places, address: string): boolean {
  return at.has(address) && / = getelementptr /.test(lines[at.get(address)!]);
}

/** Whether what the store copies is loaded behind it, in its block. */
function isLoadedAgain(lines: readonly string[], at: Places, { from, store }: { readonly from: number; readonly store: number }): boolean {
  const [, , , address] = LOAD.exec(lines[from])!;
  const place = recipe(lines, at, address);
  const set = new Set<string>();
  for (let index = store + 1; index < lines.length && !isEnd(lines[index]); index++) {
    const [, , , to] = STORE.exec(lines[index]) ?? [];
    if (to !== undefined) {
      if (recipe(lines, at, to) === place) return false;
      set.add(to);
    }
    const [, , , again] = LOAD.exec(lines[index]) ?? [];
    if (again !== undefined && isComputed(lines, at, again) && recipe(lines, at, again) === place)
      return ![...set].some((name) => place.includes(`${name} `));
  }
  return false;
}

/** How a value is computed from the function's variables. */
function recipe(lines: readonly string[], at: Places, value: string, depth = 0): string {
  const index = at.get(value);
  if (index === undefined || depth > 8) return `${value} `;
  const [, , text] = VALUE.exec(lines[index])!;
  if (text.startsWith('alloca')) return `${value} `;
  return `(${text.replace(/%[-\w$.]+/g, (name) => (at.has(name) ? recipe(lines, at, name, depth + 1) : name))})`;
}

function isEnd(line: string): boolean {
  return /^(?:\S.*:|\}| +(?:br|ret|switch|unreachable)\b)/.test(line);
}
