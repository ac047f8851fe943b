/** What an instruction that accesses memory is to the checks: how it counts in a conflict, and what its value is for. */

import { meaningOf } from '../ir/intrinsics.ts';
import { operandsOf } from '../ir/operands.ts';
import { type Instruction, type IrFunction, type Location, type MemoryOrder, type MemoryScope, ordersOthers } from '../ir/types.ts';
import { Store } from './store.ts';
import { ValueUses } from './value-uses.ts';

/**
 * Atomic accesses do not race with each other. Volatile ones do not race with atomic ones; a volatile read that is only waited on
 * races with nothing, nor does a read that the compiler has moved ahead of its use. A read that is the first guess of a compare-and-swap at its address counts as atomic: the swap checks it.
 */
export type Strength = 'plain' | 'volatile' | 'polling' | 'atomic' | 'ahead';

export interface Site {
  readonly index: number;
  /** Among those of its module. */
  readonly slot: number;
  readonly function: string;
  readonly instruction: Instruction;
  /** Where it is in the source, or what stands beside it if the compiler has made one instruction of several lines. */
  readonly location: Location | undefined;
  readonly access: 'read' | 'write' | 'atomic';
  readonly strength: Strength;
  /** Among whose threads it is atomic. */
  readonly scope: MemoryScope;
  readonly order: MemoryOrder | undefined;
  readonly releases: boolean;
  readonly acquires: boolean;
  /** The value that a read gives is computed with, branched on or used as an address: it is more than copied. */
  readonly used: boolean;
  /** Of a read: its value, as it is, is stored somewhere. */
  readonly copies: boolean;
  /** Of a store: what has read the value, one of them for each lane. */
  readonly copyOf: readonly Instruction[];
  /** Of a store: the load at its address to whose value it adds, of a type that atomicAdd knows. */
  readonly adds?: Instruction;
  /** Of a store: the load at its address from whose value its own is computed, and how. */
  readonly changes?: { readonly load: Instruction; readonly op: string };
  /** What it writes comes at any time until the thread has waited for it. */
  readonly isAsync: boolean;
  /** It is a call of the host, not a kernel's instruction. */
  readonly call?: string;
}

export class Sites {
  readonly all: Site[];
  readonly #reads = new Map<Instruction, Site>();
  readonly #others = new Map<Instruction, Site>();
  readonly #uses = new Map<string, ValueUses>();
  readonly #functions: (name: string) => IrFunction | undefined;
  readonly #store: Store;

  /** `all`: the sites of all modules, which are numbered together. */
  constructor(all: Site[], functions: (name: string) => IrFunction | undefined, store = new Store()) {
    this.all = all;
    this.#functions = functions;
    this.#store = store;
  }

  of(instruction: Instruction, access: Site['access'], name: string): Site {
    const known = access === 'read' ? this.#reads : this.#others;
    let site = known.get(instruction);
    if (!site) {
      site = this.#describe(instruction, access, name);
      known.set(instruction, site);
      this.all.push(site);
      this.#store.atomics[site.index] = Number(site.strength === 'atomic');
    }
    return site;
  }

  #describe(instruction: Instruction, access: Site['access'], name: string): Site {
    const order = 'order' in instruction ? instruction.order : undefined;
    const uses = this.#usesIn(name);
    const isCopy = access !== 'atomic' && meaningOf(instruction)?.kind === 'copyMemory';
    const ordering = order && ordersOthers(order) ? order.ordering : 'monotonic';
    return {
      index: this.all.length + 1,
      slot: this.#reads.size + this.#others.size,
      function: name,
      instruction,
      location: hasLine(instruction.location) ? instruction.location : besideLocation(instruction, this.#functions(name)),
      access,
      strength: strengthOf(instruction, order, uses),
      scope: scopeOf(instruction, order),
      order,
      releases: ordering === 'release' || ordering === 'acq_rel' || ordering === 'seq_cst',
      acquires: ordering === 'acquire' || ordering === 'acq_rel' || ordering === 'seq_cst',
      used: access === 'atomic' ? readsBefore(instruction) : !isCopy && (uses?.isUsed(instruction) ?? true),
      copies: access === 'read' && (isCopy || (uses?.isStored(instruction) ?? false)),
      isAsync: instruction.op === 'store' && instruction.async === true,
      adds: instruction.op === 'store' ? uses?.addedTo(instruction) : undefined,
      changes: instruction.op === 'store' ? uses?.changes(instruction) : undefined,
      copyOf: isCopy ? [instruction] : instruction.op === 'store' ? (uses?.sourcesOf(instruction) ?? []) : [],
    };
  }

  #usesIn(name: string): ValueUses | undefined {
    let uses = this.#uses.get(name);
    const fn = uses ? undefined : this.#functions(name);
    if (fn) {
      uses = new ValueUses(fn);
      this.#uses.set(name, uses);
    }
    return uses;
  }
}

function hasLine(location: Location | undefined): boolean {
  for (let at = location; at; at = at.inlinedAt) if (at.line > 0) return true;
  return false;
}

/** Of what computes with it, or of what comes next or before. */
function besideLocation(instruction: Instruction, fn: IrFunction | undefined): Location | undefined {
  const block = fn?.blocks.find(({ instructions }) => instructions.includes(instruction));
  if (!block) return instruction.location;
  const at = block.instructions.indexOf(instruction);
  const [behind, before] = [block.instructions.slice(at + 1), block.instructions.slice(0, at).reverse()];
  const isUser = (each: Instruction): boolean =>
    instruction.id >= 0 && operandsOf(each).some((operand) => operand.kind === 'value' && operand.id === instruction.id);
  const found = [...behind.filter(isUser), ...behind, ...before].find(({ location }) => hasLine(location));
  return found?.location ?? instruction.location;
}

/** What a read-modify-write computes depends on what was there. */
function readsBefore(instruction: Instruction): boolean {
  return instruction.op === 'cmpxchg' || (instruction.op === 'atomicrmw' && instruction.operation !== 'xchg');
}

function strengthOf(instruction: Instruction, order: MemoryOrder | undefined, uses: ValueUses | undefined): Strength {
  if (order && order.ordering !== 'unordered') return 'atomic';
  if (instruction.op === 'load') {
    if (uses?.isFirstGuess(instruction)) return 'atomic';
    if (!instruction.volatile) return uses?.isReadAhead(instruction) ? 'ahead' : 'plain';
    return uses?.isOnlyTested(instruction) || uses?.isWaitedFor(instruction) ? 'polling' : 'volatile';
  }
  return instruction.op === 'store' && instruction.volatile ? 'volatile' : 'plain';
}

/** CUDA's atomics for a block differ from the others in name alone: their code in the headers is the same. */
function scopeOf({ location }: Instruction, order: MemoryOrder | undefined): MemoryScope {
  for (let at = location; at; at = at.inlinedAt) if (/^atomic\w+_block(<|$)/.test(at.scope)) return 'block';
  return order?.scope ?? 'system';
}

/** Accesses of which no order makes a difference that a program may not rely on. */
export function agree(a: Site, b: Site, sameBlock: boolean): boolean {
  if (a.strength === 'polling' || b.strength === 'polling') return true;
  if (a.strength === 'plain' || b.strength === 'plain') return false;
  if (a.strength === 'volatile' && b.strength === 'volatile') return false;
  if (sameBlock) return true;
  return a.scope !== 'block' && b.scope !== 'block';
}
