/**
 * What stands in for parts of the C and C++ libraries: random numbers and qsort as on Linux, so that a program's data are the same as on
 * the machine with the GPU; absolute paths; and the end of a program that throws an exception, which the WebAssembly libraries cannot catch.
 */
import type { Functions } from './cuda-context.ts';
import { demangle } from './demangle.ts';
import type { HostMemory } from './host-memory.ts';
import { ProgramExit } from './wasi.ts';

const SLASH = 0x2f;
/** What a shell reports for a program that SIGABRT ended. */
const EXIT_ABORT = 134;

export interface CLibraryParts {
  readonly memory: HostMemory;
  /** Descriptors of the folders that are open from the start. */
  readonly folders: { readonly workingDirectory: number; readonly root: number };
  stderr(bytes: Uint8Array): void;
  /** Calls a function of the host program through its table; its result. */
  callHost(pointer: number, ...args: number[]): number;
  flush(): void;
}

export function libraryFunctions(parts: CLibraryParts): Functions {
  return {
    ...randomFunctions(parts.memory),
    __wrap_qsort: (base, count, sizeBytes, compare) => sortAsGlibc(parts, { base, count, sizeBytes, compare }),
    // The C library looks for an open folder whose name begins the path, and takes absolute paths for relative ones on the way.
    __wrap___wasilibc_find_relpath: (path, prefixOut, relativeOut) => {
      const { memory, folders } = parts;
      const absolute = memory.bytes[path] === SLASH;
      let rest = path;
      while (memory.bytes[rest] === SLASH) rest++;
      memory.setU32(prefixOut, memory.keep(absolute ? '/' : ''));
      memory.setU32(relativeOut, memory.bytes[rest] === 0 ? memory.keep('.') : rest);
      return absolute ? folders.root : folders.workingDirectory;
    },
    __wrap_sbrk: (increment) => parts.memory.sbrk(increment),
    __cxa_allocate_exception: (sizeBytes) => parts.memory.allocate(sizeBytes),
    __cxa_free_exception: () => 0,
    __cxa_throw: (object, type) => {
      parts.flush();
      parts.stderr(new TextEncoder().encode(uncaught(parts, object, type)));
      throw new ProgramExit(EXIT_ABORT);
    },
  };
}

/**
 * glibc's rand(): an additive feedback generator over 31 words, seeded by the minimal standard generator (stdlib/random_r.c, TYPE_3,
 * as documented in its manual's chapter on pseudo-random numbers), and the linear congruential rand_r().
 */
function randomFunctions(memory: HostMemory): Functions {
  let state = seeded(1);
  let at = 3;
  const next = () => {
    state[at] = (state[at] + state[(at + 28) % 31]) | 0;
    const value = state[at] >>> 1;
    at = (at + 1) % 31;
    return value;
  };
  const seed = (value: number) => {
    state = seeded(value);
    at = 3;
    for (let i = 0; i < 310; i++) next();
    return 0;
  };
  seed(1);
  return {
    __wrap_rand: next,
    __wrap_random: next,
    __wrap_srand: seed,
    __wrap_srandom: seed,
    __wrap_rand_r: (seedAt) => {
      let word = memory.u32(seedAt);
      const step = () => {
        word = (Math.imul(word, 1103515245) + 12345) >>> 0;
        return word >>> 16;
      };
      const high = step() % 2048;
      const middle = (high << 10) ^ (step() % 1024);
      const value = (middle << 10) ^ (step() % 1024);
      memory.setU32(seedAt, word);
      return value;
    },
  };
}

interface SortedArray {
  readonly base: number;
  readonly count: number;
  readonly sizeBytes: number;
  /** Number of the comparing function in the program's table. */
  readonly compare: number;
}

/**
 * glibc's qsort is a merge sort (its manual's chapter on searching and sorting), so programs are used to it that equal elements keep
 * their order and that a comparison which says 1 or 0, never less, still sorts.
 */
function sortAsGlibc({ memory, callHost }: CLibraryParts, { base, count, sizeBytes, compare }: SortedArray): undefined {
  const isGreater = (a: number, b: number) => (callHost(compare, base + a * sizeBytes, base + b * sizeBytes) | 0) > 0;
  const order = mergeSorted(
    Array.from({ length: count }, (_, index) => index),
    isGreater,
  );
  const before = memory.bytes.slice(base, base + count * sizeBytes);
  order.forEach((from, to) => {
    memory.bytes.set(before.subarray(from * sizeBytes, (from + 1) * sizeBytes), base + to * sizeBytes);
  });
}

function mergeSorted(elements: readonly number[], isGreater: (a: number, b: number) => boolean): readonly number[] {
  if (elements.length < 2) return elements;
  const half = elements.length >>> 1;
  const left = mergeSorted(elements.slice(0, half), isGreater);
  const right = mergeSorted(elements.slice(half), isGreater);
  const merged: number[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) merged.push(isGreater(left[l], right[r]) ? right[r++] : left[l++]);
  while (l < left.length) merged.push(left[l++]);
  while (r < right.length) merged.push(right[r++]);
  return merged;
}

/** Words in the order in which the generator uses them: each is the oldest of 31 when its turn comes. */
function seeded(seed: number): Int32Array {
  const words = new Int32Array(31);
  words[0] = seed === 0 ? 1 : seed;
  for (let i = 1; i < 31; i++) {
    const word = (16807 * (words[i - 1] % 127773) - 2836 * Math.trunc(words[i - 1] / 127773)) | 0;
    words[i] = word < 0 ? word + 2147483647 : word;
  }
  return words;
}

/** What a Linux program prints before it aborts. */
function uncaught({ memory, callHost }: CLibraryParts, object: number, type: number): string {
  // A type_info holds the address of its class's table and of its mangled name.
  const name = demangle(`_Z${memory.text(memory.u32(type + 4))}`);
  const head = `terminate called after throwing an instance of '${name}'\n`;
  if (!isStandardException(memory, type)) return head;
  // std::exception: two destructors, then what().
  const what = callHost(memory.u32(memory.u32(object) + 8), object);
  return `${head}  what():  ${memory.text(what >>> 0)}\n`;
}

/** Follows single inheritance: such a type_info holds its base's at offset 8. */
function isStandardException(memory: HostMemory, type: number): boolean {
  for (let at = type, depth = 0; depth < 16 && at > 0 && at + 12 <= memory.sizeBytes; depth++) {
    const name = memory.text(memory.u32(at + 4));
    if (name === 'St9exception') return true;
    if (!/^(St|N|\d)/.test(name)) return false;
    at = memory.u32(at + 8);
  }
  return false;
}
