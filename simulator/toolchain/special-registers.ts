/**
 * Indices and sizes of the launch as calls of functions that nobody defines, for as long as LLVM optimises. LLVM 22 knows that
 * `threadIdx.x` lies below 1024, and that a block has threads; by nvcc's PTX (13.0), NVVM takes these registers for any number:
 * `for (int i = threadIdx.x; i < 8; i += 32)` is a loop there, unrolled by four, and `threadIdx.x < 1024` is compared. The text is what Clang
 * writes before any pass, and what it makes of it.
 */
const PREFIX = '__lanewise.register.';
const ATTRIBUTES = 'nocallback nofree nosync nounwind speculatable willreturn memory(none)';

const READ = /\b(call )(?:noundef )?(?:range\([^)]*\) )?(i32 @)llvm\.nvvm\.read\.ptx\.sreg\.((?:tid|ntid|ctaid|nctaid)\.[xyz]|laneid)\(/g;
const HIDDEN = new RegExp(`@${PREFIX.replaceAll('.', '\\.')}`, 'g');

/** The module with calls. */
export function withRegistersAsCalls(ir: string): string {
  const names = new Set<string>();
  const calls = ir.replace(READ, (_, call: string, type: string, name: string) => {
    names.add(name);
    return `${call}${type}${PREFIX}${name}(`;
  });
  if (names.size === 0) return ir;
  return `${calls}\n${[...names].map((name) => `declare i32 @${PREFIX}${name}() ${ATTRIBUTES}\n`).join('')}`;
}

/** What LLVM made of such a module, with the registers again. */
export function withRegistersOfCalls(ir: string): string {
  if (!ir.includes(PREFIX)) return ir;
  const others = new Set([...ir.matchAll(/^declare [^\n]*@(llvm\.nvvm\.read\.ptx\.sreg\.[\w.]+)\(/gm)].map(([, name]) => name));
  // What Clang declares still, since something else than a call refers to it, is not declared twice.
  return ir
    .replace(/^(?:; Function Attrs: [^\n]*\n)?declare [^\n]*@__lanewise\.register\.([\w.]+)\([^\n]*\n/gm, (line, name: string) =>
      others.has(`llvm.nvvm.read.ptx.sreg.${name}`) ? '' : line,
    )
    .replace(HIDDEN, '@llvm.nvvm.read.ptx.sreg.');
}
