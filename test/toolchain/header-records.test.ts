/** Precompiled headers without the list of what is to be looked at when a whole program is known. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { releaseClang, runTool } from '../../simulator/toolchain/clang-pool.ts';
import { diagnose } from '../../simulator/toolchain/compile.ts';
import { output } from '../../simulator/toolchain/flags.ts';
import { recordsOf, withoutDeferredChecks } from '../../simulator/toolchain/header-records.ts';

afterAll(releaseClang);

/** Clang's ASTBitCodes.h. */
const IDENTIFIER_OFFSET = 3;
const DEFERRED_CHECKS = 64;
const codesOf = (header: Uint8Array) => recordsOf(header).map(({ code }) => code);

it.each(['host', 'device'])('the %s header that programs are compiled with has no such list', (side) => {
  const codes = codesOf(readFileSync(join(import.meta.dirname, `../../dist/pch/${side}.pch`)));
  expect(codes).toContain(IDENTIFIER_OFFSET);
  expect(codes).not.toContain(DEFERRED_CHECKS);
});

const args = ['clang++', '-cc1', '-triple', 'nvptx64-nvidia-cuda', '-fcuda-is-device', '-x', 'cuda'];
const attributes = '#define __host__ __attribute__((host))\n#define __device__ __attribute__((device))\n';

const encoded = (text: string) => new TextEncoder().encode(`${attributes}${text}`);

async function smallHeader(text: string): Promise<Uint8Array> {
  const files = [['/small.h', encoded(text)]] as const;
  const made = await runTool({ args: [...args, '-emit-pch', '-o', output.header, '/small.h'], files, output: output.header });
  expect(made.errorText).toBe('');
  return made.output!;
}

it('a header without it is one that Clang reads, and the program on it is checked', { timeout: 120_000 }, async () => {
  const text = '__host__ __device__ inline int twice(int x) { return 2 * x; }\nvoid onHost();\n';
  const header = await smallHeader(text);
  expect(codesOf(header)).toContain(DEFERRED_CHECKS);
  const changed = withoutDeferredChecks(header);
  expect(codesOf(changed)).not.toContain(DEFERRED_CHECKS);
  expect(codesOf(changed)).toHaveLength(codesOf(header).length);
  const program = '__host__ __device__ inline void both() { onHost(); }\n__device__ int own() { both(); return twice(1); }\n';
  const { errorText, exit } = await runTool({
    args: [...args, '-fsyntax-only', '-include-pch', '/small.pch', '/program.cu'],
    files: [
      ['/small.h', encoded(text)],
      ['/small.pch', changed],
      ['/program.cu', new TextEncoder().encode(program)],
    ],
    output: '',
  });
  expect(exit).toBe(1);
  expect(errorText).toMatch(/reference to __host__ function 'onHost'/);
});

it('a file that is no such header is refused', async () => {
  expect(() => withoutDeferredChecks(new Uint8Array(64))).toThrow('no bitstream');
  const changed = withoutDeferredChecks(await smallHeader('__device__ inline int one() { return 1; }\n'));
  expect(() => withoutDeferredChecks(changed)).toThrow('0 lists');
});

it("what is wrong only where kernels call it is said, through the headers' templates, too", { timeout: 120_000 }, async () => {
  const text = `#include <utility>
void onHost();
template <typename T> __host__ __device__ void call(T action) { action(); }
struct Action { __host__ __device__ void operator()() const { onHost(); } };
__global__ void kernel() { call(std::move(Action())); }
int main() { kernel<<<1, 1>>>(); }
`;
  const said = await diagnose({ file: '/tmp/header-records.cu', text, includeDirs: [], defines: [] });
  expect(said.map(({ message }) => message)).toContainEqual(expect.stringContaining("reference to __host__ function 'onHost'"));
});
