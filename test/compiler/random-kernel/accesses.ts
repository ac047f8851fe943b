/** Statements without control flow: assignments, stores, atomics, exchanges through shared memory. */
import { expression } from './expressions.ts';
import { type KernelText, OUT_WORDS_PER_THREAD } from './kernel-text.ts';

export function assign(text: KernelText): void {
  const variable = text.pick(text.variables);
  variable.value = expression(text, variable.type);
}

/** A store to the thread's own words of the output. */
export function store(text: KernelText): void {
  const index = text.define(`and i32 ${text.of('i32')}, ${OUT_WORDS_PER_THREAD - 1}`);
  const pointer = text.define(`getelementptr [${OUT_WORDS_PER_THREAD} x i32], ptr %out, i32 %gid, i32 ${index}`);
  text.emit(`store i32 ${text.of('i32')}, ptr ${pointer}, align 4`);
}

export function sum(text: KernelText): void {
  const index = text.define(`and i32 ${text.of('i32')}, 63`);
  const pointer = text.define(`getelementptr i32, ptr %sums, i32 ${index}`);
  text.define(`atomicrmw add ptr ${pointer}, i32 ${text.of('i32')} monotonic`);
}

/** A number that says how many came before: both engines must let warps and lanes go in the same order. */
export function ticket(text: KernelText): void {
  const variable = text.variables.find((v) => v.type === 'i32')!;
  const index = text.define(`and i32 ${text.of('i32')}, 3`);
  const pointer = text.define(`getelementptr i32, ptr %sums, i32 ${index}`);
  variable.value = text.define(`atomicrmw add ptr ${pointer}, i32 1 monotonic`);
}

/** An atomic of any kind in global or shared memory, on words that only its type uses. Float sums are exact. */
export function atomic(text: KernelText): void {
  const type = text.pick(['i32', 'i32', 'i64', 'float', 'double', 'i16', 'i8'] as const);
  const first = { i32: 72, i64: 40, float: 64, double: 33, i16: 152, i8: 312 }[type];
  const place = text.define(`add i32 ${text.define(`and i32 ${text.of('i32')}, ${type.startsWith('i') ? 3 : 1}`)}, ${first}`);
  const shared = text.chance(40);
  const base = shared ? 'ptr addrspace(3) @bins' : 'ptr %sums';
  const pointer = text.define(`getelementptr ${type}, ${base}, i32 ${place}`);
  const at = `${shared ? 'ptr addrspace(3)' : 'ptr'} ${pointer}`;
  const variable = text.variables.find((v) => v.type === type);
  if (type === 'float' || type === 'double') {
    const old = text.define(`atomicrmw ${text.pick(['fadd', 'fsub'])} ${at}, ${type} ${text.pick(['1.5', '-2.0', '0.25'])} monotonic`);
    if (variable) variable.value = old;
    return;
  }
  if (text.chance(25)) {
    const pair = text.define(`cmpxchg ${at}, ${type} ${text.below(3)}, ${type} ${text.of(type)} monotonic monotonic`);
    const old = text.define(`extractvalue { ${type}, i1 } ${pair}, 0`);
    const swapped = text.define(`extractvalue { ${type}, i1 } ${pair}, 1`);
    if (variable) variable.value = text.define(`select i1 ${swapped}, ${type} 7, ${type} ${old}`);
    return;
  }
  const operations = ['xchg', 'add', 'sub', 'and', 'nand', 'or', 'xor', 'max', 'min', 'umax', 'umin'];
  const operation = text.pick(type === 'i32' ? [...operations, 'uinc_wrap', 'udec_wrap'] : operations);
  const operand = text.chance(30) ? '1' : text.of(type);
  const old = text.define(`atomicrmw ${operation} ${at}, ${type} ${operand} monotonic`);
  if (variable && text.chance(60)) variable.value = old;
}

/** Memory of the thread's own, which most give back. */
export function heap(text: KernelText): void {
  const variable = text.variables.find((v) => v.type === 'i32')!;
  const memory = text.define(`call ptr @malloc(i64 ${4 * (2 + text.below(6))})`);
  const place = text.define(`getelementptr i32, ptr ${memory}, i32 ${text.define(`and i32 ${text.of('i32')}, 1`)}`);
  text.emit(`store i32 ${text.of('i32')}, ptr ${place}, align 4`);
  variable.value = text.define(`load i32, ptr ${memory}, align 4`);
  if (text.chance(80)) text.emit(`call void @free(ptr ${memory})`);
}

/** Through shared memory to another thread, or to another lane. */
export function exchange(text: KernelText): void {
  const variable = text.variables.find((v) => v.type === 'i32')!;
  const mine = text.define('getelementptr [128 x i32], ptr addrspacecast (ptr addrspace(3) @shared to ptr), i32 0, i32 %tid');
  text.emit(`store i32 ${text.of('i32')}, ptr ${mine}, align 4`);
  text.emit('call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)');
  const other = text.define(`urem i32 ${text.define(`add i32 %tid, ${text.below(40)}`)}, %threads`);
  const its = text.define(`getelementptr [128 x i32], ptr addrspacecast (ptr addrspace(3) @shared to ptr), i32 0, i32 ${other}`);
  variable.value = text.define(`load i32, ptr ${its}, align 4`);
  text.emit('call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)');
  if (text.chance(40)) {
    const mode = text.pick(['up', 'down', 'bfly', 'idx']);
    variable.value = text.define(
      `call i32 @llvm.nvvm.shfl.sync.${mode}.i32(i32 -1, i32 ${variable.value}, i32 ${text.below(32)}, i32 ${mode === 'up' ? 0 : 31})`,
    );
  }
}
