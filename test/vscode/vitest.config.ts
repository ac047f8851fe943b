import { defineConfig } from 'vitest/config';

const version = process.env.LANEWISE_VSCODE === 'newest' ? 'newest' : 'oldest';

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', ['json', { outputFile: `build/test-results/editors-${version}.json` }]] : ['default'],
    include: ['vscode', 'neovim', 'emacs', 'helix'].map((editor) => `test/${editor}/**/*.e2e.ts`),
    // A page needs ten seconds until its extensions run; a first run compiles; each picture in three themes takes seconds.
    testTimeout: process.env.LANEWISE_THEMES ? 600_000 : 180_000,
    hookTimeout: 300_000,
    // A second, otherwise.
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
    // A real window on a busy machine: what fails twice fails. The reporter names what needed its second try.
    retry: 1,
  },
});
