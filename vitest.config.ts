import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const all = ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts']
/** They look at the memory or the handles of their process, or fill it: each gets one of its own. */
const alone = [
  'test/scenarios/crowd.test.ts',
  // What it reads would stay in the worker, and starting a program takes three times as long from a large process.
  'test/fuzz/agent-file.test.ts',
]
/** They run the built program, processes of runs, servers, shells, sandboxes or git again and again, kill them, or draw on a terminal: `npm run test:program`. */
const program = [
  'test/e2e/**/*.test.ts',
  'test/crash/process.test.ts',
  'test/crash/control.test.ts',
  'test/docs/commands.test.ts',
  'test/docs/code-blocks.test.ts',
  'test/plugins/plugins.test.ts',
  'test/scenarios/changed-place.test.ts',
  'test/scenarios/sandbox-places.test.ts',
  'src/adapters/hooks/*.test.ts',
  'src/adapters/tools/looking-git.test.ts',
  'src/adapters/tools/bash.test.ts',
  'src/adapters/os/atomic-file.test.ts',
  'test/surroundings/*.test.ts',
  'test/agents/on-node.test.ts',
  // The compiler, over all that is public.
  'test/docs/api.test.ts',
  'test/promises/promises.test.ts',
  'src/adapters/os/reaper.test.ts',
  'test/processes/!(both-modes).test.ts',
  'src/adapters/sandboxes/*.test.ts',
  'test/security/work-trees.test.ts',
  'test/security/real-bash-words.test.ts',
  'test/security/bash-differential.test.ts',
  'test/security/option-words.test.ts',
  'test/security/evaluated-text.test.ts',
  'test/security/below-denies.test.ts',
  'src/adapters/os/git-index.test.ts',
  'src/adapters/os/safe-git.test.ts',
  'src/adapters/ground/git-places.test.ts',
  'test/mcp/*.test.ts',
  // Settings and files that change below a running house: they wait for it to see them.
  'test/scenarios/live-settings.test.ts',
  'test/security/changed-by-flag.test.ts',
  'test/security/inherited-trust.test.ts',
  'test/security/program-stories.test.ts',
  'test/agents/lasting-approvals.test.ts',
  'test/stores/two-processes.test.ts',
  'test/stores/begun-whole.test.ts',
  'test/stores/faults.test.ts',
  'test/stores/lost-files.test.ts',
  'src/apps/cli/runs/worktrees.test.ts',
]
/** The same, each in a process of its own. */
const programAlone = [
  // Faults at random, some seconds of them.
  'test/soak/**/*.test.ts',
  'test/stores/long-life.test.ts',
  // Megabytes, two hundred times.
  'test/fuzz/hostile-files.test.ts',
  // It tells stories of another file again: where a worker had told them before, they were told no more.
  'test/processes/both-modes.test.ts',
]

// Left alone Vitest takes one processor less than there are: half the machine where there are two.
const maxWorkers = Math.max(2, availableParallelism() - 1)
/** What waits for programs leaves the processors idle for a third of its time: one more keeps them busy. */
const waiting = { maxWorkers: maxWorkers + 1, sequence: { groupOrder: 1 } }

export default defineConfig({
  test: {
    exclude: ['dist/**', 'node_modules/**'],
    globalSetup: 'test/support/temporary.ts',
    setupFiles: 'test/support/one-seed.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Real processes on a busy machine may miss their moment once; what fails twice is broken.
    retry: process.env.CI ? 1 : 0,
    maxWorkers,
    // What was made of a file is kept in node_modules by its content, for every later run. Where a file that others import
    // got another ending, they look for the old one until `npx vitest --clearCache`.
    experimental: { fsModuleCache: true },
    // Loading the modules anew for each file took longer than the tests in it.
    projects: [
      {
        extends: true,
        test: { name: 'together', isolate: false, include: all, exclude: [...alone, ...program, ...programAlone] },
      },
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'program', isolate: false, include: program, ...waiting } },
      { extends: true, test: { name: 'program-alone', include: programAlone, ...waiting } },
    ],
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
