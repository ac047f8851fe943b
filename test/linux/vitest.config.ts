import { suiteConfig } from '../suite-config.ts';

/** What programs print is compared with what g++ and its library print. */
export default suiteConfig('linux');
