/**
 * Relaxed atomics as calls of functions that nobody defines and that touch nothing but what their argument points to, for as long as LLVM
 * optimises. By nvcc's PTX (13.0), a load stays over an atomic of other memory, as of global memory over `atomicAdd(&bins[b], 1)` in a
 * shared array; LLVM takes the address of a variable that is used by an atomic for known to everybody, and so loads again. The text is what
 * Clang writes before any pass, and what it makes of it.
 */
import { closingIn, operandsIn, withoutDeclarations } from './stand-in-calls.ts';

const PREFIX = '__lanewise.atomic.';
const ATTRIBUTES = 'nocallback nofree nounwind willreturn memory(argmem: readwrite)';

const ATOMIC = /^( +(%[-\w$.]+ = )(?:(?:atomicrmw) (?:volatile )?\w+|cmpxchg (?:weak )?(?:volatile )?(?=ptr)) ?)(ptr .*)$/gm;
const ORDERED = /^(.*?)((?: syncscope\("[^"]*"\))? monotonic(?: monotonic)?, align \d+)(.*)$/;
const ORDERS_OTHERS = / (?:acquire|release|acq_rel|seq_cst)$/;

/** The module with calls. */
export function withAtomicsAsCalls(ir: string): string {
  const names = new Map<string, string>();
  const declarations: string[] = [];
  const calls = ir.replace(ATOMIC, (line, head: string, result: string, tail: string) => {
    const [, list, end, rest] = ORDERED.exec(tail) ?? [];
    // A compare-and-swap that is relaxed where it fails alone orders others where it does not.
    const operands = list === undefined || ORDERS_OTHERS.test(list) ? undefined : operandsIn(list);
    if (!operands?.every(({ type }) => type !== '')) return line;
    const operation = head.trim().slice(result.length);
    const types = operands.map(({ type }) => type);
    const of = operation.startsWith('cmpxchg') ? `{ ${types[1]}, i1 }` : types[1];
    const key = [operation, types, end].join('|');
    let name = names.get(key);
    if (name === undefined) {
      name = `@"${PREFIX}${names.size} ${operation}|${end.replaceAll('"', "'")}"`;
      names.set(key, name);
      const parameters = types.map((type, index) => (index === 0 ? `${type} captures(none)` : type));
      declarations.push(`declare ${of} ${name}(${parameters.join(', ')}) ${ATTRIBUTES}\n`);
    }
    return `  ${result}call ${of} ${name}(${operands.map(({ text }) => text).join(', ')})${rest}`;
  });
  return names.size === 0 ? ir : `${calls}\n${declarations.join('')}`;
}

/** What LLVM made of such a module, with atomics again. */
export function withAtomicsOfCalls(ir: string): string {
  if (!ir.includes(PREFIX)) return ir;
  const call = new RegExp(
    `^( +)(%[-\\w$.]+ = )?(?:(?:tail|notail|musttail) )?call (?:[^@"]*?)@"${PREFIX.replaceAll('.', '\\.')}\\d+ ([^|"]*)\\|([^"]*)"\\((.*)$`,
    'gm',
  );
  let unused = 0;
  const atomics = ir.replace(call, (_, indent: string, result: string | undefined, operation: string, end: string, tail: string) => {
    const close = closingIn(tail);
    const operands = operandsIn(tail.slice(0, close)).map(({ text }) => text);
    const rest = tail.slice(close + 1).replace(/^ #\d+/, '');
    return `${indent}${result ?? `%__lanewise.unused.${unused++} = `}${operation} ${operands.join(', ')}${end.replaceAll("'", '"')}${rest}`;
  });
  return withoutDeclarations(atomics, PREFIX);
}
