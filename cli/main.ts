#!/usr/bin/env node
/** `lanewise`: the command line. Finds the command and runs it. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './check.ts';
import { type Command, EXIT_USAGE, UsageError } from './command.ts';
import { explain } from './explain.ts';
import { lesson } from './lesson.ts';
import { lsp } from './lsp.ts';
import { run } from './run.ts';
import { sanitize } from './sanitize.ts';

const COMMANDS: readonly Command[] = [run, sanitize, check, explain, lesson, lsp];

async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') return help(rest[0]);
  if (first === '--version' || first === '-V') {
    process.stdout.write(`lanewise ${version()}\n`);
    return 0;
  }
  const command = COMMANDS.find(({ name }) => name === first);
  if (!command) throw new UsageError(`unknown command "${first}"; the commands are ${COMMANDS.map(({ name }) => name).join(', ')}`);
  const before = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  return before.includes('--help') || before.includes('-h') ? help(first) : command.run(rest);
}

function help(name: string | undefined): number {
  const command = COMMANDS.find((each) => each.name === name);
  const overview = [
    'Lanewise runs CUDA C++ programs without a GPU and shows what every warp does.',
    '',
    'usage: lanewise COMMAND [...]',
    '',
    ...COMMANDS.map((each) => `  ${each.name.padEnd(10)} ${each.summary}`),
    '',
    '  lanewise COMMAND --help   show the options of a command',
    '  lanewise --version',
    '',
  ];
  process.stdout.write(command ? command.help : overview.join('\n'));
  return 0;
}

function version(): string {
  const manifest = join(dirname(fileURLToPath(import.meta.url)), '..', 'package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** Of the folder that the command was started in. */
function isGone(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'uv_cwd';
}

/** Waits until all output is written, then exits, even if idle threads still exist. */
function leave(code: number): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

// The reader of the output may stop reading (`lanewise run a.cu | head`). That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

main(process.argv.slice(2)).then(leave, (error: unknown) => {
  if (isGone(error)) {
    process.stderr.write('lanewise: the current folder does not exist any more; change to one that does\n');
    leave(EXIT_USAGE);
    return;
  }
  if (error instanceof UsageError) {
    process.stderr.write(`lanewise: ${error.message}\n`);
    leave(EXIT_USAGE);
    return;
  }
  process.stderr.write(`lanewise: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  leave(70);
});
