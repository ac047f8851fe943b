/** Device code that a program compiles while it runs. */
import { expect, it } from 'vitest';
import { fixture, reportOf, textReport } from '../runtime/simulation.ts';

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

/** What NVRTC says of each source, compiled with its options. */
const COMPILING = `#include <nvrtc.h>
#include <cstdio>
#include <string>
#include <vector>
using Texts = std::vector<const char*>;
void compile(const char* text, Texts options, Texts headers = {}, Texts names = {}) {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, text, "given.cu", (int)headers.size(), headers.data(), names.data());
  nvrtcResult result = nvrtcCompileProgram(program, (int)options.size(), options.data());
  size_t size;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, ' ');
  nvrtcGetProgramLog(program, log.data());
  printf("%s: %s\\n", nvrtcGetErrorString(result), log.substr(0, log.find('\\n')).c_str());
  nvrtcDestroyProgram(&program);
}
const char* kernel = "__global__ void k(int* out) { *out = 1; }";
`;

async function said(statements: string): Promise<readonly string[]> {
  const { stdout } = await textReport(`${COMPILING}int main() {\n${statements}\n}\n`);
  return stdout.replace(/\n$/, '').split('\n');
}

it('takes the values of options as words of their own, and no option that there is not', async () => {
  expect(
    await said(`compile(kernel, {"-arch", "compute_80", "--maxrregcount", "32", "-default-device", "-G", "--fmad", "false", "--dopt on"});
      compile(kernel, {"--nonsense"});
      compile(kernel, {"-lineinfo=true"});
      compile(kernel, {"-arch"});`),
  ).toEqual([
    'NVRTC_SUCCESS: ',
    'NVRTC_ERROR_INVALID_OPTION: nvrtc: error: unrecognized option --nonsense found',
    'NVRTC_ERROR_INVALID_OPTION: nvrtc: error: unrecognized option -lineinfo=true found',
    'NVRTC_ERROR_INVALID_OPTION: nvrtc: error: unrecognized option -arch found',
  ]);
}, 240_000);

it('does what options say of macros, headers and functions, and keeps the numbers of lines', async () => {
  expect(
    await said(`compile("#if defined(A) || B != 2\\n#error A, no B\\n#endif\\n", {"-DA=1", "-UA", "-U", "B", "-DB=2"});
      compile("__global__ void k(int* out) { *out = FROM_HEADER; }", {"--pre-include=before.h"}, {"#define FROM_HEADER 1"}, {"before.h"});
      compile("__global__ void k(int* out) { *out = FROM_HEADER; }", {"-include", "nowhere.h"});
      const char* unmarked = "#include <cuda_fp16.h>\\n#include <cooperative_groups.h>\\nstruct S { int f() { return 1; } };\\n"
                             "int f() { return S().f(); }\\n__global__ void k(int* out) { *out = f(); }\\n";
      compile(unmarked, {"-default-device"});
      compile(unmarked, {});
      compile("\\nint f() { return missing; }", {"--device-as-default-execution-space", "-UA"});`),
  ).toEqual([
    'NVRTC_SUCCESS: ',
    'NVRTC_SUCCESS: ',
    "NVRTC_ERROR_COMPILATION: given.cu(1): error: 'nowhere.h' file not found",
    'NVRTC_SUCCESS: ',
    'NVRTC_ERROR_COMPILATION: given.cu(5): error: f is a __host__ function: a __global__ function cannot call it',
    "NVRTC_ERROR_COMPILATION: given.cu(2): error: use of undeclared identifier 'missing'",
  ]);
}, 240_000);

it("finds headers from memory in folders that no disk has, and outside the program's", async () => {
  expect(
    await said(`Texts headers = {"#include \\"inner.h\\"", "#define INNER 1"};
      for (Texts names : {Texts{"sub/dir.h", "sub/inner.h"}, Texts{"/nowhere/at-all/dir.h", "/nowhere/at-all/inner.h"}, Texts{"../dir.h", "../inner.h"},
                          Texts{"no/../dir.h", "inner.h"}}) {
        std::string text = "#include \\"" + std::string(names[0]) + "\\"\\n__global__ void k(int* out) { *out = INNER; }";
        compile(text.c_str(), {}, headers, names);
      }`),
  ).toEqual(Array(4).fill('NVRTC_SUCCESS: '));
}, 240_000);
