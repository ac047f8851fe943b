/** Windows and OpenGL of a program: what their functions do, and what the report says of it. */
import { assets, bytes } from '#platform';
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
  return { ...openGlFunctions(gl), ...glutFunctions(gl, host), ...sharedResourceFunctions(context, gl, runtime) };
}

const HEADERS = ['GL/gl.h', 'GL/glu.h', 'GL/freeglut_std.h', 'GL/freeglut_ext.h', 'lanewise/gl-functions.h'];
const NAME = /^(gl|glu|glut)[A-Z]/;
/** In a header: before its parameters, or the second item of a line of lanewise/gl-functions.h. */
const DECLARED = /\b(?:gl|glu|glut)[A-Z]\w*(?=[(,])/g;
let declared: ReadonlySet<string> | undefined;

/** Whether it is a function of OpenGL, GLU or GLUT, and not one that a program forgot to define. */
function isDeclared(name: string): boolean {
  if (!NAME.test(name)) return false;
  declared ??= new Set(HEADERS.flatMap((header) => bytes.latin1(assets.load('include', header)).match(DECLARED) ?? []));
  return declared.has(name);
}

/** They give back what has not been drawn. */
const READS = /^gl\w*?(Get|Read|Is|Map|Feedback|Select|RenderMode|Project|UnProject|ScaleImage|Create|Gen[A-Z]|Check|FenceSync)/;

/** Draws nothing; undefined for what would have to give something back. */
export function drawing(name: string): (() => undefined) | undefined {
  return isDeclared(name) && !READS.test(name) ? () => undefined : undefined;
}

export function windowNotes({ window }: CudaContext): string[] {
  if (!window.isOpen) return [];
  return [`the program's window was open for ${FRAMES} frames at most, and then closed: there is no screen, and OpenGL draws nothing`];
}
