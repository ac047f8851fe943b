/** Tells sources from what is none: Clang would read it for a minute, or say hundreds of times what is wrong. */
import { howToRaise } from '../options/limits.ts';
import type { ReadableFiles } from './readable-files.ts';

/** Why these cannot be the sources of a program, for the first that cannot; undefined where all can. */
export function refuseSources(files: readonly string[], text: string | undefined, readable: ReadableFiles): string | undefined {
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice) return `${twice} is given twice`;
  for (const [index, file] of files.entries()) {
    const refusal =
      index === 0 && text !== undefined ? refuseText(file, new TextEncoder().encode(text), readable) : refuseFile(file, readable);
    if (refusal) return refusal;
  }
  return undefined;
}

function refuseFile(file: string, readable: ReadableFiles): string | undefined {
  const place = readable.at(file);
  if (!place) return readable.withheld(file) === undefined ? `${file}: no such file` : `${file} is not a regular file`;
  if (place.kind === 'folder') return `${file} is not a regular file`;
  if (place.kind === 'large file') return tooLarge(file, readable);
  const text = readable.text(file);
  return text ? refuseText(file, text, readable) : `${file} cannot be read`;
}

function refuseText(file: string, text: Uint8Array, readable: ReadableFiles): string | undefined {
  if (text.length > readable.largestMiB * 2 ** 20) return tooLarge(file, readable);
  const [first, second] = text;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return `${file} is encoded in UTF-16; save it as UTF-8`;
  if (text.includes(0)) return `${file} has NUL bytes, so it is not a source text`;
  return undefined;
}

export function tooLarge(file: string, { largestMiB }: ReadableFiles): string {
  return `${file} is larger than ${largestMiB} MiB; ${howToRaise('sourceMiB')}`;
}
