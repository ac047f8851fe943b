/** What a run counts otherwise than another one. */

import type { CountedLaunch } from './expectations.ts';
import { COLUMN_FIGURES, figure, PHRASE_FIGURES, sumOfMetrics } from './figures.ts';
import { grouped } from './grouped.ts';
import { unqualifiedName } from './kernel-names.ts';
import { l10n, spoken } from './spoken.ts';

/** What a run does otherwise than the one before, kernel by kernel: `sectors per load 32 → 4`; times are estimated. */
export function differences(before: readonly CountedLaunch[], now: readonly CountedLaunch[]): string[] {
  const names = new Set(now.map(({ kernel }) => unqualifiedName(kernel)));
  return [...names].flatMap((name) => {
    const [then, today] = [before, now].map((launches) => launches.filter(({ kernel }) => unqualifiedName(kernel) === name));
    if (then.length === 0) return [];
    const parts = [...figureChanges(then, today), ...timeChange(then, today)];
    return parts.length === 0 ? [] : [`${name}: ${parts.join(', ')}`];
  });
}

function figureChanges(before: readonly CountedLaunch[], now: readonly CountedLaunch[]): string[] {
  const [was, is] = [sumOfMetrics(before), sumOfMetrics(now)];
  const phrases = PHRASE_FIGURES.filter(({ as, phrase }) => as !== 'count' && !phrase.includes('bank conflicts')).map((one) => ({
    ...one,
    say: (change: string) => sentence(one.phrase, change),
    scale: one.as === 'share' ? 100 / (one.whole ?? 1) : 1,
    unit: one.as === 'share' ? ' %' : '',
  }));
  const conflicts = COLUMN_FIGURES.filter(({ title }) => title === 'conflicts').map((one) => ({
    ...one,
    say: (change: string) => l10n.t('bank conflicts {0}', change),
    scale: 1,
    unit: '',
  }));
  return [...phrases, ...conflicts].flatMap((one) => {
    const [a, b] = [figure(one, was)?.value ?? 0, figure(one, is)?.value ?? 0].map((value) => value * one.scale);
    return Math.abs(a - b) > 0.05 * Math.max(a, b) ? [one.say(`${short(a)}${one.unit} → ${short(b)}${one.unit}`)] : [];
  });
}

/** The number stands behind the words; in other languages where their phrase has it. */
function sentence(phrase: string, change: string): string {
  const said = spoken(phrase);
  return said === phrase ? `${phrase.replace(/^\* (of )?/, '')} ${change}` : said.replace('*', change);
}

/** Estimated; nothing where a launch has no estimate or little has changed. */
export function timeChange(before: readonly CountedLaunch[], now: readonly CountedLaunch[]): string[] {
  const [was, is] = [before, now].map((launches) => launches.reduce((sum, { estimate }) => sum + (estimate?.ns ?? Number.NaN), 0));
  if (!(was > 0 && is > 0)) return [];
  const times = was / is;
  if (times > 0.95 && times < 1.05) return [];
  return [
    times > 1 ? l10n.t('{0} times faster (estimated)', times.toFixed(1)) : l10n.t('{0} times slower (estimated)', (1 / times).toFixed(1)),
  ];
}

function short(value: number): string {
  return value >= 100 ? grouped(Math.round(value)) : String(Number(value.toFixed(1)));
}
