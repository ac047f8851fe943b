/** Libraries of whose device code kernels have what Lanewise's headers bring, not what a CUDA toolkit does. */
import type { Location } from '../ir/types.ts';
import { cudaHeaders } from '../toolchain/virtual-paths.ts';
import type { ReportBuilder } from './report-builder.ts';

type LaunchInput = Parameters<ReportBuilder['add']>[0];

const FILES: Readonly<Record<string, RegExp>> = {
  cuRAND: /\/curand[^/]*\.h$/,
  CUB: /\/cub\/.*\b(block|warp)\.h$/,
};

/** Of the functions that a launch ran. Short functions leave no trace: a kernel that only takes the next number of a generator has none. */
export function headerLibraries({ module, counters }: LaunchInput): string[] {
  const files = new Set<string>();
  for (const name of counters.keys()) {
    for (const { instructions } of module.ir.functions.get(name)?.blocks ?? []) {
      for (const { location } of instructions) for (let at: Location | undefined = location; at; at = at.inlinedAt) files.add(at.file);
    }
  }
  const own = [...files].filter((file) => file.startsWith(`${cudaHeaders}/`));
  return Object.keys(FILES).filter((library) => own.some((file) => FILES[library].test(file)));
}

export function headerCodeNotes(libraries: Iterable<string>): string[] {
  return [...libraries].map(
    (name) =>
      `${name} in kernels: the code is that of Lanewise's headers; that of a CUDA toolkit's ${name} can have other counters and times`,
  );
}
