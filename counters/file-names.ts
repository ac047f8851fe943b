/**
 * How reports name source files in `file:line`: by their base names, as Nsight Compute and the tools that compare reports expect, and where
 * files of one program share one, by their paths from the innermost folder around these.
 */

/** Names by path. Paths are Clang's: absolute, with forward slashes. */
export function reportNames(paths: Iterable<string>): Map<string, string> {
  const alike = new Map<string, string[]>();
  for (const path of new Set(paths)) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    alike.set(name, [...(alike.get(name) ?? []), path]);
  }
  return new Map(
    [...alike].flatMap(([name, group]) => {
      const shared = commonFolder(group);
      return group.map((path): [string, string] => [path, group.length === 1 ? name : path.slice(shared.length)]);
    }),
  );
}

/** With its slash. */
function commonFolder(paths: readonly string[]): string {
  const [first, ...others] = paths.map((path) => path.split('/'));
  let depth = 0;
  while (depth < first.length - 1 && others.every((parts) => parts[depth] === first[depth])) depth++;
  return first
    .slice(0, depth)
    .map((part) => `${part}/`)
    .join('');
}

/** Which of the files at these paths a report means by a name. */
export function fileNamed(name: string, paths: Iterable<string>): string | undefined {
  return [...paths].filter((path) => isNamed(path, name)).sort((a, b) => a.length - b.length)[0];
}

/** Which of a report's names means the file at this path. */
export function nameOfFile(path: string, names: Iterable<string>): string | undefined {
  return [...names].filter((name) => isNamed(path, name)).sort((a, b) => b.length - a.length)[0];
}

function isNamed(path: string, name: string): boolean {
  return `/${path.replaceAll('\\', '/')}`.endsWith(`/${name}`);
}
