/**
 * What a compiler run looked for on the user's disk and what it found there: enough to tell whether the same run would find the same again.
 */
import { createHash } from 'node:crypto';

/** One path, asked for the first time. */
export interface Lookup {
  /** As the system writes it. */
  readonly path: string;
  /** For a file whose text was read, the text's hash. */
  readonly found: 'nothing' | 'folder' | 'file' | { readonly sha256: string };
  /** The first path of the run that led to the same file or folder, by links or other names: a compiler reads such a file once. */
  readonly sameAs?: string;
}

/** Collects the lookups of one run. */
export class LookupRecorder {
  readonly #lookups = new Map<string, Lookup>();
  readonly #firstPaths = new Map<string, string>();

  /** `identity`: alike for two paths that lead to the same place. */
  found(path: string, kind: 'folder' | 'file', identity: string): void {
    if (this.#lookups.has(path)) return;
    const first = this.#firstPaths.get(identity);
    if (first === undefined) this.#firstPaths.set(identity, path);
    this.#lookups.set(path, { path, found: kind, ...(first !== undefined && { sameAs: first }) });
  }

  foundNothing(path: string): void {
    if (!this.#lookups.has(path)) this.#lookups.set(path, { path, found: 'nothing' });
  }

  read(path: string, text: Uint8Array): void {
    const lookup = this.#lookups.get(path);
    if (lookup?.found === 'file') this.#lookups.set(path, { ...lookup, found: { sha256: sha256(text) } });
  }

  all(): readonly Lookup[] {
    return [...this.#lookups.values()];
  }
}

export function sha256(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}
