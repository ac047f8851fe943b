/**
 * Constants that nvcc (13.0) keeps in global memory, where loads of them are requests: tables that the program did not call
 * `__constant__`, as `__device__ const int hash[256] = {…}` and `static const float weights[5] = {…}` in a function (its PTX has `.global`
 * and `ld.global.nc` for them). Clang puts every constant of device code into constant memory. Our headers annotate those that the program
 * wants there. The text is what Clang writes before any pass.
 */

/** As host_defines.h says it. */
const ANNOTATION = 'lanewise.constant';

/** The module with such tables in global memory, and without the annotations. */
export function withTablesInGlobalMemory(ir: string): string {
  if (!ir.includes(' addrspace(4) constant ')) return withoutAnnotations(ir);
  const wanted = annotatedNames(ir);
  const tables = new Set<string>();
  for (const [, name, linkage] of ir.matchAll(/^(@[\w$.]+|@"[^"]*") = ([^=\n]*?)\baddrspace\(4\) constant /gm)) {
    // What Clang makes of a function's own array (`__const.f.x`) is private, and nvcc stores its elements one by one.
    if (!/\b(private|externally_initialized)\b/.test(linkage) && !wanted.has(name)) tables.add(name);
  }
  if (tables.size === 0) return withoutAnnotations(ir);
  return withoutAnnotations(ir)
    .replace(/^(@[\w$.]+|@"[^"]*")( = [^=\n]*?)\baddrspace\(4\) constant /gm, (line, name, between) =>
      tables.has(name) ? `${name}${between}addrspace(1) constant ` : line,
    )
    .replace(/\baddrspace\(4\) (@[\w$.]+|@"[^"]*")/g, (use, name) => (tables.has(name) ? `addrspace(1) ${name}` : use));
}

const ANNOTATIONS = /^@llvm\.global\.annotations = .*\n/m;

/** Variables with our annotation. */
function annotatedNames(ir: string): ReadonlySet<string> {
  const texts = new Set(
    [...ir.matchAll(/^(@[\w$.]+) = .* c"([^"]*)\\00", section "llvm\.metadata"/gm)].flatMap(([, name, text]) =>
      text === ANNOTATION ? [name] : [],
    ),
  );
  const [annotations = ''] = ANNOTATIONS.exec(ir) ?? [];
  const pairs = annotations.matchAll(
    /addrspace\(4\) (@[\w$.]+|@"[^"]*") to ptr\), ptr (?:addrspace\(\d+\) |addrspacecast \(ptr addrspace\(\d+\) )?(@[\w$.]+)/g,
  );
  return new Set([...pairs].flatMap(([, name, text]) => (texts.has(text) ? [name] : [])));
}

/** An annotation keeps its variable, though nobody uses it. Those of functions (clusters) are asked for later. */
function withoutAnnotations(ir: string): string {
  return ir.replace(ANNOTATIONS, (line) => (/ ptr @(?!\.str|\.args)/.test(line) ? line : ''));
}
