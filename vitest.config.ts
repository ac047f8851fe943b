import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { OWN_SUITES } from './test/suite-config.ts';

// Compiled programs are kept for as long as the tests take, and away from the user's.
const cache = join(import.meta.dirname, 'build/test-cache');
rmSync(cache, { recursive: true, force: true });

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'build/test-results/tests.json' }]] : ['default'],
    env: { XDG_CACHE_HOME: cache },
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...OWN_SUITES.map((name) => `test/${name}/**`)],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two workers: a compile holds half a gigabyte, and CI has two cores.
    maxWorkers: 2,
  },
});
