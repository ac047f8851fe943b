/** Linux's error numbers (asm-generic/errno-base.h, errno.h), and how a program ends. */
export const ERRNO = {
  perm: 1,
  noent: 2,
  srch: 3,
  intr: 4,
  io: 5,
  nxio: 6,
  badf: 9,
  again: 11,
  nomem: 12,
  acces: 13,
  fault: 14,
  exist: 17,
  xdev: 18,
  notdir: 20,
  isdir: 21,
  inval: 22,
  mfile: 24,
  notty: 25,
  nospc: 28,
  spipe: 29,
  rofs: 30,
  range: 34,
  nametoolong: 36,
  nosys: 38,
  notempty: 39,
  loop: 40,
  timedout: 110,
} as const;

/** A system call that fails: the program gets the number and goes on. */
export class LinuxError extends Error {
  override readonly name = 'LinuxError';
  constructor(readonly errno: number) {
    super(`Linux error ${errno}`);
  }
}

/** Thrown through the program's frames when it ends itself. */
export class ProgramExit extends Error {
  override readonly name = 'ProgramExit';
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

/** Thrown through the program's frames when it can go no further, with a sentence that says why. */
export class ProgramFault extends Error {
  override readonly name = 'ProgramFault';
  constructor(
    readonly kind: 'deadlock' | 'host-fault',
    message: string,
  ) {
    super(message);
  }
}

const SYSTEM_ERRORS: Readonly<Record<string, number>> = {
  ENOENT: ERRNO.noent,
  EACCES: ERRNO.acces,
  EPERM: ERRNO.perm,
  EEXIST: ERRNO.exist,
  EISDIR: ERRNO.isdir,
  ENOTDIR: ERRNO.notdir,
  ENOTEMPTY: ERRNO.notempty,
  EINVAL: ERRNO.inval,
  EXDEV: ERRNO.xdev,
  ELOOP: ERRNO.loop,
  ENAMETOOLONG: ERRNO.nametoolong,
  EMFILE: ERRNO.mfile,
  ENOSPC: ERRNO.nospc,
  EROFS: ERRNO.rofs,
};

/** Runs what asks the real system: its errors become the program's. */
export function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof LinuxError) throw error;
    throw new LinuxError(SYSTEM_ERRORS[(error as { readonly code?: string }).code ?? ''] ?? ERRNO.io);
  }
}
