/**
 * Instructions of relaxed SIMD that multiply and add. WebAssembly leaves it to the machine whether they round once or twice: processors of
 * the last ten years round once, as a GPU does, and only then they are used. What they compute is asked once.
 */
import { code } from '#platform';
import { ModuleBuilder } from './wasm-encoder.ts';

let areThere: boolean | undefined;
let areWanted = true;

/** Whether `f32x4.relaxed_madd` and `f64x2.relaxed_madd` (a, b, c) are a * b + c, rounded once. */
export function hasFusedInstructions(): boolean {
  areThere ??= roundOnce();
  return areThere && areWanted;
}

/** What is compiled meanwhile does without them, as on a machine that has none. */
export function withoutFusedInstructions<T>(run: () => T): T {
  areWanted = false;
  try {
    return run();
  } finally {
    areWanted = true;
  }
}

/** (1 + e)(1 - e) - 1 is -e^2 if the product is exact, and 0 if it is rounded. */
function roundOnce(): boolean {
  const shapes = { f32: 2 ** -20, f64: 2 ** -50 } as const;
  const types = Object.keys(shapes) as (keyof typeof shapes)[];
  const builder = new ModuleBuilder();
  for (const type of types) {
    const shape = type === 'f32' ? 'f32x4' : 'f64x2';
    const f = builder.function(type, { parameters: [type, type, type], results: [type] });
    for (const parameter of [0, 1, 2]) f.get(parameter).op(`${shape}.splat`);
    f.op(`${shape}.relaxed_madd`).lane(`${shape}.extract_lane`, 1);
    builder.export(f);
  }
  try {
    const bytes = builder.encode();
    if (!WebAssembly.validate(bytes)) code.allowRelaxedSimd();
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const { exports } = new WebAssembly.Instance(code.optimisedModule(bytes), { host: { memory } });
    return types.every(
      (type) => (exports[type] as (...numbers: number[]) => number)(1 + shapes[type], 1 - shapes[type], -1) === -(shapes[type] ** 2),
    );
  } catch {
    return false;
  }
}
