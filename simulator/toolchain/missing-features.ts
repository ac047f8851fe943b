/**
 * Errors that stand for a part of CUDA which the simulator does not have. Clang knows only that a name is undeclared, and reports what
 * follows from it as well: here the part is named, once, and what may follow from it is left out.
 */
import type { ProgramDiagnostic } from '../../protocol/report.ts';

/** Functions of numbers: from a call to one that is not there nothing follows elsewhere, as it does from a type. */
const WARP_FUNCTIONS = 'functions of a warp without a mask, which CUDA 9 replaced';

/** How undeclared names begin, and what they belong to; the first that fits counts. NAME is the one that is undeclared. */
const FEATURES: readonly (readonly [names: RegExp, feature: string, instead?: string])[] = [
  [
    /^__(shfl(_up|_down|_xor)?|any|all|ballot)$/,
    WARP_FUNCTIONS,
    'write NAME_sync(0xffffffff, …), or set "cudaVersion": "8.0" in lanewise.json',
  ],
  [
    /^(texture|textureReference|cuda(Bind|Unbind)Texture\w*|cudaGetTexture(Reference|AlignmentOffset))$/,
    'texture references, which CUDA 12 removed',
    'use a texture object (cudaCreateTextureObject), or set "cudaVersion": "11.8" in lanewise.json',
  ],
  [
    /^(surface|surfaceReference|cudaBindSurface\w*|cudaGetSurfaceReference)$/,
    'surface references, which CUDA 12 removed',
    'use a surface object (cudaCreateSurfaceObject), or set "cudaVersion": "11.8" in lanewise.json',
  ],
  [/^(nvcuda|wmma)$/, 'this part of tensor cores (nvcuda::wmma)'],
  [/^curand/i, 'this part of cuRAND'],
  [/^cublas/i, 'this part of cuBLAS'],
  [/^MPI_/, 'this part of MPI'],
  [/^cufft/i, 'this part of cuFFT'],
  [/^cusparse/i, 'this part of cuSPARSE'],
  [/^cusolver/i, 'this part of cuSOLVER'],
  [/^nvml/i, 'this part of NVML'],
  [/^cudnn/i, 'cuDNN'],
  [/^nccl/i, 'NCCL'],
  [/^nvrtc/i, 'NVRTC'],
  [/^nvtx/i, 'NVTX'],
  [/^(cub|cutlass|cute)$/, 'this part of CUB, or CUTLASS'],
  [/^(cu[A-Z]\w+|CU[a-z]\w+|CU_\w+|CUDA_\w+)$/, 'this part of the driver API'],
  [/^cuda[A-Z]\w+$/, 'this part of the runtime API'],
];

/** Clang's ways to say that it does not know a name, and what it takes it for. */
const UNDECLARED =
  /^(?:unknown type name|use of undeclared identifier|no template named|no type named|no member named|unknown class name|undeclared identifier) '([\w:]+)'(?! in '(?!namespace))(?:.*did you mean '([\w:]+)')?/;
/** Letters by which a slip of the pen is longer or shorter than the name that was meant; Clang corrects by a third of a name. */
const SLIP = 2;

function featureOf({
  severity,
  message,
}: ProgramDiagnostic): { readonly name: string; readonly feature: string; readonly instead: string } | undefined {
  const [, name, meant] = (severity === 'error' && UNDECLARED.exec(message)) || [];
  const isSlip = meant !== undefined && Math.abs(meant.length - name!.length) <= SLIP;
  const found = name === undefined || isSlip ? undefined : FEATURES.find(([names]) => names.test(name));
  return name && found ? { name, feature: found[1], instead: found[2] ? `: ${found[2].replace('NAME', name)}` : '' } : undefined;
}

/**
 * The same diagnostics where nothing is missing; else one error for each missing part, what is said before the first one from which others
 * may follow, and how many were left out.
 */
export function nameMissingFeatures(diagnostics: readonly ProgramDiagnostic[]): readonly ProgramDiagnostic[] {
  const features = diagnostics.map(featureOf);
  if (!features.some((found) => found)) return diagnostics;
  const first = features.findIndex((found) => found && found.feature !== WARP_FUNCTIONS);
  const end = first < 0 ? diagnostics.length : first;
  const missing = new Map<string, ProgramDiagnostic>();
  const kept: ProgramDiagnostic[] = [];
  // Notes are about the error before them.
  let isKept = true;
  diagnostics.forEach((diagnostic, index) => {
    const found = features[index];
    if (found && !missing.has(found.feature)) {
      const message = `the simulator does not support ${found.feature} ('${found.name}')${found.instead}`;
      const named = { ...diagnostic, message };
      missing.set(found.feature, named);
      kept.push(named);
    }
    if (diagnostic.severity !== 'note') isKept = !found && index < end;
    if (isKept) kept.push(diagnostic);
  });
  const errors = (all: readonly ProgramDiagnostic[]) => all.filter(({ severity }) => severity === 'error').length;
  const others = errors(diagnostics) - errors(kept);
  if (others === 0) return kept;
  const count = others === 1 ? '1 more error is' : `${others} more errors are`;
  const last = [...missing.values()].pop()!;
  const note: ProgramDiagnostic = { ...last, severity: 'note', message: `${count} left out that may follow from this` };
  return kept.flatMap((each) => (each === last ? [each, note] : [each]));
}
