/** The engines by name, and which one runs programs unless the user says otherwise. */
import type { CreateEngine } from '../engine.ts';

const createInterpreter: CreateEngine = () => {
  throw new Error('pending');
};

export const ENGINES = {
  interpreter: createInterpreter,
} as const satisfies Record<string, CreateEngine>;

export type EngineName = keyof typeof ENGINES;

export const DEFAULT_ENGINE: EngineName = 'interpreter';
