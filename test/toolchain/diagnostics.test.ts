import { describe, expect, it } from 'vitest';
import type { ProgramDiagnostic } from '../../protocol/report.ts';
import { mergeDiagnostics, parseDiagnostics } from '../../simulator/toolchain/diagnostics.ts';
import { nameMissingFeatures } from '../../simulator/toolchain/missing-features.ts';

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

it('reads what the compiler would write instead, of errors and in their own files', () => {
  const text = [
    "/a/b.cu:5:2: error: expected ';' after expression",
    '    5 |   // /a/b.cu:1:1: error: no error',
    '      |         ^',
    '      |         ;',
    'fix-it:"/a/b.cu":{5:9-5:9}:";"',
    "/a/b.cu:7:2: error: use of undeclared identifier 'x'; did you mean 'y\"'?",
    'fix-it:"/a/b.cu":{7:2-7:3}:"y\\""',
    'fix-it:"/a/c.cuh":{1:1-1:2}:"z"',
    '/a/b.cu:8:2: note: here',
    'fix-it:"/a/b.cu":{8:2-8:3}:"n"',
  ].join('\n');
  const edit = (line: number, column: number, end: number, insert: string) => ({
    start: { line, column },
    end: { line, column: end },
    text: insert,
  });
  expect(parseDiagnostics(text, '/a/b.cu').map(({ edits }) => edits)).toEqual([[edit(5, 9, 9, ';')], [edit(7, 2, 3, 'y"')], undefined]);
});

it('drops the second report of one thing together with its notes', () => {
  const error = { severity: 'error', file: 'a', line: 1, column: 1, message: 'm' } as const;
  const note = { ...error, severity: 'note', message: 'n' } as const;
  const other = { ...error, line: 2 } as const;
  expect(mergeDiagnostics([error, note], [error, note, other, note])).toEqual([error, note, other, note]);
});

it("says of the toolkit's headers that no folder would help", () => {
  const message = (header: string) => parseDiagnostics(`/a/b.cu:1:10: fatal error: '${header}' file not found`, '/a/b.cu')[0].message;
  for (const header of ['curand_discrete.h', 'cub/block/block_radix_sort.cuh', 'cuda/std/mdspan']) {
    expect(message(header)).toBe(`'${header}' file not found: the simulator does not support this part of the CUDA toolkit`);
  }
  for (const header of ['GL/wglew.h', 'GLFW/glfw3.h', 'cudaEGL.h']) {
    expect(message(header)).toBe(
      `'${header}' file not found: the simulator has no screen, and knows no windows but those of GLUT (GL/glut.h); write pictures to files instead`,
    );
  }
  for (const header of ['mmap.h', 'GLOBAL/x.h', 'cubes.h', 'kernels/cub.h']) expect(message(header)).toBe(`'${header}' file not found`);
});

it('says that device code cannot call a host function, and what took the place of one', () => {
  const text = (name: string) =>
    [
      `/a/b.cu:3:61: error: no matching function for call to '${name}'`,
      '/.lanewise/cuda/cuda_runtime_api.h:28:13: note: candidate function not viable: call to __host__ function from __global__ function',
    ].join('\n');
  const messages = (name: string) => parseDiagnostics(text(name), '/a/b.cu').map(({ message }) => message);
  expect(messages('cudaMemcpy')).toEqual(['cudaMemcpy is a __host__ function: a __global__ function cannot call it']);
  expect(messages('cudaDeviceSynchronize')).toEqual([expect.stringContaining('cudaStreamTailLaunch')]);
});

it('says of which variable the linker finds no definition', () => {
  const message = (name: string) =>
    parseDiagnostics(`wasm-ld: error: /.lanewise-out/host0.o: undefined symbol: ${name}`, '/a/b.cu')[0].message;
  expect(message('a::missing')).toEqual(expect.stringMatching(/^the variable a::missing is not defined in any of the program's files: /));
  expect(message('blockDim')).toBe('blockDim has a value in device code only: a __host__ function cannot read it');
});

describe('a part of CUDA that the simulator does not have', () => {
  const error = (line: number, message: string): ProgramDiagnostic => ({ severity: 'error', file: '/a/b.cu', line, column: 1, message });

  it('is named also where Clang takes it for something with a much shorter name', () => {
    const found = nameMissingFeatures([
      error(5, "unknown type name 'curandStateScrambledSobol32'; did you mean 'curandStateSobol32'?"),
      error(6, "no matching function for call to 'curand_init'"),
    ]);
    expect(found[0].message).toBe("the simulator does not support this part of cuRAND ('curandStateScrambledSobol32')");
    expect(found[1].message).toBe('1 more error is left out that may follow from this');
  });

  it('is one error that names it, without what follows', () => {
    const found = nameMissingFeatures([
      error(2, "no template named 'texture'"),
      error(4, "use of undeclared identifier 'cudaBindTexture'"),
      error(5, "unknown type name 'curandStateScrambledSobol32'"),
      error(9, "use of undeclared identifier 's'"),
    ]);
    expect(found.map(({ severity, line, message }) => `${severity} ${line} ${message}`)).toEqual([
      `error 2 the simulator does not support texture references, which CUDA 12 removed ('texture'): use a texture object (cudaCreateTextureObject), or set "cudaVersion": "11.8" in lanewise.json`,
      "error 5 the simulator does not support this part of cuRAND ('curandStateScrambledSobol32')",
      'note 5 2 more errors are left out that may follow from this',
    ]);
  });

  it('hides nothing where it is a function of a warp, from whose calls nothing follows', () => {
    const note: ProgramDiagnostic = { ...error(4, "'__shfl_down_sync' declared here"), severity: 'note' };
    const found = nameMissingFeatures([
      error(2, "use of undeclared identifier '__shfl_down'"),
      error(4, "use of undeclared identifier '__any'; did you mean '__any_sync'?"),
      note,
      error(9, "use of undeclared identifier 'mistake'"),
    ]);
    expect(found.map(({ severity, line, message }) => `${severity} ${line} ${message}`)).toEqual([
      expect.stringMatching(/^error 2 .*without a mask.*'__shfl_down'/),
      'note 2 1 more error is left out that may follow from this',
      "error 9 use of undeclared identifier 'mistake'",
    ]);
  });

  it('hides no error in front of it', () => {
    const before = error(1, "unknown type name 'own'");
    const found = nameMissingFeatures([
      before,
      error(2, "use of undeclared identifier 'curandMissing'"),
      error(3, "use of undeclared identifier 's'"),
    ]);
    expect(found.map(({ severity, line }) => `${severity} ${line}`)).toEqual(['error 1', 'error 2', 'note 2']);
    expect(found[0]).toBe(before);
  });

  it('is no misspelt name, no member and none of the program itself', () => {
    const own = [
      error(1, "use of undeclared identifier 'cudaMaloc'; did you mean 'cudaMalloc'?"),
      error(2, "no member named 'texture' in 'Material'"),
      error(3, "unknown type name 'Texture'"),
      error(4, "use of undeclared identifier 'count'"),
    ];
    expect(nameMissingFeatures(own)).toBe(own);
  });
});
