/**
 * What is kept of OpenGL: buffers and textures, which CUDA shares with it, matrices, and the names of things. Nothing is drawn, and what
 * would read a picture back is refused by name.
 */
import type { CudaContext, Functions } from '../cuda-context.ts';
import { frustum, lookAt, MatrixStacks, MODE, orthographic, perspective, rotation, scaling, translation, transpose } from './matrices.ts';

const EXTENSIONS = [
  ...[
    'GL_ARB_vertex_buffer_object',
    'GL_ARB_pixel_buffer_object',
    'GL_EXT_framebuffer_object',
    'GL_ARB_multitexture',
    'GL_ARB_shader_objects',
  ],
  ...['GL_ARB_vertex_program', 'GL_ARB_fragment_program', 'GL_ARB_vertex_shader', 'GL_ARB_fragment_shader', 'GL_ARB_texture_float'],
  ...['GL_ARB_texture_rectangle', 'GL_ARB_color_buffer_float', 'GL_ARB_point_sprite', 'GL_EXT_geometry_shader4', 'GL_EXT_gpu_shader4'],
  ...['GL_NV_gpu_program4', 'GL_EXT_packed_depth_stencil', 'GL_ARB_imaging'],
];
const STRING: Readonly<Record<number, string>> = {
  7936: 'Lanewise',
  7937: 'no screen',
  7938: '4.6',
  7939: EXTENSIONS.join(' '),
  35724: '4.60',
};
const GET = { viewport: 0xba2, modelView: 0xba6, projection: 0xba7, maxTextureSize: 0xd33, extensions: 0x821d } as const;
const STATUS = { compiled: 0x8b81, linked: 0x8b82, validated: 0x8b83 };
const BUFFER_SIZE = 0x8764;
const FRAMEBUFFER_COMPLETE = 0x8cd5;
const MAX_TEXTURE_SIZE = 16_384;
/** More names at once are a mistake. */
const MOST_NAMES = 65_536;

export interface GlBuffer {
  sizeBytes: number;
  /** In device memory. */
  address: number;
  /** The host's copy while it is mapped. */
  mapped?: number;
}

export interface GlTexture {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly internalFormat: number;
}

export class OpenGl {
  readonly buffers = new Map<number, GlBuffer>();
  readonly textures = new Map<number, GlTexture>();
  readonly bound = new Map<string, number>();
  readonly matrices = new MatrixStacks();
  viewport: readonly number[] = [0, 0, 0, 0];
  #next = 0;

  constructor(readonly context: CudaContext) {}

  newName(): number {
    this.#next++;
    return this.#next;
  }

  boundBuffer(target: number): GlBuffer | undefined {
    return this.buffers.get(this.bound.get(`buffer ${target}`) ?? 0);
  }
}

export function openGlFunctions(gl: OpenGl): Functions {
  const { host } = gl.context;
  const named = (count: number, out: number): undefined => {
    for (let k = 0; k < Math.min(count, MOST_NAMES); k++) host.setU32(out + 4 * k, gl.newName());
    return undefined;
  };
  const one = () => gl.newName();
  const status = (_object: number, what: number, out: number): undefined => {
    host.setU32(out, Object.values(STATUS).includes(what) ? 1 : 0);
    return undefined;
  };
  const log = (_object: number, most: number, length: number, text: number): undefined => {
    if (length !== 0) host.setU32(length, 0);
    if (most > 0 && text !== 0) host.write(text, Uint8Array.of(0));
    return undefined;
  };
  const complete = () => FRAMEBUFFER_COMPLETE;
  return {
    ...bufferCalls(gl),
    ...textureCalls(gl),
    ...matrixCalls(gl),
    ...Object.fromEntries(['Textures', 'Framebuffers', 'Renderbuffers', 'VertexArrays', 'Queries'].flatMap(spelt('glGen', named))),
    ...Object.fromEntries(['Program', 'Shader', 'ProgramObject', 'ShaderObject'].flatMap(spelt('glCreate', one))),
    ...Object.fromEntries(['Shaderiv', 'Programiv', 'ObjectParameteriv'].flatMap(spelt('glGet', status))),
    ...Object.fromEntries(['ShaderInfoLog', 'ProgramInfoLog', 'InfoLog'].flatMap(spelt('glGet', log))),
    ...Object.fromEntries(['FramebufferStatus'].flatMap(spelt('glCheck', complete))),
    glGenProgramsARB: named,
    glGenLists: one,
    glGetError: () => 0,
    glGetString: (name) => host.keep(STRING[name] ?? ''),
    glGetStringi: (_name, index) => host.keep(EXTENSIONS[index] ?? ''),
    glGetUniformLocation: () => 0,
    glGetUniformLocationARB: () => 0,
    glGetAttribLocation: () => 0,
    glGetAttribLocationARB: () => 0,
    gluErrorString: () => host.keep('no error'),
    gluNewQuadric: one,
    glewInit: () => 0,
    glewIsSupported: () => 1,
    glewIsExtensionSupported: () => 1,
    glewGetExtension: () => 1,
    glewGetErrorString: () => host.keep('No error'),
    glewGetString: () => host.keep('2.3.4'),
    glXGetCurrentContext: one,
    glXGetCurrentDrawable: one,
  };
}

/** A function under its name and those that it had as an extension. */
function spelt(before: string, call: Functions[string]) {
  return (name: string) => ['', 'EXT', 'ARB'].map((behind) => [`${before}${name}${behind}`, call] as const);
}

function bufferCalls(gl: OpenGl): Functions {
  const { host, memory, changed, unmap } = buffersOf(gl);
  const calls: Functions = {
    glGenBuffers: (count, out) => {
      for (let k = 0; k < Math.min(count, MOST_NAMES); k++) {
        const name = gl.newName();
        gl.buffers.set(name, { sizeBytes: 0, address: 0 });
        host.setU32(out + 4 * k, name);
      }
      return undefined;
    },
    glBindBuffer: (target, name) => {
      if (name !== 0 && !gl.buffers.has(name)) gl.buffers.set(name, { sizeBytes: 0, address: 0 });
      gl.bound.set(`buffer ${target}`, name);
      return undefined;
    },
    glBindBufferBase: (target, _index, name) => calls.glBindBuffer(target, name),
    glBindBufferRange: (target, _index, name) => calls.glBindBuffer(target, name),
    glBufferData: (target, sizeBytes, data) => {
      const buffer = gl.boundBuffer(target);
      if (!buffer || sizeBytes < 0) return undefined;
      unmap(buffer);
      if (buffer.address !== 0) memory.release(buffer.address, 'glBufferData');
      const allocation = sizeBytes > 0 ? memory.allocate(sizeBytes, 'an OpenGL buffer') : undefined;
      buffer.address = allocation?.address ?? 0;
      buffer.sizeBytes = allocation ? sizeBytes : 0;
      if (allocation && data !== 0) changed(buffer, 0, host.read(data, sizeBytes));
      return undefined;
    },
    glBufferSubData: (target, offset, sizeBytes, data) => {
      const buffer = gl.boundBuffer(target);
      if (buffer && offset >= 0 && offset + sizeBytes <= buffer.sizeBytes) changed(buffer, offset, host.read(data, sizeBytes));
      return undefined;
    },
    glGetBufferSubData: (target, offset, sizeBytes, data) => {
      const buffer = gl.boundBuffer(target);
      if (!buffer || offset < 0 || offset + sizeBytes > buffer.sizeBytes) return undefined;
      host.write(data, memory.bytes.slice(buffer.address + offset, buffer.address + offset + sizeBytes));
      return undefined;
    },
    glCopyBufferSubData: (fromTarget, toTarget, fromOffset, toOffset, sizeBytes) => {
      const [from, to] = [gl.boundBuffer(fromTarget), gl.boundBuffer(toTarget)];
      if (!from || !to || Math.min(fromOffset, toOffset, sizeBytes) < 0) return undefined;
      if (fromOffset + sizeBytes > from.sizeBytes || toOffset + sizeBytes > to.sizeBytes) return undefined;
      const start = from.address + fromOffset;
      changed(to, toOffset, memory.bytes.slice(start, start + sizeBytes));
      return undefined;
    },
    glGetBufferParameteriv: (target, what, out) => {
      host.setU32(out, what === BUFFER_SIZE ? (gl.boundBuffer(target)?.sizeBytes ?? 0) : 0);
      return undefined;
    },
    glMapBuffer: (target) => {
      const buffer = gl.boundBuffer(target);
      if (!buffer || buffer.sizeBytes === 0 || buffer.mapped !== undefined) return 0;
      const copy = host.allocate(buffer.sizeBytes);
      if (copy === 0) return 0;
      host.write(copy, memory.bytes.slice(buffer.address, buffer.address + buffer.sizeBytes));
      buffer.mapped = copy;
      return copy;
    },
    glUnmapBuffer: (target) => {
      const buffer = gl.boundBuffer(target);
      if (buffer?.mapped === undefined) return 0;
      changed(buffer, 0, host.read(buffer.mapped, buffer.sizeBytes));
      unmap(buffer);
      return 1;
    },
    glDeleteBuffers: (count, names) => {
      for (let k = 0; k < Math.min(count, MOST_NAMES); k++) {
        const name = host.u32(names + 4 * k);
        const buffer = gl.buffers.get(name);
        if (buffer) unmap(buffer);
        if (buffer && buffer.address !== 0) memory.release(buffer.address, 'glDeleteBuffers');
        gl.buffers.delete(name);
      }
      return undefined;
    },
    glIsBuffer: (name) => (gl.buffers.has(name) ? 1 : 0),
  };
  return { ...calls, ...Object.fromEntries(Object.entries(calls).map(([name, call]) => [`${name}ARB`, call])) };
}

function buffersOf({ context: { host, memory } }: OpenGl) {
  const changed = ({ address }: GlBuffer, offset: number, bytes: Uint8Array): void => memory.write(address + offset, bytes);
  const unmap = (buffer: GlBuffer): void => {
    if (buffer.mapped !== undefined) host.release(buffer.mapped);
    buffer.mapped = undefined;
  };
  return { host, memory, changed, unmap };
}

function textureCalls(gl: OpenGl): Functions {
  const sized = (target: number, internalFormat: number, [width, height, depth]: readonly [number, number, number]): undefined => {
    const name = gl.bound.get(`texture ${target}`);
    if (name !== undefined) gl.textures.set(name, { width, height, depth, internalFormat });
    return undefined;
  };
  return {
    glBindTexture: (target, name) => {
      gl.bound.set(`texture ${target}`, name);
      return undefined;
    },
    glTexImage1D: (target, level, format, width) => (level === 0 ? sized(target, format, [width, 0, 0]) : undefined),
    glTexImage2D: (target, level, format, width, height) => (level === 0 ? sized(target, format, [width, height, 0]) : undefined),
    glTexImage3D: (target, level, format, width, height, depth) =>
      level === 0 ? sized(target, format, [width, height, depth]) : undefined,
    glTexStorage2D: (target, _levels, format, width, height) => sized(target, format, [width, height, 0]),
    glIsTexture: (name) => (gl.textures.has(name) ? 1 : 0),
  };
}

function matrixCalls(gl: OpenGl): Functions {
  const { host } = gl.context;
  const { matrices } = gl;
  const changing =
    (change: (...args: number[]) => unknown) =>
    (...args: number[]): undefined => {
      change(...args);
      return undefined;
    };
  const floats = (address: number) => Array.from({ length: 16 }, (_, k) => host.f32(address + 4 * k));
  const doubles = (address: number) => [...new Float64Array(host.read(address, 16 * 8).buffer)];
  const rotate = changing((degrees, x, y, z) => matrices.multiply(rotation(degrees, x, y, z)));
  const translate = changing((x, y, z) => matrices.multiply(translation(x, y, z)));
  const scale = changing((x, y, z) => matrices.multiply(scaling(x, y, z)));
  const valuesOf = (what: number): readonly number[] => {
    if (what === GET.modelView) return matrices.top(MODE.modelView);
    if (what === GET.projection) return matrices.top(MODE.projection);
    if (what === GET.viewport) return gl.viewport;
    return [what === GET.maxTextureSize ? MAX_TEXTURE_SIZE : what === GET.extensions ? EXTENSIONS.length : 0];
  };
  const gives = (put: (out: number, index: number, value: number) => void) =>
    changing((what, out) => {
      for (const [index, value] of valuesOf(what).entries()) put(out, index, value);
    });
  return {
    glMatrixMode: changing((mode) => (matrices.mode = mode)),
    glLoadIdentity: changing(() => matrices.load()),
    glPushMatrix: changing(() => matrices.push()),
    glPopMatrix: changing(() => matrices.pop()),
    glLoadMatrixf: changing((address) => matrices.load(floats(address))),
    glLoadMatrixd: changing((address) => matrices.load(doubles(address))),
    glMultMatrixf: changing((address) => matrices.multiply(floats(address))),
    glMultMatrixd: changing((address) => matrices.multiply(doubles(address))),
    glLoadTransposeMatrixf: changing((address) => matrices.load(transpose(floats(address)))),
    glLoadTransposeMatrixd: changing((address) => matrices.load(transpose(doubles(address)))),
    glMultTransposeMatrixf: changing((address) => matrices.multiply(transpose(floats(address)))),
    glMultTransposeMatrixd: changing((address) => matrices.multiply(transpose(doubles(address)))),
    glRotatef: rotate,
    glRotated: rotate,
    glTranslatef: translate,
    glTranslated: translate,
    glScalef: scale,
    glScaled: scale,
    glFrustum: changing((...planes) => matrices.multiply(frustum(...planes))),
    glOrtho: changing((...planes) => matrices.multiply(orthographic(...planes))),
    gluOrtho2D: changing((...planes) => matrices.multiply(orthographic(...planes, -1, 1))),
    gluPerspective: changing((...args) => matrices.multiply(perspective(...args))),
    gluPickMatrix: changing((x, y, width, height, address) => {
      const [left, bottom, w, h] = [0, 4, 8, 12].map((offset) => host.u32(address + offset) | 0);
      if (width <= 0 || height <= 0) return;
      matrices.multiply(translation((w - 2 * (x - left)) / width, (h - 2 * (y - bottom)) / height, 0));
      matrices.multiply(scaling(w / width, h / height, 1));
    }),
    gluLookAt: changing((...args) => matrices.multiply(lookAt(...args))),
    glViewport: changing((x, y, width, height) => (gl.viewport = [x, y, width, height])),
    glGetIntegerv: gives((out, index, value) => host.setU32(out + 4 * index, value)),
    glGetFloatv: gives((out, index, value) => host.setF32(out + 4 * index, value)),
    glGetDoublev: gives((out, index, value) => host.write(out + 8 * index, new Uint8Array(Float64Array.of(value).buffer))),
  };
}
