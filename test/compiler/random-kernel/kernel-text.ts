/** The text of a kernel while it is made: its lines, the values that its variables have at this point, and the random choices. */

export const TYPES = ['i32', 'i32', 'i32', 'i64', 'i64', 'i16', 'i8', 'i1', 'float', 'double', 'half', '<2 x i32>', 'ptr'] as const;
export type TypeName = (typeof TYPES)[number];

/** A variable of the generated program: the SSA value that it has at this point. */
export interface Variable {
  readonly type: TypeName;
  value: string;
}

/** Words of the output that belong to each thread. */
export const OUT_WORDS_PER_THREAD = 4;

/** A block that leads to a join, and the values of the variables at its end. */
export interface Way {
  readonly from: string;
  readonly values: readonly string[];
}

export class KernelText {
  #state: number;
  #names = 0;
  readonly lines: string[] = [];
  label = 'entry';
  readonly variables: Variable[] = [];
  /** Statements that may still come. */
  budget = 60;
  /** Threads wait for each other elsewhere than at barriers to which all come. */
  waits = false;
  cooperative = false;
  /** Some accesses go wherever an index leads. */
  wild = false;
  /** Chains of flags that are left: each has words of its own. */
  chains = 2;
  /** Threads of the grid. */
  total = 0;
  /** Where a `break` goes, and those that are there already. */
  breaks: { readonly to: string; readonly ways: Way[] } | undefined;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 12345) >>> 0;
  }

  // Random choices.

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)];
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  // Text.

  name(): string {
    return `%v${this.#names++}`;
  }

  newLabel(what: string): string {
    return `${what}${this.#names++}`;
  }

  emit(text: string): void {
    this.lines.push(`  ${text}`);
  }

  define(text: string): string {
    const name = this.name();
    this.emit(`${name} = ${text}`);
    return name;
  }

  open(label: string): void {
    this.lines.push(`${label}:`);
    this.label = label;
  }

  /** Branches to a label; returns the block that this ends. */
  goTo(label: string): string {
    this.emit(`br label %${label}`);
    return this.label;
  }

  // Values.

  of(type: TypeName): string {
    const same = this.variables.filter((v) => v.type === type);
    return same.length > 0 && this.chance(85) ? this.pick(same).value : this.constant(type);
  }

  constant(type: TypeName): string {
    switch (type) {
      case 'i1':
        return this.pick(['true', 'false']);
      case 'float':
      case 'double':
        return this.pick(['1.5', '-2.0', '0.0', '1.0e10', '-0.25']);
      case 'half':
        return this.pick(['0xH3E00', '0xHC000', '0xH0000', '0xH7800']);
      case '<2 x i32>':
        return `<i32 ${this.below(100)}, i32 ${-this.below(100)}>`;
      case 'i8':
        return String(this.pick([0, 1, -1, 127, -128, 7]));
      case 'i16':
        return String(this.pick([0, 1, -1, 32767, -32768, 300]));
      case 'i32':
        return String(this.pick([0, 1, -1, 2147483647, -2147483648, 5, 31, 1000003, 64]));
      case 'i64':
        return String(this.pick([0, 1, -1, '9223372036854775807', '-9223372036854775808', 4294967296, 63, -77]));
      case 'ptr':
        return this.pick(['%in', '%in', 'null', '%sums']);
    }
  }

  restore(values: readonly string[]): void {
    this.variables.forEach((v, k) => {
      v.value = values[k];
    });
  }

  join(label: string, ways: readonly { readonly from: string; readonly values: readonly string[] }[]): void {
    this.open(label);
    this.variables.forEach((v, k) => {
      const distinct = new Set(ways.map((w) => w.values[k]));
      v.value =
        distinct.size === 1 && ways.length === 1
          ? ways[0].values[k]
          : this.define(`phi ${v.type} ${ways.map((w) => `[ ${w.values[k]}, %${w.from} ]`).join(', ')}`);
    });
  }
}
