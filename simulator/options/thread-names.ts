/** How texts of a run name its threads, for all who write some. */

interface ThreadPlace {
  readonly block?: readonly number[];
  readonly thread?: readonly number[];
  /** Demangled. */
  readonly kernel?: string;
}

/** "thread (1, 0, 0) of block (2, 0, 0)", with the kernel if there is one. undefined for who is no thread of a grid. */
export function threadName({ block, thread, kernel }: ThreadPlace): string | undefined {
  if (!block || !thread) return undefined;
  return `thread (${thread.join(', ')}) of block (${block.join(', ')})${kernel === undefined ? '' : ` of ${kernel}`}`;
}

/** "write by thread (1, 0, 0) of block (2, 0, 0)". */
export function whoDid({ access, ...place }: ThreadPlace & { readonly access: string }): string {
  const name = threadName(place);
  return name === undefined ? access : `${access} by ${name}`;
}
