import { expect, it } from 'vitest';
import { mergeDiagnostics, parseDiagnostics } from '../../simulator/toolchain/diagnostics.ts';

it('reads severity, place and text, and skips what is no diagnostic', () => {
  const text = [
    'In file included from /a/b.cu:1:',
    "/a/c d.cuh:3:14: fatal error: 'x.h' file not found",
    '/a/b.cu:5:2: warning: something: else [-Wsomething]',
    '/a/b.cu:5:2: note: here',
    '2 errors generated when compiling for sm_90.',
    'wasm-ld: error: duplicate symbol: f',
    'fatal error: too many errors emitted, stopping now [-ferror-limit=]',
  ].join('\n');
  expect(parseDiagnostics(text, '/a/b.cu')).toEqual([
    { severity: 'error', file: '/a/c d.cuh', line: 3, column: 14, message: "'x.h' file not found" },
    { severity: 'warning', file: '/a/b.cu', line: 5, column: 2, message: 'something: else [-Wsomething]' },
    { severity: 'note', file: '/a/b.cu', line: 5, column: 2, message: 'here' },
    { severity: 'error', file: '/a/b.cu', line: 1, column: 1, message: 'duplicate symbol: f' },
  ]);
});

it('drops the second report of one thing together with its notes', () => {
  const error = { severity: 'error', file: 'a', line: 1, column: 1, message: 'm' } as const;
  const note = { ...error, severity: 'note', message: 'n' } as const;
  const other = { ...error, line: 2 } as const;
  expect(mergeDiagnostics([error, note], [error, note, other, note])).toEqual([error, note, other, note]);
});

it("says of the toolkit's headers that no folder would help", () => {
  const message = (header: string) => parseDiagnostics(`/a/b.cu:1:10: fatal error: '${header}' file not found`, '/a/b.cu')[0].message;
  for (const header of ['mma.h', 'curand_kernel.h', 'cub/cub.cuh', 'cuda/std/atomic']) {
    expect(message(header)).toBe(`'${header}' file not found: the simulator does not support this part of the CUDA toolkit`);
  }
  for (const header of ['mmap.h', 'cubes.h', 'kernels/cub.h']) expect(message(header)).toBe(`'${header}' file not found`);
});
