/** The engines by name. */
import { createCompiler } from '../compiler/engine.ts';
import { createInterpreter, interpreter } from '../interpreter/interpreter.ts';
import type { EngineName } from '../options/defaults.ts';
import type { CreateEngine } from '../scheduling/engine.ts';

export const ENGINES: Readonly<Record<EngineName, CreateEngine>> = {
  compiler: (options) => createCompiler({ fallback: interpreter, hideBugs: true }, options),
  interpreter: createInterpreter,
};
