/** What block runners need to know of a compiled kernel and of a launch of it. */

import { LOCAL_BASE } from '../ir/address-map.ts';
import { sizeOf } from '../ir/layout.ts';
import { heldBits, leavesOf } from '../machine/cells.ts';
import type { Launch } from '../machine/launch.ts';
import { resolveSymbol, sharedLimit } from '../machine/load-module.ts';
import { byvalOffsets } from '../machine/stack.ts';
import type { EngineOptions } from '../scheduling/engine.ts';
import type { LaunchFacts } from './affine.ts';
import type { CompiledKernel } from './kernel-compiler.ts';
import type { KernelPlan, LaunchPlan } from './kernel-plan.ts';
import type { KnownAllocation } from './memory-host.ts';

export function planOf(compiled: CompiledKernel): KernelPlan {
  const { fn, frameBytes, areaBytes, localBytes, parameterBytes, blockRows, innerBranches } = compiled;
  return {
    name: fn.name,
    frameBytes,
    areaBytes,
    localBytes,
    parameterBytes,
    usesLocal: compiled.usesLocal,
    sites: compiled.sites.map(({ record, instruction, access, base, bytes, align, counted }) => ({
      record,
      site: instruction.site,
      access,
      base,
      bytes,
      align,
      counted,
    })),
    blockRows,
    innerBranches,
    pathByPath: compiled.paths !== undefined,
    blockInstructions: fn.blocks.map((b) => b.instructions.filter((i) => compiled.origins[i.site]).length),
  };
}

export function launchPlan({ module, memory, limits }: EngineOptions, { fn }: Pick<CompiledKernel, 'fn'>, launch: Launch): LaunchPlan {
  const allocations: KnownAllocation[] = memory.allocations.map(({ address, sizeBytes }) => ({
    address,
    sizeBytes,
    constant: module.constants.has(address),
  }));
  const { offsets } = byvalOffsets(fn.parameters);
  const words: bigint[] = [];
  const byval: { bytes: Uint8Array; offset: number }[] = [];
  fn.parameters.forEach((parameter, index) => {
    const bytes = launch.args[index];
    const expected = sizeOf(parameter.byval?.type ?? parameter.type);
    if (!bytes || bytes.length < expected) {
      throw new Error(`argument ${index} of ${fn.name} has ${bytes?.length ?? 0} bytes instead of ${expected}`);
    }
    const offset = offsets[index];
    if (offset !== undefined) {
      words.push(BigInt(LOCAL_BASE + offset));
      byval.push({ bytes: bytes.slice(0, expected), offset });
      return;
    }
    for (const leaf of leavesOf(parameter.type)) {
      let bits = 0n;
      for (let byte = leaf.bytes - 1; byte >= 0; byte--) bits = (bits << 8n) | BigInt(bytes[leaf.offset + byte]);
      words.push(heldBits(leaf, bits));
    }
  });
  return {
    grid: launch.grid,
    block: launch.block,
    sharedLimit: sharedLimit(module, launch.kernel, launch.dynamicSharedBytes),
    dynamicSharedBytes: launch.dynamicSharedBytes,
    parameters: new Uint8Array(BigUint64Array.from(words).buffer),
    byval,
    allocations,
    limit: limits.warpInstructions,
    parallel: false,
    inTurn: false,
    traced: launch.traced,
  };
}

export function launchFacts(
  { module }: EngineOptions,
  { fn, structures }: Pick<CompiledKernel, 'fn' | 'structures'>,
  launch: Launch,
  plan: LaunchPlan,
): LaunchFacts {
  const values = new DataView(plan.parameters.buffer, plan.parameters.byteOffset);
  const parameters = new Map<number, number>();
  let component = 0;
  for (const { id, type, byval } of fn.parameters) {
    const at = 8 * component;
    component += leavesOf(type).length;
    if (byval) continue;
    if (type.kind === 'ptr') parameters.set(id, values.getUint32(at, true));
    else if (type.kind === 'int' && type.bits <= 32) parameters.set(id, values.getInt32(at, true));
    else if (type.kind === 'int' && type.bits === 64) parameters.set(id, Number(values.getBigInt64(at, true)));
  }
  const loaded = new Map<number, number>();
  for (const [{ id, type }, { parameter, within }] of structures) {
    const bytes = launch.args[parameter];
    const word = new DataView(bytes.buffer, bytes.byteOffset + within);
    if (type.kind !== 'int') continue;
    if (type.bits === 32) loaded.set(id, word.getInt32(0, true));
    else if (type.bits === 64) loaded.set(id, Number(word.getBigInt64(0, true)));
  }
  return {
    grid: launch.grid,
    block: launch.block,
    parameters,
    loaded,
    resolve: (name, space) => resolveSymbol(module, launch.kernel, name, space),
  };
}
