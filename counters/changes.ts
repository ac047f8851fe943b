/** How much a number has changed. */
import { l10n } from './spoken.ts';

/** `÷ 8.0`, `× 1.5`, `+12 %`. */
export function change(from: number, to: number): string {
  if (from === to) return l10n.t('equal');
  if (from === 0) return l10n.t('new');
  if (to === 0) return l10n.t('gone');
  const ratio = to / from;
  if (ratio >= 1.5) return `× ${ratio.toFixed(1)}`;
  if (ratio <= 1 / 1.5) return `÷ ${(1 / ratio).toFixed(1)}`;
  return `${ratio > 1 ? '+' : '−'}${Math.abs(100 * (ratio - 1)).toFixed(1)} %`;
}
