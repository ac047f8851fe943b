import { suiteConfig } from '../suite-config.ts';

/** CUDA's runtime and the host program: whole programs, compiled and run. */
export default suiteConfig('runtime');
