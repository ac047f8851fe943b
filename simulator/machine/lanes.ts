/** Masks of lanes: bit n stands for lane n. */

/** Number of the lowest lane of a mask that is not empty. */
export function lowestLane(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

export function forLanes(mask: number, visit: (lane: number) => void): void {
  for (let rest = mask; rest !== 0; rest &= rest - 1) visit(31 - Math.clz32(rest & -rest));
}

/** Bit mask of the active lanes whose i1 is set. */
export function lanesThatHold(values: Int32Array, mask: number): number {
  let lanes = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    if (values[31 - Math.clz32(bit)] !== 0) lanes |= bit;
  }
  return lanes;
}
