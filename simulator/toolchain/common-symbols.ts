/**
 * Clang makes common symbols of OpenMP's locks, for critical regions and reductions, and LLVM cannot write those for wasm64
 * (OpenMPIRBuilder::getOrCreateInternalVariable makes other ones for wasm32 alone). Programs that need such locks are compiled in two
 * steps, through LLVM's text, where the symbols become weak ones: the same, as long as all have one size.
 */
import { irArgs, objectArgs, output } from './flags.ts';
import type { ToolResult, ToolRun } from './tool-run.ts';

const CRASH = 'Common symbols are not yet implemented for Wasm';

export async function compileHost(run: ToolRun, execute: (run: ToolRun) => Promise<ToolResult>): Promise<ToolResult> {
  const result = await execute(run);
  if (!result.errorText.includes(CRASH)) return result;
  const ir = await execute({ ...run, args: irArgs(run.args), output: output.hostIr });
  if (!ir.output) return ir;
  const object = await execute({ args: objectArgs(), files: [[output.hostIr, withoutCommonSymbols(ir.output)]], output: output.host });
  return { ...object, errorText: ir.errorText };
}

function withoutCommonSymbols(ir: Uint8Array): Uint8Array {
  return new TextEncoder().encode(new TextDecoder().decode(ir).replace(/^(@\S+ = )common /gm, '$1weak '));
}
