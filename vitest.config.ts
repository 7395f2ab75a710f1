import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**'],
    testTimeout: 60_000,
    coverage: { include: ['src/**'], exclude: ['src/**/*.test.ts', 'src/testing/**'], reporter: ['text-summary'] },
  },
})
