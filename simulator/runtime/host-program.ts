/**
 * Runs the host side of a program: links its module to Linux and the CUDA runtime, calls `_start`, and says how it ended. What the
 * module imports and nobody here knows becomes an error when it is called, not before.
 */
import { code } from '#platform';
import type { FaultReport } from '../../protocol/report.ts';
import type { Location } from '../ir/types.ts';
import { demangle } from '../toolchain/demangle.ts';
import { HOST_STACK_BYTES } from '../toolchain/flags.ts';
import { WATCH_BYTES, WATCH_START, WORK } from '../toolchain/lower-memory64.ts';
import { ExceptionHandlers } from './exception-handlers.ts';
import { hostPlaceFinder } from './host-lines.ts';
import type { HostMemory } from './host-memory.ts';
import { callable, type HostSignatures, importable, readSignatures } from './host-signatures.ts';
import { ProgramExit, ProgramFault } from './linux/errors.ts';
import { drawing } from './window/window.ts';

export interface HostProgram {
  /** Linked for 64 bits and lowered to a 32-bit memory. */
  readonly bytes: Uint8Array;
  readonly memory: HostMemory;
  /** By import module ("env", "linux"), then name. Integers arrive as numbers, unsigned of 32 bits and signed of 64. */
  readonly imports: Readonly<Record<string, Readonly<Record<string, (...args: number[]) => number | undefined>>>>;
  /** False for source files that are not the user's. */
  readonly isUsers: (file: string) => boolean;
  /** See RunningHost.watch. */
  readonly accessed?: (address: number, bytes: number, writes: boolean) => void;
  /** How faults name the user's files. */
  readonly nameOf: (file: string) => string;
}

export interface HostOutcome {
  readonly exit: number;
  readonly fault?: FaultReport;
  /** There was no program: the file defines no `main`. */
  readonly withoutMain?: true;
}

export interface RunningHost {
  run(): HostOutcome;
  /** Calls a function by its number in the program's table, whatever widths its integers have; its result, 0 where it gives nothing. */
  call(pointer: number, ...args: (number | bigint)[]): number;
  /** The user's line that is being executed, while the host calls one of its imports. */
  place(): Location | undefined;
  /** The same, to be looked up later: it costs little until then. */
  trace(): () => Location | undefined;
  /** From now on `accessed` is told of accesses of this interval; of none while it is empty. Only in programs that are compiled so. */
  watch(start: number, bytes: number): void;
  /** How many operations the program has executed (toolchain/lowering/work.ts). */
  operations(): number;
  /** Writes out what the C library has buffered. */
  flush(): void;
  /** As a call of the C library's `exit`. */
  exit(code: number): void;
}

class UnknownFunction extends Error {
  override readonly name = 'UnknownFunction';
}

class MissingMain extends Error {}

/** What Clang makes of `main`, with and without parameters. */
const MAIN = ['main', '__main_argc_argv', '__main_void', '__original_main'];
/** What a shell reports for a program that SIGABRT ended. */
const EXIT_ABORT = 134;
/** A fault of the program ends it with this, on the host as on the device. */
const EXIT_FAULT = 1;

/** The stack ends at address 0. A function without calls does not say how much of it it takes. */
const NEARLY_NO_STACK = 4096n;

type Callable = (...args: (number | bigint)[]) => number | bigint | undefined;

/** Calls between the program's own on a stack trace that shows where it is. */
const STACK_FRAMES = 50;

export function instantiateHost({ bytes, memory, imports, isUsers, nameOf, accessed }: HostProgram): RunningHost {
  const module = code.hintedModule(bytes);
  const placeOf = hostPlaceFinder(module, isUsers);
  const locationOf = (error: unknown): Location | undefined => {
    const place = placeOf(error);
    return place && { ...place, column: 0, scope: '' };
  };
  const located = ({ fault, ...outcome }: HostOutcome, error: unknown): HostOutcome => {
    const place = fault && placeOf(error);
    return fault ? { ...outcome, fault: { ...fault, ...(place && { file: nameOf(place.file), line: place.line }) } } : outcome;
  };
  const signatures = readSignatures(bytes);
  const handlers = new ExceptionHandlers(bytes);
  const own = { handled: () => (handlers.handleException() ? 1 : 0) };
  const instance = new WebAssembly.Instance(module, linked(signatures, { ...imports, linux: { ...imports.linux, ...own } }));
  const exported = (name: string) => callable(signatures.exports.get(name)!, instance.exports[name] as Callable);
  memory.attach(instance.exports.memory as WebAssembly.Memory, exported('malloc'), exported('free'));
  const fflush = exported('fflush');
  const flush = () => void fflush(0);
  const table = instance.exports.__indirect_function_table as WebAssembly.Table;
  const watch = accessed ? watcher(instance, table, accessed) : () => undefined;
  const work = instance.exports[WORK] as WebAssembly.Global<'i64'> | undefined;
  return {
    flush,
    exit: (status) => void exported('exit')(status),
    watch,
    operations: () => Number(work?.value ?? 0n),
    place: () => locationOf(new Error()),
    trace: () => {
      const error = new Error();
      return () => locationOf(error);
    },
    call: (pointer, ...args) => {
      const signature = signatures.table[pointer];
      if (!signature) throw new WebAssembly.RuntimeError('table index is out of bounds');
      return callable(signature, table.get(pointer))(...args);
    },
    run: () => {
      code.rememberCallers(STACK_FRAMES);
      try {
        (instance.exports._start as () => void)();
        return { exit: 0 };
      } catch (error) {
        if (error instanceof ProgramExit) return { exit: error.code };
        if (error instanceof MissingMain) return { exit: EXIT_FAULT, withoutMain: true };
        // The attempt moves it.
        const stackPointer = (instance.exports.__stack_pointer as WebAssembly.Global | undefined)?.value as bigint | undefined;
        flushQuietly(flush);
        return located(explain(error, stackPointer !== undefined && stackPointer < NEARLY_NO_STACK), error);
      }
    },
  };
}

/** A module that imports a function and exports it again: only what a module exports can be in a table. */
const PASSES_ON = [
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x08, 0x01, 0x60, 0x04, 0x7f, 0x7f, 0x7f, 0x7d, 0x00],
  ...[0x02, 0x07, 0x01, 0x01, 0x68, 0x01, 0x66, 0x00, 0x00],
  ...[0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00],
];

/** The null pointer's slot of the table is free, and no function of a program has the type that is called there. */
function watcher(instance: WebAssembly.Instance, table: WebAssembly.Table, accessed: NonNullable<HostProgram['accessed']>) {
  const [start, bytes] = [WATCH_START, WATCH_BYTES].map((name) => instance.exports[name] as WebAssembly.Global<'i32'> | undefined);
  if (!start || !bytes) return () => undefined;
  const f = (address: number, size: number, writes: number): void => accessed(address >>> 0, size >>> 0, writes !== 0);
  const passing = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(PASSES_ON)), { h: { f } });
  table.set(0, passing.exports.f as () => void);
  return (from: number, length: number): void => {
    start.value = from | 0;
    bytes.value = length | 0;
  };
}

/** After a trap the C library may be in any state; its buffered output is worth the attempt. */
function flushQuietly(flush: () => void): void {
  try {
    flush();
  } catch {
    // Nothing more to show.
  }
}

function linked({ imports: wanted }: HostSignatures, known: HostProgram['imports']): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, signature } of wanted) {
    const call = known[from]?.[withoutModule(name)] ?? drawing(name);
    imports[from] ??= {};
    imports[from][name] = call ? importable(signature, call) : missing(name);
  }
  return imports;
}

/** Programs that launch kernels from kernels register themselves by a function with the module's hash in its name. */
function withoutModule(name: string): string {
  return name.replace(/^(__cudaRegisterLinkedBinary).+/, '$1');
}

function missing(name: string): () => never {
  return () => {
    if (MAIN.includes(name)) throw new MissingMain();
    const own = name.startsWith('_Z');
    throw new UnknownFunction(
      `the program calls ${own ? `${demangle(name)}, which none of its files defines` : `${name}(), which the simulator does not support`}`,
    );
  };
}

/** Says in the program's own terms what stopped it. Rethrows what is not the program's doing. */
function explain(error: unknown, stackIsFull: boolean): HostOutcome {
  if (error instanceof UnknownFunction) return { exit: EXIT_FAULT, fault: { kind: 'unsupported', message: error.message } };
  if (error instanceof ProgramFault) return { exit: EXIT_FAULT, fault: { kind: error.kind, message: error.message } };
  // The C library ends a program before its exceptions get here.
  if (error instanceof WebAssembly.Exception) return { exit: EXIT_ABORT };
  const where = hostFunctions(error);
  const inside = where.length > 0 ? ` in ${where[0]}` : '';
  if (error instanceof RangeError && /call stack/i.test(error.message)) return stackOverflow(`${inside}: it recursed too deeply`);
  if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  if (stackIsFull && isOutOfBounds(error.message)) {
    const size = `${HOST_STACK_BYTES >> 20} MB, as on Linux`;
    return stackOverflow(` (${size})${inside}: it recursed too deeply, or its local arrays are too large`);
  }
  if (/unreachable/.test(error.message)) {
    const why = 'the compiler leaves one of code that C++ does not define, such as a write through a null pointer';
    return { exit: EXIT_FAULT, fault: { kind: 'trap', message: `the host program ran into a trap${inside}: ${why}` } };
  }
  return { exit: EXIT_FAULT, fault: { kind: 'host-fault', message: hostFaultText(error.message, inside) } };
}

function stackOverflow(how: string): HostOutcome {
  return { exit: EXIT_FAULT, fault: { kind: 'stack-overflow', message: `the host program's stack overflowed${how}` } };
}

function isOutOfBounds(trap: string): boolean {
  return /out of bounds/.test(trap) && /memory/.test(trap);
}

function hostFaultText(trap: string, inside: string): string {
  if (isOutOfBounds(trap)) {
    return (
      `the host program accessed memory that is not its own${inside}: pointers from cudaMalloc are for kernels only; ` +
      'copy the data with cudaMemcpy, or allocate it with cudaMallocManaged'
    );
  }
  if (/divide by zero/.test(trap)) return `the host program divided an integer by zero${inside}`;
  if (/table|signature|function/.test(trap))
    return `the host program called through a pointer that is not a function of that type${inside}`;
  return `the host program failed${inside}: ${trap}`;
}

/** Names of the host functions on the stack, innermost first, without the C library's inner ones. */
function hostFunctions(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const names = [...stack.matchAll(/^\s+at (.+) \(wasm:\/\//gm)].map(([, name]) => name.replace(/^.*\.wasm\./, ''));
  return names.map((name) => (MAIN.includes(name) ? 'main' : name.replace(/\(.*$/, '')));
}
