/** What the headers are told of the CUDA version in the settings: what it still had is there. */

/** Before it, functions of a warp had no mask; simulator/include/lanewise/warp.h. */
const FIRST_WITH_MASKS = 9;
const WITHOUT_MASKS = '__LANEWISE_WARPS_WITHOUT_MASKS=1';
/** Before it, there were texture and surface references; simulator/include/lanewise/texture-references.h. */
const FIRST_WITHOUT_REFERENCES = 12;
const TEXTURE_REFERENCES = '__LANEWISE_TEXTURE_REFERENCES=1';

export function definesOfCudaVersion(cudaVersion: string | undefined): string[] {
  const version = Number.parseFloat(cudaVersion ?? '');
  return [...(version < FIRST_WITH_MASKS ? [WITHOUT_MASKS] : []), ...(version < FIRST_WITHOUT_REFERENCES ? [TEXTURE_REFERENCES] : [])];
}
