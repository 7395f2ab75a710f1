import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**'],
    testTimeout: 60_000,
    // Real processes on a busy machine may miss their moment once; what fails twice is broken.
    retry: process.env.CI ? 1 : 0,
    // Left alone it takes one processor less than there are: half the machine where there are two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // `npm run test:coverage`: nine lines of ten of what decides and of what drives, each by itself.
    coverage: {
      include: ['src/core/**', 'src/runtime/**'],
      exclude: ['src/**/*.test.ts'],
      reporter: ['text-summary'],
      reportOnFailure: true,
      thresholds: { 'src/core/**': { lines: 90 }, 'src/runtime/**': { lines: 90 } },
    },
  },
})
