/** Reads of textures, reads and writes of surfaces. simulator/include/lanewise/textures.h declares them and says what operands mean. */
import type { ImageCall, Intrinsic } from './description.ts';

function image(call: ImageCall, effect: 'reads' | 'writes'): Intrinsic {
  return { effect, result: 'operands', cost: 'rare', meaning: { kind: 'image', call } };
}

export const IMAGES: Readonly<Record<string, Intrinsic>> = {
  __lanewise_texture: image('texture', 'reads'),
  __lanewise_texture_level: image('level', 'reads'),
  __lanewise_surface_read: image('surfaceRead', 'reads'),
  __lanewise_surface_write: image('surfaceWrite', 'writes'),
  // The handle of a texture or surface reference is the address that its variable has (runtime/cuda-textures.ts binds it).
  'llvm.nvvm.texsurf.handle.internal': {
    effect: 'none',
    result: 'operands',
    cost: 'simple',
    meaning: { kind: 'expression', arity: 1, of: ([variable], type) => ({ op: 'ptrtoint', type, a: variable }) },
  },
};
