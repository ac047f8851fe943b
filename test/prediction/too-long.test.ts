/** A way through a kernel that is too long for the stack costs the prediction, not the findings of the text. */
import { expect, it, vi } from 'vitest';
import { predictModule } from '../../simulator/predict-module.ts';

vi.mock('../../simulator/prediction/kernels.ts', () => ({
  predictKernels: () => {
    const deeper = (): number => 1 + deeper();
    return deeper();
  },
}));

it('is refused in a sentence', () => {
  const deviceModule = 'define ptx_kernel void @k() {\n  ret void\n}\n';
  const message = 'a way through its kernels is too long to predict their numbers';
  expect(predictModule({ deviceModule, file: '/k.cu', shapes: [] })).toEqual({ kind: 'refused', message });
});
