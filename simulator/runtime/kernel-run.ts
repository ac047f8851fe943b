/**
 * Runs one kernel without a host program: makes its arguments, launches it and prints buffers. Arguments that are not given are made up
 * from the kernel's signature, and that is said.
 */
import { sizeOf, storeSizeOf } from '../ir/layout.ts';
import type { IrFunction, Parameter } from '../ir/types.ts';
import type { KernelRequest } from '../options/kernel-request.ts';
import { demangle } from '../toolchain/demangle.ts';
import type { CudaContext } from './cuda-context.ts';
import type { DeviceProgram, DeviceUnit } from './device-program.ts';
import { ELEMENTS, type Element, SHORT_NAMES } from './element-types.ts';

interface Buffer {
  readonly address: number;
  readonly count: number;
  readonly element: Element;
}

interface Argument {
  readonly bytes: Uint8Array;
  readonly buffer?: Buffer;
  /** What was made up, for a note. */
  readonly madeUp?: string;
}

/** What cannot be run, in one sentence that says what to do. */
export class KernelRefused extends Error {}

export interface KernelRun {
  readonly printed: string;
  readonly notes: readonly string[];
}

/** Throws KernelRefused. A fault of the kernel is in the context. */
export function runKernel(
  request: KernelRequest,
  { context, program }: { readonly context: CudaContext; readonly program: DeviceProgram },
): KernelRun {
  const { unit, definition } = kernelNamed(request.name, program.units);
  requireLimits(request, context);
  const types = parameterTypes(definition);
  const unknown = Object.keys(request.args).find((name) => !definition.parameters.some((parameter) => parameter.name === name));
  const names = definition.parameters.map(({ name }) => name).join(', ');
  if (unknown !== undefined) throw new KernelRefused(`the kernel has no parameter "${unknown}"; it has ${names}`);
  const { cluster } = definition;
  if (cluster && request.grid.some((size, axis) => size % cluster[axis] !== 0))
    throw new KernelRefused(`the kernel's clusters have ${cluster.join(' x ')} blocks: the grid must be a multiple of that`);
  const threads = [...request.grid, ...request.block].reduce((product, size) => product * size, 1);
  const args = definition.parameters.map((parameter, index) =>
    argumentOf({ parameter, type: types[index], given: request.args[parameter.name], threads }, context),
  );
  const buffers = request.print.map(({ name, most }) => {
    const buffer = args[definition.parameters.findIndex((parameter) => parameter.name === name)]?.buffer;
    if (!buffer) throw new KernelRefused(`"${name}" of --print is no buffer of the kernel; its parameters are ${names}`);
    return { name, most, buffer };
  });
  program.run(unit, {
    kernel: definition.name,
    grid: request.grid,
    block: request.block,
    dynamicSharedBytes: request.sharedBytes,
    args: args.map(({ bytes }) => bytes),
    cooperative: false,
    ...(cluster && { cluster }),
  });
  context.synchronizeAll();
  const printed = context.faults.length > 0 ? '' : buffers.map((each) => printedLine(each, context)).join('');
  const notes = definition.parameters.flatMap(({ name }, index) => {
    const { madeUp } = args[index];
    return madeUp === undefined ? [] : [`${name} was not given: ${madeUp}`];
  });
  return { printed, notes };
}

function kernelNamed(name: string, units: readonly DeviceUnit[]): { readonly unit: DeviceUnit; readonly definition: IrFunction } {
  const all = units.flatMap((unit) =>
    [...unit.module.ir.functions.values()].filter(({ isKernel }) => isKernel).map((definition) => ({ unit, definition })),
  );
  const plain = (text: string) => text.replaceAll(' ', '');
  const whole = (mangled: string) =>
    demangle(mangled)
      .replace(/^void /, '')
      .replace(/\(.*$/s, '');
  const found = all.filter(({ definition }) => {
    const full = whole(definition.name);
    return definition.name === name || plain(full) === plain(name) || full.replace(/<.*$/s, '') === name;
  });
  if (found.length === 1) return found[0];
  const names = (found.length > 0 ? found : all).map(({ definition }) => whole(definition.name)).join(', ');
  if (found.length > 1) throw new KernelRefused(`there are several kernels "${name}": name one of ${names}`);
  const templates = 'a template is compiled where it is used or instantiated';
  throw new KernelRefused(
    `there is no kernel "${name}"; ${names === '' ? `the file has none (${templates})` : `the file has ${names} (${templates})`}`,
  );
}

function requireLimits({ grid, block, sharedBytes }: KernelRequest, { device }: CudaContext): void {
  const threads = block[0] * block[1] * block[2];
  if (threads > device.maxThreadsPerBlock)
    throw new KernelRefused(`a block of ${threads} threads is too large: ${device.maxThreadsPerBlock} are the most`);
  const axis = [0, 1, 2].find((each) => grid[each] > device.maxGrid[each] || block[each] > device.maxBlock[each]);
  if (axis !== undefined)
    throw new KernelRefused(`the grid may have ${device.maxGrid.join(' x ')} blocks and a block ${device.maxBlock.join(' x ')} threads`);
  if (sharedBytes > device.sharedPerBlockOptin)
    throw new KernelRefused(`a block has at most ${device.sharedPerBlockOptin} bytes of shared memory`);
}

/** Of C++, from the mangled name; undefined for `extern "C"`. */
function parameterTypes({ name }: IrFunction): readonly string[] {
  const list = /\((.*)\)$/s.exec(demangle(name))?.[1];
  if (list === undefined || demangle(name) === name) return [];
  const types: string[] = [];
  let depth = 0;
  let text = '';
  for (const letter of list) {
    if ('<([{'.includes(letter)) depth++;
    if ('>)]}'.includes(letter)) depth--;
    if (letter === ',' && depth === 0) {
      types.push(text.trim());
      text = '';
    } else text += letter;
  }
  return [...types, text.trim()];
}

interface Wanted {
  readonly parameter: Parameter;
  readonly type: string | undefined;
  readonly given: string | undefined;
  readonly threads: number;
}

function argumentOf(wanted: Wanted, context: CudaContext): Argument {
  const { parameter, type, given } = wanted;
  if (parameter.byval) {
    if (given !== undefined) throw new KernelRefused(`${parameter.name} is a structure, which --arg cannot give; without it, it is zero`);
    return { bytes: new Uint8Array(sizeOf(parameter.byval.type)), madeUp: `a structure of zeros` };
  }
  return parameter.type.kind === 'ptr' || type?.endsWith('*') ? bufferOf(wanted, context) : scalarOf(wanted);
}

function scalarOf({ parameter, type, given, threads }: Wanted): Argument {
  const bytes = new Uint8Array(storeSizeOf(parameter.type));
  const isFloat = parameter.type.kind === 'float';
  const value = given === undefined ? (isFloat ? 1 : threads) : Number(given);
  if (Number.isNaN(value)) throw new KernelRefused(`${parameter.name}=${given} of --arg is no number`);
  const names: Readonly<Record<number, string>> = isFloat ? { 4: 'float', 8: 'double' } : { 1: 'char', 2: 'short', 4: 'int', 8: 'long' };
  const name = names[bytes.length];
  if (name === undefined)
    throw new KernelRefused(`${parameter.name} is a ${type ?? 'value'} of ${bytes.length} bytes, which --arg cannot give`);
  ELEMENTS[name].write(new DataView(bytes.buffer), 0, value);
  const madeUp = given === undefined ? { madeUp: isFloat ? '1' : `${value}, the threads of the grid` } : {};
  return { bytes, ...madeUp };
}

function bufferOf({ parameter, type, given, threads }: Wanted, context: CudaContext): Argument {
  const pointed = type?.replace(/\bconst\b|\bvolatile\b|\*$|__restrict__/g, '').trim();
  const [how, amount, elementName = pointed] = given === undefined ? ['zeros', `${threads}`] : given.split(':');
  const element = elementName === undefined ? undefined : ELEMENTS[SHORT_NAMES[elementName] ?? elementName];
  const { name } = parameter;
  if (!element) {
    const what = elementName === undefined ? 'the type of its elements is not known' : `elements of "${elementName}" cannot be made`;
    throw new KernelRefused(
      `${what}: give ${name} as --arg ${name}=zeros:${threads}:float, with one of ${Object.keys(ELEMENTS).join(', ')}`,
    );
  }
  const values = valuesOf(name, how, amount);
  const sizeBytes = values.length * element.bytes;
  const allocation = context.memory.allocate(Math.max(1, sizeBytes), `--arg ${name}`);
  if (!allocation) throw new KernelRefused(`${name} needs ${sizeBytes} bytes, for which the simulated device has no room`);
  const content = new DataView(new ArrayBuffer(sizeBytes));
  for (const [index, value] of values.entries()) element.write(content, index * element.bytes, value);
  context.memory.write(allocation.address, new Uint8Array(content.buffer));
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(allocation.address), true);
  const buffer = { address: allocation.address, count: values.length, element };
  return { bytes, buffer, ...(given === undefined ? { madeUp: `${threads} zeros of ${elementName}` } : {}) };
}

const MOST_ELEMENTS = 2 ** 28;

function valuesOf(name: string, how: string, amount: string | undefined): Float64Array {
  if (how === 'values') return Float64Array.from((amount ?? '').split(','), Number);
  const count = Number(amount);
  if (!Number.isInteger(count) || count < 1 || count > MOST_ELEMENTS) {
    throw new KernelRefused(`${name} of --arg takes how many elements it has, from 1 to ${MOST_ELEMENTS}: ${name}=iota:1024:float`);
  }
  const make = { zeros: () => 0, ones: () => 1, iota: (index: number) => index, random: randomNumbers() }[how];
  if (!make) throw new KernelRefused(`"${how}" of --arg ${name} is not known: iota, zeros, ones, random or values`);
  return Float64Array.from({ length: count }, (_, index) => make(index));
}

/** The same in every run: whole numbers from 0 to 999, so that they suit every type. */
function randomNumbers(): () => number {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % 1000;
  };
}

function printedLine(
  { name, most, buffer }: { readonly name: string; readonly most: number; readonly buffer: Buffer },
  { memory }: CudaContext,
): string {
  const { address, count, element } = buffer;
  const shown = Math.min(most, count);
  const values = Array.from({ length: shown }, (_, index) => `${element.read(memory.view, address + index * element.bytes)}`);
  const more = count > shown ? `, ${count - shown} more` : '';
  return `${name} = [${values.join(', ')}${more}]\n`;
}
