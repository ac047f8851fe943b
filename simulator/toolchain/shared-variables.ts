/**
 * NVVM knows that what a kernel gets as a pointer is no shared memory, so that a load of either stays over stores to the other (nvcc's PTX,
 * 13.0). LLVM for this target knows it of variables that no other module can name and whose address goes nowhere; so here shared variables of
 * templates, of files and those that a launch sizes (`extern __shared__`) are such. The latter get a definition for as long as LLVM
 * optimises: of 16 bytes, since LLVM takes what lies behind an access wider than its object for impossible, and with a volatile load that
 * no pass takes them apart for. NVVM removes a variable that the source only writes, but not one whose loads it has forwarded from
 * stores: those stay (nvcc's PTX of 20 kernels, `static __device__` variables alike), where LLVM 22 looks for such variables once more at the
 * end. So these get such a load, too. The text is what Clang writes before any pass.
 */
const KEEPER = '__lanewise.keeper';
const ELEMENTS = 16;
/** What the keeper loads of a variable that a launch sizes, and of one that has its size. */
const [SIZED, READ] = ['i8', 'i16'];

const VARIABLE = /^(@[-\w$.]+|@"[^"]*") = ((?:\w+ )*?)addrspace\(3\) ((?:externally_initialized )?global) (.+)$/gm;
const OWN = /^(@[-\w$.]+|@"[^"]*") = internal (?:\w+ )*?addrspace\(([13])\) (?:externally_initialized )?global /gm;
const SIZED_LOAD = new RegExp(`load volatile ${SIZED}, ptr addrspace\\(3\\) (@[-\\w$.]+|@"[^"]*")`, 'g');
const NAME = /[@%](?:[-\w$.]+|"[^"]*")/g;
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
  const kept = [
    ...sized.map((name) => `volatile ${SIZED}, ptr addrspace(3) ${name}`),
    ...readVariables(own, new Set(sized)).map(({ name, space }) => `volatile ${READ}, ptr addrspace(${space}) ${name}`),
  ];
  if (kept.length === 0) return own;
  const loads = kept.map((each, index) => `  %kept.${index} = load ${each}\n`).join('');
  return `${own}\ndefine void @${KEEPER}() {\n${loads}  ret void\n}\n`;
}

/** The module's own variables that are more than written. */
function readVariables(ir: string, sized: ReadonlySet<string>): readonly { readonly name: string; readonly space: string }[] {
  const own = [...ir.matchAll(OWN)].map(([, name, space]) => ({ name, space })).filter(({ name }) => !sized.has(name));
  if (own.length === 0) return [];
  const names = new Set(own.map(({ name }) => name));
  const read = new Set<string>();
  for (const [body] of ir.matchAll(/^define .*?^\}$/gms)) {
    if (!/addrspace\([13]\) @/.test(body)) continue;
    // By name of a value: the variable that it is the address of.
    const addresses = new Map<string, string>();
    for (const line of body.split('\n')) {
      for (const [word] of line.matchAll(NAME)) {
        const variable = names.has(word) ? word : addresses.get(word);
        if (variable === undefined || line.startsWith(`  ${word} = `)) continue;
        const result = /^ +(%[-\w$.]+) = getelementptr /.exec(line)?.[1];
        if (result !== undefined) addresses.set(result, variable);
        else if (!/^ +store /.test(line) || line.lastIndexOf(word) < line.lastIndexOf(', ptr ')) read.add(variable);
      }
    }
  }
  return own.filter(({ name }) => read.has(name));
}

/** What LLVM made of such a module, in which those that a launch sizes have no size again. */
export function withSizesOfLaunches(ir: string): string {
  const keeper = new RegExp(`^(?:; Function Attrs: [^\\n]*\\n)?define [^\\n]*@${KEEPER}\\(\\)[^}]*^\\}\\n`, 'm').exec(ir);
  if (!keeper) return ir;
  const sized = new Set([...keeper[0].matchAll(SIZED_LOAD)].map(([, name]) => name));
  return ir
    .replace(keeper[0], '')
    .replace(
      /^(@[-\w$.]+|@"[^"]*") = internal (.*addrspace\(3\) (?:externally_initialized )?global \[)\d+( x .*) undef(,.*)?$/gm,
      (line, name, head, element, end = '') => (sized.has(name) ? `${name} = external ${head}0${element}${end}` : line),
    );
}
