/** The command line of a run that has the editor's settings. Pure. */
import { isAbsolute, join } from 'node:path';
import type { OfferedRun } from '../protocol/run.ts';

export interface TerminalSettings {
  /** Folder that relative include paths are meant from. */
  readonly root: string;
  /** Named by the settings, and by nothing that goes before them. */
  readonly device?: string;
  /** What the user last gave the program; those of the settings count unless it is given. */
  readonly args?: readonly string[];
  /** Of lanewise.json. */
  readonly chosen?: OfferedRun;
  get(name: string): unknown;
}

export function terminalArguments(file: string, { root, device, args: given, chosen, get }: TerminalSettings): string[] {
  const list = (name: string) => {
    const value = get(name);
    return Array.isArray(value) ? value.map(String) : [];
  };
  const args = given ?? chosen?.args ?? list('run.arguments');
  const simulated = chosen?.device ?? device;
  return [
    'run',
    ...(chosen?.files ?? [file]),
    ...(simulated === undefined ? [] : ['--device', simulated]),
    ...list('includePaths').flatMap((path) => ['-I', isAbsolute(path) ? path : join(root, path)]),
    ...[...list('defines'), ...(chosen?.defines ?? [])].flatMap((define) => ['-D', define]),
    ...(chosen?.flags ?? []),
    ...list('run.allowRead').flatMap((path) => ['--allow-read', path]),
    ...list('run.allowWrite').flatMap((path) => ['--allow-write', path]),
    ...({ always: ['--sanitize'], never: ['--no-sanitize'] }[String(get('run.sanitize'))] ?? []),
    ...(args.length > 0 ? ['--', ...args] : []),
  ];
}
