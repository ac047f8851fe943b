/**
 * Values of a launch as sums of thread and block indices with known factors: with the launch's parameters at hand most addresses are.
 * A loop's counter is a variable of its own, of which only the step is known. What is no such sum is unknown.
 */

import { LOCAL_BASE } from '../ir/address-map.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import type { ResolveSymbol } from '../machine/constant-bytes.ts';
import type { Dim3 } from '../machine/launch.ts';
import { bitsOf } from './components.ts';
import { registerOf } from './registers.ts';

export interface Affine {
  readonly constant: number;
  /** Factor of each variable: `t0`..`t2` thread, `b0`..`b2` block, `k<id>` how often a loop has been round. None is 0. */
  readonly terms: ReadonlyMap<string, number>;
}

export interface LaunchFacts {
  readonly grid: Dim3;
  readonly block: Dim3;
  /** Value of a kernel parameter by its id; undefined for structures. */
  readonly parameters: ReadonlyMap<number, number>;
  /** Value that a load gives, by its id, where the launch has passed it in a structure. */
  readonly loaded: ReadonlyMap<number, number>;
  readonly resolve: ResolveSymbol;
}

const NONE: ReadonlyMap<string, number> = new Map();

export class AffineValues {
  readonly #facts: LaunchFacts;
  readonly #definitions: (Instruction | undefined)[];
  readonly #structures: ReadonlySet<number>;
  #known = new Map<number, Affine | undefined>();

  constructor(fn: IrFunction, facts: LaunchFacts) {
    this.#facts = facts;
    this.#structures = new Set(fn.parameters.filter(({ byval }) => byval).map(({ id }) => id));
    this.#definitions = new Array(fn.valueCount);
    for (const block of fn.blocks) for (const i of block.instructions) if (i.id >= 0) this.#definitions[i.id] = i;
  }

  of(operand: Operand): Affine | undefined {
    switch (operand.kind) {
      case 'int':
        return constant(Number(BigInt.asIntN(bitsOf(operand.type), operand.value)));
      case 'zero':
      case 'undef':
        return constant(0);
      case 'symbol':
        return constant((this.#facts.resolve(operand.name, operand.type.kind === 'ptr' ? operand.type.space : 0) + operand.offset) >>> 0);
      case 'value':
        return this.#value(operand.id);
      default:
        return undefined;
    }
  }

  /** Generic address from which a pointer is computed by adding offsets: that of a parameter or a variable (of local memory, its start). */
  root(pointer: Operand): number | undefined {
    for (let at = pointer, steps = 0; steps < 64; steps++) {
      if (at.kind === 'symbol') return this.of(at)?.constant;
      if (at.kind !== 'value') return undefined;
      const definition = this.#definitions[at.id];
      if (!definition) return this.#structures.has(at.id) ? LOCAL_BASE : this.#facts.parameters.get(at.id);
      if (definition.op === 'load') return this.#facts.loaded.get(at.id);
      if (definition.op === 'alloca') return LOCAL_BASE;
      if (definition.op === 'getelementptr') at = definition.base;
      else if (definition.op === 'freeze' || definition.op === 'addrspacecast' || definition.op === 'inttoptr') at = definition.a;
      else if (definition.op === 'phi') {
        const outer = definition.incoming.map((i) => i.value).find((v) => !(v.kind === 'value' && this.#dependsOn(v.id, definition.id)));
        const inner = definition.incoming.filter((i) => i.value !== outer);
        if (!outer || !inner.every((i) => i.value.kind === 'value' && this.#dependsOn(i.value.id, definition.id))) return undefined;
        at = outer;
      } else return undefined;
    }
    return undefined;
  }

  /** True if the pointer `id` is the pointer `base` plus offsets. */
  #dependsOn(id: number, base: number): boolean {
    for (let at = id, steps = 0; steps < 64; steps++) {
      if (at === base) return true;
      const definition = this.#definitions[at];
      if (definition?.op !== 'getelementptr' || definition.base.kind !== 'value') return false;
      at = definition.base.id;
    }
    return false;
  }

  #value(id: number): Affine | undefined {
    if (this.#known.has(id)) return this.#known.get(id);
    // A value that depends on itself other than through a loop's counter is unknown.
    this.#known.set(id, undefined);
    const definition = this.#definitions[id];
    const parameter = this.#facts.parameters.get(id);
    const value = definition ? this.#compute(definition) : parameter === undefined ? undefined : constant(parameter);
    this.#known.set(id, value);
    return value;
  }

  #compute(instruction: Instruction): Affine | undefined {
    switch (instruction.op) {
      case 'add':
      case 'sub':
        return combine(this.of(instruction.a), this.of(instruction.b), instruction.op === 'add' ? 1 : -1);
      case 'mul':
        return product(this.of(instruction.a), this.of(instruction.b));
      case 'shl': {
        const count = this.of(instruction.b);
        return count && count.terms.size === 0 && count.constant >= 0 && count.constant < 32
          ? product(this.of(instruction.a), constant(2 ** count.constant))
          : undefined;
      }
      case 'or':
        return disjointOr(this.of(instruction.a), this.of(instruction.b));
      case 'freeze':
      case 'bitcast':
      case 'zext':
      case 'sext':
      case 'ptrtoint':
      case 'inttoptr':
        return this.of(instruction.a);
      case 'trunc':
        return bitsOf(instruction.type) >= 32 ? this.of(instruction.a) : undefined;
      case 'addrspacecast':
        return isWindow(instruction.type) === isWindow(instruction.a.type) ? this.of(instruction.a) : undefined;
      case 'getelementptr': {
        let sum = combine(this.of(instruction.base), constant(instruction.offset), 1);
        for (const { index, scale } of instruction.terms) sum = combine(sum, product(this.of(index), constant(scale)), 1);
        return sum;
      }
      case 'load': {
        const value = this.#facts.loaded.get(instruction.id);
        return value === undefined ? undefined : constant(value);
      }
      case 'phi':
        return this.#phi(instruction);
      case 'call':
        return this.#special(instruction.callee);
      default:
        return undefined;
    }
  }

  #special(callee: string): Affine | undefined {
    const [name, letter] = registerOf(callee)?.split('.') ?? [];
    const axis = ['x', 'y', 'z'].indexOf(letter);
    const { grid, block } = this.#facts;
    if (name === 'ntid') return constant(block[axis]);
    if (name === 'nctaid') return constant(grid[axis]);
    if (name !== 'tid' && name !== 'ctaid') return undefined;
    const thread = name === 'tid';
    if ((thread ? block : grid)[axis] === 1) return constant(0);
    return { constant: 0, terms: new Map([[`${thread ? 't' : 'b'}${axis}`, 1]]) };
  }

  /** A loop's counter: one value from outside, and itself plus a constant from inside. */
  #phi(phi: Extract<Instruction, { op: 'phi' }>): Affine | undefined {
    const self = `p${phi.id}`;
    const saved = new Map(this.#known);
    this.#known.set(phi.id, { constant: 0, terms: new Map([[self, 1]]) });
    const values = phi.incoming.map((i) => this.of(i.value));
    this.#known = saved;
    const inside = values.filter((v) => v?.terms.has(self));
    const outside = values.filter((v) => !v?.terms.has(self));
    const [start] = outside;
    if (!start || !outside.every((v) => v && same(v, start))) return undefined;
    if (inside.length === 0) return start;
    const [step] = inside;
    if (!inside.every((v) => v && same(v, step!)) || step!.terms.size !== 1 || step!.terms.get(self) !== 1) return undefined;
    if (step!.constant === 0) return start;
    return combine(start, { constant: 0, terms: new Map([[`k${phi.id}`, step!.constant]]) }, 1);
  }
}

export function sameTerms(a: Affine, b: Affine): boolean {
  return a.terms.size === b.terms.size && [...a.terms].every(([name, factor]) => b.terms.get(name) === factor);
}

function isWindow(type: Instruction['type']): boolean {
  return type.kind === 'ptr' && (type.space === 3 || type.space === 5);
}

function same(a: Affine, b: Affine): boolean {
  return a.constant === b.constant && sameTerms(a, b);
}

function constant(value: number): Affine {
  return { constant: value, terms: NONE };
}

function combine(a: Affine | undefined, b: Affine | undefined, sign: 1 | -1): Affine | undefined {
  if (!a || !b) return undefined;
  const terms = new Map(a.terms);
  for (const [name, factor] of b.terms) {
    const sum = (terms.get(name) ?? 0) + sign * factor;
    if (sum === 0) terms.delete(name);
    else terms.set(name, sum);
  }
  return bounded({ constant: a.constant + sign * b.constant, terms });
}

function product(a: Affine | undefined, b: Affine | undefined): Affine | undefined {
  if (!a || !b) return undefined;
  if (a.terms.size > 0 && b.terms.size > 0) return undefined;
  const [sum, factor] = a.terms.size > 0 ? [a, b.constant] : [b, a.constant];
  if (factor === 0) return constant(0);
  return bounded({ constant: sum.constant * factor, terms: new Map([...sum.terms].map(([name, f]) => [name, f * factor])) });
}

/** An `or` of a sum of multiples of a power of two and a constant below that power is their sum. */
function disjointOr(a: Affine | undefined, b: Affine | undefined): Affine | undefined {
  if (!a || !b) return undefined;
  const [sum, low] = a.terms.size > 0 ? [a, b] : [b, a];
  if (low.terms.size > 0 || low.constant < 0) return undefined;
  const all = [sum.constant, ...sum.terms.values()];
  for (let power = 1; power <= 65536; power *= 2) {
    if (low.constant < power) return all.every((v) => v % power === 0) ? combine(sum, low, 1) : undefined;
  }
  return undefined;
}

/** Numbers so large that sums may have wrapped round are not trusted. */
function bounded(value: Affine): Affine | undefined {
  const limit = 2 ** 40;
  return Math.abs(value.constant) < limit && [...value.terms.values()].every((f) => Math.abs(f) < limit) ? value : undefined;
}
