import { suiteConfig } from '../suite-config.ts';

/** CUDA's libraries and NVIDIA's helper headers: large headers to compile, both engines. */
export default suiteConfig('libraries');
