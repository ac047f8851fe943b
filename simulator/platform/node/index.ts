/** Node's side of the platform. */
export { assets } from './assets.ts';
export { bytes } from './bytes.ts';
export { code } from './code.ts';
export { files } from './files.ts';
export { paths } from './paths.ts';
export { processes } from './processes.ts';
export { storage } from './storage.ts';
export { threads } from './threads.ts';
export { time } from './time.ts';
