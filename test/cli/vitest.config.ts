import { suiteConfig } from '../suite-config.ts';

/** The command line as its users call it: whole runs and checks, in processes of their own. */
export default suiteConfig('cli');
