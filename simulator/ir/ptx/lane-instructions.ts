/** What lanes and threads do together, what ends or delays a thread (PTX ISA 9.0, "Parallel Synchronization", "Miscellaneous"). */
import { type BitProduct, type MatrixElement, type MatrixProduct, matrixName, registersOf } from '../intrinsics/matrices.ts';
import { intrinsicOf } from '../intrinsics.ts';
import { floatType, I1, I32, intType, pointerType, structType, VOID } from '../type-table.ts';
import type { Operand, Type } from '../types.ts';
import type { Assembler } from './assembler.ts';
import { type Entry, entry, has, pairOf, refuse, typeOf } from './instruction.ts';
import type { PtxInstruction, PtxOperand } from './syntax.ts';

const I16 = intType(16);

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
  if (has(i, 'cluster'))
    return act(a, `llvm.nvvm.barrier.cluster.${has(i, 'arrive') ? 'arrive' : has(i, 'wait') ? 'wait' : refuse(i)}`, []);
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

/** mma.sync.aligned.shape.row.col.d.a.b.c d, a, b, c, as one call for the whole warp. */
function multiplyMatrices(a: Assembler, i: PtxInstruction) {
  const shape = /^m(\d+)n(\d+)k(\d+)$/.exec(i.modifiers.find((modifier) => /^m\d/.test(modifier)) ?? '') ?? refuse(i);
  // One-bit factors: .xor.popc or .and.popc at the end.
  const bits = has(i, 'popc') ? (i.modifiers[i.modifiers.length - 2] as BitProduct) : undefined;
  const [sum, left, right, from] = (bits ? i.modifiers.slice(0, -2) : i.modifiers).slice(-4);
  if (sum !== from || !has(i, 'row') || !has(i, 'col')) return refuse(i);
  const [m, n, k] = shape.slice(1).map(Number);
  const elements = { a: left as MatrixElement, b: right as MatrixElement, sum: sum as MatrixProduct['sum'] };
  const product = { m, n, k, ...elements, saturates: has(i, 'satfinite'), bits };
  const callee = matrixName(product);
  if (!intrinsicOf(callee)) return refuse(i);
  const sums = sum === 'f64' ? floatType('double') : sum === 'f32' ? floatType('float') : I32;
  const registers = (operand: PtxOperand): readonly PtxOperand[] => (operand.kind === 'vector' ? operand.elements : [operand]);
  const [d, ...inputs] = i.operands.map(registers);
  const counts = registersOf(product);
  if ([...inputs, d].some((parts, index) => parts.length !== (counts[index] ?? counts[2]))) return refuse(i);
  const types = [left === 'f64' ? sums : I32, left === 'f64' ? sums : I32, sums];
  const args = inputs.flatMap((parts, index) => parts.map((part) => a.read(part, types[index])));
  const results = structType(
    d.map(() => sums),
    false,
  );
  const whole = a.call(callee, results, [a.int(I32, -1), ...args]);
  d.forEach((to, index) => {
    a.write(to, part(a, whole, sums, index));
  });
}

/** Address of a row of 16 bytes that another lane has given. */
function rowOf(a: Assembler, address: Operand, lane: Operand): Operand {
  return a.call('llvm.nvvm.shfl.sync.idx.i32', I32, [a.int(I32, -1), address, lane, a.int(I32, 31)]);
}

/** ldmatrix and stmatrix: lanes 8 i to 8 i + 7 give the rows of matrix i, and each lane moves two neighbouring elements of a row or a column. */
function moveMatrices(a: Assembler, i: PtxInstruction) {
  if (!has(i, 'm8n8') || typeOf(i).name !== 'b16' || !has(i, 'sync')) return refuse(i);
  const loads = i.name === 'ldmatrix';
  const [registers, at] = loads ? i.operands : [i.operands[1], i.operands[0]];
  const parts = registers.kind === 'vector' ? registers.elements : [registers];
  if (parts.length !== (has(i, 'x4') ? 4 : has(i, 'x2') ? 2 : 1)) return refuse(i);
  const address = a.add({ op: 'ptrtoint', type: I32, a: a.pointer(at, 3) });
  const lane = a.call('llvm.nvvm.read.ptx.sreg.laneid', I32, []);
  const [slow, fast] = [a.binary('lshr', lane, a.int(I32, 2)), a.binary('and', lane, a.int(I32, 3))];
  const type = has(i, 'trans') ? I16 : I32;
  const pointer = (source: Operand, offset: Operand): Operand =>
    a.add({ op: 'inttoptr', type: pointerType(3), a: a.binary('add', rowOf(a, address, source), offset) });
  parts.forEach((part, matrix) => {
    const first = a.int(I32, 8 * matrix);
    const places = has(i, 'trans')
      ? [0, 1].map((k) =>
          pointer(
            a.binary('add', a.binary('add', a.binary('shl', fast, a.int(I32, 1)), a.int(I32, k)), first),
            a.binary('shl', slow, a.int(I32, 1)),
          ),
        )
      : [pointer(a.binary('add', slow, first), a.binary('shl', fast, a.int(I32, 2)))];
    const align = has(i, 'trans') ? 2 : 4;
    if (loads) {
      const values = places.map((place) => a.add({ op: 'load', type, pointer: place, align, volatile: false }));
      const [low, high] = values.map((value) => a.convert(value, I32));
      a.write(part, high ? a.binary('or', low, a.binary('shl', high, a.int(I32, 16))) : low);
      return;
    }
    const word = a.read(part, I32);
    places.forEach((place, k) => {
      const value = a.convert(k === 0 ? word : a.binary('lshr', word, a.int(I32, 16)), type);
      a.act({ op: 'store', type: VOID, value, pointer: place, align, volatile: false });
    });
  });
}

/** movmatrix.sync.aligned.m8n8.trans.b16 d, a: lanes hold two neighbours of a row each, and get two of a column. */
function turnMatrix(a: Assembler, i: PtxInstruction) {
  if (!has(i, 'm8n8') || !has(i, 'trans') || typeOf(i).name !== 'b16') return refuse(i);
  const word = a.read(i.operands[1], I32);
  const lane = a.call('llvm.nvvm.read.ptx.sreg.laneid', I32, []);
  const column = a.binary('lshr', lane, a.int(I32, 2));
  const from = a.binary(
    'add',
    a.binary('shl', a.binary('and', lane, a.int(I32, 3)), a.int(I32, 3)),
    a.binary('lshr', column, a.int(I32, 1)),
  );
  const shift = a.binary('shl', a.binary('and', column, a.int(I32, 1)), a.int(I32, 4));
  const [low, high] = [0, 4].map((next) =>
    a.binary('and', a.binary('lshr', rowOf(a, word, a.binary('add', from, a.int(I32, next))), shift), a.int(I32, 0xffff)),
  );
  a.write(i.operands[0], a.binary('or', low, a.binary('shl', high, a.int(I32, 16))));
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
  barrier: entry('sync arrive wait red popc and or cta cluster aligned release acquire relaxed', [0, 4], barrier),
  mma: entry(
    'sync aligned row col satfinite m8n8k4 m8n8k16 m8n8k32 m8n8k128 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64 m16n8k128 m16n8k256 e4m3 e5m2 s4 u4 b1 xor and popc kind::f8f6f4',
    4,
    multiplyMatrices,
  ),
  ldmatrix: entry('sync aligned m8n8 x1 x2 x4 trans shared shared::cta', 2, moveMatrices),
  stmatrix: entry('sync aligned m8n8 x1 x2 x4 trans shared shared::cta', 2, moveMatrices),
  movmatrix: entry('sync aligned m8n8 trans', 2, turnMatrix),
  nanosleep: entry('', 1, (a, i) => act(a, 'llvm.nvvm.nanosleep', [a.read(i.operands[0], I32)])),
  trap: entry('', 0, (a) => act(a, 'llvm.trap', [])),
  exit: entry('', 0, (a) => act(a, 'llvm.nvvm.exit', [])),
  brkpt: entry('', 0, (a) => act(a, 'llvm.debugtrap', [])),
  pmevent: entry('mask', 1, nothing),
  griddepcontrol: entry('wait launch_dependents', 0, nothing),
  setmaxnreg: entry('inc dec sync aligned', 1, nothing),
};
