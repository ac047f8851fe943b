/** Numbers with the reader's own sign between their thousands. */
import { l10n } from './spoken.ts';

/** `15,872`, in French `15 872`; two digits at most behind the point. */
export function grouped(value: number): string {
  const [, separator] = l10n.t('1,000');
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 }).replaceAll(',', separator);
}
