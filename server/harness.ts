/** Writes harnesses: programs around one kernel, which make its buffers, launch it, and hand what it read and wrote to the report. Pure. */
import { basename, dirname, join } from 'node:path';
import type { CallableOutline, KernelOutline, Outline } from '../protocol/finding.ts';
import type { HarnessParams, HarnessSuffix, HarnessText, RunnableKernel } from '../protocol/harness.ts';

const SUFFIX: HarnessSuffix = '.harness.cu';
const FILLS = ['zeros', 'ones', 'iota', 'random'];

/** `path`: of the file that has the kernels. */
export function runnableKernels(outline: Outline, path: string): RunnableKernel[] {
  return outline.kernels.map((kernel) => ({
    name: kernel.name,
    templates: kernel.templates,
    parameters: kernel.parameters,
    launch: kernel.launches.map(({ grid, block }) => `${grid}, ${block}`).find((launch) => /^[\d\s,().dim]+$/.test(launch)),
    references: outline.functions.filter((each) => takesTheSame(each, kernel)).map(({ name }) => name),
    harness: harnessPath(path, kernel.name),
  }));
}

export function harnessPath(path: string, kernel: string): string {
  return join(dirname(path), `${basename(path).replace(/\.\w+$/, '')}.${plainName(kernel)}${SUFFIX}`);
}

interface Answers extends Omit<HarnessParams, 'uri'> {
  /** Directives in front of the file in the program that includes it. */
  readonly before: readonly string[];
}

export function harnessText(outline: Outline, path: string, form: Answers): HarnessText {
  const kernel = outline.kernels.find(({ name }) => name === form.kernel);
  if (!kernel) return { problem: `${basename(path)} has no kernel ${form.kernel} any more.` };
  const launch = form.launch
    .trim()
    .replace(/^<<<|>>>$/g, '')
    .trim();
  if (!launch.includes(',')) return { problem: 'A launch needs blocks and threads: 4, 256.' };
  const given = argumentsIn(form.args);
  const unknown = [...given.keys()].find((name) => ![...kernel.parameters, ...kernel.templates].some((each) => each.name === name));
  if (unknown !== undefined) {
    const names = [...kernel.templates, ...kernel.parameters].map(({ name }) => name).join(', ');
    return { problem: `${kernel.name} has no parameter "${unknown}"; it has ${names}.` };
  }
  const missing = kernel.templates.find(({ name }) => !given.has(name));
  if (missing) return { problem: `Say what the template parameter ${missing.name} stands for: ${missing.name}=float.` };
  const declarations = kernel.parameters.map((parameter) => declaration(parameter, kernel, given));
  const problem = declarations.find((each) => typeof each !== 'string');
  if (problem) return problem;
  return {
    path: harnessPath(path, kernel.name),
    text: program({ kernel, path, launch, given, declarations, outline, reference: form.reference, before: form.before }),
  };
}

interface Program {
  readonly kernel: KernelOutline;
  readonly path: string;
  readonly launch: string;
  readonly given: ReadonlyMap<string, string>;
  readonly declarations: readonly unknown[];
  readonly outline: Outline;
  readonly reference: string | undefined;
  readonly before: readonly string[];
}

function program({ kernel, path, launch, given, declarations, outline, reference, before }: Program): string {
  const file = basename(path);
  const names = kernel.parameters.map(({ name }) => name);
  const templates = kernel.templates.length > 0 ? `<${kernel.templates.map(({ name }) => given.get(name)).join(', ')}>` : '';
  const include = outline.main
    ? [`// The file's own main has another name here.`, '#define main mainOfProgram', `#include "${file}"`, '#undef main']
    : [`#include "${file}"`];
  const buffers = kernel.parameters.filter(isBuffer);
  const written = buffers.filter(({ type }) => !type.startsWith('const '));
  const host = outline.functions.find(({ name }) => name === reference);
  const onHost = kernel.parameters
    .map((each, index) =>
      isBuffer(each) ? `${each.name}.reference${otherNumber(named(each.type, kernel, given), host?.parameters[index]?.type)}()` : each.name,
    )
    .join(', ');
  const compared = reference === undefined ? [] : [`  ${reference}(${onHost});`, ...written.map(({ name }) => `  ${name}.compare();`)];
  return [
    `// Runs ${kernel.name} of ${file} by itself. It is a program like any other: change what you like.`,
    '#include <lanewise/harness.h>',
    ...before,
    ...include,
    '',
    'int main() {',
    ...declarations.map((each) => `  ${each}`),
    '',
    `  ${kernel.name}${templates}<<<${launch}>>>(${names.join(', ')});`,
    '  lanewise::finish();',
    ...compared,
    '  return lanewise::result();',
    '}',
    '',
  ].join('\n');
}

/** Functions of the host may compute with `float` what kernels do with half as much. */
function otherNumber(ofKernel: string, ofHost = ''): string {
  const element = (type: string) => plainType(type.replace(/\*\s*$/, ''));
  const number = element(ofHost);
  return /^(float|double)$/.test(number) && element(ofKernel) !== number ? `<${number}>` : '';
}

function named(type: string, { templates }: KernelOutline, given: ReadonlyMap<string, string>): string {
  return templates.reduce((text, each) => text.replace(new RegExp(`\\b${each.name}\\b`, 'g'), given.get(each.name)!), type);
}

/** A line that makes what is passed for the parameter. */
function declaration(
  { name, type }: CallableOutline['parameters'][number],
  kernel: KernelOutline,
  given: ReadonlyMap<string, string>,
): string | { readonly problem: string } {
  const text = named(type, kernel, given);
  const value = given.get(name);
  if (!isBuffer({ type })) return value === undefined ? `${plainType(text)} ${name}{};` : `${plainType(text)} ${name} = ${value};`;
  const element = plainType(text.replace(/\*\s*$/, '')).replace(/^void$/, 'unsigned char');
  const [, fill, rest] = /^(\w+):(.+)$/s.exec(value ?? '') ?? [];
  if (fill === 'values') return `lanewise::Buffer<${element}> ${name}("${name}", {${rest}});`;
  if (fill !== undefined && FILLS.includes(fill)) return `lanewise::Buffer<${element}> ${name}("${name}", ${rest}, lanewise::${fill});`;
  return { problem: `${name} is a buffer: ${name}=zeros:1024, with ${FILLS.join(', ')} or values:1,2,3.` };
}

function isBuffer({ type }: { readonly type: string }): boolean {
  return type.endsWith('*');
}

function plainType(type: string): string {
  return type.replace(/^const /, '').trim();
}

/** Values may have commas: the next argument begins at a name and `=`. */
function argumentsIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, value] of text.matchAll(/(\w+)\s*=(?!=)\s*(.*?)\s*(?=,\s*\w+\s*=(?!=)|$)/gs)) found.set(name, value);
  return found;
}

function takesTheSame(one: CallableOutline, other: CallableOutline): boolean {
  const kinds = ({ parameters }: CallableOutline) => parameters.map(({ type }) => type.endsWith('*') || type.endsWith('&')).join();
  return one.parameters.length === other.parameters.length && kinds(one) === kinds(other);
}

function plainName(kernel: string): string {
  return kernel.split('::').at(-1)!;
}
