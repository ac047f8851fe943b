import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

// What programs print is compared with what g++ and its library print: minutes of compiling, which `npm test` leaves out.
export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'build/test-results/linux.json' }]] : ['default'],
    env: { XDG_CACHE_HOME: join(import.meta.dirname, '../../build/test-cache') },
    include: ['test/linux/**/*.test.ts'],
    exclude: configDefaults.exclude,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
