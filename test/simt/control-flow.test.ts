import { describe, expect, test } from 'vitest';
import { blockDominators, dominates } from '../../simulator/ir/dominators.ts';
import { parseIr } from '../../simulator/ir/parse.ts';
import { FUNCTION_END, reconvergenceBlocks } from '../../simulator/ir/reconvergence.ts';
import type { IrFunction } from '../../simulator/ir/types.ts';
import { findLoops } from '../../simulator/simt/loops.ts';

/** A function whose blocks go where this says: "0: 1 2, 1: 2, 2: ret". One or two targets, `ret`, `trap`. */
function graph(text: string, kind = 'ptx_kernel void'): IrFunction {
  const body = text.split(', ').map((line) => {
    const [label, targets] = line.split(': ');
    const [a, b] = targets.split(' ');
    // A call keeps the block from being a bare return.
    const work = targets === 'ret!' ? '' : '  call void @cudaGetLastError()\n';
    const labels = targets.split(' ').map((t) => `label %b${t}`);
    const end = a.startsWith('ret') ? 'ret void' : a === 'trap' ? 'unreachable' : b ? `br i1 %c, ${labels.join(', ')}` : `br ${labels[0]}`;
    return `b${label}:\n${work}  ${end}`;
  });
  return parseIr(`define ${kind} @f(i1 %c) {\n${body.join('\n')}\n}\n`).functions.get('f')!;
}

describe('dominators', () => {
  test('of a diamond in a loop', () => {
    const tree = blockDominators(graph('0: 1, 1: 2 3, 2: 4, 3: 4, 4: 1 5, 5: ret').blocks);
    expect([...tree.parent]).toEqual([0, 0, 1, 1, 1, 4]);
    expect(dominates(tree, 1, 5)).toBe(true);
    expect(dominates(tree, 2, 4)).toBe(false);
    expect(dominates(tree, 4, 4)).toBe(true);
  });

  test('of random graphs agree with the definition', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const size = 3 + (seed % 9);
      const lines = Array.from({ length: size }, (_, n) => {
        const target = (k: number) => 1 + (((seed * 7919 + n * 104729 + k * 1299709) >>> 3) % (size - 1));
        return `${n}: ${n === size - 1 ? 'ret' : target(1) === target(2) ? target(1) : `${target(1)} ${target(2)}`}`;
      });
      const { blocks } = graph(lines.join(', '));
      const tree = blockDominators(blocks);
      for (const a of blocks) {
        // Without the block a, the entry must not reach what a dominates.
        const reached = new Set(a.index === 0 ? [] : [0]);
        for (const b of reached) for (const s of blocks[b].successors) if (s !== a.index) reached.add(s);
        for (const b of blocks)
          expect(dominates(tree, a.index, b.index), `seed ${seed}: ${a.index} over ${b.index}`).toBe(!reached.has(b.index));
      }
    }
  });
});

describe('reconvergence', () => {
  const meeting = (text: string, kind?: string) => [...reconvergenceBlocks(graph(text, kind))];

  test('of if and if/else', () => {
    expect(meeting('0: 1 2, 1: 2, 2: ret')).toEqual([2, 2, FUNCTION_END]);
    expect(meeting('0: 1 2, 1: 3, 2: 3, 3: ret')).toEqual([3, 3, 3, FUNCTION_END]);
  });

  test('of a loop with a break: behind it', () => {
    expect(meeting('0: 1, 1: 2 4, 2: 3 4, 3: 1, 4: ret')[2]).toBe(4);
  });

  test('an early return of a kernel is not waited for', () => {
    expect(meeting('0: 1 2, 1: 3 4, 2: 3, 3: 4, 4: ret!')).toEqual([3, 3, 3, 4, FUNCTION_END]);
  });

  test('a device function waits for the lanes that return early', () => {
    expect(meeting('0: 1 2, 1: 3 4, 2: 3, 3: 4, 4: ret!', 'void')).toEqual([4, 4, 3, 4, FUNCTION_END]);
  });

  test('a fault is not waited for', () => {
    expect(meeting('0: 1 2, 1: trap, 2: ret')).toEqual([2, FUNCTION_END, FUNCTION_END]);
  });

  test('two different returns meet at the end', () => {
    expect(meeting('0: 1 2, 1: ret, 2: ret')).toEqual([FUNCTION_END, FUNCTION_END, FUNCTION_END]);
  });

  test('endless loops', () => {
    expect(meeting('0: 1, 1: 1')).toEqual([1, FUNCTION_END]);
    expect(meeting('0: 1, 1: 2 3, 2: 4, 3: 4, 4: 1')[1]).toBe(4);
    expect(meeting('0: 1 4, 1: 2 3, 2: 1, 3: 1, 4: ret')).toEqual([FUNCTION_END, FUNCTION_END, 1, 1, FUNCTION_END]);
  });
});

describe('loops', () => {
  test('nest', () => {
    const { loops, innermost, irreducible } = findLoops(graph('0: 1, 1: 2 5, 2: 3 4, 3: 2, 4: 1, 5: ret'));
    expect(loops.map((l) => [l.header, l.blocks, l.depth, l.outer])).toEqual([
      [1, [1, 2, 3, 4], 1, -1],
      [2, [2, 3], 2, 0],
    ]);
    expect(loops[0].exits).toEqual([{ from: 1, to: 5 }]);
    expect(loops[1].latches).toEqual([3]);
    expect([...innermost]).toEqual([-1, 0, 1, 1, 0, -1]);
    expect(irreducible).toBe(false);
  });

  test('with two entries are irreducible', () => {
    expect(findLoops(graph('0: 1 2, 1: 2 3, 2: 1, 3: ret')).irreducible).toBe(true);
  });
});
