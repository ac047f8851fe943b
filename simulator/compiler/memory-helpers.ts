/**
 * WebAssembly functions that memory instructions call: fast paths of what machine/request.ts defines. What they do not know they ask
 * the host for. `test/compiler/request.test.ts` compares them with the definition.
 */
import { emitAtomicCheck, emitReduceAdd } from './atomic-helpers.ts';
import { emitGather } from './gather-helper.ts';
import type { Callable, MemoryImports } from './helper-parts.ts';
import { emitLoad, emitStore } from './move-helpers.ts';
import { emitCheck, emitUniform } from './pattern-helper.ts';
import type { ModuleBuilder, ValueType } from './wasm-encoder.ts';

export interface MemoryHelpers {
  /** (W, addresses, mask, record, base) -> kind of the pattern. Adds `base` to the addresses. */
  readonly check: Callable;
  /** (W, address, mask, record, bytes, align, lanes served together) -> physical address of one address that all lanes use. */
  readonly uniform: Callable;
  /** By bytes: (kind, W, slot, mask, offset) moves what `check` admitted. */
  readonly load: Readonly<Record<number, Callable>>;
  readonly store: Readonly<Record<number, Callable>>;
  /** (W, addresses, values, mask, record, base, flags) -> 1, or 0 if nothing was done and the host has to do it. */
  readonly reduceAdd: Callable;
  /** (W, addresses, mask, record, base, bytes, flags): checks and counts any atomic; INFO.addresses and INFO.delta say where its lanes are. */
  readonly atomic: Callable;
}

const i32s = (count: number): ValueType[] => new Array(count).fill('i32');

export function emitMemoryHelpers(module: ModuleBuilder, imports: MemoryImports, parameterBytes: number): MemoryHelpers {
  const load: Record<number, Callable> = {};
  const store: Record<number, Callable> = {};
  for (const bytes of [1, 2, 4, 8]) {
    load[bytes] = emitLoad(module.function(`load${8 * bytes}`, { parameters: i32s(5), results: [] }), bytes);
    store[bytes] = emitStore(module.function(`store${8 * bytes}`, { parameters: i32s(5), results: [] }), bytes);
  }
  return {
    check: emitCheck(
      module.function('check', { parameters: i32s(5), results: ['i32'] }),
      imports,
      emitGather(module, imports.describe, parameterBytes),
    ),
    uniform: emitUniform(module.function('uniform', { parameters: i32s(7), results: ['i32'] }), imports),
    load,
    store,
    atomic: emitAtomicCheck(module.function('atomic', { parameters: i32s(7), results: [] }), imports),
    reduceAdd: emitReduceAdd(module.function('reduceAdd', { parameters: i32s(7), results: ['i32'] }), imports),
  };
}
