/** Statements after which results depend on the order in which lanes, warps and blocks go. */
import { assign, ticket } from './accesses.ts';
import { comparison } from './expressions.ts';
import { type KernelText, OUT_WORDS_PER_THREAD } from './kernel-text.ts';

export function wait(text: KernelText, together: boolean): void {
  const choice = text.below(8);
  if (choice === 0) lock(text);
  else if (choice === 1) readClock(text);
  else if (choice === 2) call(text);
  else if (choice === 3) shuffleAnywhere(text);
  else if (choice === 4 && together && text.chains > 0) chain(text);
  else if (choice === 5 && together) barrierOnEachSide(text);
  else if (choice === 6 && together && text.cooperative) exchangeOverGrid(text);
  else if (choice === 7) vote(text);
  else ticket(text);
}

/** Address of a word behind the threads' own words of the output. */
function mail(text: KernelText, index: string): string {
  const at = text.define(`add i32 ${index}, ${text.total * OUT_WORDS_PER_THREAD}`);
  return text.define(`getelementptr i32, ptr %out, i32 ${at}`);
}

/** Takes a lock of the whole grid and changes a word under it in a way in which the order matters. */
function lock(text: KernelText): void {
  const lock = mail(text, String(3 * text.total));
  const word = mail(text, String(3 * text.total + 1));
  const variable = text.variables.find((v) => v.type === 'i32')!;
  const [spin, taken, out] = ['spin', 'taken', 'out'].map((what) => text.newLabel(what));
  text.emit(`br label %${spin}`);
  text.open(spin);
  const pair = text.define(`cmpxchg ptr ${lock}, i32 0, i32 1 acquire monotonic`);
  text.emit(`br i1 ${text.define(`extractvalue { i32, i1 } ${pair}, 1`)}, label %${taken}, label %${spin}`);
  text.open(taken);
  const old = text.define(`load volatile i32, ptr ${word}, align 4`);
  const tripled = text.define(`mul i32 ${old}, 3`);
  text.emit(`store volatile i32 ${text.define(`add i32 ${tripled}, ${text.of('i32')}`)}, ptr ${word}, align 4`);
  text.emit('fence release');
  text.define(`atomicrmw xchg ptr ${lock}, i32 0 release`);
  text.goTo(out);
  text.open(out);
  variable.value = old;
}

/** Each thread waits for the flag of the one before, of the block before for its first, and raises its own. */
function chain(text: KernelText): void {
  const first = --text.chains * text.total + text.total;
  const variable = text.variables.find((v) => v.type === 'i32')!;
  const entry = text.label;
  const [spin, out] = ['spin', 'out'].map((what) => text.newLabel(what));
  const before = mail(text, text.define(`add i32 %gid, ${first - 1}`));
  text.emit(`br i1 ${text.define('icmp eq i32 %gid, 0')}, label %${out}, label %${spin}`);
  text.open(spin);
  const seen = text.define(`load volatile i32, ptr ${before}, align 4`);
  text.emit(`br i1 ${text.define(`icmp eq i32 ${seen}, 0`)}, label %${spin}, label %${out}`);
  text.open(out);
  const value = text.define(`phi i32 [ 1, %${entry} ], [ ${seen}, %${spin} ]`);
  const raised = text.define(`or i32 ${text.define(`mul i32 ${value}, 5`)}, 1`);
  text.emit(`store volatile i32 ${raised}, ptr ${mail(text, text.define(`add i32 %gid, ${first}`))}, align 4`);
  variable.value = value;
}

function readClock(text: KernelText): void {
  const wide = text.variables.find((v) => v.type === 'i64');
  const variable = wide ?? text.variables.find((v) => v.type === 'i32')!;
  variable.value = text.define(wide ? 'call i64 @llvm.nvvm.read.ptx.sreg.clock64()' : 'call i32 @llvm.nvvm.read.ptx.sreg.clock()');
}

function call(text: KernelText): void {
  const variable = text.variables.find((v) => v.type === 'i32')!;
  const word = mail(text, String(3 * text.total + 2 + text.below(4)));
  // Through a pointer, lanes may call different functions.
  const through = (): string => text.define(`select i1 ${text.of('i1')}, ptr @ways, ptr @most`);
  const callee = text.chance(40) ? through() : text.pick(['@ways', '@most']);
  variable.value = text.define(`call i32 ${callee}(i32 ${text.of('i32')}, i32 ${text.of('i32')}, ptr ${word})`);
}

/** All lanes of the warp are named, though some may be elsewhere or never come. */
function shuffleAnywhere(text: KernelText): void {
  const variable = text.variables.find((v) => v.type === 'i32')!;
  const mode = text.pick(['up', 'down', 'bfly', 'idx']);
  const distance = text.chance(50) ? String(text.below(32)) : text.of('i32');
  variable.value = text.define(
    `call i32 @llvm.nvvm.shfl.sync.${mode}.i32(i32 -1, i32 ${text.of('i32')}, i32 ${distance}, i32 ${mode === 'up' ? 0 : 31})`,
  );
}

/** Votes and matches: most name all lanes; some name half of them, or what a value says. */
function vote(text: KernelText): void {
  const variable = text.variables.find((v) => v.type === 'i1' && text.chance(50)) ?? text.variables.find((v) => v.type === 'i32')!;
  if (variable.type === 'i32' && text.chance(20)) {
    variable.value = text.define('call i32 @llvm.nvvm.activemask()');
    return;
  }
  if (variable.type === 'i32' && text.chance(30)) {
    const type = text.pick(['i32', 'i64'] as const);
    const few = text.chance(60) ? text.define(`and ${type} ${text.of(type)}, 3`) : text.of(type);
    variable.value = text.define(
      `call i32 @llvm.nvvm.match.any.sync.${type}(i32 ${text.chance(80) ? '-1' : text.of('i32')}, ${type} ${few})`,
    );
    return;
  }
  const kind = variable.type === 'i1' ? text.pick(['any', 'all', 'uni']) : 'ballot';
  const members = text.chance(70) ? '-1' : text.chance(50) ? '65535' : text.of('i32');
  variable.value = text.define(`call ${variable.type} @llvm.nvvm.vote.${kind}.sync(i32 ${members}, i1 ${text.of('i1')})`);
}

/** Threads come to one of two barriers: one by one, they are counted as if it was the same. */
function barrierOnEachSide(text: KernelText): void {
  const [left, right, join] = ['left', 'right', 'join'].map((what) => text.newLabel(what));
  text.emit(`br i1 ${comparison(text)}, label %${left}, label %${right}`);
  const before = text.variables.map((v) => v.value);
  const ways = [left, right].map((label) => {
    text.restore(before);
    text.open(label);
    assign(text);
    text.emit('call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)');
    ticket(text);
    return { from: text.goTo(join), values: text.variables.map((v) => v.value) };
  });
  text.join(join, ways);
}

function exchangeOverGrid(text: KernelText): void {
  const variable = text.variables.find((v) => v.type === 'i32')!;
  text.emit(`store i32 ${text.of('i32')}, ptr ${mail(text, '%gid')}, align 4`);
  text.emit('call void @__lanewise_grid_sync()');
  const other = text.define(`urem i32 ${text.define(`add i32 %gid, ${text.below(99)}`)}, ${text.total}`);
  variable.value = text.define(`load i32, ptr ${mail(text, other)}, align 4`);
  text.emit('call void @__lanewise_grid_sync()');
}
