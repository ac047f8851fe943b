/**
 * Compares what nvcc makes of the kernels of HeCBench (its PTX) with what they are here (the device's IR after all passes): bytes that the
 * instructions of a kernel load and store, by memory and by how many loops are around them, atomics and barriers. It says where
 * loads are kept, loops unrolled and functions inlined otherwise than by nvcc, without a GPU.
 * `npm run compare:nvcc -- DIR --cache DIR [--half A] [--only NAME,NAME] [--lines] [--registers]`, where DIR holds HeCBench's folders
 * (`src/adam-cuda/…`), and nvcc is on the path. With `--registers`, it compares the registers of a thread with those that ptxas gives
 * instead, and the blocks of 256 threads that a multiprocessor holds by them. Programs are in the two halves of `compare:hardware`; of half B, those that a GPU ran are
 * left out, and only sums are printed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { h200 } from '../devices/h200.ts';
import { blocksByRegisters } from '../devices/occupancy.ts';
import { invert } from '../simulator/ir/dominators.ts';
import { storeSizeOf } from '../simulator/ir/layout.ts';
import { memoryRoots } from '../simulator/ir/memory-roots.ts';
import { parseIr } from '../simulator/ir/parse.ts';
import type { Instruction, IrFunction, IrModule, Location, Operand } from '../simulator/ir/types.ts';
import { DeviceMemory } from '../simulator/machine/device-memory.ts';
import { loadModule } from '../simulator/machine/load-module.ts';
import { type FunctionFacts, functionFacts } from '../simulator/simt/analyze.ts';
import { findLoops } from '../simulator/simt/loops.ts';
import { registersOf } from '../simulator/timing/registers.ts';
import { compileDevice } from '../simulator/toolchain/compile.ts';
import { halfOf, SETS } from './measured.ts';

/** An instruction that the comparison counts. */
interface Counted {
  /** `load global`, `atomic shared`, `barrier`. */
  readonly kind: string;
  readonly bytes: number;
  /** File and line, without the folder. */
  readonly place: string;
  readonly block: number;
}
interface Kernel {
  readonly instructions: readonly Counted[];
  readonly successors: readonly (readonly number[])[];
  /** Names of functions that are called and not inlined. */
  readonly calls: readonly string[];
}

const KINDS = ['load global', 'store global', 'load shared', 'store shared', 'load local', 'store local', 'atomic', 'barrier', 'branch'];
const BITS: Readonly<Record<string, number>> = { '8': 1, '16': 2, '32': 4, '64': 8, '128': 16 };
const SPACES: Readonly<Record<number, string>> = { 0: 'global', 1: 'global', 3: 'shared', 4: 'constant', 5: 'local' };
const MACHINE_SPACES: Readonly<Record<string, string>> = { G: 'global', S: 'shared', L: 'local' };
const measured = new Set(
  Object.values(SETS).flatMap((file) =>
    existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, 'utf8'))).map((name) => name.split(' ')[0]) : [],
  ),
);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: 'string' },
    half: { type: 'string' },
    only: { type: 'string' },
    lines: { type: 'boolean' },
    registers: { type: 'boolean' },
    cached: { type: 'boolean' },
    machine: { type: 'boolean' },
  },
});
if (positionals.length !== 1 || !values.cache) {
  console.error('usage: npm run compare:nvcc -- DIR --cache DIR [--half A] [--only NAME,NAME] [--lines] [--registers]');
  process.exit(2);
}
const cache = resolve(values.cache);
for (const folder of ['ptx', 'ir']) mkdirSync(join(cache, folder), { recursive: true });

class Tally {
  kernels = 0;
  equal = 0;
  readonly equalKinds = new Map<string, number>();
  readonly usedKinds = new Map<string, number>();
  /** Of each kernel: estimated here, and of ptxas. */
  readonly registers: { readonly here: number; readonly ptxas: number }[] = [];
}
const tallies = new Map<string, Tally>();
for (const { half, name, file, folder } of sources()) await compareFile({ half, name, file, folder });
if (values.registers) printRegisters();
else printTallies();

function* sources() {
  const root = existsSync(join(positionals[0], 'src')) ? join(positionals[0], 'src') : positionals[0];
  for (const entry of readdirSync(root).sort()) {
    if (!entry.endsWith('-cuda')) continue;
    const name = entry.replace(/-cuda$/, '');
    const half = halfOf(name);
    if ((values.half && values.half !== half) || (values.only && !values.only.split(',').includes(name))) continue;
    if (half === 'B' && measured.has(name)) continue;
    const folder = resolve(root, entry);
    for (const file of readdirSync(folder).sort()) if (file.endsWith('.cu')) yield { half, name, file, folder };
  }
}

async function compareFile({ half, name, file, folder }: { half: string; name: string; file: string; folder: string }): Promise<void> {
  const key = `${name}+${basename(file, '.cu')}`;
  const ptx = ptxOf(key, join(folder, file), folder);
  if (!ptx) return;
  const theirs = values.machine ? kernelsOfMachineCode(key) : kernelsOfPtx(ptx);
  if (theirs.size === 0) return;
  const ir = await irOf(key, join(folder, file), folder);
  if (!ir) return;
  const tally = tallies.get(half) ?? new Tally();
  tallies.set(half, tally);
  if (values.registers) {
    compareRegisters(tally, ir, { key, isShown: half === 'A' });
    return;
  }
  const ours = kernelsOfModule(ir);
  for (const [kernel, there] of theirs) {
    const here = ours.get(kernel);
    if (!here || there.calls.length > 0 || here.calls.length > 0) continue;
    const [a, b] = [sums(there), sums(here)];
    tally.kernels++;
    const wrong = KINDS.filter((kind) => {
      const [x, y] = [a, b].map((all) => JSON.stringify([...all].filter(([each]) => each.startsWith(kind)).sort()));
      if (x === '[]' && y === '[]') return false;
      tally.usedKinds.set(kind, (tally.usedKinds.get(kind) ?? 0) + 1);
      if (x === y) tally.equalKinds.set(kind, (tally.equalKinds.get(kind) ?? 0) + 1);
      return x !== y;
    });
    if (wrong.length === 0) tally.equal++;
    else if (half === 'A') say(`${name}/${file} ${kernel}`, wrong, there, here);
  }
}

/** Bytes by kind and number of loops around them. */
function sums(kernel: Kernel, keyOf = (each: Counted, depth: number) => `${each.kind}, depth ${depth}`): ReadonlyMap<string, number> {
  const depths = depthsOf(kernel.successors);
  const result = new Map<string, number>();
  for (const each of kernel.instructions) {
    const depth = depths[each.block];
    if (depth < 0) continue;
    const key = keyOf(each, depth);
    result.set(key, (result.get(key) ?? 0) + each.bytes);
  }
  return result;
}

/** By block: how many loops are around it, -1 where nothing leads. */
function depthsOf(successors: readonly (readonly number[])[]): readonly number[] {
  const predecessors = invert(successors.length, successors);
  const blocks = successors.map((to, index) => ({ index, label: '', instructions: [], successors: to, predecessors: predecessors[index] }));
  const { loops, innermost } = findLoops({ blocks } as unknown as IrFunction);
  const reached = new Set([0]);
  for (const block of reached) for (const to of successors[block]) reached.add(to);
  return successors.map((_, block) => (!reached.has(block) ? -1 : innermost[block] < 0 ? 0 : loops[innermost[block]].depth));
}

function say(title: string, wrong: readonly string[], there: Kernel, here: Kernel): void {
  console.log(`\n${title}`);
  const show = (keyOf?: Parameters<typeof sums>[1]) => {
    const [a, b] = [sums(there, keyOf), sums(here, keyOf)];
    for (const key of [...new Set([...a.keys(), ...b.keys()])].sort()) {
      if ((a.get(key) ?? 0) === (b.get(key) ?? 0) || !wrong.some((kind) => key.includes(kind))) continue;
      console.log(`  ${key}: nvcc ${a.get(key) ?? 0}, here ${b.get(key) ?? 0}`);
    }
  };
  show();
  if (values.lines) show((each, depth) => `  ${each.place}: ${each.kind}, depth ${depth}`);
}

function printTallies(): void {
  console.log(`\n| half | kernels | equal | ${KINDS.join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(KINDS.length + 2)}`);
  for (const [half, tally] of [...tallies].sort(([a], [b]) => a.localeCompare(b))) {
    const share = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
    const kinds = KINDS.map(
      (kind) => `${share(tally.equalKinds.get(kind) ?? 0, tally.usedKinds.get(kind) ?? 0)} of ${tally.usedKinds.get(kind) ?? 0}`,
    );
    console.log(`| ${[half, tally.kernels, share(tally.equal, tally.kernels), ...kinds].join(' | ')} |`);
  }
}

// ---- registers

function compareRegisters(tally: Tally, ir: IrModule, { key, isShown }: { key: string; isShown: boolean }): void {
  for (const [kernel, ptxas] of registersOfPtx(key)) {
    const fn = ir.functions.get(kernel);
    // The registers of what is called and not inlined are the callee's affair.
    if (!fn || ourKernel(fn, ir).calls.length > 0) continue;
    const here = registersOf(fn, ir, h200.registersPerBlock);
    // Nsight Compute speaks of 16 where ptxas gives less.
    tally.registers.push({ here, ptxas: Math.max(16, ptxas) });
    if (isShown && values.lines) console.log(`${key} ${kernel}: ptxas ${ptxas}, here ${here}`);
  }
}

/** By kernel. */
function registersOfPtx(key: string): ReadonlyMap<string, number> {
  const file = join(cache, 'ptx', `${key}.registers`);
  if (!existsSync(file)) {
    const source = join(cache, 'ptx', `${key}.ptx`);
    const { stderr } = spawnSync('ptxas', ['-v', '-arch=sm_90', '-o', '/dev/null', source], { timeout: 90_000, encoding: 'utf8' });
    writeFileSync(file, stderr);
  }
  const entries = readFileSync(file, 'utf8').split('Compiling entry function').slice(1);
  return new Map(
    entries.flatMap((entry): [string, number][] => {
      const [name, used] = [/'([^']+)'/.exec(entry)?.[1], /Used (\d+) registers/.exec(entry)?.[1]];
      return name && used ? [[name, Number(used)]] : [];
    }),
  );
}

function printRegisters(): void {
  console.log('\n| half | kernels | within 4 registers | within 8 | median of ours to theirs | 10th | 90th | same blocks of 256 threads |');
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
  for (const [half, { registers }] of [...tallies].sort(([a], [b]) => a.localeCompare(b))) {
    const share = (holds: (each: (typeof registers)[number]) => boolean) =>
      `${((100 * registers.filter(holds).length) / Math.max(1, registers.length)).toFixed(1)} %`;
    const within = (most: number) => share(({ here, ptxas }) => Math.abs(here - ptxas) <= most);
    const ratios = registers.map(({ here, ptxas }) => here / ptxas).sort((a, b) => a - b);
    const at = (part: number) => ratios[Math.floor(part * (ratios.length - 1))]?.toFixed(2);
    const blocks = (each: number) => Math.min(8, blocksByRegisters(h200, { threads: 256, registers: each }));
    const same = share(({ here, ptxas }) => blocks(here) === blocks(ptxas));
    console.log(`| ${[half, registers.length, within(4), within(8), at(0.5), at(0.1), at(0.9), same].join(' | ')} |`);
  }
}

// ---- nvcc

function ptxOf(key: string, path: string, folder: string): string | undefined {
  const file = join(cache, 'ptx', `${key}.ptx`);
  if (!existsSync(file)) {
    if (values.cached) return undefined;
    const flags = ['-std=c++17', '-O3', '-arch=sm_90', '-lineinfo', '-ptx', `-I${folder}`, `-I${join(folder, '../include')}`];
    spawnSync('nvcc', [...flags, '-o', file, path], { timeout: 90_000, stdio: 'ignore' });
    if (!existsSync(file)) writeFileSync(file, '');
  }
  return readFileSync(file, 'latin1');
}

function kernelsOfPtx(text: string): ReadonlyMap<string, Kernel> {
  const files = new Map([...text.matchAll(/^\s*\.file\s+(\d+)\s+"([^"]*)"/gm)].map(([, number, path]) => [number, basename(path)]));
  const kernels = new Map<string, Kernel>();
  for (const { 0: head, 1: name, index } of text.matchAll(/\.entry\s+([\w$]+)\s*\([^{]*?\n\{\n/g)) {
    kernels.set(name, ptxKernel(bracedFrom(text, index + head.length), files));
  }
  return kernels;
}

/** Up to the brace that closes the one before `start`. */
function bracedFrom(text: string, start: number): string {
  for (let at = start, depth = 1; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return text.slice(start, at);
  }
  return text.slice(start);
}

function ptxKernel(body: string, files: ReadonlyMap<string, string>): Kernel {
  const lines = body.split('\n').map((line) => line.trim());
  const labels = new Map<string, number>();
  const targets: string[][] = [[]];
  const falls: boolean[] = [true];
  const instructions: Counted[] = [];
  const calls: string[] = [];
  const tables = new Map<string, readonly string[]>();
  for (const [, name, list] of body.matchAll(/^\s*(\$[\w$]+):\s*\.branchtargets\s+([^;]*);/gm)) {
    tables.set(
      name,
      list.split(',').map((each) => each.trim()),
    );
  }
  let place = '';
  const newBlock = () => {
    targets.push([]);
    falls.push(true);
  };
  for (const line of lines) {
    const at = /^\.loc\s+(\d+) (\d+)/.exec(line);
    if (at) place = `${files.get(at[1]) ?? at[1]}:${at[2]}`;
    const label = /^(\$L__BB[\w]+):/.exec(line);
    if (label) {
      newBlock();
      labels.set(label[1], targets.length - 1);
    }
    const [, guard, opcode, rest] = /^(?:(@!?%p\d+)\s+)?([a-z][\w.:]*)\s*(.*?);?$/.exec(line.replace(/^\{\s*/, '')) ?? [];
    if (!opcode) continue;
    const block = targets.length - 1;
    if (opcode.startsWith('bra') || opcode.startsWith('brx')) {
      const jump = opcode.startsWith('brx') ? (tables.get(rest.split(',').at(-1)!.trim()) ?? []) : [rest.trim()];
      targets[block].push(...jump);
      falls[block] = guard !== undefined;
      if (guard !== undefined) instructions.push({ kind: 'branch', bytes: 1, place, block });
      newBlock();
    } else if (/^(ret|exit|trap)\b/.test(opcode)) {
      if (!guard) falls[block] = false;
      newBlock();
    } else if (opcode.startsWith('call')) calls.push(/([\w$]+)\s*,?\s*\(?/.exec(rest.replace(/^\([^)]*\)\s*,/, '').trim())?.[1] ?? rest);
    else {
      const counted = countedPtx(opcode);
      if (counted) instructions.push({ ...counted, place, block });
    }
  }
  const successors = targets.map((names, block) => [
    ...new Set([...names.flatMap((name) => labels.get(name) ?? []), ...(falls[block] && block + 1 < targets.length ? [block + 1] : [])]),
  ]);
  return {
    instructions,
    successors,
    calls: calls.filter((name) => !/^(vprintf|__assertfail|malloc|free|__internal_\w+|prototype_\d+)$/.test(name)),
  };
}

function countedPtx(opcode: string): Pick<Counted, 'kind' | 'bytes'> | undefined {
  const parts = opcode.split('.');
  const width = /\d+$/.exec(parts.at(-1)!.replace(/x2$/, ''))?.[0] ?? '';
  const bytes = (BITS[width] ?? 4) * (parts.includes('v2') ? 2 : parts.includes('v4') ? 4 : 1);
  const space = parts.find((each) => /^(global|shared|local|const|param)/.test(each))?.replace(/::.*/, '') ?? 'global';
  switch (parts[0]) {
    case 'ld':
    case 'ldu':
    case 'st':
      return space === 'param' || space === 'const' ? undefined : { kind: `${parts[0] === 'st' ? 'store' : 'load'} ${space}`, bytes };
    case 'atom':
    case 'red':
      return { kind: `atomic ${space}`, bytes };
    case 'bar':
    case 'barrier':
      return { kind: 'barrier', bytes: 1 };
    default:
      return undefined;
  }
}

// ---- ptxas

/** From the machine code that ptxas makes of the PTX, as `nvdisasm` writes it. */
function kernelsOfMachineCode(key: string): ReadonlyMap<string, Kernel> {
  const file = join(cache, 'ptx', `${key}.sass`);
  if (!existsSync(file)) {
    const object = join(cache, 'ptx', `${key}.cubin`);
    spawnSync('ptxas', ['-arch=sm_90', '-lineinfo', '-o', object, join(cache, 'ptx', `${key}.ptx`)], { timeout: 90_000, stdio: 'ignore' });
    const { stdout } = spawnSync('nvdisasm', ['-c', '-g', object], { timeout: 90_000, encoding: 'latin1', maxBuffer: 1 << 30 });
    writeFileSync(file, stdout ?? '');
  }
  const kernels = new Map<string, Kernel>();
  for (const section of readFileSync(file, 'latin1')
    .split(/^\/\/-+ \.text\./m)
    .slice(1)) {
    kernels.set(/^[\w$]+/.exec(section)![0], machineKernel(section));
  }
  return kernels;
}

function machineKernel(section: string): Kernel {
  const labels = new Map<string, number>();
  const targets: string[][] = [[]];
  const falls: boolean[] = [true];
  const instructions: Counted[] = [];
  let place = '';
  const newBlock = () => {
    targets.push([]);
    falls.push(true);
  };
  for (const line of section.split('\n')) {
    const at = /File "([^"]*)", line (\d+)/.exec(line);
    if (at) place = `${basename(at[1])}:${at[2]}`;
    const label = /^(\.L_x_\d+):/.exec(line);
    if (label) {
      newBlock();
      labels.set(label[1], targets.length - 1);
    }
    const [, guard, opcode, rest] = /^\s+\/\*[0-9a-f]+\*\/\s+(@!?U?P\w+\s+)?([A-Z][\w.]*)\s*(.*?);/.exec(line) ?? [];
    if (!opcode) continue;
    const block = targets.length - 1;
    if (/^(BRA|BRX|JMP)\b/.test(opcode)) {
      targets[block].push(...[...rest.matchAll(/\.L_x_\d+/g)].map(([name]) => name));
      const isConditional = guard !== undefined || /^!?U?P\d/.test(rest);
      falls[block] = isConditional;
      if (isConditional && !/^BRA\.(DIV|CONV)/.test(opcode)) instructions.push({ kind: 'branch', bytes: 1, place, block });
      newBlock();
    } else if (/^(EXIT|RET)\b/.test(opcode)) {
      if (!guard) falls[block] = false;
      newBlock();
    } else {
      const counted = countedMachine(opcode);
      if (counted) instructions.push({ ...counted, place, block });
    }
  }
  const successors = targets.map((names, block) => [
    ...new Set([...names.flatMap((name) => labels.get(name) ?? []), ...(falls[block] && block + 1 < targets.length ? [block + 1] : [])]),
  ]);
  return { instructions, successors, calls: [] };
}

function countedMachine(opcode: string): Pick<Counted, 'kind' | 'bytes'> | undefined {
  const [name, ...parts] = opcode.split('.');
  const access = /^(LD|ST)([GSL])?$/.exec(name);
  if (access) {
    const width = parts.find((each) => /^[USB]?(8|16|64|128)$/.test(each)) ?? '32';
    const kind = `${access[1] === 'ST' ? 'store' : 'load'} ${MACHINE_SPACES[access[2] ?? 'G']}`;
    return { kind, bytes: BITS[/\d+$/.exec(width)![0]] };
  }
  if (/^(ATOMS|ATOMG|ATOM|RED|REDG|REDS)$/.test(name)) return { kind: `atomic ${name === 'ATOMS' ? 'shared' : 'global'}`, bytes: 1 };
  return name === 'BAR' ? { kind: 'barrier', bytes: 1 } : undefined;
}

// ---- Lanewise

async function irOf(key: string, path: string, folder: string): Promise<IrModule | undefined> {
  const file = join(cache, 'ir', `${key}.ll`);
  if (!existsSync(file)) {
    if (values.cached) return undefined;
    const result = await compileDevice({ file: path, includeDirs: [folder, join(folder, '../include')], defines: [] });
    writeFileSync(file, result.kind === 'compiled' ? result.deviceModule : '');
  }
  const text = readFileSync(file, 'utf8');
  if (!text) return undefined;
  try {
    return loadModule(parseIr(text), new DeviceMemory(), values.machine ? {} : { asPtx: true }).ir;
  } catch (error) {
    console.error(`${key}: ${(error as Error).message}`);
    return undefined;
  }
}

function kernelsOfModule(module: IrModule): ReadonlyMap<string, Kernel> {
  const kernels = [...module.functions.values()].filter(({ isKernel }) => isKernel);
  return new Map(kernels.map((fn) => [fn.name, ourKernel(fn, module)]));
}

function ourKernel(fn: IrFunction, module: IrModule): Kernel {
  const roots = memoryRoots(fn, (name) => module.globals.get(name)?.space);
  const byValue = new Set(fn.parameters.filter(({ byval }) => byval).map(({ id }) => id));
  const isParameter = (pointer: Operand) => roots.rootsOf(pointer).every((root) => root.kind === 'local' && byValue.has(root.id));
  const spaceOf = (pointer: Operand) => (isParameter(pointer) ? 'constant' : SPACES[roots.spaceOf(pointer)]);
  const calls: string[] = [];
  const instructions = fn.blocks.flatMap(({ index, instructions: all }) =>
    all.flatMap((each) => {
      if (each.op === 'call' && module.functions.has(each.callee)) calls.push(each.callee);
      const counted = values.machine ? countedByPtxas(each, spaceOf, functionFacts(fn, module)) : countedHere(each, spaceOf);
      return counted && counted.kind !== 'load constant' ? [{ ...counted, place: placeOf(each.location), block: index }] : [];
    }),
  );
  return { instructions, successors: fn.blocks.map(({ successors }) => successors), calls };
}

/** With accesses as wide as ptxas makes them, and without branches that it does not make. */
function countedByPtxas(each: Instruction, spaceOf: (pointer: Operand) => string, { merged, predicated }: FunctionFacts) {
  const counted = countedHere(each, spaceOf);
  if (!counted || (counted.kind === 'branch' && predicated.has(each.site))) return undefined;
  if (counted.kind.startsWith('atomic')) return { ...counted, bytes: 1 };
  const whole = merged.get(each.site);
  if (!whole) return counted;
  return whole.leader === each.site ? { ...counted, bytes: whole.bytes } : undefined;
}

function placeOf(location: Location | undefined): string {
  return location ? `${basename(location.file)}:${location.line}` : '';
}

function countedHere(each: Instruction, spaceOf: (pointer: Operand) => string) {
  switch (each.op) {
    case 'load':
      return { kind: `load ${spaceOf(each.pointer)}`, bytes: storeSizeOf(each.type) };
    case 'store':
      return { kind: `store ${spaceOf(each.pointer)}`, bytes: storeSizeOf(each.value.type) };
    case 'atomicrmw':
      return { kind: `atomic ${spaceOf(each.pointer)}`, bytes: storeSizeOf(each.type) };
    case 'cmpxchg':
      return { kind: `atomic ${spaceOf(each.pointer)}`, bytes: storeSizeOf(each.expected.type) };
    case 'condbr':
      return { kind: 'branch', bytes: 1 };
    case 'call':
      return /barrier/.test(each.callee) ? { kind: 'barrier', bytes: 1 } : undefined;
    default:
      return undefined;
  }
}
