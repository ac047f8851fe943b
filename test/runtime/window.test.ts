/** Windows without a screen: GLUT's main loop, and what CUDA shares with OpenGL. */
import { describe, expect, it } from 'vitest';
import { fixture, reportOf, textReport } from './simulation.ts';

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
const HEADERS = '#include <GL/glew.h>\n#include <GL/freeglut.h>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n';
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

  it('has another size from the next round on', async () => {
    const { stdout, exit, faults } = await textReport(`${HEADERS}
      int frames;
      void display() {
        printf("frame %d\\n", ++frames);
        if (frames == 3) glutReshapeWindow(100, 50);
        if (frames < 3) glutPostRedisplay();
      }
      void reshape(int width, int height) {
        printf("%d x %d\\n", width, height);
        if (width == 300) glutReshapeWindow(512, 256);
      }
      int main(int argc, char** argv) {
        glutInit(&argc, argv);
        glutCreateWindow("resized");
        glutDisplayFunc(display);
        glutReshapeFunc(reshape);
        glutMainLoop();
      }`);
    expect(stdout.split('\n')).toEqual(['300 x 300', 'frame 1', '512 x 256', 'frame 2', 'frame 3', '100 x 50', 'frame 4', '']);
    expect({ exit, faults }).toEqual({ exit: 0, faults: [] });
  });

  it('does not draw by functions that OpenGL does not have', async () => {
    const { stdout, faults } = await textReport(`${HEADERS}
      extern "C" int glOwn(int);
      int main() {
        glFlush();
        glUseProgramObjectARB(0);
        gluQuadricNormals(nullptr, GLU_SMOOTH);
        glutSolidTeapot(1);
        glutBitmapString(nullptr, nullptr);
        puts("drawn");
        fflush(stdout);
        printf("%d\\n", glOwn(3));
      }`);
    expect(stdout).toBe('drawn\n');
    expect(faults).toMatchObject([{ kind: 'unsupported', message: 'the program calls glOwn(), which the simulator does not support' }]);
  });
});

describe('buffers of OpenGL', () => {
  it('are mapped at their present size, until they are unmapped, replaced or deleted', async () => {
    const { stdout, faults } = await textReport(`${HEADERS}
      int main(int argc, char** argv) {
        glutInit(&argc, argv);
        glutCreateWindow("buffers");
        GLuint buffer;
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glBufferData(GL_ARRAY_BUFFER, 1024, nullptr, GL_DYNAMIC_DRAW);
        bool mapped = glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY);
        bool again = glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY);
        int first = glUnmapBuffer(GL_ARRAY_BUFFER), second = glUnmapBuffer(GL_ARRAY_BUFFER);
        printf("mapped %d, again %d, unmapped %d, again %d\\n", mapped, again, first, second);
        glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY);
        glBufferData(GL_ARRAY_BUFFER, 1 << 20, nullptr, GL_DYNAMIC_DRAW);
        char* larger = (char*)glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY);
        char* other = (char*)malloc(1 << 19);
        memset(other, 7, 1 << 19);
        memset(larger, 1, 1 << 20);
        int overwritten = 0;
        for (int k = 0; k < 1 << 19; k++) overwritten += other[k] != 7;
        printf("overwritten %d\\n", overwritten);
        char* copies[4];
        for (char*& copy : copies) {
          glDeleteBuffers(1, &buffer);
          glGenBuffers(1, &buffer);
          glBindBuffer(GL_ARRAY_BUFFER, buffer);
          glBufferData(GL_ARRAY_BUFFER, 1 << 20, nullptr, GL_DYNAMIC_DRAW);
          copy = (char*)glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY);
        }
        printf("freed %d\\n", copies[0] && copies[2] == copies[3]);
      }`);
    expect(stdout.split('\n')).toEqual(['mapped 1, again 0, unmapped 1, again 0', 'overwritten 0', 'freed 1', '']);
    expect(faults).toEqual([]);
  });
});
