/** Which names are worth offering, and in which order. */

/** C++'s words and CUDA's that begin statements and declarations; Clang offers names alone. */
export const KEYWORDS: readonly string[] = [
  ...['alignas', 'alignof', 'auto', 'bool', 'break', 'case', 'catch', 'char', 'class', 'const', 'const_cast', 'constexpr', 'continue'],
  ...['decltype', 'default', 'delete', 'do', 'double', 'dynamic_cast', 'else', 'enum', 'explicit', 'extern', 'false', 'float', 'for'],
  ...['friend', 'if', 'inline', 'int', 'long', 'mutable', 'namespace', 'new', 'noexcept', 'nullptr', 'operator', 'private', 'protected'],
  ...['public', 'reinterpret_cast', 'return', 'short', 'signed', 'sizeof', 'static', 'static_assert', 'static_cast', 'struct', 'switch'],
  ...[
    'template',
    'this',
    'throw',
    'true',
    'try',
    'typedef',
    'typename',
    'union',
    'unsigned',
    'using',
    'virtual',
    'void',
    'volatile',
    'while',
  ],
];

/** What belongs to the headers and the compiler and to nobody's program. */
const INTERNAL = /^(__lanewise|__LANEWISE|__get_|__builtin_|__cxx|__libcpp|_LIBCPP|_GLIBCXX|__GNUC|__clang|__CLANG|__cpp_|operator\b)/;
/** Names that begin so are the compiler's unless CUDA has them. */
const RESERVED = /^_[_A-Z]/;

/** `typed` is what stands before the cursor of the name. */
export function isOffered(name: string, typed: string): boolean {
  // Constructors of templates are called `vector<_Tp, _Alloc>`.
  if (INTERNAL.test(name) || !/^[A-Za-z_]\w*$/.test(name)) return false;
  if (RESERVED.test(name) && !typed.startsWith('_') && (typed.length < 3 || !name.toLowerCase().includes(typed.toLowerCase())))
    return false;
  return typed === '' || rankOf(name, typed) < NO_MATCH;
}

const NO_MATCH = 5;

/** Smaller is better: how the name contains what was typed. */
export function rankOf(name: string, typed: string): number {
  if (typed === '') return RESERVED.test(name) ? 1 : 0;
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  const [lower, part] = [name.toLowerCase(), typed.toLowerCase()];
  if (lower.startsWith(part)) return 2;
  if (lower.includes(part)) return 3;
  return isWithin(lower, part) ? 4 : NO_MATCH;
}

/** All its letters in this order, the first as the first: `cmc` in `cudaMemcpy`. */
function isWithin(name: string, typed: string): boolean {
  if (name.replace(/^_+/, '')[0] !== typed[0]) return false;
  let at = 0;
  for (const letter of name) if (letter === typed[at]) at++;
  return at === typed.length;
}

/** Types of CUDA's variables as the guide has them; our headers read them by functions. */
export function typeShown(type: string): string {
  return type.replace(/__lanewise_(\w+)/, (_, what: string) => (/_(dim|size)$|dimension/.test(what) ? 'dim3' : 'uint3'));
}
