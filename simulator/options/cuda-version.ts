/** What the headers are told of the CUDA version in the settings: before CUDA 9, functions of a warp had no mask. */

const FIRST_WITH_MASKS = 9;
/** simulator/include/lanewise/warp.h looks at it. */
const WITHOUT_MASKS = '__LANEWISE_WARPS_WITHOUT_MASKS=1';

export function definesOfCudaVersion(cudaVersion: string | undefined): string[] {
  return Number.parseFloat(cudaVersion ?? '') < FIRST_WITH_MASKS ? [WITHOUT_MASKS] : [];
}
