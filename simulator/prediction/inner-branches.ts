/** Branches inside of divisions, roots and functions, on what is known of their operands: ../ir/intrinsics/slow-paths.ts says what they ask. */
import type { Bits, Test } from '../ir/intrinsics/slow-paths.ts';
import { holds } from '../ir/intrinsics/slow-paths.ts';
import type { SlowPath } from '../ir/slow-paths.ts';
import type { Operand, Type } from '../ir/types.ts';
import { isUniform, type Value } from './values.ts';

/** `likely`: some lanes surely take the slow path, and of the others it is not known; `unknown`: nothing is. */
export type InnerParting = 'no' | 'likely' | 'yes' | 'unknown';

export function innerParting({ words, conditions }: SlowPath, valueAt: (operand: Operand) => Value, mask: number): InnerParting {
  const values = words.map(valueAt);
  if (values.every((value) => isUniform(value, mask))) return 'no';
  const ways = new Set<'fast' | 'slow' | 'apart' | 'slow or apart' | 'any'>();
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    // A sum with an unknown has no bits to be asked for.
    const isKnown = ({ terms, known }: Value) => terms.length === 0 && ((known >>> lane) & 1) === 1;
    const bits = values.map((value, index) => (isKnown(value) ? wordOf(value.lanes[lane], words[index].type) : undefined));
    const isSlow = holdsFor(conditions.slow, bits);
    const isApart = isSlow && conditions.apart ? holdsFor(conditions.apart, bits) : false;
    if (isSlow === undefined) ways.add('any');
    else ways.add(!isSlow ? 'fast' : isApart === undefined ? 'slow or apart' : isApart ? 'apart' : 'slow');
  }
  const isSlowSomewhere = ways.has('slow') || ways.has('apart') || ways.has('slow or apart');
  if ((ways.has('fast') && isSlowSomewhere) || (ways.has('slow') && ways.has('apart'))) return 'yes';
  if (ways.has('any')) return isSlowSomewhere ? 'likely' : 'unknown';
  return ways.has('slow or apart') ? 'unknown' : 'no';
}

/** Undefined where it hangs on a word that is not known. */
function holdsFor(test: Test, words: readonly (number | undefined)[]): boolean | undefined {
  switch (test.op) {
    case 'below':
      return asks(test.a, words) && asks(test.b, words) ? holds(test, words as readonly number[]) : undefined;
    case 'not': {
      const inner = holdsFor(test.a, words);
      return inner === undefined ? undefined : !inner;
    }
    case 'and': {
      const [a, b] = [holdsFor(test.a, words), holdsFor(test.b, words)];
      if (a === false || b === false) return false;
      return a && b;
    }
  }
}

/** Whether all words that are asked for are known. */
function asks(bits: Bits, words: readonly (number | undefined)[]): boolean {
  if (bits.op === 'constant') return true;
  if (bits.op === 'word') return words[bits.index] !== undefined;
  return asks(bits.a, words) && ('b' in bits ? asks(bits.b, words) : true);
}

const view = new DataView(new ArrayBuffer(8));

/** Of 64 bits the upper half. */
function wordOf(value: number, type: Type): number {
  if (type.kind === 'float') {
    if (type.format === 'double') view.setFloat64(0, value);
    else view.setFloat32(0, value);
    return view.getUint32(0);
  }
  return (type.kind === 'int' && type.bits === 64 ? Math.floor(value / 2 ** 32) : value) >>> 0;
}
