/** Windows without a screen: GLUT's main loop, and what CUDA shares with OpenGL. */
import { describe, expect, it } from 'vitest';
import { fixture, reportOf } from './simulation.ts';

const program = fixture('window/frames.cu');
const BEFORE = [
  'display :0, glew 0',
  'buffer of 128 bytes: 0, another: 1',
  'before it is mapped: cudaErrorNotMapped, cudaErrorNotMapped',
  'flags: 0',
  'texture: 0 cudaErrorAlreadyMapped 0 cudaErrorNotMappedAsPointer',
  'texel 9 2 3 4',
  'unregistered: 0 cudaErrorInvalidResourceHandle',
  'as it was first: 0 cudaErrorNotMapped',
  '0 1 0 0 -1 0 0 0 0 0 1 0 -2 1 3 1 | 1',
];
const FRAMES = ['640 x 480', 'frames 10, idle 10, ticks 20, last 9 3 0 1'];

describe('a window', () => {
  it('is drawn for some frames, and then closed', async () => {
    const { stdout, exit, faults, notes } = await reportOf(program);
    expect(stdout.split('\n')).toEqual([...BEFORE, ...FRAMES, '']);
    expect({ exit, faults }).toEqual({ exit: 0, faults: [] });
    expect(notes).toContain(
      "the program's window was open for 10 frames at most, and then closed: there is no screen, and OpenGL draws nothing",
    );
  });

  it('goes back to a program that wants to go on', async () => {
    const { stdout, exit } = await reportOf(program, { args: ['return'] });
    expect(stdout.split('\n')).toEqual([...BEFORE, ...FRAMES, 'returned', '']);
    expect(exit).toBe(3);
  });

  it('has no picture that could be read back', async () => {
    const { faults } = await reportOf(program, { args: ['read'] });
    expect(faults).toMatchObject([
      { kind: 'unsupported', message: 'the program calls glReadPixels(), which the simulator does not support' },
    ]);
  });
});
