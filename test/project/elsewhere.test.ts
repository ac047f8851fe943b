/** Files beside a file decide what is missing in it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutDoneElsewhere } from '../../project/elsewhere.ts';
import { theAnalyzer } from '../analyzers/open.ts';

const MAIN = `#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  float* v;
  cudaMalloc(&v, 128);
  return 0;
}
`;

test('a device that a file of the folder selects is selected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-elsewhere-'));
  const path = join(folder, 'main.cu');
  const document = (await theAnalyzer()).open(MAIN);
  const findings = document.findings();
  document.dispose();
  const left = () => withoutDoneElsewhere(findings, path).map(({ rule }) => rule);
  writeFileSync(path, MAIN);
  writeFileSync(join(folder, 'other.cpp'), 'void nothing() {}\n');
  writeFileSync(join(folder, 'program.cu'), 'int main() { cudaSetDevice(1); }\n');
  expect(left()).toContain('device-not-set');
  writeFileSync(join(folder, 'device.h'), 'struct Chosen { Chosen() { cudaSetDevice(0); } };\n');
  expect(left()).not.toContain('device-not-set');
  const opened = (at: string) => (at.endsWith('device.h') ? '// not any more\n' : undefined);
  expect(withoutDoneElsewhere(findings, path, opened).map(({ rule }) => rule)).toContain('device-not-set');
  rmSync(folder, { recursive: true });
});
