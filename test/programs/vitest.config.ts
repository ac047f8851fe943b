import { suiteConfig } from '../suite-config.ts';

/** Whole programs beside what an H200 printed, counted and took, and beside what was predicted of them. */
export default suiteConfig('programs');
