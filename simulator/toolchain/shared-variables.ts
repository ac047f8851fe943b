/**
 * NVVM knows that what a kernel gets as a pointer is no shared memory, so that a load of either stays over stores to the other (nvcc's PTX,
 * 13.0). LLVM for this target knows it of variables that no other module can name and whose address goes nowhere; so here shared variables of
 * templates, of files and those that a launch sizes (`extern __shared__`) are such. The latter get a definition for as long as LLVM
 * optimises: of 16 bytes, since LLVM takes what lies behind an access wider than its object for impossible, and with a volatile load that
 * no pass takes them apart for. The text is what Clang writes before any pass.
 */
const KEEPER = '__lanewise.keeper';
const ELEMENTS = 16;

const VARIABLE = /^(@[-\w$.]+|@"[^"]*") = ((?:\w+ )*?)addrspace\(3\) ((?:externally_initialized )?global) (.+)$/gm;
const LINKAGE = /\b(?:linkonce_odr|linkonce|weak_odr|weak|external|dso_local|hidden|protected|common) /g;

/** The module with shared variables that are its own. */
export function withOwnSharedVariables(ir: string): string {
  if (!ir.includes(' addrspace(3) global ')) return ir;
  const sized: string[] = [];
  const own = ir.replace(VARIABLE, (line, name: string, linkage: string, kind: string, rest: string) => {
    if (/\b(?:internal|private)\b/.test(linkage)) return line;
    const inside = `internal ${linkage.replace(LINKAGE, '')}addrspace(3) ${kind} `;
    if (!/\bexternal\b/.test(linkage)) return `${name} = ${inside}${rest.replace(/, comdat(?:\([^)]*\))?/, '')}`;
    const [, element, end] = /^\[0 x (.*)\](, align \d+)?$/.exec(rest) ?? [];
    if (element === undefined) return line;
    sized.push(name);
    return `${name} = ${inside}[${ELEMENTS} x ${element}] undef${end ?? ''}`;
  });
  if (sized.length === 0) return own;
  const loads = sized.map((name, index) => `  %kept.${index} = load volatile i8, ptr addrspace(3) ${name}\n`).join('');
  return `${own}\ndefine void @${KEEPER}() {\n${loads}  ret void\n}\n`;
}

/** What LLVM made of such a module, in which those that a launch sizes have no size again. */
export function withSizesOfLaunches(ir: string): string {
  const keeper = new RegExp(`^(?:; Function Attrs: [^\\n]*\\n)?define [^\\n]*@${KEEPER}\\(\\)[^}]*^\\}\\n`, 'm').exec(ir);
  if (!keeper) return ir;
  const sized = new Set([...keeper[0].matchAll(/load volatile i8, ptr addrspace\(3\) (@[-\w$.]+|@"[^"]*")/g)].map(([, name]) => name));
  return ir
    .replace(keeper[0], '')
    .replace(
      /^(@[-\w$.]+|@"[^"]*") = internal (.*addrspace\(3\) (?:externally_initialized )?global \[)\d+( x .*) undef(,.*)?$/gm,
      (line, name, head, element, end = '') => (sized.has(name) ? `${name} = external ${head}0${element}${end}` : line),
    );
}
