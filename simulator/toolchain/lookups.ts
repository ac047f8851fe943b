/**
 * What a compiler run looked for on the user's disk and what it found there: enough to tell whether the same run would find the same again.
 */
import { bytes } from '#platform';
import type { Place, PlaceKind, ReadableFiles } from './readable-files.ts';

/** One path, as it was when it was first asked for. */
export interface Lookup {
  /** As the system writes it. */
  readonly path: string;
  /** For a file whose text was asked for, the text's hash; undefined there if it could not be read. */
  readonly found: 'nothing' | PlaceKind | { readonly sha256: string | undefined };
  /** The first path of the run that led to the same file or folder, by links or other names: a compiler reads such a file once. */
  readonly sameAs?: string;
}

/** Collects the lookups of one run. */
export class LookupRecorder {
  readonly #lookups = new Map<string, Lookup>();
  readonly #firstPaths = new Map<string, string>();

  asked(path: string, place: Place | undefined): void {
    if (!this.#lookups.has(path)) this.#lookups.set(path, { path, ...finding(path, place, this.#firstPaths) });
  }

  read(path: string, text: Uint8Array | undefined): void {
    const lookup = this.#lookups.get(path);
    if (lookup?.found === 'file') this.#lookups.set(path, { ...lookup, found: { sha256: text && bytes.sha256(text) } });
  }

  all(): readonly Lookup[] {
    return [...this.#lookups.values()];
  }
}

/** Would a run that asks for these paths in this order find the same? */
export function wouldFindTheSame(lookups: readonly Lookup[], readable: ReadableFiles): boolean {
  const firstPaths = new Map<string, string>();
  return lookups.every(({ path, found, sameAs }) => {
    const now = finding(path, readable.at(path), firstPaths);
    if (now.sameAs !== sameAs) return false;
    if (typeof found === 'string') return now.found === found;
    const text = now.found === 'file' ? readable.text(path) : undefined;
    return now.found === 'file' && (text && bytes.sha256(text)) === found.sha256;
  });
}

/** `firstPaths`: those that led to a place first, by identity. */
function finding(path: string, place: Place | undefined, firstPaths: Map<string, string>): Pick<Lookup, 'found' | 'sameAs'> {
  if (!place) return { found: 'nothing' };
  const first = firstPaths.get(place.identity);
  if (first !== undefined) return { found: place.kind, sameAs: first };
  firstPaths.set(place.identity, path);
  return { found: place.kind };
}
