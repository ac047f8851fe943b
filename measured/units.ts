/** Units of Nsight Compute's tables: it writes each number in whichever fits, so that one column may have us in a file and ms in another. */

const PREFIXES: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, G: 1e9, T: 1e12 };
/** In seconds; names of earlier versions are longer. */
const TIMES: Readonly<Record<string, number>> = {
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  ns: 1e-9,
  second: 1,
  msecond: 1e-3,
  usecond: 1e-6,
  nsecond: 1e-9,
};
const NANOSECONDS = 1e9;

/** How many base units one of these is: nanoseconds, bytes, and so on; what is by time is by second. */
export function baseUnits(unit: string): number {
  const [amount, per] = unit.trim().split('/');
  const time = TIMES[amount];
  const whole = time === undefined ? prefixed(amount) : time * NANOSECONDS;
  return per === undefined ? whole : whole / (TIMES[per] ?? prefixed(per));
}

/** `Kbyte`, `Ghz`: a word that begins with a capital letter which it would not have by itself. */
function prefixed(word: string): number {
  const [, prefix] = /^([KMGT])[a-z]{2,}$/.exec(word) ?? [];
  return prefix === undefined ? 1 : PREFIXES[prefix];
}
