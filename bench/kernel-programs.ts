/**
 * Makes programs of kernels without a main: each kernel of a file is launched once with arguments of its types. Pointers get buffers of
 * small numbers, numbers what the file says of them or 32, structures buffers for their pointers. Knows no suite.
 */

export interface Launch {
  readonly grid: readonly number[];
  readonly block: readonly number[];
}

interface Kernel {
  readonly name: string;
  /** With types, as written. */
  readonly parameters: readonly string[];
  /** What stands for the types that it is a template of. */
  readonly types: ReadonlyMap<string, string>;
}

/** What tools of verification let a kernel say, as nothing. */
const ANNOTATIONS = [
  ...['requires', 'ensures', 'global_invariant', 'function_wide_invariant', 'candidate_invariant', 'global_assert', 'assert', 'assume'],
  ...['barrier_invariant', 'array_snapshot', 'axiom', 'requires_fresh_array'],
];

const PRELUDE = `#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cassert>
#include <cstdio>
#include <type_traits>
${ANNOTATIONS.map((name) => `#define __${name}(...) ((void)0)`).join('\n')}
#define DRIVER_KEEP(name) asm volatile("" : : "l"(&name) : "memory")
#define __invariant(...) true
#define __non_temporal(x) (x)
#define __uniform_int(x) true
#include <curand_kernel.h>
namespace cooperative_groups {
template <class G> __device__ void synchronize(const G& group) { group.sync(); }
}
#line 1
`;

const HELPERS = `
template <class T> T* driverBuffer() {
  static int words[1 << 16];
  for (int k = 0; k < (1 << 16); ++k) words[k] = (k * 7 + 3) % 32;
  char* all;
  cudaMalloc(&all, 1 << 22);
  for (int k = 0; k < 16; ++k) cudaMemcpy(all + k * sizeof words, words, sizeof words, cudaMemcpyHostToDevice);
  return (T*)all;
}
template <class F, F function> __device__ F driverPointer = function;
template <class F, F function> F driverFunction() {
  F pointer;
  cudaMemcpyFromSymbol(&pointer, driverPointer<F, function>, sizeof pointer);
  return pointer;
}
template <class T> T driverValue(long long number) {
  if constexpr (std::is_pointer_v<T>) return (T)driverBuffer<char>();
  else if constexpr (std::is_enum_v<T>) return (T)1;
  else if constexpr (std::is_arithmetic_v<T>) return (T)number;
  else return T{};
}
`;

/**
 * Undefined if the text has no kernel. `kept`: the compiler must keep stores to the shared variables of kernels that nobody reads, which it
 * removes otherwise, like any optimising compiler.
 */
export function programOf(text: string, { grid, block }: Launch, kept: boolean): string | undefined {
  const kernels = kernelsIn(text);
  if (kernels.length === 0) return undefined;
  const source = kept ? withKeptVariables(text) : text;
  const own = source.replace(/^\s*#\s*include\s*[<"](?:cuda|call_kernel|stdio|assert|curand\w*)[.\w]*[>"]/gm, '');
  const defines = [...text.matchAll(/^\/\/.*?-D(\w+)=(\w+)/gm)].map(([, name, value]) => `#define ${name} ${value}\n`).join('');
  const launches = kernels.map((kernel, index) => launchOf(kernel, index, text, { grid, block })).join('\n');
  return `${defines}${PRELUDE}${own}\n${bodiesOf(text)}${HELPERS}\nint main() {\n${variablesOf(text)}${launches}\n  return 0;\n}\n`;
}

/** Addresses of shared variables, where these are declared in a function, go to an empty piece of assembly. */
function withKeptVariables(text: string): string {
  let depth = 0;
  let kept = '';
  for (const line of text.split('\n')) {
    depth += line.split('{').length - 1;
    const declared = depth > 0 && !line.includes('extern') ? /^(\s*__shared__[\w\s]*?(\w+)\s*(?:\[[^;]*\])*\s*;)(.*)$/.exec(line) : null;
    kept += declared ? `${declared[1]} DRIVER_KEEP(${declared[2]});${declared[3]}\n` : `${line}\n`;
    depth -= line.split('}').length - 1;
  }
  return kept;
}

/** Device functions that the text declares and does not define, of which its tool assumes nothing: they give 3. */
function bodiesOf(text: string): string {
  const declared = [...text.matchAll(/^\s*(?:extern\s+)?(__device__\s+([\w ]*?)\s*\b(\w+)\s*\([^)]*\))[^;{}()]*(?:\(\([^)]*\)\))?\s*;/gm)];
  return declared
    .filter(([, , , name]) => !new RegExp(`\\b${name}\\s*\\([^)]*\\)\\s*\\{`).test(text))
    .map(([, head, type]) => `${head} {${type.trim() === 'void' ? '' : ' return 3; '}}\n`)
    .join('');
}

function launchOf({ name, parameters, types }: Kernel, index: number, text: string, { grid, block }: Launch): string {
  const kernel = types.size === 0 ? name : `${name}<${[...types.values()].join(', ')}>`;
  const lines = parameters.flatMap((parameter, k) => {
    const own = `a${index}_${k}`;
    const argument = argumentFor(nameOf(parameter), text, block);
    const type = `std::decay_t<${typeOf(parameter, types)}>`;
    if (isFunction(argument, text)) return [`  auto ${own} = driverFunction<${type}, ${argument}>();`];
    return [`  auto ${own} = driverValue<${type}>(${argument});`, ...pointersOf(typeName(parameter), own, text)];
  });
  const args = parameters.map((_, k) => `a${index}_${k}`);
  const shape = `dim3(${grid.join(', ')}), dim3(${block.join(', ')})`;
  const call = /\b(?:multi_)?grid_group\b/.test(text)
    ? `    void* all[] = {${args.map((each) => `&${each}`).join(', ')}};\n    cudaLaunchCooperativeKernel((void*)${kernel}, ${shape}, all, 0, 0);`
    : `    ${kernel}<<<${shape}, ${text.includes('extern __shared__') ? 4096 : 0}>>>(${args.join(', ')});`;
  return `  {\n${lines.join('\n')}\n${call}\n    if (cudaDeviceSynchronize() != cudaSuccess) return 1;\n  }`;
}

function kernelsIn(text: string): Kernel[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const pattern =
    /(?:template\s*<([^>]*)>\s*)?__global__\s+(?:(?:static|inline|__launch_bounds__\s*\([^)]*\))\s+)*void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(/g;
  return [...plain.matchAll(pattern)].flatMap((match) => {
    const begin = match.index + match[0].length;
    const parameters = piecesUntilClosed(plain, begin);
    if (!/^\s*\{/.test(plain.slice(parameters.end + 1))) return [];
    const names = [...(match[1] ?? '').matchAll(/\b(?:typename|class)\s+(\w+)/g)].map(([, each]) => each);
    const types = new Map(names.map((each) => [each, /id|index/i.test(each) ? 'int' : 'float']));
    return [{ name: match[2], parameters: parameters.pieces, types }];
  });
}

/** What commas separate up to the parenthesis that closes. */
function piecesUntilClosed(text: string, begin: number): { readonly pieces: string[]; readonly end: number } {
  const pieces = [''];
  let depth = 0;
  let at = begin;
  for (; at < text.length && (depth > 0 || text[at] !== ')'); at++) {
    if ('(<['.includes(text[at])) depth++;
    if (')>]'.includes(text[at])) depth--;
    if (text[at] === ',' && depth === 0) pieces.push('');
    else pieces[pieces.length - 1] += text[at];
  }
  return { pieces: pieces.map((each) => each.trim()).filter((each) => each !== '' && each !== 'void'), end: at };
}

function nameOf(parameter: string): string {
  return /(\w+)\s*(?:\[[^\]]*\]\s*)*$/.exec(parameter)?.[1] ?? '';
}

/** `int* p`, `float y[][N]` and `T a`, without the names. */
function typeOf(parameter: string, types: Kernel['types']): string {
  const bare = parameter.replace(/\b(?:__restrict__|__restrict|const|volatile)\b/g, ' ');
  const [, before, dimensions] = /^([\s\S]*?)\w+\s*((?:\[[^\]]*\]\s*)*)$/.exec(bare) ?? ['', bare, ''];
  const plain = before.replace(/\w+/g, (word) => types.get(word) ?? word);
  const inner = dimensions.replace(/^\[[^\]]*\]/, '').trim();
  if (dimensions.trim() === '') return plain.trim();
  return inner === '' ? `${plain.trim()} *` : `${plain.trim()} (*)${inner}`;
}

function typeName(parameter: string): string {
  return /\*|\[/.test(parameter) ? '' : (/^(?:const\s+|struct\s+)*(\w+)/.exec(parameter)?.[1] ?? '');
}

/** Buffers for the pointers that are variables of the device. */
function variablesOf(text: string): string {
  const pointers = [...text.matchAll(/^__device__\s+[\w ]+\*\s*(\w+)\s*;/gm)];
  return pointers
    .map(([, name]) => `  {\n    char* all = driverBuffer<char>();\n    cudaMemcpyToSymbol(${name}, &all, sizeof all);\n  }\n`)
    .join('');
}

/** What the file demands of an argument, or says of it in its first lines. */
function argumentFor(name: string, text: string, [block]: readonly number[]): string {
  const demanded = new RegExp(`__(?:requires|assume)\\s*\\(\\s*${name}\\s*==\\s*([\\w.]+)`).exec(text)?.[1];
  const said = new RegExp(`^//\\s*${name}\\s*=\\s*(\\d+)\\s*$`, 'm').exec(text)?.[1];
  if (demanded === 'blockDim.x') return String(block);
  return demanded ?? said ?? '32';
}

function isFunction(name: string, text: string): boolean {
  return new RegExp(`__device__[^;{}]*\\b${name}\\s*\\(`).test(text);
}

/** Assignments of buffers to the pointers that a structure has. */
function pointersOf(type: string, object: string, text: string): string[] {
  const [, base, body] =
    new RegExp(`\\bstruct\\s+${type}\\b\\s*(?::\\s*(?:public\\s+)?(\\w+)\\s*)?\\{([^{}]*)\\}`).exec(text) ??
    (type === '' ? [] : (new RegExp(`\\btypedef\\s+struct\\s*\\w*\\s*()\\{([^{}]*)\\}\\s*${type}\\s*;`).exec(text) ?? []));
  if (body === undefined) return [];
  const members = body.split(';').flatMap((member) => {
    const pointer = /^\s*[\w\s]+?\*\s*(?:__restrict__\s*)?(\w+)\s*(?:\[(\d+)\])?\s*$/.exec(member);
    if (pointer?.[2]) return [`  for (auto& each : ${object}.${pointer[1]}) each = (decltype(+each))driverBuffer<char>();`];
    if (pointer) return [`  ${object}.${pointer[1]} = (decltype(${object}.${pointer[1]}))driverBuffer<char>();`];
    const nested = /^\s*(?:struct\s+)?(\w+)\s+(\w+)\s*$/.exec(member);
    return nested ? pointersOf(nested[1], `${object}.${nested[2]}`, text) : [];
  });
  return [...(base ? pointersOf(base, object, text) : []), ...members];
}
