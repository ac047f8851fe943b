import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'build/test-results/tests.json' }]] : ['default'],
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two workers: a compile holds half a gigabyte, and CI has two cores.
    maxWorkers: 2,
  },
});
