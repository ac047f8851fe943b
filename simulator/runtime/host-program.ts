/**
 * Runs the host side of a program: links its module to WASI and the CUDA runtime, calls `_start`, and says how it ended. What the
 * module imports and nobody here knows becomes an error when it is called, not before.
 */
import type { FaultReport } from '../../protocol/report.ts';
import { GLOBAL_BASE } from '../machine/address-map.ts';
import { demangle } from './demangle.ts';
import type { HostMemory } from './host-memory.ts';
import { ProgramExit } from './wasi.ts';

export interface HostProgram {
  readonly module: WebAssembly.Module;
  readonly memory: HostMemory;
  /** By import module ("env", "wasi_snapshot_preview1"), then name. */
  readonly imports: Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>>;
}

export interface HostOutcome {
  readonly exit: number;
  readonly fault?: FaultReport;
  /** There was no program: the file defines no `main`. */
  readonly withoutMain?: true;
}

export interface RunningHost {
  run(): HostOutcome;
  /** Calls a function by its number in the program's table; its result, if it has one. */
  call(pointer: number, ...args: number[]): number;
  /** Writes out what the C library has buffered. */
  flush(): void;
}

class UnknownFunction extends Error {
  override readonly name = 'UnknownFunction';
}

/** What a shell reports for a program that SIGABRT, SIGFPE or SIGSEGV ended. */
const EXIT_ABORT = 134;
/** A fault of the program ends it with this, on the host as on the device. */
const EXIT_FAULT = 1;

export function instantiateHost({ module, memory, imports }: HostProgram): RunningHost {
  const instance = new WebAssembly.Instance(module, linked(module, imports));
  const exports = instance.exports as Record<string, unknown>;
  memory.attach(exports.memory as WebAssembly.Memory, exports.malloc as (sizeBytes: number) => number);
  const flush = () => (exports.fflush as (file: number) => number)(0);
  return {
    flush,
    call: (pointer, ...args) => {
      const target = (exports.__indirect_function_table as WebAssembly.Table).get(pointer) as
        | ((...args: number[]) => number | undefined)
        | null;
      if (!target) throw new WebAssembly.RuntimeError('table index is out of bounds');
      return target(...args) ?? 0;
    },
    run: () => {
      try {
        (exports._start as () => void)();
        return { exit: 0 };
      } catch (error) {
        if (error instanceof ProgramExit) return { exit: error.code };
        flushQuietly(flush);
        return explain(error);
      }
    },
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

function linked(module: WebAssembly.Module, known: HostProgram['imports']): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') throw new Error(`the host module imports a ${kind}, ${from}.${name}`);
    imports[from] ??= {};
    imports[from][name] = known[from]?.[withoutModule(name)] ?? missing(name);
  }
  return imports;
}

/** Programs that launch kernels from kernels register themselves by a function with the module's hash in its name. */
function withoutModule(name: string): string {
  return name.replace(/^(__cudaRegisterLinkedBinary).+/, '$1');
}

function missing(name: string): () => never {
  return () => {
    const own = name.startsWith('_Z');
    throw new UnknownFunction(
      `the program calls ${own ? `${demangle(name)}, which none of its files defines` : `${name}(), which the simulator does not have`}`,
    );
  };
}

/** Says in the program's own terms what stopped it. Rethrows what is not the program's doing. */
function explain(error: unknown): HostOutcome {
  if (error instanceof UnknownFunction) return { exit: EXIT_FAULT, fault: { kind: 'unsupported', message: error.message } };
  const where = hostFunctions(error);
  const inside = where.length > 0 ? ` in ${where[0]}` : '';
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return { exit: EXIT_FAULT, fault: { kind: 'stack-overflow', message: `the host program recursed too deeply${inside}` } };
  }
  if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  if (/unreachable/.test(error.message)) {
    // The linker lets the start-up code call a function of its own making where `main` should be.
    if (where[0] === 'undefined_weak:main') return { exit: EXIT_FAULT, withoutMain: true };
    const aborted = where.some((name) => name === 'abort' || name === '__assert_fail' || name.includes('__abort'));
    if (aborted) return { exit: EXIT_ABORT };
    return { exit: EXIT_FAULT, fault: { kind: 'trap', message: `the host program reached code that must not run${inside}` } };
  }
  return { exit: EXIT_FAULT, fault: { kind: 'host-fault', message: hostFaultText(error.message, inside) } };
}

function hostFaultText(trap: string, inside: string): string {
  if (/out of bounds/.test(trap) && /memory/.test(trap)) {
    return (
      `the host program accessed memory that is not its own${inside}: pointers from cudaMalloc lie at 0x${GLOBAL_BASE.toString(16)} and ` +
      'above and are for kernels only; copy the data with cudaMemcpy, or allocate it with cudaMallocManaged'
    );
  }
  if (/divide by zero/.test(trap)) return `the host program divided an integer by zero${inside}`;
  if (/table|signature|function/.test(trap)) return `the host program called through a pointer that is no function of that type${inside}`;
  return `the host program failed${inside}: ${trap}`;
}

/** Names of the host functions on the stack, innermost first, without the C library's inner ones. */
function hostFunctions(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const names = [...stack.matchAll(/^\s+at (.+) \(wasm:\/\//gm)].map(([, name]) => name.replace(/^.*\.wasm\./, ''));
  return names.map((name) => (name === '__original_main' ? 'main' : name.replace(/\(.*$/, '')));
}
