/**
 * Marks the atomics by which our headers make barriers in shared memory (`cuda::barrier`, `__mbarrier_arrive`): on hardware they are
 * instructions of their own (SYNCS), which no counter of shared memory has. LLVM keeps a scope whatever it is called, and the parser of
 * the IR (ir/instruction-parsers.ts) knows this one. The text is what Clang writes before any pass.
 */
const BARRIER_SCOPE = 'lanewise.barrier';

const ATOMIC =
  /^( +(?:%\S+ = )?(?:atomicrmw|load atomic|store atomic|cmpxchg) .*?)(?: syncscope\("[^"]*"\))?( (?:monotonic|acquire|release|acq_rel|seq_cst)\b)/gm;

export function withBarrierScopes(ir: string): string {
  if (!ir.includes('BlockBarrierWord')) return ir;
  return ir.replace(/^define [^\n]*BlockBarrierWord[^\n]*\n.*?^\}$/gms, (body) =>
    body.replace(ATOMIC, (_, access, ordering) => `${access} syncscope("${BARRIER_SCOPE}")${ordering}`),
  );
}
