/** The standard input for programs: read when one reads, and given from its beginning to each of several runs. */

export type Fetch = () => Promise<Uint8Array | undefined>;

export class ProgramInput {
  readonly #stream: NodeJS.ReadStream;
  readonly #read: Uint8Array[] = [];
  #chunks: AsyncIterator<Uint8Array> | undefined;

  constructor(stream: NodeJS.ReadStream) {
    this.#stream = stream;
  }

  /** For one run. */
  fromStart(): Fetch {
    let next = 0;
    return async () => {
      if (next === this.#read.length && !(await this.#readOn())) return undefined;
      return this.#read[next++];
    };
  }

  /** Nothing is read before a program does: who reads from a terminal takes it from others. */
  async #readOn(): Promise<boolean> {
    this.#chunks ??= this.#stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    const { value, done } = await this.#chunks.next();
    if (!done) this.#read.push(value);
    return !done;
  }
}
