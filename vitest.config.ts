import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**'],
    testTimeout: 60_000,
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
