/** What lanes and threads do together, what ends or delays a thread (PTX ISA 9.0, "Parallel Synchronization", "Miscellaneous"). */
import { I1, I32, structType, VOID } from '../type-table.ts';
import type { Operand, Type } from '../types.ts';
import type { Assembler } from './assembler.ts';
import { type Entry, entry, has, pairOf, refuse, typeOf } from './instruction.ts';
import type { PtxInstruction } from './syntax.ts';

function act(a: Assembler, callee: string, args: readonly Operand[]) {
  a.act({ op: 'call', type: VOID, callee, args });
}

/** shfl.sync.mode.b32 d|p, value, lane, c, mask. Without .sync all lanes of the path take part, as before sm_70. */
function shuffle(a: Assembler, i: PtxInstruction) {
  const mode = i.modifiers.find((modifier) => ['up', 'down', 'bfly', 'idx'].includes(modifier)) ?? refuse(i);
  const [to, value, lane, control, mask] = i.operands;
  if (has(i, 'sync') !== (mask !== undefined)) return refuse(i);
  const members = mask ? a.read(mask, I32) : a.call('llvm.nvvm.activemask', I32, []);
  const args = [members, a.read(value, I32), a.read(lane, I32), a.read(control, I32)];
  const [result, inside] = pairOf(to);
  if (!inside) return a.write(result, a.call(`llvm.nvvm.shfl.sync.${mode}.i32`, I32, args));
  const both = a.call(`llvm.nvvm.shfl.sync.${mode}.i32p`, structType([I32, I1], false), args);
  a.write(result, part(a, both, I32, 0));
  a.write(inside, part(a, both, I1, 1));
}

function part(a: Assembler, both: Operand, type: Type, index: number): Operand {
  return a.add({ op: 'extractvalue', type, aggregate: both, path: [index] });
}

function vote(a: Assembler, i: PtxInstruction) {
  const kind = i.modifiers.find((modifier) => ['all', 'any', 'uni', 'ballot'].includes(modifier)) ?? refuse(i);
  const [to, predicate, mask] = i.operands;
  const type = kind === 'ballot' ? I32 : I1;
  const truth = a.read(predicate, I1);
  if (has(i, 'sync') !== (mask !== undefined)) return refuse(i);
  a.write(
    to,
    mask ? a.call(`llvm.nvvm.vote.${kind}.sync`, type, [a.read(mask, I32), truth]) : a.call(`llvm.nvvm.vote.${kind}`, type, [truth]),
  );
}

function match(a: Assembler, i: PtxInstruction) {
  const { type, bits } = typeOf(i);
  const [result, agree] = pairOf(i.operands[0]);
  const args = [a.read(i.operands[2], I32), a.read(i.operands[1], type)];
  if (has(i, 'any')) return a.write(result, a.call(`llvm.nvvm.match.any.sync.i${bits}`, I32, args));
  const both = a.call(`llvm.nvvm.match.all.sync.i${bits}p`, structType([I32, I1], false), args);
  a.write(result, part(a, both, I32, 0));
  if (agree) a.write(agree, part(a, both, I1, 1));
}

function reduce(a: Assembler, i: PtxInstruction) {
  const { kind, name } = typeOf(i);
  const operation = i.modifiers.find((modifier) => ['add', 'min', 'max', 'and', 'or', 'xor'].includes(modifier)) ?? refuse(i);
  if (kind === 'f') return refuse(i);
  const sign = name === 'u32' && (operation === 'min' || operation === 'max') ? 'u' : '';
  const [to, value, mask] = i.operands;
  a.write(to, a.call(`llvm.nvvm.redux.sync.${sign}${operation}`, I32, [a.read(value, I32), a.read(mask, I32)]));
}

/** elect.sync d|p, mask: the lowest member leads. */
function elect(a: Assembler, i: PtxInstruction) {
  const [result, leads] = pairOf(i.operands[0]);
  const mask = a.read(i.operands[1], I32);
  act(a, 'llvm.nvvm.bar.warp.sync', [mask]);
  const leader = a.call('llvm.cttz.i32', I32, [mask, a.int(I1, 0)]);
  a.write(result, leader);
  const own = a.call('llvm.nvvm.read.ptx.sreg.laneid', I32, []);
  if (leads) a.write(leads, a.add({ op: 'icmp', type: I1, predicate: 'eq', a: own, b: leader }));
}

/** bar and barrier. `bar` is aligned: all threads of a warp come to it together. */
function barrier(a: Assembler, i: PtxInstruction) {
  const { modifiers, operands } = i;
  if (modifiers[0] === 'warp') return act(a, 'llvm.nvvm.bar.warp.sync', [a.read(operands[0], I32)]);
  const aligned = i.name === 'bar' || has(i, 'aligned') ? '.aligned' : '';
  if (has(i, 'cluster')) return refuse(i);
  if (has(i, 'red')) return barrierReduction(a, i, aligned);
  const verb = has(i, 'arrive') ? 'arrive' : has(i, 'sync') ? 'sync' : refuse(i);
  const args = operands.map((operand) => a.read(operand, I32));
  if (args.length === 0) return refuse(i);
  act(a, `llvm.nvvm.barrier.cta.${verb}${aligned}.${args.length === 2 ? 'count' : 'all'}`, args);
}

/** bar.red.op d, barrier{, threads}, {!}predicate. */
function barrierReduction(a: Assembler, i: PtxInstruction, aligned: string) {
  const operation = i.modifiers.find((modifier) => ['popc', 'and', 'or'].includes(modifier)) ?? refuse(i);
  const [to, ...rest] = i.operands;
  const predicate = a.read(rest[rest.length - 1], I1);
  const args = [...rest.slice(0, -1).map((operand) => a.read(operand, I32)), predicate];
  const type = operation === 'popc' ? I32 : I1;
  a.write(to, a.call(`llvm.nvvm.barrier.cta.red.${operation}${aligned}.${args.length === 3 ? 'count' : 'all'}`, type, args));
}

const nothing = (): void => {};

export const LANE_INSTRUCTIONS: Readonly<Record<string, Entry>> = {
  shfl: entry('sync up down bfly idx', [4, 5], shuffle),
  vote: entry('sync all any uni ballot', [2, 3], vote),
  match: entry('sync any all', 3, match),
  redux: entry('sync add min max and or xor', 3, reduce),
  activemask: entry('', 1, (a, i) => a.write(i.operands[0], a.call('llvm.nvvm.activemask', I32, []))),
  elect: entry('sync', 2, elect),
  bar: entry('sync arrive red popc and or warp cta', [1, 4], barrier),
  barrier: entry('sync arrive red popc and or cta aligned', [1, 4], barrier),
  nanosleep: entry('', 1, (a, i) => act(a, 'llvm.nvvm.nanosleep', [a.read(i.operands[0], I32)])),
  trap: entry('', 0, (a) => act(a, 'llvm.trap', [])),
  exit: entry('', 0, (a) => act(a, 'llvm.nvvm.exit', [])),
  brkpt: entry('', 0, (a) => act(a, 'llvm.debugtrap', [])),
  pmevent: entry('mask', 1, nothing),
  griddepcontrol: entry('wait launch_dependents', 0, nothing),
  setmaxnreg: entry('inc dec sync aligned', 1, nothing),
};
