/** `12 %`, `3.4 %`; what is little is not said to be nothing. */
export function percent(share: number): string {
  if (share === 0) return '0 %';
  if (share > 0 && share < 0.0005) return '< 0.1 %';
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}
