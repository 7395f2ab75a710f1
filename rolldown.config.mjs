// The program, and what it starts for runs in their own process: a file each, and lazy chunks. Packages stay outside where they bring binaries of their own.
import { defineConfig } from 'rolldown'

export default defineConfig({
  input: { offshoot: 'src/apps/cli/main.ts', child: 'src/apps/child/main.ts' },
  platform: 'node',
  // A module that is loaded on demand in one place and at once in another is no mistake.
  checks: { ineffectiveDynamicImport: false },
  external: ['libsql', '@vscode/ripgrep', 'react-devtools-core', /^node:/],
  // React's development build is larger and slower, and says things on the screen.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: {
    dir: 'dist/bin',
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // What every answer needs is one file: finding and reading forty of them takes longer than running them.
    codeSplitting: {
      groups: [
        { name: 'version', test: /src\/apps\/cli\/version\.ts$|\/package\.json$/, priority: 2 },
        {
          name: 'answer',
          test: /src\/apps\/cli\/(program|answer)\.ts$|src\/(node\.ts|adapters\/stores\/sqlite\.ts)$/,
        },
      ],
    },
    // Names of functions and classes stay, so that a stack trace says something.
    minify: {
      compress: { keepNames: { function: true, class: true } },
      mangle: { keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    },
    sourcemap: false,
  },
})
