/**
 * Where an `if` is the last of a loop's round, nothing lies between its end and the step of the loop, so that to NVVM both are one place
 * (simulator/ir/ways-behind.ts). Clang's end says that the variables of the round have ended; such an end gets a name that says what it is.
 * The text is what Clang writes before any pass.
 */
const FUNCTION = /^define .*?^\}$/gms;
const END = /^(if\.end\d*):.*\n(?: +call void @llvm\.lifetime\.end\..*\n)+ +br label %for\.inc/gm;

/** The module with `for.inc.if.end` for such ends. */
export function withEmptyEnds(ir: string): string {
  return ir.replace(FUNCTION, (body) => {
    const ends = new Set([...body.matchAll(END)].map(([, label]) => label));
    if (ends.size === 0) return body;
    return body.replace(/^(if\.end\d*)(?=:)|(?<=%)if\.end\d*(?![-\w$.])/gm, (label) => (ends.has(label) ? `for.inc.${label}` : label));
  });
}
