/**
 * What the simulator asks of the system that it runs on: files, threads and processes with their messages, clocks, and work on bytes that
 * systems do best. Everything else of the simulator is plain ECMAScript and WebAssembly. `#platform` (`imports` in package.json) stands
 * for the side that a build gets; Node's is in node/. A side exports a value for each interface here, under its name in lower case.
 */

export interface Paths {
  readonly separator: string;
  /** The system writes paths as Windows does. */
  readonly windows: boolean;
  join(...parts: string[]): string;
  dirname(path: string): string;
  basename(path: string, extension?: string): string;
  extname(path: string): string;
  isAbsolute(path: string): boolean;
  relative(from: string, to: string): string;
  resolve(...parts: string[]): string;
  /** Normalizes a path with forward slashes, on every system. */
  normalizePosix(path: string): string;
}

export type FileKind = 'file' | 'folder' | 'link' | 'other';

export interface FileStatus {
  readonly kind: FileKind;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly permissions: number;
  readonly links: number;
  /** Together they tell whether two paths lead to one file. */
  readonly device: bigint;
  readonly inode: bigint;
}

/** An open file: a number of the system's. */
export type FileHandle = number;

export interface OpenOptions {
  readonly read: boolean;
  readonly write: boolean;
  readonly create: boolean;
  /** Fails if the file is there. */
  readonly exclusive: boolean;
  readonly permissions: number;
}

/** Synchronous, since the host program's system calls are. What fails throws an error with POSIX's name for it in `code`. */
export interface Files {
  /** Undefined where there is nothing. Links are followed unless told otherwise. */
  status(path: string, options?: { readonly followLinks: boolean }): FileStatus | undefined;
  /** Where a path leads, through all its links; undefined where there is nothing, or where the system does not say. */
  realPath(path: string): string | undefined;
  read(path: string): Uint8Array;
  list(folder: string): readonly { readonly name: string; readonly kind: FileKind }[];
  /** Neither follows a link at the path's end nor waits, as the other end of a pipe would make it. */
  open(path: string, options: OpenOptions): FileHandle;
  statusOf(handle: FileHandle): FileStatus;
  /** Bytes that were read. */
  readAt(handle: FileHandle, into: Uint8Array, position: number): number;
  /** Bytes that were written: not always all. */
  writeAt(handle: FileHandle, bytes: Uint8Array, position: number): number;
  truncateOpen(handle: FileHandle, sizeBytes: number): void;
  close(handle: FileHandle): void;
  createFolder(path: string, permissions: number): void;
  removeFolder(path: string): void;
  remove(path: string): void;
  rename(from: string, to: string): void;
  createLink(target: string, path: string): void;
  linkTarget(path: string): string;
  changePermissions(path: string, permissions: number): void;
  changeTimes(path: string, accessedMs: number, modifiedMs: number): void;
  /**
   * Runs `action` on a path without links (its last part apart, which the action must not follow) that stays the one that it is: where the
   * system can, through a descriptor of its folder, so that nobody can put a link in its place meanwhile. Fails with EACCES where somebody has.
   */
  inPlace<T>(path: string, action: (path: string) => T): T;
  /** The same for what has no form that leaves a link at the end alone, on something that is there: a link there fails with ELOOP. */
  onItself<T>(path: string, action: (path: string) => T): T;
  /** Path for a folder of temporary files that nobody else has; it is not made. */
  temporaryName(prefix: string): string;
  /** Removes a folder, if it is there, with all that it holds: when the function that is given back is called, or when the process ends. */
  removeAtExit(folder: string): () => void;
}

/** What the simulator keeps between runs. */
export interface Storage {
  /** Where, unless the user says otherwise; undefined where there is no such place. */
  defaultFolder(): string | undefined;
  /** Undefined where there is nothing to read. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Whole or not at all, also where several write it. One that is killed may leave something whose name begins with this one. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  list(folder: string): Promise<readonly { readonly name: string; readonly bytes: number; readonly usedMs: number }[]>;
  /** Makes it the one that was used last. */
  touch(path: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Files that the build has put into dist/. */
export interface Assets {
  path(...parts: string[]): string;
  has(...parts: string[]): boolean;
  load(...parts: string[]): Uint8Array;
}

export interface Listeners {
  message?(message: unknown): void;
  /** What was started has failed by itself, and has ended. */
  failed?(error: Error, outOfMemory: boolean): void;
  ended?(): void;
}

/** One end of a line between two threads. */
export interface Port {
  post(message: unknown, transfer?: readonly Transferable[]): void;
  /** Until the function that is given back is called. */
  listen(listeners: Listeners): () => void;
  /** The oldest message that nobody has received, without waiting for one. */
  receive(): unknown;
  /** It keeps nothing alive from now on. */
  unref(): void;
  close(): void;
}

export interface Thread extends Omit<Port, 'receive'> {
  /** Ends it at any moment. */
  close(): void;
}

export interface ThreadOptions {
  readonly data: unknown;
  /** Ends that the thread is to have: the system's own, as `Channel.far` is. */
  readonly transfer?: readonly unknown[];
  readonly stackMb?: number;
  readonly heapMb?: number;
}

export interface Threads {
  /** How many run at once. */
  readonly count: number;
  /** The calling thread and those that it starts take what others leave of the processors, where the system can have it so. */
  giveWay(): void;
  /** What this thread was started with, and the one that did; undefined in the first. */
  readonly data: unknown;
  readonly parent: Port | undefined;
  /** `bundle`: a file of dist/. */
  start(bundle: string, options: ThreadOptions): Thread;
  /** `far` goes into another thread's data and transfer list, where `port` makes an end of it. */
  channel(): { readonly near: Port; readonly far: unknown };
  port(far: unknown): Port;
}

/** A process that this one has started, which ends with it. */
export interface Process {
  readonly id: number | undefined;
  send(message: unknown): void;
  listen(listeners: { message(message: unknown): void; ended(reason: string): void }): void;
  /** Whether this process waits for it. */
  keepAlive(wanted: boolean): void;
  kill(): void;
}

export interface Processes {
  /** `heapMb`: most memory for its objects, where the system's own limit is not to hold. */
  start(bundle: string, options?: { readonly heapMb?: number }): Process;
  /** In one that was started: calls `receive` with what is sent to it, and gives the function that answers. It ends with its parent. */
  serve(receive: (message: unknown) => void): (message: unknown) => void;
  /** Processor time that this process has used, in milliseconds. */
  processorMs(): number;
}

export interface Code {
  /** The exports of a module of JavaScript that lies at this path. */
  importFile(path: string): Promise<unknown>;
  /** Compiled for speed from the start: kernels are short, and would be over before an engine does so by itself. */
  optimisedModule(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module;
  /** Functions that the module's section "compilationHints" names are compiled for speed when they are first called. */
  hintedModule(bytes: Uint8Array): WebAssembly.Module;
  /** The callers by name, one a line, innermost first. */
  stackText(limit: number): string;
  /** Where the callers that are WebAssembly are in their modules, in bytes, innermost first. */
  framesOnStack(limit: number): number[];
  /** The same for where an error came up: as many callers as errors remember. */
  framesOf(error: unknown): number[];
  /** How many callers errors remember from now on, in this thread. */
  rememberCallers(limit: number): void;
  /** From now on modules may use relaxed SIMD, in this whole process, if the engine has it. */
  allowRelaxedSimd(): void;
  /** From now on compiled as fast as possible, in this whole process. */
  compileFast(): void;
}

export interface Time {
  /** Nanoseconds since some moment; they never go back. */
  nanoseconds(): bigint;
  /** Does something later, unless the function that is given back is called or the process has ended before: it does not wait for this. */
  later(milliseconds: number, action: () => void): () => void;
}

export interface Bytes {
  /** As fast as memory is. */
  equal(a: Uint8Array, b: Uint8Array): boolean;
  /** One character for each byte. */
  latin1(bytes: Uint8Array): string;
  concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer>;
  sha256(...parts: (string | Uint8Array)[]): string;
  /** Brotli's format. */
  decompress(bytes: Uint8Array): Promise<Uint8Array>;
}
