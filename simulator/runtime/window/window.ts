/** Windows and OpenGL of a program: what their functions do, and what the report says of it. */
import type { CudaContext, Functions } from '../cuda-context.ts';
import { readSignatures } from '../host-signatures.ts';
import { FRAMES, glutFunctions, type WindowHost } from './glut.ts';
import { OpenGl, openGlFunctions } from './opengl.ts';
import { sharedResourceFunctions } from './shared-resources.ts';

/** What a program has done with windows. */
export interface WindowUse {
  isOpen: boolean;
}

/** Such programs ask for the variable DISPLAY before they open one. */
export function opensWindows(hostModule: Uint8Array): boolean {
  return readSignatures(hostModule).imports.some(({ name }) => name === 'glutCreateWindow');
}

/** `runtime`: CUDA's own functions. */
export function windowFunctions(context: CudaContext, host: WindowHost, runtime: Functions): Functions {
  const gl = new OpenGl(context);
  return { ...openGlFunctions(gl), ...glutFunctions(context, host), ...sharedResourceFunctions(context, gl, runtime) };
}

/** Functions that draw, or set how, and give nothing back. */
const DRAWS = /^(gl|glu|glut|glX)[A-Z]/;
/** They give back what has not been drawn. */
const READS = /^gl\w*?(Get|Read|Is|Map|Feedback|Select|RenderMode|Project|UnProject|ScaleImage|Create|Gen[A-Z]|Check|FenceSync)/;

/** Draws nothing; undefined for what would have to give something back. */
export function drawing(name: string): (() => undefined) | undefined {
  return DRAWS.test(name) && !READS.test(name) ? () => undefined : undefined;
}

export function windowNotes({ window }: CudaContext): string[] {
  if (!window.isOpen) return [];
  return [`the program's window was open for ${FRAMES} frames at most, and then closed: there is no screen, and OpenGL draws nothing`];
}
