/** Device code that a program compiles while it runs. */
import { expect, it } from 'vitest';
import { fixture, reportOf } from './simulation.ts';

it('NVRTC compiles for modules of the driver', async () => {
  const { stdout, exit, faults, kernels } = await reportOf(fixture('nvrtc.cpp'));
  expect(stdout.split('\n')).toEqual([
    'version 12.8',
    'NVRTC_SUCCESS',
    '_Z5scaleIiLi3EEvPT_i _Z5scaleIdLi2EEvPT_i offset NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID',
    'loaded: 0',
    'offset: 0 of 4 bytes',
    'function: 0',
    '101 104 290',
    'another: 500',
    'loaded: 0',
    'fused -1.49012e-08, NVRTC_SUCCESS',
    'loaded: 0',
    'apart 0',
    "NVRTC_ERROR_COMPILATION: scale.cu(1): error: use of undeclared identifier 'missing'",
    '',
    '1 error detected in the compilation of "scale.cu".',
    'NVRTC_ERROR_INVALID_OPTION: nvrtc: error: unrecognized option DEXTRA found',
    'destroyed: 0',
    '',
  ]);
  expect({ exit, faults }).toEqual({ exit: 0, faults: [] });
  expect(kernels.map(({ kernel }) => kernel)).toEqual(['void scale<int, 3>(int *, int)', 'fused', 'fused']);
}, 240_000);

it('NVRTC reads no folder for what a program calls its source', async () => {
  const names = ['/x.cu', '/etc/x', '../../x.cu', '..', '.', '', '/'];
  const { stdout } = await reportOf(fixture('nvrtc-names.cpp'), { args: names });
  expect(stdout.trimEnd().split('\n')).toEqual(names.map((name) => `${name}: NVRTC_ERROR_COMPILATION`));
}, 240_000);
