/** Tables of texts that the extension has for some languages (l10n/). */
import { readFileSync } from 'node:fs';
import { assets } from '#platform';

/** By a tag such as `fr` or `pt-BR`. Nothing for a language that there is no table for. */
export function localTable<T>(name: 'hovers' | 'pages' | 'rules' | 'runs', locale: string | undefined): T | undefined {
  const language = locale?.split(/[-_]/)[0].toLowerCase() ?? '';
  if (!/^[a-z]+$/.test(language)) return undefined;
  try {
    return JSON.parse(readFileSync(assets.path('..', 'l10n', `${name}.${language}.json`), 'utf8'));
  } catch {
    return undefined;
  }
}
