/** What a suite needs of a test runner: `{ test }` of vitest, jest or `node:test`. */
export interface TestRunner {
  readonly test: (name: string, body: () => Promise<void>) => unknown
}
