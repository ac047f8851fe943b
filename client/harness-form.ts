/** What the form for a kernel's launch offers: numbers that fit its signature. Pure. */
import type { RunnableKernel } from '../protocol/harness.ts';

const DEFAULT_LAUNCH = '4, 256';

export function offeredLaunch({ launch = DEFAULT_LAUNCH }: RunnableKernel): string {
  return `<<<${launch}>>>`;
}

/** Threads of a launch along each axis. */
export type Threads = readonly [x: number, y: number, z: number];

/** A buffer has as many elements as there are threads, and numbers that count are as large as the axis that they are named for. */
export function offeredArguments({ templates, parameters }: RunnableKernel, threads: Threads): string {
  const [x, y, z] = threads;
  const named = templates.map(({ name, kind }) => `${name}=${kind === 'type' ? 'float' : '1'}`);
  const passed = parameters.map(({ name, type }) => {
    if (type.endsWith('*')) return `${name}=${type.startsWith('const ') ? 'iota' : 'zeros'}:${x * y * z}`;
    if (/\b(float|double|bool|__half|__nv_bfloat16)$/.test(type)) return `${name}=1`;
    if (templates.some((each) => type.endsWith(each.name))) return `${name}=1`;
    if (/\b(u?(char|short|int|long)|unsigned|s?size_t|ptrdiff_t|u?int\d+_t)$/.test(type)) return `${name}=${extentFor(name, threads)}`;
    return `${name}={}`;
  });
  return [...named, ...passed].join(', ');
}

const AXES: readonly RegExp[] = [
  /^n?(w|width|cols?|columns?)$|^(n|num|size|dim)?_?x$|_(width|cols|columns)$|x_?(size|dim)$/i,
  /^n?(h|height|rows?)$|^(n|num|size|dim)_?y$|_(height|rows)$|y_?(size|dim)$/i,
  /^n?(d|depth|slices?)$|^(n|num|size|dim)_?z$|_(depth|slices)$|z_?(size|dim)$/i,
];

/** What no axis is named for is the side of a square, or the length of all there is. */
function extentFor(name: string, threads: Threads): number {
  const axis = AXES.findIndex((names) => names.test(name));
  const sides = threads.filter((extent) => extent > 1);
  return axis >= 0 && sides.length > 1 ? threads[axis] : Math.min(...(sides.length > 0 ? sides : [1]));
}

/** Of `4, 256` and `dim3(4, 2), dim3(16, 16)`; 1024 along the first axis where it is not made of numbers. */
export function threadsOf(launch: string): Threads {
  const dimensions = launch.replace(/^<<<|>>>$/g, '').match(/\s*dim3\s*\([^)]*\)|[^,]+/g) ?? [];
  const [blocks, threads] = dimensions.slice(0, 2).map((text) => {
    const sizes = text
      .replace(/^\s*dim3\s*\(|\)\s*$/g, '')
      .split(',')
      .map(Number);
    return [0, 1, 2].map((axis) => sizes[axis] ?? 1);
  });
  const along = (axis: number) => (blocks?.[axis] ?? 1) * (threads?.[axis] ?? 1);
  const extents = [along(0), along(1), along(2)] as const;
  return threads && extents.every((extent) => Number.isInteger(extent) && extent > 0) ? extents : [1024, 1, 1];
}
