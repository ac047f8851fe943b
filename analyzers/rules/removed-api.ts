/**
 * Names that were removed from CUDA. Versions come from CUDA's release notes, checked against the headers of CUDA 13.0. Names that are only
 * deprecated are left out, except the warp functions without a mask, which sm_70 and later reject.
 */
import type { Wording } from '../../protocol/finding.ts';
import type { FileFacts, IdentifierFacts } from '../model/file-facts.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

interface Removal {
  /** First CUDA version without it. */
  readonly version: number;
  /** Code as it is. */
  readonly instead: string | Wording;
  /** Same arguments, same meaning: the new name can take the place of the old one. */
  readonly rename?: string;
  /** Text to insert after the opening parenthesis of the renamed call. */
  readonly firstArgument?: string;
  readonly where?: 'device' | 'host';
  /** A field of cudaDeviceProp. */
  readonly member?: boolean;
}

const warpFunction = (name: string): Removal => ({
  version: 9,
  instead: phrase('maskedInstead', { name: `${name}_sync` }),
  rename: `${name}_sync`,
  firstArgument: '0xffffffffu',
  where: 'device',
});
const texture: Removal = { version: 12, instead: phrase('textureInstead') };
const property = (attribute: string): Removal => ({
  version: 13,
  instead: `\`cudaDeviceGetAttribute(&value, ${attribute}, device)\``,
  member: true,
  where: 'host',
});

/** Sorted by name. */
export const REMOVALS: Readonly<Record<string, Removal>> = {
  __all: warpFunction('__all'),
  __any: warpFunction('__any'),
  __ballot: warpFunction('__ballot'),
  __shfl: warpFunction('__shfl'),
  __shfl_down: warpFunction('__shfl_down'),
  __shfl_up: warpFunction('__shfl_up'),
  __shfl_xor: warpFunction('__shfl_xor'),
  clockRate: property('cudaDevAttrClockRate'),
  computeMode: property('cudaDevAttrComputeMode'),
  cooperativeMultiDeviceLaunch: { version: 13, instead: phrase('cooperativePerDevice'), member: true, where: 'host' },
  cudaBindSurfaceToArray: { version: 12, instead: phrase('surfaceInstead') },
  cudaBindTexture: texture,
  cudaBindTexture2D: texture,
  cudaBindTextureToArray: texture,
  cudaConfigureCall: { version: 10.1, instead: '`cudaLaunchKernel`' },
  cudaDeviceSynchronize: {
    version: 12,
    instead: phrase('tailLaunchInstead'),
    where: 'device',
  },
  cudaGetTextureReference: texture,
  cudaLaunchCooperativeKernelMultiDevice: {
    version: 13,
    instead: phrase('cooperativePerDeviceEvents'),
  },
  cudaProfilerInitialize: { version: 12, instead: phrase('profilerInstead') },
  cudaSetupArgument: { version: 10.1, instead: '`cudaLaunchKernel`' },
  cudaThreadExit: { version: 13, instead: '`cudaDeviceReset`', rename: 'cudaDeviceReset' },
  cudaThreadGetLimit: { version: 13, instead: '`cudaDeviceGetLimit`', rename: 'cudaDeviceGetLimit' },
  cudaThreadSetLimit: { version: 13, instead: '`cudaDeviceSetLimit`', rename: 'cudaDeviceSetLimit' },
  cudaThreadSynchronize: { version: 13, instead: '`cudaDeviceSynchronize`', rename: 'cudaDeviceSynchronize' },
  cudaUnbindTexture: texture,
  deviceOverlap: { version: 13, instead: phrase('fieldInstead', { name: 'asyncEngineCount' }), member: true, where: 'host' },
  kernelExecTimeoutEnabled: property('cudaDevAttrKernelExecTimeout'),
  maxTexture1DLinear: { version: 13, instead: '`cudaDeviceGetTexture1DLinearMaxWidth`', member: true, where: 'host' },
  memoryClockRate: property('cudaDevAttrMemoryClockRate'),
  multi_grid_group: { version: 13, instead: phrase('oneLaunchPerDevice', { name: 'grid_group' }) },
  singleToDoublePrecisionPerfRatio: property('cudaDevAttrSingleToDoublePrecisionPerfRatio'),
  this_multi_grid: { version: 13, instead: phrase('oneLaunchPerDevice', { name: 'this_grid()' }) },
};

/** Deprecated in CUDA 13 in favour of types that name their alignment. */
const REALIGNED = new Set(['double4', 'long4', 'longlong4', 'ulong4', 'ulonglong4']);

/** The structure whose fields were removed. */
const PROPERTIES = 'cudaDeviceProp';

const NAMES: ReadonlySet<string> = new Set([...Object.keys(REMOVALS), ...REALIGNED, PROPERTIES]);

export const removedApi = defineRule({
  id: 'removed-api',
  summary: 'API that the selected CUDA version no longer has',
  category: 'launches',
  severity: 'error',
  messages: {
    removed: '`{name}` was removed in CUDA {version}; use {instead}',
    realigned:
      '`{name}` was deprecated in CUDA 13; use `{name}_16a`, or `{name}_32a`, whose 32-byte alignment lets one instruction move the whole vector',
  },
  *detectFile(file) {
    const uses = file.identifiers(NAMES);
    const properties = new Set(uses.filter((use) => use.name === PROPERTIES).flatMap((use) => use.declares));
    for (const use of uses) {
      if (REALIGNED.has(use.name) && file.cudaVersion >= 13 && !use.member && !use.argumentsAt)
        yield {
          at: use.place,
          message: 'realigned',
          data: { name: use.name },
          severity: 'warning',
          fixes: renameFix(use, `${use.name}_16a`),
        };
      const removal: Removal | undefined = REMOVALS[use.name];
      if (!removal || !applies(removal, use, file)) continue;
      if (removal.member && !(use.owner !== undefined && properties.has(use.owner))) continue;
      yield {
        at: use.place,
        message: 'removed',
        subject: use.name,
        data: { name: use.name, version: removal.version, instead: removal.instead },
        fixes: removal.rename ? renameFix(use, removal.rename, removal.firstArgument) : [],
      };
    }
  },
});

function applies(removal: Removal, use: IdentifierFacts, file: FileFacts): boolean {
  if (file.cudaVersion < removal.version) return false;
  if (removal.where === 'device' && !use.inDeviceCode) return false;
  if (removal.where === 'host' && use.inDeviceCode) return false;
  return removal.member ? use.member : !use.member;
}

/** A rename keeps the meaning. An inserted mask must suit the branch around it, which only the author knows. */
function renameFix(use: IdentifierFacts, name: string, firstArgument?: string): RuleFix[] {
  if (use.expanded) return [];
  if (!firstArgument) return [{ title: phrase('replaceWith', { name }), edits: [{ at: use.place, newText: name }], safe: true }];
  if (!use.argumentsAt) return [];
  return [
    {
      title: phrase('replaceWithMask', { name }),
      edits: [
        { at: use.place, newText: name },
        { at: use.argumentsAt, newText: `${firstArgument}, ` },
      ],
      safe: false,
    },
  ];
}
