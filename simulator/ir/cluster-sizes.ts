/** __cluster_dims__ of kernels: our headers give them to Clang as annotations, which it writes into a list of structures. */

const NAME = 'lanewise.cluster';
const ANNOTATION = /\{ ptr, ptr, ptr, i32, ptr \} \{ ptr @("[^"]*"|[-\w.$]+), ptr @([-\w.$]+), ptr @[-\w.$]+, i32 \d+, ptr @([-\w.$]+) \}/g;

/** Blocks of a cluster along each axis, by the kernel's name. */
export function clusterSizes(text: string): ReadonlyMap<string, readonly [number, number, number]> {
  const sizes = new Map<string, readonly [number, number, number]>();
  const list = /^@llvm\.global\.annotations = .*$/m.exec(text)?.[0] ?? '';
  for (const [, kernel, what, args] of list.matchAll(ANNOTATION)) {
    if (!constant(text, what).includes(`c"${NAME}\\00"`)) continue;
    const [x = 1, y = 1, z = 1] = Array.from(constant(text, args).matchAll(/i32 (\d+)/g), ([, size]) => Number(size));
    sizes.set(kernel.replaceAll('"', ''), [x, y, z]);
  }
  return sizes;
}

function constant(text: string, name: string): string {
  const start = text.indexOf(`\n@${name} = `);
  return start < 0 ? '' : text.slice(start, text.indexOf('\n', start + 1));
}
