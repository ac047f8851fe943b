/**
 * Loops over the active lanes of a warp. Each operation gets a copy of the loop of its own (through `new Function`), so that the
 * JavaScript engine inlines the operation into it: a shared loop that calls many different operations is five times slower.
 */

type Lanes = { [lane: number]: number } | { [lane: number]: bigint };
/** Writes `result[lane] = operation(a[lane], b[lane], ...)` for every lane of the mask. */
export type LaneLoop = (mask: number, result: Lanes, a: Lanes, b?: Lanes, c?: Lanes) => void;

// biome-ignore lint/suspicious/noExplicitAny: numbers or bigints, as the arrays hold.
export type LaneOperation = (a: any, b?: any, c?: any) => number | bigint;

const ARGUMENTS = ['a[lane]', 'b[lane]', 'c[lane]'];

export function laneLoop(arity: 1 | 2 | 3, operation: LaneOperation): LaneLoop {
  const call = `result[lane] = operation(${ARGUMENTS.slice(0, arity).join(', ')});`;
  const body = `return function (mask, result, a, b, c) {
    if (mask === -1) for (let lane = 0; lane < 32; lane++) { ${call} }
    else for (let rest = mask; rest !== 0; rest &= rest - 1) { const lane = 31 - Math.clz32(rest & -rest); ${call} }
  };`;
  return new Function('operation', body)(operation);
}

/** Loops by key, made when first asked for. */
export function loopTable(): (key: string, arity: 1 | 2 | 3, operation: () => LaneOperation) => LaneLoop {
  const loops = new Map<string, LaneLoop>();
  return (key, arity, operation) => {
    let loop = loops.get(key);
    if (!loop) {
      loop = laneLoop(arity, operation());
      loops.set(key, loop);
    }
    return loop;
  };
}
