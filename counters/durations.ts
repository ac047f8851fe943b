/** How long something takes, in as many digits as estimates are worth. */

/** `12.3 µs`. */
export function duration(nanoseconds: number): string {
  const [scale, unit] = nanoseconds >= 1e9 ? [1e9, 's'] : nanoseconds >= 1e6 ? [1e6, 'ms'] : nanoseconds >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  return `${(nanoseconds / (scale as number)).toPrecision(3)} ${unit}`;
}
