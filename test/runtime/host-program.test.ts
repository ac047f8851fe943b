/** How a host program is linked, called and ended: small freestanding ones, without a C library. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostMemory } from '../../simulator/runtime/host-memory.ts';
import { type HostOutcome, instantiateHost, type RunningHost } from '../../simulator/runtime/host-program.ts';
import { ProgramExit } from '../../simulator/runtime/linux/errors.ts';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { lowerMemory64 } from '../../simulator/toolchain/lower-memory64.ts';
import { freestanding } from '../toolchain/wasm64.ts';

const SOURCE = `
asm(".tagtype __cpp_exception i64\\n.globl __cpp_exception\\n__cpp_exception:\\n");
int mode;
int cleaned;
int begun;
extern "C" {
__attribute__((import_module("linux"), import_name("syscall"))) long syscall(long, long, long, long, long, long, long);
__attribute__((import_module("env"), import_name("cudaThing"))) int cudaThing(int, unsigned long, float, void*);
__attribute__((import_module("env"), import_name("cudaHandle"))) void* cudaHandle(void);
__attribute__((import_module("env"), import_name("cudaNoSuchThing"))) int cudaNoSuchThing(void);
__attribute__((import_module("env"), import_name("main"))) int absent_main(void);
__attribute__((import_module("linux"), import_name("handled"))) int handled(void);
void* malloc(unsigned long) { return nullptr; }
int fflush(void*) { return cudaThing(77, 0, 0, nullptr), 0; }
void free(void*) {}
__attribute__((noinline)) void _ZSt9terminatev() { mode = 99; syscall(231, 99, 0, 0, 0, 0, 0); }
int __gxx_wasm_personality_v0() { return 0; }
unsigned long __wasm_lpad_context[3];
void* __cxa_get_exception_ptr(void* object) { asm volatile("" : "+r"(object)); return object; }
int _Unwind_CallPersonality(void*) { return 0; }
__attribute__((noinline)) void* __cxa_begin_catch(void* object) { begun++; asm volatile("" : "+r"(object)); return object; }
void __cxa_end_catch() {}
long add(int a, long b, double c, char* d) { return a + b + (long)c + (long)d; }
void nothing(void) { mode = 5; }
int (*volatile pointers[])(int, long, double, char*) = {(int (*)(int, long, double, char*))add, (int (*)(int, long, double, char*))nothing};
__attribute__((noinline)) int peek(volatile int* p) { return *p; }
__attribute__((noinline)) int deep(volatile int* p) { volatile int here = *p; return deep(&here) + here; }
}
struct Cleaner { ~Cleaner() { cleaned = 1; } };
__attribute__((noinline)) int deeper(int n) { Cleaner cleaner; return n == 0 ? handled() : deeper(n - 1); }
__attribute__((noinline)) int guarded(int n) noexcept { return deeper(n); }
__attribute__((noinline)) void thrower() { Cleaner cleaner; __builtin_wasm_throw(0, &mode); }
__attribute__((noinline)) void guardedThrower() noexcept { thrower(); }
static volatile int zero;
extern "C" void _start(void) {
  Cleaner cleaner;
  switch (mode) {
    case 0: break;
    case 1: try { syscall(231, 3, 0, 0, 0, 0, 0); } catch (...) { cleaned = 2; } break;
    case 2: cleaned = cudaThing(-1, -2ul, 1.5f, (void*)0x90000000) + (cudaHandle() == (void*)0x80000100 ? 100 : 0); break;
    case 3: cudaNoSuchThing(); break;
    case 4: absent_main(); break;
    case 5: peek((int*)0x80000000ul); break;
    case 6: try { deep(&mode); } catch (...) { cleaned = 2; } break;
    case 7: __builtin_wasm_throw(0, &mode); break;
    case 8: mode = 5 / zero; break;
    case 9: ((void (*)(double))pointers[0])(1); break;
    case 10: __builtin_trap(); break;
    case 11: mode = deeper(2) + 2 * deeper(40); break;
    case 12: try { mode = deeper(2) + 2 * deeper(40); } catch (...) { cleaned = 2; } break;
    case 14: guardedThrower(); break;
    case 13: mode = guarded(3) + 2 * guarded(30); break;
  }
}`;

let module: Uint8Array;
beforeAll(async () => {
  module = lowerMemory64(await freestanding({ name: 'program.cpp', source: SOURCE }));
}, 60_000);
afterAll(releaseClang);

function start(): { host: RunningHost; calls: number[][]; global(name: string): number; setMode(mode: number): void } {
  const memory = new HostMemory();
  const calls: number[][] = [];
  const host = instantiateHost({
    bytes: module,
    memory,
    isUsers: () => true,
    nameOf: (file) => file,
    imports: {
      linux: {
        syscall: (number, code) => {
          throw number === 231 ? new ProgramExit(code) : new Error(`unexpected system call ${number}`);
        },
      },
      env: {
        cudaThing: (...args) => {
          calls.push(args);
          return 7;
        },
        cudaHandle: () => 0x80000100,
      },
    },
  });
  const at = (name: string) => Number(addresses[name]);
  return { host, calls, global: (name) => memory.u32(at(name)), setMode: (mode) => memory.setU32(at('mode'), mode) };
}

/** Where the program's variables lie: exported globals of the module. */
const addresses: Record<string, bigint> = {};
beforeAll(() => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(module as BufferSource));
  const stubs: Record<string, Record<string, () => void>> = {};
  for (const { module: from, name } of imports) stubs[from] = { ...stubs[from], [name]: () => {} };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module as BufferSource), stubs);
  for (const name of ['mode', 'cleaned', 'begun', 'pointers']) addresses[name] = (exports[name] as WebAssembly.Global).value as bigint;
});

function run(mode: number): HostOutcome & { readonly cleaned: number; readonly calls: number[][] } {
  const program = start();
  program.setMode(mode);
  const outcome = program.host.run();
  return { ...outcome, cleaned: program.global('cleaned'), calls: program.calls };
}

describe('a host program', () => {
  it('ends by itself, after its destructors', () => {
    expect(run(0)).toEqual({ exit: 0, cleaned: 1, calls: [] });
  });

  it('ends at exit() whatever it would catch, and no destructor runs', () => {
    expect(run(1)).toEqual({ exit: 3, cleaned: 0, calls: [] });
  });

  it('gives and gets integers of both widths as numbers', () => {
    expect(run(2)).toMatchObject({ exit: 0, calls: [[0xffffffff, -2, 1.5, 0x90000000]] });
  });

  it('is called with whatever its functions take', () => {
    const { host, global } = start();
    // Two functions of different types, one behind the other in the table.
    const add = global('pointers');
    expect(host.call(add, -1, 2 ** 40, 2.5, 0x80000000)).toBe(2 ** 40 + 1 + 0x80000000);
    expect(host.call(add, 1n, 5n, 0, 0n)).toBe(6);
    expect(host.call(add + 1)).toBe(0);
    expect(global('mode')).toBe(5);
    expect(() => host.call(9999)).toThrow(WebAssembly.RuntimeError);
    expect(() => host.call(0)).toThrow(WebAssembly.RuntimeError);
  });

  it('is told what it lacks where it calls it', () => {
    expect(run(3).fault).toMatchObject({
      kind: 'unsupported',
      message: 'the program calls cudaNoSuchThing(), which the simulator does not support',
    });
    expect(run(4)).toMatchObject({ withoutMain: true });
  });

  it.each([
    [5, 'host-fault', /memory that is not its own in peek: .*cudaMemcpy/],
    [6, 'stack-overflow|host-fault', /in deep/],
    [8, 'host-fault', /divided an integer by zero/],
    [9, 'host-fault', /through a pointer that is not a function of that type/],
    [10, 'trap', /ran into a trap in .*: .*a write through a null pointer/],
  ])('that faults says where, runs no destructor and shows its output: %i', (mode, kind, message) => {
    const { exit, fault, cleaned, calls } = run(mode);
    expect({ exit, cleaned, calls }).toEqual({ exit: 1, cleaned: 0, calls: [[77, 0, 0, 0]] });
    expect(fault?.kind).toMatch(new RegExp(`^(${kind})$`));
    expect(fault?.message).toMatch(message);
  });

  it.each([
    [11, 0, 'only destructors are around the throw'],
    [12, 3, 'a catch is around it'],
    [13, 3, 'a function that must not throw is around it'],
  ])('knows whether its exceptions are caught: %i', (mode, answer) => {
    const program = start();
    program.setMode(mode);
    expect(program.host.run()).toEqual({ exit: 0 });
    expect(program.global('mode')).toBe(answer);
  });

  it('that must not throw and does has caught its exception when it ends', () => {
    const program = start();
    program.setMode(14);
    expect(program.host.run()).toEqual({ exit: 99 });
    expect([program.global('mode'), program.global('begun')]).toEqual([99, 1]);
  });

  it('whose exception gets out of it has aborted', () => {
    expect(run(7)).toMatchObject({ exit: 134, cleaned: 1 });
  });
});
