/**
 * Accesses through a cast of a variable itself (`(float *)bytes`, `*(float4 *)&tile[i]`, where `char bytes[…]` is `__shared__`, say) are
 * made as wide as their type, as nvcc (13.0) makes them: to it, a cast says how the address is aligned. Clang goes by the variable's
 * declaration, and LLVM would make four accesses of a byte each. What is declared without alignment (`__attribute__((packed))`) stays as
 * it is, and `memcpy` is a function of ours. The text is what Clang writes before any pass.
 */

/** Of an address: the variable that it lies in, and the types by which it was computed. */
interface Path {
  readonly root: string;
  readonly types: readonly string[];
}

type Definitions = ReadonlyMap<string, string>;

const SCALAR_BYTES: Readonly<Record<string, number>> = { half: 2, bfloat: 2, float: 4, double: 8, ptr: 8 };
const ACCESS = /^( +(?:%\S+ = load|store) (?:volatile )?)(<\d+ x \w+>|\w+)( .*?|)(, ptr )(.+?)(, align )(\d+)(?=,|$)/gm;
const COPY = /^( +call void @llvm\.memcpy\.p0\.p0\.i64\(ptr align )(\d+)( )(.+?)(, ptr align )(\d+)( )(.+?)(, i64 \d+, i1 \w+\))/gm;
const NAME = '[-\\w$.]+|"[^"]*"';
const VARIABLE = new RegExp(`[@%](?:${NAME})`, 'g');

export function withNaturalAlignments(ir: string): string {
  const types = new Types(ir);
  const globals = new Map(
    [...ir.matchAll(new RegExp(`^(@(?:${NAME})) = .*?\\b(?:global|constant) (.*)$`, 'gm'))].map(([, name, rest]) => [name, rest]),
  );
  return ir.replace(/^define .*?^\}$/gms, (body) => new Raiser(body, globals, types).raised());
}

class Raiser {
  readonly #body: string;
  readonly #globals: Definitions;
  readonly #types: Types;
  /** What addresses are computed from, by name; made when an access needs it. */
  #locals: Definitions | undefined;
  /** By name of a local variable: how it must be aligned. */
  readonly #aligned = new Map<string, number>();

  constructor(body: string, globals: Definitions, types: Types) {
    this.#body = body;
    this.#globals = globals;
    this.#types = types;
  }

  raised(): string {
    const accesses = this.#body.replace(ACCESS, (line, start, type, value, between, address, label, align) => {
      const natural = this.#types.alignOf(type);
      if (Number(align) >= natural || !this.#raise(address, natural)) return line;
      return `${start}${type}${value}${between}${address}${label}${natural}`;
    });
    // A structure that is assigned is a copy, too.
    const copies = accesses.replace(COPY, (line, start, to, space, into, between, from, gap, out, end) => {
      const low = Number(to) < Number(from) ? into : out;
      const align = Math.max(Number(to), Number(from));
      if (to === from || !this.#raise(low, align)) return line;
      return `${start}${align}${space}${into}${between}${align}${gap}${out}${end}`;
    });
    if (this.#aligned.size === 0) return copies;
    return copies.replace(new RegExp(`^( +(%(?:${NAME})) = alloca .*?, align )(\\d+)`, 'gm'), (line, start, name, align) =>
      this.#aligned.has(name) ? `${start}${Math.max(align, this.#aligned.get(name)!)}` : line,
    );
  }

  /** Whether an address may be taken to be aligned so, because a cast says it. */
  #raise(address: string, align: number): boolean {
    const path = this.#pathOf(address);
    if (!path || path.types.some((type) => this.#types.isPacked(type))) return false;
    const declared = this.#declarationOf(path.root);
    if (!declared || declared.align < this.#types.alignOf(declared.type)) return false;
    if (path.root.startsWith('%')) this.#aligned.set(path.root, Math.max(align, this.#aligned.get(path.root) ?? 1));
    return true;
  }

  #declarationOf(root: string): { readonly type: string; readonly align: number } | undefined {
    const text = root.startsWith('@') ? this.#globals.get(root) : this.#definitions.get(root)?.replace(/^alloca /, '');
    const [, type] = /^(%"[^"]*"|%[-\w$.]+|\[.*?\](?=[ ,]|$)|<[^>]*>|\w+)/.exec(text ?? '') ?? [];
    const [, align] = /, align (\d+)/.exec(text ?? '') ?? [];
    return type && align ? { type, align: Number(align) } : undefined;
  }

  #pathOf(address: string): Path | undefined {
    const types: string[] = [];
    let text = address;
    for (;;) {
      const names = text.match(VARIABLE) ?? [];
      types.push(...names.filter((name) => this.#types.isKnown(name)));
      const base = names.find((name) => !this.#types.isKnown(name));
      if (base === undefined) return undefined;
      if (base.startsWith('@')) return { root: base, types };
      const definition = this.#definitions.get(base);
      if (definition === undefined) return undefined;
      if (definition.startsWith('alloca ')) return { root: base, types };
      text = definition;
    }
  }

  get #definitions(): Definitions {
    this.#locals ??= new Map(
      [...this.#body.matchAll(new RegExp(`^ +(%(?:${NAME})) = ((?:alloca|getelementptr|addrspacecast) .*)$`, 'gm'))].map(
        ([, name, text]) => [name, text],
      ),
    );
    return this.#locals;
  }
}

/** The module's named types. */
class Types {
  readonly #texts: Definitions;
  readonly #aligns = new Map<string, number>();

  constructor(ir: string) {
    this.#texts = new Map([...ir.matchAll(new RegExp(`^(%(?:${NAME})) = type (.*)$`, 'gm'))].map(([, name, text]) => [name, text]));
  }

  isKnown(name: string): boolean {
    return this.#texts.has(name);
  }

  isPacked(name: string): boolean {
    return this.#texts.get(name)!.startsWith('<{');
  }

  /** How a type lies in memory unless somebody says otherwise. */
  alignOf(type: string): number {
    const [, integer] = /^i(\d+)$/.exec(type) ?? [];
    if (integer) return powerOfTwoAtLeast(Math.ceil(Number(integer) / 8));
    if (SCALAR_BYTES[type]) return SCALAR_BYTES[type];
    const [, count, element] = /^<(\d+) x (\w+)>$/.exec(type) ?? [];
    if (count) return powerOfTwoAtLeast(Number(count) * this.alignOf(element));
    const [, items] = /^\[\d+ x (.*)\]$/.exec(type) ?? [];
    if (items) return this.alignOf(items);
    let align = this.#aligns.get(type);
    if (align === undefined) {
      // Of a structure, its fields': those of nested ones are named or written out.
      const text = type.startsWith('{') ? type : (this.#texts.get(type) ?? '');
      const fields = text.startsWith('<{') ? [] : (text.match(/%"[^"]*"|%[-\w$.]+|\b(?:i\d+|half|bfloat|float|double|ptr)\b/g) ?? []);
      align = Math.max(1, ...fields.map((field) => this.alignOf(field)));
      this.#aligns.set(type, align);
    }
    return align;
  }
}

function powerOfTwoAtLeast(value: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, value)));
}
