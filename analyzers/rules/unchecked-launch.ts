/**
 * A launch returns nothing: a refused one shows only in cudaGetLastError. Silent in files that check no CUDA call at all, where the
 * author has plainly decided not to.
 */
import type { LaunchFacts } from '../model/facts.ts';
import type { FileFacts } from '../model/file-facts.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule } from './define-rule.ts';

const CHECKS = new Set(['cudaGetLastError', 'cudaPeekAtLastError']);

export const uncheckedLaunch = defineRule({
  id: 'unchecked-launch',
  summary: 'Unchecked launch in a file that checks its other CUDA calls',
  category: 'launches',
  severity: 'information',
  messages: {
    unchecked:
      'errors of this launch go unnoticed, although other CUDA calls here are checked: a failed launch leaves stale results in memory; check cudaGetLastError() after it',
  },
  *detectFile(file) {
    if (!checksErrors(file)) return;
    const seen = new Set<string>();
    for (const launch of file.launches) {
      if (launch.checked || launch.inDeviceCode || launch.api !== 'triple-chevron' || seen.has(launch.functionName)) continue;
      seen.add(launch.functionName);
      if (isForCaller(launch, file)) continue;
      yield { at: { ...launch.place, end: launch.configPlace.start }, message: 'unchecked', subject: 'launches' };
    }
  },
});

/** The last thing that a function does which only other files call: they can still ask. */
function isForCaller({ functionName: name, place }: LaunchFacts, { hostFunctions, text }: FileFacts): boolean {
  if (hostFunctions.some((f) => f.name === 'main')) return false;
  const last = hostFunctions.find((f) => f.name === name)?.calls.at(-1);
  if (last?.launch === undefined || last.place.start !== place.start) return false;
  const named = text.matchAll(new RegExp(String.raw`\b${name.replaceAll(/\W/g, '.')}\s*\(`, 'g'));
  return [...named].length === 1;
}

/** Most calls that can fail: a look at an allocation alone is no habit. */
function checksErrors({ hostFunctions, isJudged }: FileFacts): boolean {
  const idle = new Set(hostFunctions.filter(({ isIdle }) => isIdle).map(({ name }) => name));
  const calls = hostFunctions
    .filter(({ place }) => isJudged(place))
    .flatMap((f) => f.calls)
    .filter(({ name }) => name.startsWith('cuda') && !CHECKS.has(name) && !UNASKED.test(name));
  const checked = calls.filter(({ resultUsed, place }) => resultUsed && !idle.has(takerOf(place))).length;
  return checked > 0 && 2 * checked >= calls.length;
}

/** The name of the function whose first argument it is, where nobody asks that one for its result. */
function takerOf({ item: { tokens }, start }: Place): string {
  const at = tokens.findIndex((token) => token.start >= start);
  const before = tokens[at - 3]?.text ?? ';';
  return tokens[at - 1]?.text === '(' && BEFORE_STATEMENTS.has(before) ? tokens[at - 2].text : '';
}

const BEFORE_STATEMENTS: ReadonlySet<string> = new Set([';', '{', '}', ')', ':', '::', 'else', 'do']);

/** What gives back, and what tells about errors. */
const UNASKED = /^cudaGetError|Free|Destroy|Unbind|Reset/;
