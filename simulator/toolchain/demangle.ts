/**
 * Source-level signatures of mangled names (Itanium C++ ABI, chapter 5.1), written as Nsight Compute writes them: `void
 * reduce<int, Plus<int>>(const int *, int *, int)`. It knows what names of kernels are made of; a name with anything else in it
 * (expressions over template parameters, for example) is returned as it is.
 */
export function demangle(mangled: string): string {
  if (!mangled.startsWith('_Z')) return mangled;
  try {
    return new Demangler(mangled.slice(2)).encoding();
  } catch (error) {
    if (error instanceof Unknown) return mangled;
    throw error;
  }
}

class Unknown extends Error {}

/** A type's text around the place where a declared name would stand: `int (*` and `)[4]`. */
interface TypeText {
  readonly before: string;
  readonly after: string;
  /** Elements of a parameter pack. */
  readonly pack?: readonly TypeText[];
}

interface NameText {
  readonly text: string;
  /** Arguments, where the name ends with some. */
  readonly args?: readonly TypeText[];
  readonly hasNoResult?: boolean;
}

const BUILTIN: Readonly<Record<string, string>> = {
  v: 'void',
  w: 'wchar_t',
  b: 'bool',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  y: 'unsigned long long',
  n: '__int128',
  o: 'unsigned __int128',
  f: 'float',
  d: 'double',
  e: 'long double',
  z: '...',
};

const BUILTIN_D: Readonly<Record<string, string>> = {
  n: 'std::nullptr_t',
  h: '_Float16',
  i: 'char32_t',
  s: 'char16_t',
  u: 'char8_t',
  a: 'auto',
};

const STANDARD: Readonly<Record<string, string>> = {
  t: 'std',
  a: 'std::allocator',
  b: 'std::basic_string',
  s: 'std::string',
  i: 'std::istream',
  o: 'std::ostream',
  d: 'std::iostream',
};

const OPERATORS: Readonly<Record<string, string>> = {
  cl: '()',
  ix: '[]',
  pl: '+',
  mi: '-',
  ml: '*',
  dv: '/',
  rm: '%',
  aS: '=',
  pL: '+=',
  mI: '-=',
  eq: '==',
  ne: '!=',
  lt: '<',
  gt: '>',
  le: '<=',
  ge: '>=',
  ls: '<<',
  rs: '>>',
  pt: '->',
  de: '*',
  ad: '&',
  nt: '!',
  aa: '&&',
  oo: '||',
  pp: '++',
  mm: '--',
};

class Demangler {
  readonly #text: string;
  #at = 0;
  readonly #substitutions: TypeText[] = [];
  /** Arguments of the function template whose parameters are being read: what T_ means. */
  #templateArgs: readonly TypeText[] = [];
  #packIndex: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  encoding(): string {
    const name = this.#name();
    if (this.#done()) return name.text;
    const { result, signature } = this.#function(name);
    return result === undefined ? signature : `${result} ${signature}`;
  }

  /** The function that a name belongs to: templates are mangled with their result. */
  #function(name: NameText): { result?: string; signature: string } {
    const outer = this.#templateArgs;
    this.#templateArgs = name.args ?? outer;
    const result = name.args && !name.hasNoResult ? whole(this.#type()) : undefined;
    const signature = `${name.text}(${this.#parameters()})`;
    this.#templateArgs = outer;
    return { result, signature };
  }

  #done(): boolean {
    return this.#at >= this.#text.length || '.E'.includes(this.#text[this.#at]) || this.#text.startsWith('__', this.#at);
  }

  #parameters(): string {
    const types: TypeText[] = [];
    while (!this.#done()) types.push(this.#type());
    const flat = types.flatMap((type) => type.pack ?? [type]);
    return flat.length === 1 && whole(flat[0]) === 'void' ? '' : flat.map(whole).join(', ');
  }

  #peek(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += text.length;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new Unknown();
  }

  #pattern(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#text.slice(this.#at));
    if (match) this.#at += match[0].length;
    return match ?? undefined;
  }

  #remember(text: TypeText): TypeText {
    this.#substitutions.push(text);
    return text;
  }

  #name(): NameText {
    if (this.#take('N')) return this.#nestedName();
    if (this.#take('Z')) return this.#localName();
    if (this.#peek('S') && !this.#peek('St')) {
      const text = whole(this.#substitution());
      return this.#peek('I') ? this.#instance({ text }) : { text };
    }
    const scope = this.#take('St') ? 'std::' : '';
    const name = this.#unqualified('');
    const text = scope + name.text;
    if (!this.#peek('I')) return { ...name, text };
    this.#remember({ before: text, after: '' });
    return this.#instance({ ...name, text });
  }

  /** A template's name with the arguments that follow it. */
  #instance(template: NameText): NameText {
    const args = this.#arguments();
    return { ...template, text: template.text + listed(args), args };
  }

  #nestedName(): NameText {
    this.#pattern(/^[rVK]*[RO]?/);
    let name: NameText = { text: '' };
    let pushed = false;
    while (!this.#take('E')) {
      if (this.#peek('S') && !this.#peek('St') && name.text === '') {
        name = { text: whole(this.#substitution()) };
        pushed = false;
        continue;
      }
      name = this.#nestedPart(name);
      this.#remember({ before: name.text, after: '' });
      pushed = true;
    }
    // The whole name is no substitution by itself; where it is a type, the type is.
    if (pushed) this.#substitutions.pop();
    return name;
  }

  #nestedPart(name: NameText): NameText {
    if (this.#peek('I')) return this.#instance(name);
    if (this.#peek('T')) return { text: whole(this.#templateParameter()) };
    if (this.#take('St')) {
      const part = this.#unqualified('');
      return { ...part, text: `std::${part.text}` };
    }
    const part = this.#unqualified(name.text);
    return { ...part, text: name.text ? `${name.text}::${part.text}` : part.text };
  }

  #localName(): NameText {
    const enclosing = this.#name();
    const scope = this.#done() && this.#peek('E') ? enclosing.text : this.#function(enclosing).signature;
    this.#expect('E');
    if (this.#take('s')) return { text: scope };
    this.#pattern(/^d\d*_/);
    const name = this.#name();
    this.#pattern(/^(__\d+_|_\d)/);
    return { ...name, text: `${scope}::${name.text}` };
  }

  /** `scope`: what a constructor or destructor is named after. */
  #unqualified(scope: string): NameText {
    this.#take('L');
    const name = this.#simpleName(scope);
    while (this.#take('B')) this.#sourceName();
    return name;
  }

  #simpleName(scope: string): NameText {
    if (/^\d/.test(this.#text.slice(this.#at))) return { text: this.#sourceName() };
    const last = /[^:<>]*(?:<.*>)?$/.exec(scope)?.[0].replace(/<.*$/, '') ?? '';
    if (this.#pattern(/^C[1-3]/)) return { text: last, hasNoResult: true };
    if (this.#pattern(/^D[0-2]/)) return { text: `~${last}`, hasNoResult: true };
    if (this.#take('Ul')) {
      const parameters = this.#parameters();
      this.#expect('E');
      const number = this.#pattern(/^(\d*)_/);
      if (!number) throw new Unknown();
      return { text: `{lambda(${parameters})#${number[1] === '' ? 1 : Number(number[1]) + 2}}` };
    }
    const unnamed = this.#pattern(/^Ut(\d*)_/);
    if (unnamed) return { text: `{unnamed#${unnamed[1] === '' ? 1 : Number(unnamed[1]) + 2}}` };
    if (this.#take('cv')) return { text: `operator ${whole(this.#type())}`, hasNoResult: true };
    const operator = OPERATORS[this.#text.slice(this.#at, this.#at + 2)];
    if (!operator) throw new Unknown();
    this.#at += 2;
    return { text: `operator${operator}` };
  }

  #sourceName(): string {
    const length = Number(this.#pattern(/^\d+/)?.[0] ?? Number.NaN);
    if (!(length > 0) || this.#at + length > this.#text.length) throw new Unknown();
    const name = this.#text.slice(this.#at, this.#at + length);
    this.#at += length;
    return name.startsWith('_GLOBAL__N') ? '(anonymous namespace)' : name;
  }

  #arguments(): TypeText[] {
    this.#expect('I');
    const args: TypeText[] = [];
    while (!this.#take('E')) args.push(this.#argument());
    return args;
  }

  #argument(): TypeText {
    if (this.#take('L')) return this.#literal();
    if (this.#take('XadL')) {
      const { before } = this.#literal();
      this.#expect('E');
      return { before: `&${before}`, after: '' };
    }
    if (!this.#take('J')) return this.#type();
    const pack: TypeText[] = [];
    while (!this.#take('E')) pack.push(this.#argument());
    return { before: pack.map(whole).join(', '), after: '', pack };
  }

  #literal(): TypeText {
    if (this.#take('_Z')) {
      const { text } = this.#name();
      while (!this.#take('E')) this.#type();
      return { before: text, after: '' };
    }
    const type = whole(this.#type());
    const value = this.#pattern(/^(n?)([0-9a-f]*)E/);
    if (!value) throw new Unknown();
    const number = `${value[1] ? '-' : ''}${value[2]}`;
    if (type === 'bool') return { before: number === '0' ? 'false' : 'true', after: '' };
    if (type === 'char') return { before: `'${String.fromCharCode(Number(number))}'`, after: '' };
    return { before: Object.values(BUILTIN).includes(type) ? number : `(${type})${number}`, after: '' };
  }

  #type(): TypeText {
    const first = this.#text[this.#at];
    const builtin = BUILTIN[first];
    if (builtin) {
      this.#at++;
      return { before: builtin, after: '' };
    }
    const qualifiers = this.#pattern(/^r?V?K?(?=.)/)?.[0];
    if (qualifiers) return this.#remember(qualified(this.#type(), qualifiers));
    if (this.#take('P')) return this.#remember(pointer(this.#type(), '*'));
    if (this.#take('R')) return this.#remember(pointer(this.#type(), '&'));
    if (this.#take('O')) return this.#remember(pointer(this.#type(), '&&'));
    if (this.#take('F')) return this.#remember(this.#functionType());
    if (this.#take('A')) return this.#remember(this.#arrayType());
    if (first === 'D') return this.#specialType();
    if (first === 'T') return this.#templateParameterType();
    if (first === 'S' && !this.#peek('St')) return this.#substitutedType();
    if (/[\dNZS]/.test(first)) return this.#remember({ before: this.#name().text, after: '' });
    throw new Unknown();
  }

  #arrayType(): TypeText {
    const size = this.#peek('T') ? whole(this.#templateParameter()) : (this.#pattern(/^\d*/)?.[0] ?? '');
    this.#expect('_');
    const { before, after } = this.#type();
    return { before, after: `[${size}]${after}` };
  }

  #functionType(): TypeText {
    this.#take('Y');
    const result = this.#type();
    const parameters = this.#parameters();
    this.#expect('E');
    return { before: `${result.before} `, after: `(${parameters})${result.after}` };
  }

  #specialType(): TypeText {
    const vector = this.#pattern(/^Dv(\d+)_/);
    if (vector) return this.#remember({ before: `${whole(this.#type())} __vector(${vector[1]})`, after: '' });
    if (this.#take('Dp')) return this.#remember(this.#expansion());
    if (this.#take('DF16b')) return { before: '__bf16', after: '' };
    if (this.#take('DF16_')) return { before: '_Float16', after: '' };
    const text = BUILTIN_D[this.#text[this.#at + 1]];
    if (!text) throw new Unknown();
    this.#at += 2;
    return { before: text, after: '' };
  }

  /** Reads the pattern once per element of the pack that it mentions. */
  #expansion(): TypeText {
    const start = this.#at;
    const known = this.#substitutions.length;
    const count = this.#templateArgs.find((arg) => arg.pack)?.pack?.length ?? 1;
    const pack: TypeText[] = [];
    for (let index = 0; index < Math.max(1, count); index++) {
      this.#at = start;
      this.#substitutions.length = known;
      this.#packIndex = index;
      const element = this.#type();
      if (index < count) pack.push(element);
    }
    this.#packIndex = undefined;
    return { before: pack.map(whole).join(', '), after: '', pack };
  }

  #templateParameterType(): TypeText {
    const parameter = this.#remember(this.#templateParameter());
    if (!this.#peek('I')) return parameter;
    return this.#remember({ before: whole(parameter) + listed(this.#arguments()), after: '' });
  }

  #templateParameter(): TypeText {
    const match = this.#pattern(/^T(\d*)_/);
    if (!match) throw new Unknown();
    const arg = this.#templateArgs[match[1] === '' ? 0 : Number(match[1]) + 1];
    if (!arg) throw new Unknown();
    if (!arg.pack || this.#packIndex === undefined) return arg;
    return arg.pack[this.#packIndex] ?? { before: '', after: '' };
  }

  #substitutedType(): TypeText {
    const known = this.#substitution();
    if (!this.#peek('I')) return known;
    return this.#remember({ before: whole(known) + listed(this.#arguments()), after: '' });
  }

  #substitution(): TypeText {
    const match = this.#pattern(/^S([0-9A-Z]*)_/);
    if (match) {
      const known = this.#substitutions[match[1] === '' ? 0 : Number.parseInt(match[1], 36) + 1];
      if (!known) throw new Unknown();
      return known;
    }
    const standard = STANDARD[this.#text[this.#at + 1]];
    if (!standard) throw new Unknown();
    this.#at += 2;
    return { before: standard, after: '' };
  }
}

function listed(args: readonly TypeText[]): string {
  const flat = args.flatMap((arg) => arg.pack ?? [arg]);
  return `<${flat.map(whole).join(', ')}>`;
}

function whole({ before, after }: TypeText): string {
  return before.trimEnd() + after;
}

function pointer({ before, after }: TypeText, sign: string): TypeText {
  if (after !== '') return { before: `${before.trimEnd()} (${sign}`, after: `)${after}` };
  return { before: /[*&(]$/.test(before) ? before + sign : `${before} ${sign}`, after };
}

/** `const int`, but `int *const`. */
function qualified(type: TypeText, qualifiers: string): TypeText {
  const words = [qualifiers.includes('K') && 'const', qualifiers.includes('V') && 'volatile', qualifiers.includes('r') && '__restrict__'];
  const text = words.filter(Boolean).join(' ');
  if (/[*&]$/.test(type.before)) return { before: type.before + text, after: type.after };
  return { before: `${text} ${type.before}`, after: type.after };
}
