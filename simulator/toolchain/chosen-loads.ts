/**
 * Of `a[i] > a[j] ? a[i] : a[j]`, what a macro for the larger of two makes of elements, C++ chooses between places and loads from the one that
 * was chosen. NVVM keeps it so: it makes one address of the two if they differ in one index or one array alone, and loads a third time
 * (nvcc's PTX, 13.0, of 50 such choices, and ptxas leaves it). LLVM 22 would choose between the values that are there. So these loads are
 * calls of functions that nobody defines, for as long as LLVM optimises. What may lie in a thread's own array stays a load: NVVM takes such
 * arrays apart. The text is what Clang writes before any pass, and what it makes of it.
 */
import { closingIn, operandsIn, withoutDeclarations } from './stand-in-calls.ts';

const PREFIX = '__lanewise.chosen.';
const ATTRIBUTES = 'nocallback nofree nosync nounwind willreturn memory(argmem: read)';

const FUNCTION = /^define ([^\n]*?)@("[^"]*"|[-\w$.]+)\([^\n]*\{\n.*?^\}$/gms;
/** As Clang names the value of a choice. */
const CANDIDATE = /^ +%cond\d* = phi (?!ptr |i1 ).*\[ %[^%]*%[^%]*\[ %/m;
/** A value that comes from two sides, and what else does behind it. */
const CHOICE =
  /^ +(%[-\w$.]+) = phi (?:contract )?(\w+) \[ (%[-\w$.]+), (%[^\]]+) \], \[ (%[-\w$.]+), (%[^\]]+) \](.*)\n((?: +%[-\w$.]+ = phi .*\n)*)/gm;
const BRANCH = /^ +br i1 (%[-\w$.]+), label (%[-\w$.]+), label (%[-\w$.]+)/gm;
const DEFINITION = /^ +(%[-\w$.]+) = (.*)$/gm;
const STORE = /^ +store ptr (\S+), ptr (%[-\w$.]+)/gm;
const CALL = /\bcall [^@\n]*@("[^"]*"|[-\w$.]+)\((.*)\)/g;
const LOAD = /^load (\w+), ptr (%[-\w$.]+)(, align \d+)/;
/** Behind a value's name, the address that it is loaded from. */
const POINTER = '.lanewise.place';
const LABEL_OR_DEFINITION = /^(?:([-\w$.]+):| +(%[-\w$.]+) = )/gm;
/** The end of a block. */
const LEAVING = /^ +(?:br|ret|switch|unreachable|indirectbr|invoke|resume)\b/gm;
const WRITING = /^ +(?:%\S+ = )?(?:(?:tail|notail|musttail) )?(?:store|call|invoke|fence|atomicrmw|cmpxchg)\b/m;
const FIELD = /\.\d+\]$/;
const MAX_DEPTH = 12;

/** The module with calls. */
export function withChosenLoads(ir: string): string {
  if (!CANDIDATE.test(ir)) return ir;
  const functions = [...ir.matchAll(FUNCTION)].map(([text, , name]) => new Body(text, name));
  if (functions.every((fn) => fn.choices.size === 0)) return ir;
  const given = functionsOfOwnArrays(functions);
  const names = new Map<string, string>();
  const declarations: string[] = [];
  const callee = (type: string, align: string) => {
    const key = `${type}${align}`;
    let name = names.get(key);
    if (name === undefined) {
      name = `@"${PREFIX}${names.size}${align}"`;
      names.set(key, name);
      declarations.push(`declare ${type} ${name}(ptr captures(none)) ${ATTRIBUTES}\n`);
    }
    return name;
  };
  const bodies = functions.map((fn) => {
    if (fn.choices.size === 0 || given.has(fn.name)) return fn.text;
    return fn.text.replace(CHOICE, (line, name, type, _a, left, _b, right, rest, others) => {
      const choice = fn.choices.get(name);
      if (!choice) return line;
      const [from, to] = choice.pointers;
      const pointers = `  ${name}${POINTER} = phi ptr [ ${from}, ${left} ], [ ${to}, ${right} ]${rest}\n${others}`;
      return `${pointers}  ${name} = call ${type} ${callee(type, choice.align)}(ptr ${name}${POINTER})${rest}\n`;
    });
  });
  if (names.size === 0) return ir;
  let at = 0;
  return `${ir.replace(FUNCTION, () => bodies[at++])}\n${declarations.join('')}`;
}

/** What LLVM made of such a module, with loads again. */
export function withLoadsOfChoices(ir: string): string {
  if (!ir.includes(PREFIX)) return ir;
  const lines = withoutDeclarations(ir, PREFIX).split('\n');
  return lines.map((line) => (line.includes(PREFIX) ? loadOf(line) : line)).join('\n');
}

const CALLED = /^( +%[-\w$.]+ = )(?:(?:tail|notail|musttail) )?call (?:[^@\n]*? )?(\w+) @"__lanewise\.chosen\.\d+(, align \d+)"\((.*)$/;

function loadOf(line: string): string {
  const [, start, type, align, tail] = CALLED.exec(line) ?? [];
  if (tail === undefined) throw new Error(`Not a load of what a choice has chosen: ${line}`);
  const close = closingIn(tail);
  const [{ text: pointer }] = operandsIn(tail.slice(0, close));
  return `${start}load ${type}, ${pointer}${align}${tail.slice(close + 1).replace(/^ #\d+/, '')}`;
}

/** Functions that are given the address of what lies in somebody's own memory, by what calls them. */
function functionsOfOwnArrays(functions: readonly Body[]): ReadonlySet<string> {
  const given = new Set<string>();
  for (let size = -1; size !== given.size; ) {
    size = given.size;
    for (const fn of functions) {
      for (const { callee, args } of fn.calls) {
        if (given.has(callee)) continue;
        if (args.some((arg) => given.has(fn.name) || fn.isOwn(arg))) given.add(callee);
      }
    }
  }
  return given;
}

/** `%s + 4 * %i`: an address by its last step, as text that is equal for what is computed in the same way. */
interface Place {
  readonly base: string;
  readonly index: string;
}

interface Choice {
  readonly pointers: readonly [string, string];
  readonly type: string;
  readonly align: string;
}

/** Where a value is defined: its block, and the line within the text. */
interface Home {
  readonly block: string;
  readonly at: number;
}

function homesIn(text: string): ReadonlyMap<string, Home> {
  const homes = new Map<string, Home>();
  let block = '';
  for (const { 1: label, 2: name, index: at } of text.matchAll(LABEL_OR_DEFINITION)) {
    if (label !== undefined) block = label;
    else homes.set(name, { block, at });
  }
  return homes;
}

class Body {
  readonly text: string;
  readonly name: string;
  readonly choices: ReadonlyMap<string, Choice>;
  #definitions: ReadonlyMap<string, string> | undefined;
  #conditions: ReadonlyMap<string, string> | undefined;
  #calls: readonly { readonly callee: string; readonly args: readonly string[] }[] | undefined;
  #homes: ReadonlyMap<string, Home> | undefined;
  readonly #phis = new Map<string, Place>();

  constructor(text: string, name: string) {
    this.text = text;
    this.name = name;
    this.choices = CANDIDATE.test(text) ? this.#choicesOf() : new Map();
  }

  /** By name of a value: the addresses between which it is chosen, where they differ in one thing alone. */
  #choicesOf(): ReadonlyMap<string, Choice> {
    const choices = new Map<string, Choice>();
    for (const [, name, type, a, left, b, right] of this.text.matchAll(CHOICE)) {
      const [from, to] = [a, b].map((value) => {
        const choice = choices.get(value);
        if (choice) return { pointer: `${value}${POINTER}`, type: choice.type, align: choice.align };
        const [, loaded, pointer, align] = LOAD.exec(this.#of(value) ?? '') ?? [];
        return pointer === undefined ? undefined : { pointer, type: loaded, align };
      });
      if (!from || !to || type === 'ptr' || from.type !== type || to.type !== type || from.align !== to.align) continue;
      if (!this.#isUntouched(a, left) || !this.#isUntouched(b, right)) continue;
      if (!this.#isOfData(left, right)) continue;
      const place = chosenOf(this.#placeOf(from.pointer), this.#placeOf(to.pointer), name);
      if (!place) continue;
      this.#phis.set(`${name}${POINTER}`, place);
      choices.set(name, { pointers: [from.pointer, to.pointer], type, align: from.align });
    }
    return choices;
  }

  /** Whether memory is the same from where a value is loaded to the end of its block, of this name: `a[i]--` stores there. */
  #isUntouched(value: string, block: string): boolean {
    this.#homes ??= homesIn(this.text);
    const home = this.#homes.get(value);
    if (home?.block !== block.slice(1)) return false;
    LEAVING.lastIndex = home.at;
    const end = LEAVING.exec(this.text)?.index ?? this.text.length;
    return !WRITING.test(this.text.slice(home.at, end));
  }

  /** Whether a comparison of floating point or of what memory holds decides between two blocks: no counter of a loop that is written out. */
  #isOfData(left: string, right: string): boolean {
    this.#conditions ??= new Map(
      [...this.text.matchAll(BRANCH)].flatMap(([, condition, a, b]) => [
        [a, condition],
        [b, condition],
      ]),
    );
    const condition = this.#conditions.get(left) ?? this.#conditions.get(right);
    return condition !== undefined && /^fcmp\b|\bload \w+, ptr \(?getelementptr/.test(this.#formOf(condition, 0));
  }

  get calls() {
    this.#calls ??= [...this.text.matchAll(CALL)].map(([, callee, list]) => ({
      callee,
      args: [...list.matchAll(/\bptr [^%@,]*(%[-\w$.]+)/g)].map(([, arg]) => arg),
    }));
    return this.#calls;
  }

  /** Whether an address lies in an array or structure of the function's own. */
  isOwn(value: string, depth = 0): boolean {
    const definition = this.#of(value);
    if (definition === undefined || depth > MAX_DEPTH) return false;
    if (definition.startsWith('alloca ')) return true;
    const base = /^(?:getelementptr .*?, ptr|addrspacecast ptr(?: addrspace\(\d+\))?) (%[-\w$.]+)/.exec(definition)?.[1];
    return base !== undefined && this.isOwn(base, depth + 1);
  }

  #of(value: string): string | undefined {
    this.#definitions ??= new Map([...this.text.matchAll(DEFINITION)].map(([, name, text]) => [name, text.replace(/, ![a-z]\w*.*$/, '')]));
    return this.#definitions.get(value);
  }

  /** Undefined if nothing is added to a pointer there, or if it may lie in the function's own memory. */
  #placeOf(value: string): Place | undefined {
    const chosen = this.#phis.get(value);
    if (chosen) return chosen;
    const [, type, base, indices] =
      /^getelementptr (?:\w+ )*?(%?"?[-\w$.: ]+"?|\[.*?\]|\{.*?\}), ptr (%[-\w$.]+|@[-\w$.]+|@"[^"]*"|addrspacecast \(.*?\)), (.*)$/.exec(
        this.#of(value) ?? '',
      ) ?? [];
    if (indices === undefined) return undefined;
    const steps = indices.split(', ').map((each) => each.replace(/^\w+ /, ''));
    // A field: the structures differ, or nothing does.
    if (steps.length === 2 && type.startsWith('%') && /^\d+$/.test(steps[1])) {
      const whole = this.#placeOf(base);
      return whole && { base: whole.base, index: `${whole.index}.${steps[1]}` };
    }
    const last = steps.at(-1)!;
    if (last === '0' || (steps.length > 1 && steps[0] !== '0') || steps.length > 2) return undefined;
    const root = this.#rootOf(base);
    return root === undefined ? undefined : { base: root, index: this.#formOf(last, 0) };
  }

  /** Of a base, the text; undefined if it is not known to lie outside of the function's own memory. */
  #rootOf(base: string): string | undefined {
    if (!base.startsWith('%')) return base;
    const definition = this.#of(base) ?? '';
    const [, variable] = /^load ptr, ptr (%[-\w$.]+)/.exec(definition) ?? [];
    if (variable !== undefined) {
      // A pointer that a structure holds.
      if (this.#of(variable)?.startsWith('getelementptr')) return this.#formOf(base, 0);
      if (!this.#of(variable)?.startsWith('alloca ptr')) return undefined;
      const stores = [...this.text.matchAll(STORE)].filter(([, , to]) => to === variable);
      return stores.every(([, stored]) => !this.isOwn(stored)) ? `load(${variable})` : undefined;
    }
    if (!definition.startsWith('getelementptr') || this.isOwn(base)) return undefined;
    const place = this.#placeOf(base);
    return place && `${place.base}[${place.index}]`;
  }

  /** A number as text: two that are computed alike from the same variables have the same. */
  #formOf(value: string, depth: number): string {
    const definition = this.#of(value);
    if (definition === undefined || depth > MAX_DEPTH) return value;
    if (/^(?:phi|alloca)\b/.test(definition)) return value;
    return definition.replace(/%[-\w$.]+/g, (name) =>
      /^(?:call|load)\b/.test(definition) && !this.#of(name) ? name : this.#formOf(name, depth + 1),
    );
  }
}

/** What is chosen between, if NVVM makes one address of it: one array and two indices, or two arrays and one index. */
function chosenOf(a: Place | undefined, b: Place | undefined, name: string): Place | undefined {
  if (!a || !b) return undefined;
  const fields = (index: string) => /(?:\.\d+)*$/.exec(index)![0];
  if (fields(a.index) !== fields(b.index)) return undefined;
  if (a.base === b.base) return a.index === b.index ? undefined : { base: a.base, index: name };
  // An array within structures that differ.
  if (FIELD.test(a.base) || FIELD.test(b.base)) return undefined;
  if (a.index !== b.index || isGlobal(a.base) !== isGlobal(b.base) || isGlobal(a.base)) return undefined;
  return { base: name, index: a.index };
}

/** A variable in global memory. */
function isGlobal(base: string): boolean {
  return base.startsWith('@') || base.startsWith('addrspacecast (ptr addrspace(1)') || base.startsWith('addrspacecast (ptr addrspace(4)');
}
