/** What a client says of itself when it starts the server. */
import type { Ground, HoverOptions } from './hover.ts';

/** What a client may say in `initializationOptions`. */
export interface ClientOptions {
  /** Shows images in hovers: on which ground, which `lanewise/ground` may change; `true` is a light one. */
  readonly hoverPictures?: boolean | Ground;
  /** Has the commands lanewise.run, lanewise.cancel and lanewise.showOutput itself; otherwise the server offers the first two. */
  readonly ownCommands?: boolean;
  /** For clients without `workspace/configuration`. */
  readonly settings?: unknown;
  /** The user trusts the files of the workspace and may run them: the compiler is made ready when one is opened. */
  readonly trustedWorkspace?: boolean;
  /** Another extension completes code and shows compile errors in these files. */
  readonly otherLanguageServer?: boolean;
  /** The client's texts in the user's language, by the English ones: those of lenses, hints and reports. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Where compiled programs are kept: the user's cache folder unless given. */
  readonly cacheFolder?: string;
}

/** What is of the wrong type counts as not said. */
export function clientOptions(given: unknown): ClientOptions {
  if (typeof given !== 'object' || given === null) return {};
  const { cacheFolder, texts, ...options } = given as ClientOptions;
  return {
    ...options,
    ...(typeof cacheFolder === 'string' && { cacheFolder }),
    ...(isTexts(texts) && { texts }),
  };
}

function isTexts(texts: unknown): texts is Readonly<Record<string, string>> {
  return typeof texts === 'object' && texts !== null && Object.values(texts).every((text) => typeof text === 'string');
}

export function hoverOptions({ hoverPictures, ownCommands }: ClientOptions): Pick<HoverOptions, 'pictures' | 'rendersPages'> {
  return { pictures: hoverPictures === 'dark' ? 'dark' : hoverPictures ? 'light' : undefined, rendersPages: ownCommands === true };
}
