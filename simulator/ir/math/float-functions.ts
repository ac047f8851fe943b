/** Roundings and extremes as IEEE 754 has them, where JavaScript's differ. */

export function roundToEven(a: number): number {
  if (!Number.isFinite(a) || Math.abs(a) >= 2 ** 52) return a;
  const below = Math.floor(a);
  const rest = a - below;
  const rounded = rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
  return rounded === 0 && (a < 0 || Object.is(a, -0)) ? -0 : rounded;
}

/** Halves away from zero. */
export function roundAway(a: number): number {
  if (!Number.isFinite(a) || Math.abs(a) >= 2 ** 52) return a;
  const whole = Math.trunc(a);
  return Math.abs(a - whole) >= 0.5 ? whole + Math.sign(a) : whole;
}

/** The operand that is a number wins over NaN; -0 is below +0. */
export function minimumNumber(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
}

export function maximumNumber(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
}
