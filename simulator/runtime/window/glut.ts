/**
 * GLUT's window, without a screen: its main loop draws some frames, as if somebody looked at them, and then the window is closed. Nobody
 * presses a key or moves a mouse.
 */
import type { Functions } from '../cuda-context.ts';
import type { OpenGl } from './opengl.ts';

/** Frames before the window is closed. */
export const FRAMES = 10;
const SCREEN = { width: 1920, height: 1080 };
const DEFAULT_SIZE = { width: 300, height: 300 };
const GET = { width: 0x66, height: 0x67, doubleBuffered: 0x73, screenWidth: 0xc8, screenHeight: 0xc9, elapsed: 0x2bc } as const;
const ACTION_ON_CLOSE = 0x1f9;

export interface WindowHost {
  /** Calls a function of the host program through its table. */
  callHost(pointer: number, ...args: (number | bigint)[]): number;
}

interface Timer {
  readonly dueMs: number;
  readonly callback: number;
  readonly value: number;
}

export class GlutWindow {
  size = { ...DEFAULT_SIZE };
  /** Pointers to the program's functions, by what they are for: Display, Idle. */
  readonly callbacks = new Map<string, number>();
  readonly timers: Timer[] = [];
  isPosted = true;
  isResized = true;
  isLeft = false;
  rounds = 0;
  /** Whether the main loop, when the window is closed, returns instead of ending the program. */
  returns = false;
  nowMs = 0;

  constructor(
    readonly host: WindowHost,
    readonly gl: OpenGl,
  ) {}

  call(name: string, ...args: number[]): void {
    const pointer = this.callbacks.get(name) ?? 0;
    if (pointer !== 0) this.host.callHost(pointer, ...args);
  }

  fillViewport(): void {
    this.gl.viewport = [0, 0, this.size.width, this.size.height];
  }

  /** What GLUT does between two looks at what the user did. False when the window is closed. */
  round(): boolean {
    if (this.isLeft) return false;
    this.rounds++;
    if (this.isResized) {
      this.isResized = false;
      if (this.callbacks.get('Reshape')) this.call('Reshape', this.size.width, this.size.height);
      else this.fillViewport();
    }
    if (this.isPosted) {
      this.isPosted = false;
      this.call('Display');
    }
    const [next] = this.timers.sort((a, b) => a.dueMs - b.dueMs);
    if (next && !this.isLeft) {
      this.timers.shift();
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      this.host.callHost(next.callback, next.value);
    }
    if (!this.isLeft) this.call('Idle');
    return !this.isLeft && this.rounds < FRAMES;
  }
}

export function glutFunctions(gl: OpenGl, host: WindowHost): Functions {
  const { context } = gl;
  const window = new GlutWindow(host, gl);
  const elapsedMs = () => Math.floor(Math.max(window.nowMs, context.clock.host.nowNs / 1e6));
  /** Ends the program, unless it has asked for its main loop to return. */
  const closed = (): undefined => {
    if (!window.isLeft) {
      window.isLeft = true;
      window.call('Close');
      window.call('WMClose');
    }
    if (window.returns) return undefined;
    context.exitHost(0);
    return undefined;
  };
  const posted = (): undefined => {
    window.isPosted = true;
    return undefined;
  };
  const sized = (width: number, height: number): undefined => {
    window.size = { width: width | 0, height: height | 0 };
    return undefined;
  };
  return {
    ...callbackCalls(window),
    glutInit: () => undefined,
    glutInitWindowSize: sized,
    glutReshapeWindow: (width, height) => {
      sized(width, height);
      window.isResized = true;
      return posted();
    },
    glutCreateWindow: () => {
      context.window.isOpen = true;
      window.fillViewport();
      return 1;
    },
    glutGetWindow: () => 1,
    glutDestroyWindow: () => {
      window.isLeft = true;
      window.call('Close');
      return undefined;
    },
    glutPostRedisplay: posted,
    glutPostWindowRedisplay: posted,
    glutTimerFunc: (ms, callback, value) => {
      window.timers.push({ dueMs: elapsedMs() + ms, callback, value });
      return undefined;
    },
    glutSetOption: (option, value) => {
      if (option === ACTION_ON_CLOSE) window.returns = value !== 0;
      return undefined;
    },
    glutMainLoop: () => {
      while (window.round());
      return closed();
    },
    glutMainLoopEvent: () => (window.round() ? undefined : closed()),
    glutLeaveMainLoop: () => {
      window.isLeft = true;
      window.returns = true;
      return undefined;
    },
    glutGet: (what) => {
      if (what === GET.width) return window.size.width;
      if (what === GET.height) return window.size.height;
      if (what === GET.screenWidth) return SCREEN.width;
      if (what === GET.screenHeight) return SCREEN.height;
      if (what === GET.elapsed) return elapsedMs();
      return what === GET.doubleBuffered ? 1 : 0;
    },
    glutCreateMenu: () => 1,
    glutExtensionSupported: () => 1,
  };
}

/** Of which some are called: keys and mice are not. */
const CALLBACKS = [
  ...['Display', 'Reshape', 'Idle', 'Close', 'WMClose', 'Keyboard', 'KeyboardUp', 'Special', 'SpecialUp', 'Mouse', 'MouseWheel', 'Motion'],
  ...['PassiveMotion', 'Visibility', 'Entry', 'MenuState', 'MenuStatus', 'MenuDestroy', 'WindowStatus', 'OverlayDisplay'],
];

function callbackCalls({ callbacks }: GlutWindow): Functions {
  return Object.fromEntries(
    CALLBACKS.map((name) => [
      `glut${name}Func`,
      (pointer: number) => {
        callbacks.set(name, pointer);
        return undefined;
      },
    ]),
  );
}
