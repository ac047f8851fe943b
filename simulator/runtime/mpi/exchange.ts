/**
 * What the ranks of a program share: whose turn it is, and the messages that are under way. Each rank is a thread with a program of its
 * own; one runs at a time, until it waits for what is not there yet, so that every run is the same. Whoever has the turn may use all of
 * the shared memory.
 */
import { ProgramExit, ProgramFault } from '../linux/errors.ts';

export interface RankOptions {
  readonly rank: number;
  readonly ranks: number;
  /** See `sharedExchange`. */
  readonly shared: SharedArrayBuffer;
}

/** Between two ranks; `kind` says which of these it is. */
export interface Message {
  readonly kind: 'data' | 'taken';
  readonly from: number;
  readonly to: number;
  /** Of the communicator: messages of different ones never meet. */
  readonly context: number;
  readonly tag: number;
  /** Of a sender, by which a receiver says that it has taken a message. */
  readonly number: number;
  /** When it was sent, or arrived. */
  readonly ns: number;
  /** The sender waits until it is taken. */
  readonly waits: boolean;
  /** When it arrives, where that is known; of other messages it hangs on both sides. */
  readonly arrivesNs?: number;
  /** Device that has the data at the sender; undefined for the host. */
  readonly device?: string;
  readonly bytes: Uint8Array;
}

/** Bytes of messages that are under way at a time. */
const LOG_BYTES = 256 << 20;
/** Numbers of the head, and of each rank. */
const HEAD = { turn: 0, top: 1, idle: 2, ended: 3, prints: 4, ranks: 8 } as const;
const RANK = { cursor: 0, over: 1, words: 2 } as const;
/** Why all ranks end, in `ended`. */
const STUCK = 1;
const ABORTED = 2;
/** Of a rank that another one has ended. */
const EXIT_ABORTED = 1;
/** Bytes of what a rank waits for, in words. */
const WORDS_BYTES = 240;

const headBytes = (ranks: number): number => 4 * (HEAD.ranks + RANK.words * ranks) + WORDS_BYTES * ranks;

export function sharedExchange(ranks: number): SharedArrayBuffer {
  return new SharedArrayBuffer(Math.ceil(headBytes(ranks) / 8) * 8 + LOG_BYTES);
}

/** Which of all outputs of all ranks the next one is: those of one rank come in order, those of several are put into it by this. */
export function nextPrint(shared: SharedArrayBuffer): number {
  return Atomics.add(new Int32Array(shared), HEAD.prints, 1);
}

export class Exchange {
  readonly #head: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #log: DataView;
  readonly #rank: number;
  readonly #ranks: number;

  constructor({ rank, ranks, shared }: RankOptions) {
    this.#rank = rank;
    this.#ranks = ranks;
    this.#head = new Int32Array(shared, 0, HEAD.ranks + RANK.words * ranks);
    this.#bytes = new Uint8Array(shared);
    this.#log = new DataView(shared, Math.ceil(headBytes(ranks) / 8) * 8);
  }

  /** Waits for the first turn. */
  begin(): void {
    this.#awaitTurn();
  }

  /** This rank's program is over: the others go on. */
  end(): void {
    this.#head[this.#of(this.#rank) + RANK.over] = 1;
    this.#head[HEAD.idle] = 0;
    this.#handOn();
  }

  /** Ends the programs of all ranks. */
  abort(): void {
    this.#head[HEAD.ended] = ABORTED;
  }

  /** Lets the others run. `waiting`: for what, in words; without it this rank goes on whatever they do. */
  pass(waiting?: string): void {
    const words = new TextEncoder().encode(waiting ?? '').subarray(0, WORDS_BYTES - 1);
    const at = this.#wordsAt(this.#rank);
    this.#bytes.fill(0, at, at + WORDS_BYTES);
    this.#bytes.set(words, at);
    if (waiting === undefined) this.#head[HEAD.idle] = 0;
    // All have looked for what they wait for since anybody last did anything.
    else if (++this.#head[HEAD.idle] > this.#alive().length) {
      this.#head[HEAD.ended] = STUCK;
      throw this.#stuck();
    }
    this.#handOn();
    this.#awaitTurn();
    if (this.#head[HEAD.ended] === STUCK) throw this.#stuck();
    if (this.#head[HEAD.ended] === ABORTED) throw new ProgramExit(EXIT_ABORTED);
  }

  /** What was waited for is there. */
  progress(): void {
    this.#head[HEAD.idle] = 0;
  }

  post(message: Message): void {
    const text = new TextEncoder().encode(JSON.stringify({ ...message, bytes: undefined }));
    const size = Math.ceil((12 + text.length + message.bytes.length) / 8) * 8;
    while (this.#head[HEAD.top] * 8 + size > LOG_BYTES) {
      if (size > LOG_BYTES / 2)
        throw new ProgramFault('host-fault', `a message of ${message.bytes.length} bytes is more than ranks can exchange`);
      this.pass(`until messages of ${LOG_BYTES >> 20} MiB have been received`);
    }
    const at = this.#head[HEAD.top] * 8;
    this.#log.setUint32(at, size);
    this.#log.setUint32(at + 4, text.length);
    this.#log.setUint32(at + 8, message.bytes.length);
    const into = this.#log.byteOffset + at + 12;
    this.#bytes.set(text, into);
    this.#bytes.set(message.bytes, into + text.length);
    this.#head[HEAD.top] += size / 8;
    this.#head[HEAD.idle] = 0;
  }

  /** What has come for this rank since it last asked. */
  take(): readonly Message[] {
    const cursor = this.#of(this.#rank) + RANK.cursor;
    const taken: Message[] = [];
    let at = this.#head[cursor] * 8;
    for (const end = this.#head[HEAD.top] * 8; at < end; at += this.#log.getUint32(at)) {
      const text = this.#log.byteOffset + at + 12;
      const data = text + this.#log.getUint32(at + 4);
      const message = JSON.parse(new TextDecoder().decode(this.#bytes.slice(text, data))) as Omit<Message, 'bytes'>;
      if (message.to === this.#rank) taken.push({ ...message, bytes: this.#bytes.slice(data, data + this.#log.getUint32(at + 8)) });
    }
    this.#head[cursor] = at / 8;
    const all = this.#alive().map((rank) => this.#of(rank) + RANK.cursor);
    if (all.every((each) => this.#head[each] === this.#head[HEAD.top])) {
      for (let rank = 0; rank < this.#ranks; rank++) this.#head[this.#of(rank) + RANK.cursor] = 0;
      this.#head[HEAD.top] = 0;
    }
    return taken;
  }

  #of(rank: number): number {
    return HEAD.ranks + RANK.words * rank;
  }

  #wordsAt(rank: number): number {
    return 4 * this.#of(this.#ranks) + WORDS_BYTES * rank;
  }

  #alive(): readonly number[] {
    return Array.from({ length: this.#ranks }, (_, rank) => rank).filter((rank) => this.#head[this.#of(rank) + RANK.over] === 0);
  }

  #handOn(): void {
    for (let step = 1; step <= this.#ranks; step++) {
      const next = (this.#rank + step) % this.#ranks;
      if (this.#head[this.#of(next) + RANK.over] !== 0) continue;
      Atomics.store(this.#head, HEAD.turn, next);
      Atomics.notify(this.#head, HEAD.turn);
      return;
    }
  }

  #awaitTurn(): void {
    for (let turn = Atomics.load(this.#head, HEAD.turn); turn !== this.#rank; turn = Atomics.load(this.#head, HEAD.turn)) {
      Atomics.wait(this.#head, HEAD.turn, turn);
    }
  }

  #stuck(): ProgramFault {
    const others = Array.from({ length: this.#ranks }, (_, rank) => {
      const isOver = this.#head[this.#of(rank) + RANK.over] !== 0;
      return `rank ${rank} ${isOver ? 'has ended' : `waits ${this.#wordsOf(rank)}`}`;
    });
    return new ProgramFault('deadlock', `no rank can go on: ${others.join('; ')}`);
  }

  #wordsOf(rank: number): string {
    const at = this.#wordsAt(rank);
    const words = this.#bytes.slice(at, at + WORDS_BYTES);
    return new TextDecoder().decode(words.subarray(0, words.indexOf(0)));
  }
}
