/** Texts in the reader's language: an editor hands over what its extension has of them, and all else stays English. */

export type Texts = Readonly<Record<string, string>>;

let known: Texts = {};

export function speak(texts: Texts): void {
  known = texts;
}

/** A text of a table. */
export function spoken(text: string): string {
  return known[text] ?? text;
}

/** For texts that stand in the call. */
export const l10n = {
  /** `{0}` stands for the first of what is put in. */
  t(text: string, ...inserted: readonly (string | number)[]): string {
    return spoken(text).replace(/\{(\d)\}/g, (whole, index: string) => String(inserted[Number(index)] ?? whole));
  },
};
