/** The language server's process. Speaks over standard streams unless told otherwise (--node-ipc, --pipe, --socket). */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { assets } from '#platform';
import { createAnalyzer } from '../analyzers/analyzer.ts';
import { startSimulation } from '../simulator/simulate.ts';
import { keepClangWarm, warmClang } from '../simulator/toolchain/warm-up.ts';
import { Server } from './server.ts';
import { keepObjectsYoung } from './young-objects.ts';

if (process.argv.length === 2) process.argv.push('--stdio');
const connection = createConnection(ProposedFeatures.all);

keepObjectsYoung();

// The grammars load while the client says hello.
const grammars = ['web-tree-sitter', 'tree-sitter-cuda', 'tree-sitter-cpp'].map((name) =>
  readFile(assets.path('tree-sitter', `${name}.wasm`)),
);
const analyzer = Promise.all(grammars).then(([runtime, cuda, cpp]) => createAnalyzer({ runtime, cuda, cpp }));
analyzer.catch((error) => connection.console.error(`The analyzers did not start: ${error}`));

// What a thread of the simulator drops on its way down must not take the editor's findings with it.
process.on('uncaughtException', (error) => connection.console.error(`Uncaught: ${error.stack ?? error}`));
process.on('unhandledRejection', (error) => connection.console.error(`Unhandled: ${error instanceof Error ? error.stack : error}`));

const { version } = JSON.parse(readFileSync(assets.path('..', 'package.json'), 'utf8')) as { version: string };
const warmUp = (next: 'first' | 'next') => (next === 'first' ? warmClang() : keepClangWarm());
new Server(connection, { analyzer, startSimulation, warmUp, version }).listen();
