/** Why a file is not analysed, as the end of a sentence, and what may be logged of an error. */

/** UTF-16 units for editors. Above this, parsing takes seconds: generated tables are like that, kernels are not. */
export const MOST_TEXT = 2_000_000;

export function reasonOf(error: unknown): string {
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'its code is nested too deeply';
  const { code } = error as NodeJS.ErrnoException;
  if (code) return `it cannot be read (${(error as Error).message})`;
  return `Lanewise failed, which is a bug (${error instanceof Error ? error.name : typeof error})`;
}

/** The kind of error and the functions that it passed through. Its message may quote a file, which is nobody's business but its owner's. */
export function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return `a ${typeof error} was thrown`;
  const { code } = error as NodeJS.ErrnoException;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [`${error.name}${code === undefined ? '' : ` ${code}`}`, ...frames].join('\n');
}
