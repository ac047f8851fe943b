/**
 * Of loads whose value is used on some ways through their function only: what becomes of the value, block by block, as far as it
 * stays in registers. followed-values.ts goes along with it where such a load has read what nothing has written.
 */
import { isTerminator, operandsOf } from '../ir/operands.ts';
import { reachableFrom } from '../ir/reachable.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { CertainUses, isChoice, passesOn } from './certain-uses.ts';
import { carriesValues, ValueUses } from './value-uses.ts';

type Phi = Extract<Instruction, { op: 'phi' }>;

/** What happens to followed values in a block. Values are numbered in their plan. */
export type FlowStep =
  | { readonly kind: 'load'; readonly result: number }
  /** `from`: by number of the block that a lane comes from, what it brings if that is followed. */
  | { readonly kind: 'meeting'; readonly result: number; readonly from: ReadonlyMap<number, number> }
  /** Of two values, as far as they are followed, the first goes on where a condition holds, which is told when lanes come to it. */
  | {
      readonly kind: 'choice';
      readonly result: number;
      readonly gate: number;
      readonly values: readonly [first: number | undefined, second: number | undefined];
      readonly computed: boolean;
    }
  | { readonly kind: 'result'; readonly result: number; readonly of: readonly number[]; readonly computed: boolean }
  /** `computedOnly`: a value as it was read may come here. */
  | { readonly kind: 'use'; readonly of: readonly number[]; readonly computedOnly: boolean };

/** Number of a choice in its plan, and which of the conditions that are told decides it. */
export interface Gate {
  readonly gate: number;
  readonly by: 0 | 1;
}

export interface FlowBlock {
  readonly index: number;
  readonly steps: readonly FlowStep[];
}

export interface FlowPlan {
  readonly values: number;
  /** Numbers of the loads that are followed. */
  readonly loads: ReadonlyMap<Instruction, number>;
  /** By their last instruction: the blocks of which it matters that lanes have gone through. */
  readonly blocks: ReadonlyMap<Instruction, FlowBlock>;
  readonly choices: ReadonlyMap<Instruction, Gate>;
}

/** The plans of the functions that a kernel reaches. */
export class FlowPlans {
  readonly #plans = new Map<string, FlowPlan>();
  /** Instructions at which an engine has to tell that lanes come to them. */
  readonly points: ReadonlySet<Instruction>;

  constructor(module: LoadedModule, kernel: string) {
    const points = new Set<Instruction>();
    for (const name of reachableFrom(module.ir, kernel)) {
      const fn = module.ir.functions.get(name);
      // Of a function that calls itself several are under way.
      const plan = fn && !callsItself(fn) ? planOf(fn) : undefined;
      if (!plan) continue;
      this.#plans.set(name, plan);
      for (const instruction of [...plan.blocks.keys(), ...plan.choices.keys()]) points.add(instruction);
    }
    this.points = points;
  }

  of(name: string): FlowPlan | undefined {
    return this.#plans.get(name);
  }

  follows(load: Instruction, name: string): boolean {
    return this.#plans.get(name)?.loads.has(load) ?? false;
  }
}

function callsItself({ name, blocks }: IrFunction): boolean {
  return blocks.some(({ instructions }) => instructions.some((each) => each.op === 'call' && each.callee === name));
}

/** undefined if the function has no such load. */
function planOf(fn: IrFunction): FlowPlan | undefined {
  const uses = new ValueUses(fn);
  const certain = new CertainUses(fn, uses);
  const isFollowed = (each: Instruction): boolean => each.op === 'load' && uses.isUsed(each) && !certain.has(each);
  const loads = fn.blocks.flatMap(({ instructions }) => instructions.filter(isFollowed));
  return loads.length === 0 ? undefined : new Planner(fn, loads, uses).plan();
}

class Planner {
  readonly #fn: IrFunction;
  readonly #uses: ValueUses;
  readonly #loads: ReadonlyMap<Instruction, number>;
  /** Numbers of values of the function that are followed. */
  readonly #numbers = new Map<number, number>();
  readonly #choices = new Map<Instruction, Gate>();

  constructor(fn: IrFunction, loads: readonly Instruction[], uses: ValueUses) {
    this.#fn = fn;
    this.#uses = uses;
    for (const { id } of loads) this.#number(id);
    this.#loads = new Map(loads.map((load, number) => [load, number]));
    for (let before = 0; before < this.#numbers.size; ) {
      before = this.#numbers.size;
      for (const { instructions } of fn.blocks) {
        for (const each of instructions) if (passesOn(each) && this.#followed(each).length > 0) this.#number(each.id);
      }
    }
  }

  plan(): FlowPlan {
    const steps = this.#fn.blocks.map(({ instructions }) => instructions.flatMap((each) => this.#stepOf(each) ?? []));
    const told = new Set<number>();
    this.#fn.blocks.forEach(({ instructions }, index) => {
      if (steps[index].length > 0) told.add(index);
      for (const each of instructions) {
        if (each.op === 'phi' && this.#numbers.has(each.id)) for (const { block } of each.incoming) told.add(block);
      }
    });
    const blocks = new Map(
      [...told].flatMap((index) => {
        const { instructions } = this.#fn.blocks[index];
        const end = instructions[instructions.length - 1];
        return isTerminator(end.op) && end.op !== 'unreachable' ? [[end, { index, steps: steps[index] }] as const] : [];
      }),
    );
    return { values: this.#numbers.size, loads: this.#loads, blocks, choices: this.#choices };
  }

  #number(id: number): void {
    if (!this.#numbers.has(id)) this.#numbers.set(id, this.#numbers.size);
  }

  #numberOf(operand: Operand): number | undefined {
    return operand.kind === 'value' ? this.#numbers.get(operand.id) : undefined;
  }

  #followed(instruction: Instruction): readonly number[] {
    return numbersOf(operandsOf(instruction).map((operand) => this.#numberOf(operand)));
  }

  #stepOf(instruction: Instruction): readonly FlowStep[] | undefined {
    const load = this.#loads.get(instruction);
    const uses = this.#useOf(instruction);
    if (load !== undefined) return [...uses, { kind: 'load', result: load }];
    const result = this.#numbers.get(instruction.id);
    if (result === undefined || instruction.id < 0) return uses;
    if (instruction.op === 'phi') return [{ kind: 'meeting', result, from: this.#incoming(instruction) }];
    const choice = this.#choiceOf(instruction, result);
    if (choice) return [...uses, choice];
    const of = this.#followed(instruction);
    return [...uses, { kind: 'result', result, of, computed: !carriesValues(instruction) }];
  }

  #incoming({ incoming }: Phi): ReadonlyMap<number, number> {
    return new Map(
      incoming.flatMap(({ value, block }) => {
        const number = this.#numberOf(value);
        return number === undefined ? [] : [[block, number] as const];
      }),
    );
  }

  #choiceOf(instruction: Instruction, result: number): FlowStep | undefined {
    if (!isChoice(instruction)) return undefined;
    const [first, a, b] = operandsOf(instruction).map((operand) => this.#numberOf(operand));
    if (instruction.op === 'select') return { kind: 'choice', result, gate: this.#gate(instruction), values: [a, b], computed: false };
    // One of two conditions may say enough, unless both are followed.
    if ((first === undefined) === (a === undefined)) return undefined;
    const by = first === undefined ? 0 : 1;
    const value = first ?? a;
    const values = instruction.op === 'and' ? ([value, undefined] as const) : ([undefined, value] as const);
    return { kind: 'choice', result, gate: this.#gate(instruction, by), values, computed: true };
  }

  #gate(instruction: Instruction, by: Gate['by'] = 0): number {
    const gate = this.#choices.size;
    this.#choices.set(instruction, { gate, by });
    return gate;
  }

  #useOf(instruction: Instruction): readonly FlowStep[] {
    const use = (operands: readonly Operand[], computedOnly = false): readonly FlowStep[] => {
      const of = numbersOf(operands.map((operand) => this.#numberOf(operand)));
      return of.length === 0 ? [] : [{ kind: 'use', of, computedOnly }];
    };
    switch (instruction.op) {
      case 'load':
        return use([instruction.pointer]);
      case 'store':
        return [...use([instruction.pointer]), ...use([instruction.value], !this.#uses.isPrinted(instruction.pointer))];
      case 'select':
        return use([instruction.condition]);
      case 'phi':
        return [];
      default:
        return passesOn(instruction) ? [] : use(operandsOf(instruction));
    }
  }
}

function numbersOf(numbers: readonly (number | undefined)[]): readonly number[] {
  return numbers.filter((number) => number !== undefined);
}
