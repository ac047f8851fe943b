/** The engines by name, and which one runs programs unless the user says otherwise. */
import { createCompiler } from '../compiler/engine.ts';
import { createInterpreter, interpreter } from '../interpreter/interpreter.ts';
import type { CreateEngine } from '../scheduling/engine.ts';

export const ENGINES = {
  compiler: (options) => createCompiler({ fallback: interpreter, hideBugs: true }, options),
  interpreter: createInterpreter,
} as const satisfies Record<string, CreateEngine>;

export type EngineName = keyof typeof ENGINES;

export const DEFAULT_ENGINE: EngineName = 'compiler';
