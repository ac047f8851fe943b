/** Texts of files on the disk, as an editor would read them. */
import { MOST_TEXT } from '../project/not-analysed.ts';
import { regularText } from '../project/regular-files.ts';
import type { OpenDocument } from './documents.ts';
import { keyOfPath } from './run-files.ts';
import { pathOf } from './uris.ts';

/** A character takes up to three bytes in UTF-8. */
const MOST_BYTES = 3 * MOST_TEXT;

/** Nothing for what cannot be read, whatever the reason. */
export function diskText(path: string): string | undefined {
  try {
    return regularText(path, MOST_BYTES);
  } catch {
    return undefined;
  }
}

/** Of the open files but the program's first: those that are not as on the disk. */
export function unsavedTexts(documents: Iterable<OpenDocument>, first: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const document of documents) {
    const path = pathOf(document.uri);
    if (path !== undefined && path !== first && diskText(path) !== document.getText()) texts[path] = document.getText();
  }
  return texts;
}

/** By path. */
export function openTexts(documents: Iterable<OpenDocument>): ReadonlyMap<string, string> {
  return new Map([...documents].map((document) => [pathOf(document.uri) ?? document.uri, document.getText()]));
}

/** However the client writes the path. */
export function openText(documents: Iterable<OpenDocument>, path: string): string | undefined {
  const key = keyOfPath(path);
  for (const document of documents) if (document.fileKey === key) return document.getText();
  return undefined;
}
