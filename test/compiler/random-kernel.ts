/**
 * Kernels made from a seed, as IR text: nested and irreducible control flow, loops that lanes leave one by one, early returns, barriers
 * where all threads come by, integers from 1 to 64 bits, half, single and double precision, vectors, shared memory, sums and shuffles,
 * pointers and indices of 32 and 64 bits, some of which leave the address space: a few kernels access memory through them.
 * They always end, and most have no races. Some have lanes, warps and blocks that wait for each other: locks, chains of flags, grid
 * barriers, barriers and shuffles in divergent code, calls, clocks. What those leave depends on who comes first, and every engine must
 * leave the same memory and the same counters.
 */

export interface RandomKernel {
  readonly ir: string;
  readonly threads: number;
  readonly blocks: number;
  readonly cooperative: boolean;
  /** Words of the input, the output and the sums: parameters `in`, `out` and `sums`. */
  readonly words: { readonly in: number; readonly out: number; readonly sums: number };
}

const TYPES = ['i32', 'i32', 'i32', 'i64', 'i64', 'i16', 'i8', 'i1', 'float', 'double', 'half', '<2 x i32>', 'ptr'] as const;
type TypeName = (typeof TYPES)[number];

/** A variable of the generated program: the SSA value that it has at this point. */
interface Variable {
  readonly type: TypeName;
  value: string;
}

const MAX_DEPTH = 4;
const OUT_WORDS_PER_THREAD = 4;

export function randomKernel(seed: number): RandomKernel {
  return new Generator(seed).kernel();
}

class Generator {
  #state: number;
  #names = 0;
  #lines: string[] = [];
  #label = 'entry';
  readonly #variables: Variable[] = [];
  #budget = 60;
  /** Threads wait for each other elsewhere than at barriers to which all come. */
  #waits = false;
  #cooperative = false;
  /** Some accesses go wherever an index leads. */
  #wild = false;
  /** Chains of flags that are left: each has words of its own. */
  #chains = 2;
  #total = 0;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 12345) >>> 0;
  }

  kernel(): RandomKernel {
    const threads = this.#pick([32, 33, 64, 96, 17]);
    const blocks = this.#pick([1, 2, 5]);
    this.#waits = this.#chance(40);
    this.#cooperative = this.#waits && this.#chance(50);
    this.#total = threads * blocks;
    this.#wild = this.#chance(10);
    for (let count = 7 + this.#below(5), k = 0; k < count; k++) {
      const type = k < 2 ? 'i32' : this.#pick(TYPES);
      this.#variables.push({ type, value: '' });
    }
    for (const variable of this.#variables) variable.value = this.#start(variable.type);
    this.#statements(0, true);
    const body = this.#finish();
    return {
      ir: `${HEADER}${FUNCTIONS}${PROLOGUE}${body}}\n`,
      threads,
      blocks,
      cooperative: this.#cooperative,
      words: { in: 256, out: this.#total * (OUT_WORDS_PER_THREAD + 3) + 16, sums: 96 },
    };
  }

  // Random choices.

  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)];
  }

  #chance(percent: number): boolean {
    return this.#below(100) < percent;
  }

  // Text.

  #name(): string {
    return `%v${this.#names++}`;
  }

  #newLabel(what: string): string {
    return `${what}${this.#names++}`;
  }

  #emit(text: string): void {
    this.#lines.push(`  ${text}`);
  }

  #define(text: string): string {
    const name = this.#name();
    this.#emit(`${name} = ${text}`);
    return name;
  }

  #open(label: string): void {
    this.#lines.push(`${label}:`);
    this.#label = label;
  }

  // Values.

  #of(type: TypeName): string {
    const same = this.#variables.filter((v) => v.type === type);
    return same.length > 0 && this.#chance(85) ? this.#pick(same).value : this.#constant(type);
  }

  #constant(type: TypeName): string {
    switch (type) {
      case 'i1':
        return this.#pick(['true', 'false']);
      case 'float':
      case 'double':
        return this.#pick(['1.5', '-2.0', '0.0', '1.0e10', '-0.25']);
      case 'half':
        return this.#pick(['0xH3E00', '0xHC000', '0xH0000', '0xH7800']);
      case '<2 x i32>':
        return `<i32 ${this.#below(100)}, i32 ${-this.#below(100)}>`;
      case 'i8':
        return String(this.#pick([0, 1, -1, 127, -128, 7]));
      case 'i16':
        return String(this.#pick([0, 1, -1, 32767, -32768, 300]));
      case 'i32':
        return String(this.#pick([0, 1, -1, 2147483647, -2147483648, 5, 31, 1000003, 64]));
      case 'i64':
        return String(this.#pick([0, 1, -1, '9223372036854775807', '-9223372036854775808', 4294967296, 63, -77]));
      case 'ptr':
        return this.#pick(['%in', '%in', 'null', '%sums']);
    }
  }

  #start(type: TypeName): string {
    const from = this.#pick(['%tid', '%gid', '%n', '%word']);
    switch (type) {
      case 'i32':
        return this.#define(`xor i32 ${from}, ${this.#below(64)}`);
      case 'i64':
        return this.#define(`sext i32 ${from} to i64`);
      case 'i16':
      case 'i8':
      case 'i1':
        return this.#define(`trunc i32 ${from} to ${type}`);
      case 'float':
      case 'double':
      case 'half':
        return this.#define(`sitofp i32 ${this.#define(`and i32 ${from}, 1023`)} to ${type}`);
      case '<2 x i32>': {
        const one = this.#define(`insertelement <2 x i32> zeroinitializer, i32 ${from}, i32 0`);
        return this.#define(`insertelement <2 x i32> ${one}, i32 %tid, i32 1`);
      }
      case 'ptr':
        return this.#chance(50) ? '%start' : this.#define(`getelementptr i32, ptr %in, i32 ${from}`);
    }
  }

  #expression(type: TypeName): string {
    switch (type) {
      case 'i1':
        return this.#comparison();
      case 'float':
      case 'double':
      case 'half':
        return this.#floating(type);
      case '<2 x i32>':
        return this.#vector();
      case 'ptr':
        return this.#pointer();
      default:
        return this.#integer(type);
    }
  }

  #integer(type: 'i8' | 'i16' | 'i32' | 'i64'): string {
    const choice = this.#below(12);
    if ((type === 'i32' || type === 'i64') && this.#chance(12)) return this.#define(`ptrtoint ptr ${this.#of('ptr')} to ${type}`);
    if (choice < 6) {
      const op = this.#pick(['add', 'sub', 'mul', 'and', 'or', 'xor', 'shl', 'lshr', 'ashr', 'udiv', 'sdiv', 'urem', 'srem']);
      return this.#define(`${op} ${type} ${this.#of(type)}, ${this.#of(type)}`);
    }
    if (choice === 6) return this.#define(`select i1 ${this.#of('i1')}, ${type} ${this.#of(type)}, ${type} ${this.#of(type)}`);
    if (choice === 7 && type === 'i32') return this.#load();
    if (choice === 8) {
      const float = this.#pick(['float', 'double'] as const);
      return this.#define(`${this.#pick(['fptosi', 'fptoui'])} ${float} ${this.#of(float)} to ${type}`);
    }
    if (choice === 9 && type !== 'i8') {
      const narrow = this.#pick(
        type === 'i64' ? (['i32', 'i16', 'i1'] as const) : type === 'i32' ? (['i16', 'i8', 'i1'] as const) : (['i8', 'i1'] as const),
      );
      return this.#define(`${this.#pick(['zext', 'sext'])} ${narrow} ${this.#of(narrow)} to ${type}`);
    }
    if (choice === 10 && type !== 'i64') {
      const wide = this.#pick(type === 'i32' ? (['i64'] as const) : (['i64', 'i32'] as const));
      return this.#define(`trunc ${wide} ${this.#of(wide)} to ${type}`);
    }
    if (type === 'i32' || type === 'i64') {
      if (this.#chance(40)) {
        const bits = this.#pick(['ctpop', 'ctlz', 'cttz', 'abs']);
        return this.#define(`call ${type} @llvm.${bits}.${type}(${type} ${this.#of(type)}${bits === 'ctpop' ? '' : ', i1 false'})`);
      }
      const call = this.#pick(['smin', 'smax', 'umin', 'umax']);
      return this.#define(`call ${type} @llvm.${call}.${type}(${type} ${this.#of(type)}, ${type} ${this.#of(type)})`);
    }
    return this.#define(`sub ${type} 0, ${this.#of(type)}`);
  }

  #pointer(): string {
    const choice = this.#below(10);
    if (choice === 0) return this.#define(`inttoptr i64 ${this.#of('i64')} to ptr`);
    if (choice === 1) return this.#define(`select i1 ${this.#of('i1')}, ptr ${this.#of('ptr')}, ptr ${this.#of('ptr')}`);
    if (choice === 2) {
      const distance = this.#pick([4, -4, 60, -60, 100000, -100000, 2147483648, -2147483648, 4294967296, -4294967296]);
      return this.#define(`getelementptr i8, ptr ${this.#of('ptr')}, i64 ${distance}`);
    }
    const base = this.#chance(60) ? this.#pick(['%in', '%sums']) : this.#of('ptr');
    const element = this.#pick(['i8', 'i16', 'i32', 'i32', 'i64', '[3 x i32]', '[48 x i8]', '[65536 x i64]']);
    const indices = [this.#index(), ...(element[0] === '[' && this.#chance(60) ? [this.#index()] : [])];
    return this.#define(`getelementptr ${element}, ptr ${base}, ${indices.join(', ')}`);
  }

  #index(): string {
    switch (this.#below(5)) {
      case 0:
        return `i64 ${this.#of('i64')}`;
      case 1:
        return `i32 ${this.#of('i32')}`;
      case 2:
        return `i64 ${this.#define(`and i64 ${this.#of('i64')}, 255`)}`;
      default: {
        const from = this.#pick(['i32', 'i32', 'i32', 'i16', 'i8'] as const);
        const index = this.#chance(30) ? '%gid' : this.#of(from);
        return `i64 ${this.#define(`${this.#pick(['sext', 'zext'])} ${index === '%gid' ? 'i32' : from} ${index} to i64`)}`;
      }
    }
  }

  #comparison(): string {
    if (this.#chance(8)) return this.#define(`icmp ${this.#pick(['eq', 'ne', 'ult', 'uge'])} ptr ${this.#of('ptr')}, ${this.#of('ptr')}`);
    const choice = this.#below(4);
    if (choice === 0) return this.#define(`${this.#pick(['and', 'or', 'xor'])} i1 ${this.#of('i1')}, ${this.#of('i1')}`);
    if (choice === 1) {
      const type = this.#pick(['float', 'double', 'half'] as const);
      const predicate = this.#pick(['oeq', 'ogt', 'oge', 'olt', 'ole', 'one', 'ord', 'ueq', 'ugt', 'uge', 'ult', 'ule', 'une', 'uno']);
      return this.#define(`fcmp ${predicate} ${type} ${this.#of(type)}, ${this.#of(type)}`);
    }
    const type = this.#pick(['i8', 'i16', 'i32', 'i32', 'i64'] as const);
    const predicate = this.#pick(['eq', 'ne', 'ugt', 'uge', 'ult', 'ule', 'sgt', 'sge', 'slt', 'sle']);
    return this.#define(`icmp ${predicate} ${type} ${this.#of(type)}, ${this.#of(type)}`);
  }

  #floating(type: 'float' | 'double' | 'half'): string {
    const choice = this.#below(8);
    if (choice < 4) return this.#define(`${this.#pick(['fadd', 'fsub', 'fmul', 'fdiv'])} ${type} ${this.#of(type)}, ${this.#of(type)}`);
    if (choice === 4) {
      const from = this.#pick(['i8', 'i16', 'i32', 'i64'] as const);
      return this.#define(`${this.#pick(['sitofp', 'uitofp'])} ${from} ${this.#of(from)} to ${type}`);
    }
    if (choice === 5 && type === 'double') return this.#define(`fpext float ${this.#of('float')} to double`);
    if (choice === 5 && type === 'float') return this.#define(`fptrunc double ${this.#of('double')} to float`);
    if (choice === 6 && type !== 'half') {
      const suffix = type === 'float' ? 'f32' : 'f64';
      return this.#define(`call ${type} @llvm.${this.#pick(['fabs', 'sqrt', 'floor', 'trunc'])}.${suffix}(${type} ${this.#of(type)})`);
    }
    if (choice === 7 && type !== 'half') {
      const suffix = type === 'float' ? 'f32' : 'f64';
      return this.#define(
        `call ${type} @llvm.${this.#pick(['minnum', 'maxnum'])}.${suffix}(${type} ${this.#of(type)}, ${type} ${this.#of(type)})`,
      );
    }
    return this.#define(`select i1 ${this.#of('i1')}, ${type} ${this.#of(type)}, ${type} ${this.#of(type)}`);
  }

  #vector(): string {
    if (this.#chance(60)) {
      const op = this.#pick(['add', 'sub', 'mul', 'xor', 'and']);
      return this.#define(`${op} <2 x i32> ${this.#of('<2 x i32>')}, ${this.#of('<2 x i32>')}`);
    }
    if (this.#chance(50))
      return this.#define(`shufflevector <2 x i32> ${this.#of('<2 x i32>')}, <2 x i32> ${this.#of('<2 x i32>')}, <2 x i32> <i32 1, i32 2>`);
    return this.#define(`insertelement <2 x i32> ${this.#of('<2 x i32>')}, i32 ${this.#of('i32')}, i32 ${this.#below(2)}`);
  }

  #load(): string {
    if (this.#wild && this.#chance(30)) return this.#define(`load i32, ptr ${this.#of('ptr')}, align 4`);
    if (this.#chance(40)) {
      const index = this.#define(`and i64 ${this.#of('i64')}, 255`);
      return this.#define(`load i32, ptr ${this.#define(`getelementptr i32, ptr %in, i64 ${index}`)}, align 4`);
    }
    const index = this.#define(`and i32 ${this.#of('i32')}, 255`);
    const pointer = this.#define(`getelementptr i32, ptr %in, i32 ${index}`);
    return this.#define(`load i32, ptr ${pointer}, align 4`);
  }

  // Statements. `together`: all threads of the block come by.

  #statements(depth: number, together: boolean): void {
    for (let count = 2 + this.#below(4); count > 0 && this.#budget > 0; count--) {
      this.#budget--;
      const choice = this.#below(100);
      if (this.#waits && this.#chance(18)) this.#wait(together);
      else if (choice < 45 || depth >= MAX_DEPTH) this.#assign();
      else if (choice < 62) this.#branch(depth, together);
      else if (choice < 78) this.#loop(depth, together);
      else if (choice < 83) this.#irreducible();
      else if (choice < 88) this.#sum();
      else if (choice < 91) this.#store();
      else if (choice < 93 && depth === 0) this.#ticket();
      else if (choice < 94) this.#atomic();
      else if (together) this.#exchange();
      else this.#assign();
    }
  }

  #assign(): void {
    const variable = this.#pick(this.#variables);
    variable.value = this.#expression(variable.type);
  }

  /** A store to the thread's own words of the output. */
  #store(): void {
    const index = this.#define(`and i32 ${this.#of('i32')}, ${OUT_WORDS_PER_THREAD - 1}`);
    const pointer = this.#define(`getelementptr [${OUT_WORDS_PER_THREAD} x i32], ptr %out, i32 %gid, i32 ${index}`);
    this.#emit(`store i32 ${this.#of('i32')}, ptr ${pointer}, align 4`);
  }

  #sum(): void {
    const index = this.#define(`and i32 ${this.#of('i32')}, 63`);
    const pointer = this.#define(`getelementptr i32, ptr %sums, i32 ${index}`);
    this.#define(`atomicrmw add ptr ${pointer}, i32 ${this.#of('i32')} monotonic`);
  }

  /** A number that says how many came before: both engines must let warps and lanes go in the same order. */
  #ticket(): void {
    const variable = this.#variables.find((v) => v.type === 'i32')!;
    const index = this.#define(`and i32 ${this.#of('i32')}, 3`);
    const pointer = this.#define(`getelementptr i32, ptr %sums, i32 ${index}`);
    variable.value = this.#define(`atomicrmw add ptr ${pointer}, i32 1 monotonic`);
  }

  /** An atomic of any kind in global or shared memory, on words that only its type uses. Float sums are exact. */
  #atomic(): void {
    const type = this.#pick(['i32', 'i64', 'float', 'double'] as const);
    const first = { i32: 72, i64: 40, float: 64, double: 33 }[type];
    const place = this.#define(
      `add i32 ${this.#define(`and i32 ${this.#of('i32')}, ${type === 'i32' || type === 'i64' ? 3 : 1}`)}, ${first}`,
    );
    const shared = this.#chance(40);
    const base = shared ? 'ptr addrspace(3) @bins' : 'ptr %sums';
    const pointer = this.#define(`getelementptr ${type}, ${base}, i32 ${place}`);
    const at = `${shared ? 'ptr addrspace(3)' : 'ptr'} ${pointer}`;
    const variable = this.#variables.find((v) => v.type === type);
    if (type === 'float' || type === 'double') {
      const old = this.#define(`atomicrmw ${this.#pick(['fadd', 'fsub'])} ${at}, ${type} ${this.#pick(['1.5', '-2.0', '0.25'])} monotonic`);
      if (variable) variable.value = old;
      return;
    }
    if (this.#chance(25)) {
      const pair = this.#define(`cmpxchg ${at}, ${type} ${this.#below(3)}, ${type} ${this.#of(type)} monotonic monotonic`);
      const old = this.#define(`extractvalue { ${type}, i1 } ${pair}, 0`);
      const swapped = this.#define(`extractvalue { ${type}, i1 } ${pair}, 1`);
      if (variable) variable.value = this.#define(`select i1 ${swapped}, ${type} 7, ${type} ${old}`);
      return;
    }
    const operations = ['xchg', 'add', 'sub', 'and', 'nand', 'or', 'xor', 'max', 'min', 'umax', 'umin'];
    const operation = this.#pick(type === 'i32' ? [...operations, 'uinc_wrap', 'udec_wrap'] : operations);
    const operand = this.#chance(30) ? '1' : this.#of(type);
    const old = this.#define(`atomicrmw ${operation} ${at}, ${type} ${operand} monotonic`);
    if (variable && this.#chance(60)) variable.value = old;
  }

  /** Through shared memory to another thread, or to another lane. */
  #exchange(): void {
    const variable = this.#variables.find((v) => v.type === 'i32')!;
    const mine = this.#define('getelementptr [128 x i32], ptr addrspacecast (ptr addrspace(3) @shared to ptr), i32 0, i32 %tid');
    this.#emit(`store i32 ${this.#of('i32')}, ptr ${mine}, align 4`);
    this.#emit('call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)');
    const other = this.#define(`urem i32 ${this.#define(`add i32 %tid, ${this.#below(40)}`)}, %threads`);
    const its = this.#define(`getelementptr [128 x i32], ptr addrspacecast (ptr addrspace(3) @shared to ptr), i32 0, i32 ${other}`);
    variable.value = this.#define(`load i32, ptr ${its}, align 4`);
    this.#emit('call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)');
    if (this.#chance(40)) {
      const mode = this.#pick(['up', 'down', 'bfly', 'idx']);
      variable.value = this.#define(
        `call i32 @llvm.nvvm.shfl.sync.${mode}.i32(i32 -1, i32 ${variable.value}, i32 ${this.#below(32)}, i32 ${mode === 'up' ? 0 : 31})`,
      );
    }
  }

  // Statements after which results depend on the order in which lanes, warps and blocks go.

  #wait(together: boolean): void {
    const choice = this.#below(8);
    if (choice === 0) this.#lock();
    else if (choice === 1) this.#readClock();
    else if (choice === 2) this.#call();
    else if (choice === 3) this.#shuffleAnywhere();
    else if (choice === 4 && together && this.#chains > 0) this.#chain();
    else if (choice === 5 && together) this.#barrierOnEachSide();
    else if (choice === 6 && together && this.#cooperative) this.#exchangeOverGrid();
    else if (choice === 7) this.#vote();
    else this.#ticket();
  }

  /** Address of a word behind the threads' own words of the output. */
  #mail(index: string): string {
    const at = this.#define(`add i32 ${index}, ${this.#total * OUT_WORDS_PER_THREAD}`);
    return this.#define(`getelementptr i32, ptr %out, i32 ${at}`);
  }

  /** Takes a lock of the whole grid and changes a word under it in a way in which the order matters. */
  #lock(): void {
    const lock = this.#mail(String(3 * this.#total));
    const word = this.#mail(String(3 * this.#total + 1));
    const variable = this.#variables.find((v) => v.type === 'i32')!;
    const [spin, taken, out] = ['spin', 'taken', 'out'].map((what) => this.#newLabel(what));
    this.#emit(`br label %${spin}`);
    this.#open(spin);
    const pair = this.#define(`cmpxchg ptr ${lock}, i32 0, i32 1 acquire monotonic`);
    this.#emit(`br i1 ${this.#define(`extractvalue { i32, i1 } ${pair}, 1`)}, label %${taken}, label %${spin}`);
    this.#open(taken);
    const old = this.#define(`load volatile i32, ptr ${word}, align 4`);
    const tripled = this.#define(`mul i32 ${old}, 3`);
    this.#emit(`store volatile i32 ${this.#define(`add i32 ${tripled}, ${this.#of('i32')}`)}, ptr ${word}, align 4`);
    this.#emit('fence release');
    this.#define(`atomicrmw xchg ptr ${lock}, i32 0 release`);
    this.#goTo(out);
    this.#open(out);
    variable.value = old;
  }

  /** Each thread waits for the flag of the one before, of the block before for its first, and raises its own. */
  #chain(): void {
    const first = --this.#chains * this.#total + this.#total;
    const variable = this.#variables.find((v) => v.type === 'i32')!;
    const entry = this.#label;
    const [spin, out] = ['spin', 'out'].map((what) => this.#newLabel(what));
    const before = this.#mail(this.#define(`add i32 %gid, ${first - 1}`));
    this.#emit(`br i1 ${this.#define('icmp eq i32 %gid, 0')}, label %${out}, label %${spin}`);
    this.#open(spin);
    const seen = this.#define(`load volatile i32, ptr ${before}, align 4`);
    this.#emit(`br i1 ${this.#define(`icmp eq i32 ${seen}, 0`)}, label %${spin}, label %${out}`);
    this.#open(out);
    const value = this.#define(`phi i32 [ 1, %${entry} ], [ ${seen}, %${spin} ]`);
    const raised = this.#define(`or i32 ${this.#define(`mul i32 ${value}, 5`)}, 1`);
    this.#emit(`store volatile i32 ${raised}, ptr ${this.#mail(this.#define(`add i32 %gid, ${first}`))}, align 4`);
    variable.value = value;
  }

  #readClock(): void {
    const wide = this.#variables.find((v) => v.type === 'i64');
    const variable = wide ?? this.#variables.find((v) => v.type === 'i32')!;
    variable.value = this.#define(wide ? 'call i64 @llvm.nvvm.read.ptx.sreg.clock64()' : 'call i32 @llvm.nvvm.read.ptx.sreg.clock()');
  }

  #call(): void {
    const variable = this.#variables.find((v) => v.type === 'i32')!;
    const word = this.#mail(String(3 * this.#total + 2 + this.#below(4)));
    variable.value = this.#define(`call i32 @${this.#pick(['ways', 'most'])}(i32 ${this.#of('i32')}, i32 ${this.#of('i32')}, ptr ${word})`);
  }

  /** All lanes of the warp are named, though some may be elsewhere or never come. */
  #shuffleAnywhere(): void {
    const variable = this.#variables.find((v) => v.type === 'i32')!;
    const mode = this.#pick(['up', 'down', 'bfly', 'idx']);
    const distance = this.#chance(50) ? String(this.#below(32)) : this.#of('i32');
    variable.value = this.#define(
      `call i32 @llvm.nvvm.shfl.sync.${mode}.i32(i32 -1, i32 ${this.#of('i32')}, i32 ${distance}, i32 ${mode === 'up' ? 0 : 31})`,
    );
  }

  #vote(): void {
    const variable = this.#variables.find((v) => v.type === 'i1') ?? this.#variables.find((v) => v.type === 'i32')!;
    const kind = variable.type === 'i1' ? this.#pick(['any', 'all']) : 'ballot';
    variable.value = this.#define(`call ${variable.type} @llvm.nvvm.vote.${kind}.sync(i32 -1, i1 ${this.#of('i1')})`);
  }

  /** Threads come to one of two barriers: one by one, they are counted as if it was the same. */
  #barrierOnEachSide(): void {
    const [left, right, join] = ['left', 'right', 'join'].map((what) => this.#newLabel(what));
    this.#emit(`br i1 ${this.#comparison()}, label %${left}, label %${right}`);
    const before = this.#variables.map((v) => v.value);
    const ways = [left, right].map((label) => {
      this.#restore(before);
      this.#open(label);
      this.#assign();
      this.#emit('call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)');
      this.#ticket();
      return { from: this.#goTo(join), values: this.#variables.map((v) => v.value) };
    });
    this.#join(join, ways);
  }

  #exchangeOverGrid(): void {
    const variable = this.#variables.find((v) => v.type === 'i32')!;
    this.#emit(`store i32 ${this.#of('i32')}, ptr ${this.#mail('%gid')}, align 4`);
    this.#emit('call void @__lanewise_grid_sync()');
    const other = this.#define(`urem i32 ${this.#define(`add i32 %gid, ${this.#below(99)}`)}, ${this.#total}`);
    variable.value = this.#define(`load i32, ptr ${this.#mail(other)}, align 4`);
    this.#emit('call void @__lanewise_grid_sync()');
  }

  #branch(depth: number, together: boolean): void {
    const uniform = this.#chance(30);
    const condition = uniform ? this.#define(`icmp sgt i32 %n, ${this.#below(20)}`) : this.#comparison();
    const [then, otherwise, join] = ['then', 'else', 'join'].map((what) => this.#newLabel(what));
    this.#emit(`br i1 ${condition}, label %${then}, label %${otherwise}`);
    const before = this.#variables.map((v) => v.value);
    this.#open(then);
    this.#statements(depth + 1, together && uniform);
    const leaves = this.#chance(10) && !together;
    const thenEnd = leaves ? this.#leave() : this.#goTo(join);
    const thenValues = this.#variables.map((v) => v.value);
    this.#restore(before);
    this.#open(otherwise);
    if (this.#chance(60)) this.#statements(depth + 1, together && uniform);
    const elseEnd = this.#goTo(join);
    const elseValues = this.#variables.map((v) => v.value);
    this.#join(join, [...(thenEnd ? [{ from: thenEnd, values: thenValues }] : []), { from: elseEnd, values: elseValues }]);
  }

  /** Bounded by a counter; lanes may leave early, or skip the rest of a round. */
  #loop(depth: number, together: boolean): void {
    const uniform = this.#chance(50);
    const rounds = uniform ? String(1 + this.#below(6)) : this.#define(`and i32 ${this.#of('i32')}, 7`);
    const [header, body, latch, exit] = ['header', 'body', 'latch', 'exit'].map((what) => this.#newLabel(what));
    const entry = this.#goTo(header);
    const before = this.#variables.map((v) => v.value);
    const counter = this.#name();
    const next = this.#name();
    const phis = this.#variables.map((v) => {
      v.value = this.#name();
      return v.value;
    });
    const at = this.#lines.length;
    const more = this.#name();
    const exits: { from: string; values: string[] }[] = [{ from: header, values: [...phis] }];
    this.#open(body);
    this.#statements(depth + 1, together && uniform);
    const latches: { from: string; values: string[] }[] = [];
    const stays = together && uniform;
    if (!stays && this.#chance(40)) {
      const condition = this.#comparison();
      const stay = this.#newLabel('stay');
      const leave = this.#chance(50);
      this.#emit(`br i1 ${condition}, label %${leave ? exit : latch}, label %${stay}`);
      (leave ? exits : latches).push({ from: this.#label, values: this.#variables.map((v) => v.value) });
      this.#open(stay);
      this.#statements(depth + 1, false);
    }
    latches.push({ from: this.#goTo(latch), values: this.#variables.map((v) => v.value) });
    this.#join(latch, latches);
    this.#emit(`${next} = add i32 ${counter}, 1`);
    this.#emit(`br label %${header}`);
    const back = this.#variables.map((v) => v.value);
    const head = [
      `${header}:`,
      `  ${counter} = phi i32 [ 0, %${entry} ], [ ${next}, %${latch} ]`,
      ...this.#variables.map((v, k) => `  ${phis[k]} = phi ${v.type} [ ${before[k]}, %${entry} ], [ ${back[k]}, %${latch} ]`),
      `  ${more} = icmp ult i32 ${counter}, ${rounds}`,
      `  br i1 ${more}, label %${body}, label %${exit}`,
    ];
    this.#lines.splice(at, 0, ...head);
    this.#join(exit, exits);
  }

  /** Two blocks that lead to each other and are both entered from outside. */
  #irreducible(): void {
    const [left, right, exit] = ['left', 'right', 'out'].map((what) => this.#newLabel(what));
    const entry = this.#label;
    this.#emit(`br i1 ${this.#comparison()}, label %${left}, label %${right}`);
    const before = this.#variables.map((v) => v.value);
    const names = { left: this.#variables.map(() => this.#name()), right: this.#variables.map(() => this.#name()) };
    const counters = { left: this.#name(), right: this.#name() };
    const steps = { left: this.#name(), right: this.#name() };
    const ends: { from: string; values: string[] }[] = [];
    const bodies: Record<'left' | 'right', { lines: string[]; values: string[] }> = {
      left: { lines: [], values: [] },
      right: { lines: [], values: [] },
    };
    for (const side of ['left', 'right'] as const) {
      const label = side === 'left' ? left : right;
      const at = this.#lines.length;
      this.#restore(names[side]);
      this.#label = label;
      this.#assign();
      this.#assign();
      const done = this.#define(`icmp ugt i32 ${counters[side]}, ${3 + this.#below(6)}`);
      const stop = this.#chance(50) ? done : this.#define(`or i1 ${done}, ${this.#comparison()}`);
      this.#emit(`${steps[side]} = add i32 ${counters[side]}, 1`);
      this.#emit(`br i1 ${stop}, label %${exit}, label %${side === 'left' ? right : left}`);
      bodies[side] = { lines: this.#lines.splice(at), values: this.#variables.map((v) => v.value) };
      ends.push({ from: label, values: bodies[side].values });
    }
    for (const side of ['left', 'right'] as const) {
      const other = side === 'left' ? 'right' : 'left';
      const [label, otherLabel] = side === 'left' ? [left, right] : [right, left];
      this.#lines.push(
        `${label}:`,
        `  ${counters[side]} = phi i32 [ 0, %${entry} ], [ ${steps[other]}, %${otherLabel} ]`,
        ...this.#variables.map(
          (v, k) => `  ${names[side][k]} = phi ${v.type} [ ${before[k]}, %${entry} ], [ ${bodies[other].values[k]}, %${otherLabel} ]`,
        ),
        ...bodies[side].lines,
      );
    }
    this.#join(exit, ends);
  }

  /** Branches to a label; returns the block that this ends. */
  #goTo(label: string): string {
    this.#emit(`br label %${label}`);
    return this.#label;
  }

  /** An early return. */
  #leave(): undefined {
    this.#store();
    this.#emit('ret void');
    return undefined;
  }

  #restore(values: readonly string[]): void {
    this.#variables.forEach((v, k) => {
      v.value = values[k];
    });
  }

  #join(label: string, ways: readonly { readonly from: string; readonly values: readonly string[] }[]): void {
    this.#open(label);
    this.#variables.forEach((v, k) => {
      const distinct = new Set(ways.map((w) => w.values[k]));
      v.value =
        distinct.size === 1 && ways.length === 1
          ? ways[0].values[k]
          : this.#define(`phi ${v.type} ${ways.map((w) => `[ ${w.values[k]}, %${w.from} ]`).join(', ')}`);
    });
  }

  /** Folds all variables into the output. NaNs become one number: their payloads are nobody's business. */
  #finish(): string {
    let sum = '0';
    const add = (value: string): void => {
      sum = this.#define(`add i32 ${this.#define(`mul i32 ${sum}, 31`)}, ${value}`);
    };
    for (const { type, value } of this.#variables) {
      if (type === 'i32') add(value);
      else if (type === 'i64') {
        add(this.#define(`trunc i64 ${value} to i32`));
        add(this.#define(`trunc i64 ${this.#define(`lshr i64 ${value}, 32`)} to i32`));
      } else if (type === 'ptr') add(this.#define(`ptrtoint ptr ${value} to i32`));
      else if (type === 'i16' || type === 'i8' || type === 'i1') add(this.#define(`zext ${type} ${value} to i32`));
      else if (type === '<2 x i32>') for (const lane of [0, 1]) add(this.#define(`extractelement <2 x i32> ${value}, i32 ${lane}`));
      else {
        const bits = { float: 'i32', double: 'i64', half: 'i16' }[type];
        const safe = this.#define(
          `select i1 ${this.#define(`fcmp uno ${type} ${value}, ${value}`)}, ${type} ${type === 'half' ? '0xH0000' : '0.0'}, ${type} ${value}`,
        );
        const raw = this.#define(`bitcast ${type} ${safe} to ${bits}`);
        add(
          bits === 'i32'
            ? raw
            : bits === 'i64'
              ? this.#define(`trunc i64 ${this.#define(`lshr i64 ${raw}, 20`)} to i32`)
              : this.#define(`zext i16 ${raw} to i32`),
        );
      }
    }
    const pointer = this.#define(`getelementptr [${OUT_WORDS_PER_THREAD} x i32], ptr %out, i32 %gid, i32 0`);
    this.#emit(`store i32 ${sum}, ptr ${pointer}, align 4`);
    this.#emit('ret void');
    return `${this.#lines.join('\n')}\n`;
  }
}

const HEADER = `target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [128 x i32] undef, align 4
@bins = internal addrspace(3) global [96 x i32] undef, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__lanewise_grid_sync()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
${['up', 'down', 'bfly', 'idx'].map((mode) => `declare i32 @llvm.nvvm.shfl.sync.${mode}.i32(i32, i32, i32, i32)`).join('\n')}
${['minnum', 'maxnum'].flatMap((name) => ['float @llvm.NAME.f32(float, float)', 'double @llvm.NAME.f64(double, double)'].map((d) => `declare ${d.replace('NAME', name)}`)).join('\n')}
${['smin', 'smax', 'umin', 'umax'].flatMap((name) => ['i32', 'i64'].map((t) => `declare ${t} @llvm.${name}.${t}(${t}, ${t})`)).join('\n')}
${['ctpop', 'ctlz', 'cttz', 'abs'].flatMap((name) => ['i32', 'i64'].map((t) => `declare ${t} @llvm.${name}.${t}(${t}${name === 'ctpop' ? '' : ', i1'})`)).join('\n')}
${['fabs', 'sqrt', 'floor', 'trunc'].flatMap((name) => ['float @llvm.NAME.f32(float)', 'double @llvm.NAME.f64(double)'].map((d) => `declare ${d.replace('NAME', name)}`)).join('\n')}
`;

/** Functions that part lanes and let them return one by one: `ways` by its operands, `most` by a loop until a word is at least as large. */
const FUNCTIONS = `
define internal i32 @ways(i32 %a, i32 %b, ptr %word) noinline {
entry:
  %odd = and i32 %a, 1
  %isOdd = icmp ne i32 %odd, 0
  br i1 %isOdd, label %early, label %work
early:
  %x = mul i32 %b, 7
  ret i32 %x
work:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %s = phi i32 [ %b, %entry ], [ %s1, %next ]
  %t = and i32 %s, 3
  %quit = icmp eq i32 %t, 3
  br i1 %quit, label %leave, label %next
next:
  %s1 = add i32 %s, %k
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 5
  br i1 %more, label %work, label %done
leave:
  %old = atomicrmw add ptr %word, i32 1 monotonic
  ret i32 %old
done:
  ret i32 %s1
}
define internal i32 @most(i32 %a, i32 %b, ptr %word) noinline {
entry:
  %start = load volatile i32, ptr %word, align 4
  %wanted = xor i32 %a, %b
  br label %check
check:
  %seen = phi i32 [ %start, %entry ], [ %now, %swap ]
  %enough = icmp sge i32 %seen, %wanted
  br i1 %enough, label %out, label %swap
swap:
  %pair = cmpxchg ptr %word, i32 %seen, i32 %wanted monotonic monotonic
  %now = extractvalue { i32, i1 } %pair, 0
  %mine = extractvalue { i32, i1 } %pair, 1
  br i1 %mine, label %out, label %check
out:
  %result = phi i32 [ %seen, %check ], [ %now, %swap ]
  ret i32 %result
}
`;

const PROLOGUE = `define ptx_kernel void @k(ptr %in, ptr %out, ptr %sums, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %bid, %threads
  %gid = add i32 %first, %tid
  %start = getelementptr i32, ptr %in, i32 %tid
  %word = load i32, ptr %start, align 4
`;
