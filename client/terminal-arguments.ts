/** The command line of a run that has the editor's settings. Pure. */
import { isAbsolute, join } from 'node:path';

export interface TerminalSettings {
  /** Folder that relative include paths are meant from. */
  readonly root: string;
  get(name: string): unknown;
}

export function terminalArguments(file: string, { root, get }: TerminalSettings): string[] {
  const list = (name: string) => {
    const value = get(name);
    return Array.isArray(value) ? value.map(String) : [];
  };
  const args = list('run.arguments');
  return [
    'run',
    file,
    ...list('includePaths').flatMap((path) => ['-I', isAbsolute(path) ? path : join(root, path)]),
    ...list('defines').flatMap((define) => ['-D', define]),
    ...list('run.allowRead').flatMap((path) => ['--allow-read', path]),
    ...list('run.allowWrite').flatMap((path) => ['--allow-write', path]),
    ...({ always: ['--sanitize'], never: ['--no-sanitize'] }[String(get('run.sanitize'))] ?? []),
    ...(args.length > 0 ? ['--', ...args] : []),
  ];
}
