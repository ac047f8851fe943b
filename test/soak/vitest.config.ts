import { suiteConfig } from '../suite-config.ts';

/** Whatever is typed, passed or repeated: thousands of inputs. */
export default suiteConfig('soak');
