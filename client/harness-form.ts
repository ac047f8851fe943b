/** What the form for a kernel's launch offers: numbers that fit its signature. Pure. */
import type { RunnableKernel } from '../protocol/harness.ts';

const DEFAULT_LAUNCH = '4, 256';

export function offeredLaunch({ launch = DEFAULT_LAUNCH }: RunnableKernel): string {
  return `<<<${launch}>>>`;
}

/** For a launch of so many threads: a buffer has as many elements, and numbers that count are as large. */
export function offeredArguments({ templates, parameters }: RunnableKernel, threads: number): string {
  const named = templates.map(({ name, kind }) => `${name}=${kind === 'type' ? 'float' : '1'}`);
  const passed = parameters.map(({ name, type }) => {
    if (type.endsWith('*')) return `${name}=${type.startsWith('const ') ? 'iota' : 'zeros'}:${threads}`;
    if (/\b(float|double|bool|__half|__nv_bfloat16)$/.test(type)) return `${name}=1`;
    if (templates.some((each) => type.endsWith(each.name))) return `${name}=1`;
    if (/\b(u?(char|short|int|long)|unsigned|s?size_t|ptrdiff_t|u?int\d+_t)$/.test(type)) return `${name}=${threads}`;
    return `${name}={}`;
  });
  return [...named, ...passed].join(', ');
}

/** Of `4, 256` and `dim3(4, 2), dim3(16, 16)`; 1024 where it is not made of numbers. */
export function threadsOf(launch: string): number {
  const dimensions = launch
    .replace(/^<<<|>>>$/g, '')
    .replace(/dim3\s*\(([^)]*)\)/g, (_, sizes: string) => String(product(sizes)))
    .split(',')
    .slice(0, 2);
  const threads = product(dimensions.join(','));
  return Number.isInteger(threads) && threads > 0 ? threads : 1024;
}

function product(sizes: string): number {
  return sizes.split(',').reduce((all, size) => all * Number(size), 1);
}
