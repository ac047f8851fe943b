/** What a hostile program or input is, and what must come of it. */
export interface HostileCase {
  readonly name: string;
  /** Texts and bytes by path below the home folder; what else there must be, `prepare` makes. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Arguments of `lanewise`, in the home folder. */
  readonly args: readonly string[];
  /** Undefined where several are right. */
  readonly exit: number | undefined;
  /** What stdout and stderr together must say. */
  readonly says: RegExp;
  /** Its own limits; what it takes may be a fifth more. */
  readonly seconds: number;
  readonly megabytes: number;
  /** A shell command in the home folder, before. */
  readonly prepare?: string;
  /** A shell command in the home folder, for as long as it runs: one that changes things meanwhile. */
  readonly meanwhile?: string;
  /** Sends SIGINT when the output has this. */
  readonly interruptAt?: string;
}

type Changes = Partial<Omit<HostileCase, 'name'>>;

/** Clang, the program's thread and two engines' worth of memory: what a small program takes. */
const USUAL_MEGABYTES = 1500;
const USUAL_SECONDS = 40;

/** A program that is compiled and run. */
export function run(name: string, source: string | Uint8Array, exit: number | undefined, says: RegExp, changes: Changes = {}): HostileCase {
  const args = ['run', 'a.cu', '--quiet', '--no-cache'];
  return { name, files: { 'a.cu': source }, args, exit, says, seconds: USUAL_SECONDS, megabytes: USUAL_MEGABYTES, ...changes };
}

/** A file that is checked beside a sound one, whose finding must be there all the same. */
export function check(
  name: string,
  source: string | Uint8Array,
  exit: number | undefined,
  says: RegExp,
  changes: Changes = {},
): HostileCase {
  const files = { 'a.cu': source, 'sound.cu': SOUND, ...changes.files };
  return { name, args: ['check', '.'], exit, says, seconds: 20, megabytes: 900, ...changes, files };
}

const SOUND = '__global__ void sound(float* v) { v[threadIdx.x * 32] = 1.0f; }\nvoid run_sound(float* v) { sound<<<1, 256>>>(v); }\n';

/** The finding of the file beside. */
export const SOUND_FINDING = /sound\.cu:1:\d+: warning\[uncoalesced-access\]/;

/** `main` with what most host programs include. */
export function host(body: string, before = ''): string {
  return `#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <cerrno>\n#include <unistd.h>\n#include <fcntl.h>\n#include <sys/stat.h>\n${before}\nint main(int argc, char** argv) {\n${body}\n}\n`;
}
