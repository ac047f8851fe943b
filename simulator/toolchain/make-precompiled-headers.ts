/** Makes the precompiled headers, while the package is built. */
import { runTool } from './clang-pool.ts';
import { headerArgs, output, type Side } from './flags.ts';
import { withoutDeferredChecks } from './header-records.ts';

/** What the headers depend on, beside Clang and the texts of the include folder. */
export function headerFlags(side: Side): string {
  return `${headerArgs(side).join(' ')} without deferred checks`;
}

export async function makePrecompiledHeader(side: Side): Promise<Uint8Array> {
  const result = await runTool({ args: headerArgs(side), files: [], output: output.header });
  if (result.exit !== 0 || !result.output)
    throw new Error(`the ${side} header does not compile:\n${result.crash ?? ''}${result.errorText}`);
  return withoutDeferredChecks(result.output);
}
