/** Suites that take minutes and that `npm test` leaves out: each is a folder here, with a configuration and a script of its own. */
import { join } from 'node:path';
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';

export const OWN_SUITES = ['cli', 'libraries', 'linux', 'programs', 'runtime', 'soak'];

export function suiteConfig(name: string): ViteUserConfig {
  return defineConfig({
    test: {
      reporters: process.env.CI ? ['default', ['json', { outputFile: `build/test-results/${name}.json` }]] : ['default'],
      env: { XDG_CACHE_HOME: join(import.meta.dirname, '../build/test-cache') },
      include: [`test/${name}/**/*.test.ts`],
      exclude: configDefaults.exclude,
      testTimeout: 60_000,
      hookTimeout: 120_000,
      maxWorkers: 2,
    },
  });
}
