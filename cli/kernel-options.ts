/** What `lanewise run --kernel` is told: which kernel, its grid and blocks, its arguments, and what to print. */
import { type KernelRequest, PRINTED_ELEMENTS } from '../simulator/options/kernel-request.ts';
import { UsageError } from './command.ts';

export const KERNEL_OPTIONS = {
  kernel: { type: 'string' },
  grid: { type: 'string' },
  block: { type: 'string' },
  shared: { type: 'string' },
  arg: { type: 'string', multiple: true },
  print: { type: 'string', multiple: true },
} as const;

interface Given {
  readonly kernel?: string;
  readonly grid?: string;
  readonly block?: string;
  readonly shared?: string;
  readonly arg?: readonly string[];
  readonly print?: readonly string[];
}

export const KERNEL_HELP = `  --kernel NAME       run one kernel instead of main, with --grid 4 or 4,2,1 and --block 256, and --shared BYTES of dynamic
                      shared memory
  --arg NAME=VALUE    an argument of the kernel: a number, or a buffer as iota:1024:float, zeros:N:TYPE, ones:N:TYPE,
                      random:N:TYPE or values:1,2,3:TYPE; may be repeated. Others are made up from the signature, and said
  --print NAME[:N]    print a buffer when the kernel has ended, ${PRINTED_ELEMENTS} elements or N; may be repeated
`;

export function kernelRequest(given: Given): KernelRequest | undefined {
  const { kernel, grid, block, shared, arg = [], print = [] } = given;
  if (kernel === undefined) {
    const stray = Object.keys(KERNEL_OPTIONS).find((name) => given[name as keyof Given] !== undefined);
    if (stray) throw new UsageError(`--${stray} goes with --kernel NAME`);
    return undefined;
  }
  if (grid === undefined || block === undefined) throw new UsageError('--kernel wants --grid and --block, as --grid 4 --block 256');
  const sharedBytes = Number(shared ?? 0);
  if (!Number.isInteger(sharedBytes) || sharedBytes < 0) throw new UsageError(`--shared takes a number of bytes, not "${shared}"`);
  return {
    name: kernel,
    grid: sizes('grid', grid),
    block: sizes('block', block),
    sharedBytes,
    args: argumentsOf(arg),
    print: print.map(printed),
  };
}

function sizes(option: string, text: string): [number, number, number] {
  const [x, y = 1, z = 1, ...more] = text.split(',').map(Number);
  if (more.length > 0 || ![x, y, z].every((size) => Number.isInteger(size) && size > 0)) {
    throw new UsageError(`--${option} takes one to three whole numbers above 0, as 16,16, not "${text}"`);
  }
  return [x, y, z];
}

function argumentsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
      if (!name) throw new UsageError(`--arg takes NAME=VALUE, not "${text}"`);
      return [name, value];
    }),
  );
}

function printed(text: string): KernelRequest['print'][number] {
  const [, name, most] = /^(\w+)(?::(\d+))?$/.exec(text) ?? [];
  if (!name) throw new UsageError(`--print takes NAME or NAME:COUNT, not "${text}"`);
  return { name, most: most === undefined ? PRINTED_ELEMENTS : Number(most) };
}
