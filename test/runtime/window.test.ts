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

  it('ends the program as exit does', async () => {
    const { stdout, exit, faults } = await textReport(`${HEADERS}
      struct Global { ~Global() { puts("destroyed"); } } global;
      struct Local { ~Local() { puts("not left"); } };
      int main(int argc, char** argv) {
        Local local;
        atexit([] { puts("at exit"); });
        glutInit(&argc, argv);
        glutCreateWindow("ended");
        glutDisplayFunc([] { puts("display"); });
        glutMainLoop();
        return 1;
      }`);
    expect(stdout.split('\n')).toEqual(['display', 'at exit', 'destroyed', '']);
    expect({ exit, faults }).toEqual({ exit: 0, faults: [] });
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

  it('are copied to each other', async () => {
    const { stdout } = await textReport(`${HEADERS}
      int main() {
        GLuint buffers[2];
        glGenBuffers(2, buffers);
        int from[4] = {1, 2, 3, 4}, to[4] = {};
        glBindBuffer(GL_COPY_READ_BUFFER, buffers[0]);
        glBufferData(GL_COPY_READ_BUFFER, 16, from, GL_STATIC_DRAW);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[1]);
        glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 16, to, GL_STATIC_DRAW);
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER, 4, 0, 12);
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER, 0, 8, 12);
        glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 16, to);
        printf("%d %d %d %d\\n", to[0], to[1], to[2], to[3]);
      }`);
    expect(stdout).toBe('2 3 4 0\n');
  });
});

describe('what OpenGL is asked for', () => {
  it('has matrices that were given by rows, and a viewport as large as the window', async () => {
    const { stdout } = await textReport(`${HEADERS}
      void show() {
        GLfloat matrix[16];
        glGetFloatv(GL_MODELVIEW_MATRIX, matrix);
        for (float value : matrix) printf("%g ", value);
        puts("");
      }
      void view() {
        GLint at[4];
        glGetIntegerv(GL_VIEWPORT, at);
        printf("viewport %d %d %d %d\\n", at[0], at[1], at[2], at[3]);
      }
      int main(int argc, char** argv) {
        glutInit(&argc, argv);
        glutInitWindowSize(640, 480);
        glutCreateWindow("asked");
        view();
        glutReshapeWindow(320, 240);
        glutDisplayFunc(view);
        GLdouble rows[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        glLoadTransposeMatrixd(rows);
        show();
        GLfloat moved[16] = {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        glMultTransposeMatrixf(moved);
        show();
        GLint viewport[4] = {0, 0, 640, 480};
        glLoadIdentity();
        gluPickMatrix(160, 360, 320, 240, viewport);
        show();
        glutMainLoop();
      }`);
    expect(stdout.split('\n')).toEqual([
      'viewport 0 0 640 480',
      '0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15 ',
      '0 4 8 12 1 5 9 13 2 6 10 14 3 11 19 27 ',
      '2 0 0 0 0 2 0 0 0 0 1 0 1 -1 0 1 ',
      'viewport 0 0 320 240',
      '',
    ]);
  });
});
