// The program in three bundles. CommonJS: the door, and all that an answer needs, because only that can be loaded with what
// V8 compiled of it at build time (quick-load.ts). ESM: the terminal, and what is started for runs in their own process.
// Packages stay outside where they bring binaries of their own.
import { defineConfig } from 'rolldown'

const common = {
  platform: 'node',
  // A module that is loaded on demand in one place and at once in another is no mistake.
  checks: { ineffectiveDynamicImport: false },
  external: ['libsql', '@vscode/ripgrep', 'react-devtools-core', /^node:/],
  // React's development build is larger and slower, and says things on the screen.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
}

// Names of functions and classes stay, so that a stack trace says something.
const minify = {
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: true },
}

export const door = defineConfig({
  ...common,
  input: { offshoot: 'src/apps/cli/main.ts' },
  output: { dir: 'dist/bin', format: 'cjs', entryFileNames: '[name].cjs', minify },
})

export const esm = defineConfig({
  ...common,
  input: { child: 'src/apps/child/main.ts', terminal: 'src/apps/tui/open-terminal.tsx' },
  output: { dir: 'dist/bin', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js', minify },
})

export const commonJs = defineConfig({
  ...common,
  transform: {
    ...common.transform,
    inject: { Headers: [`${import.meta.dirname}/src/adapters/models/http/plain-headers.ts`, 'PlainHeaders'] },
  },
  input: { program: 'src/apps/cli/program.ts' },
  plugins: [
    {
      name: 'the terminal stays ESM',
      resolveId: source =>
        source.endsWith('/tui/open-terminal.js') ? { id: '../terminal.js', external: true } : undefined,
    },
  ],
  output: {
    dir: 'dist/bin/quick',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // What every answer needs is one file: finding and reading forty of them takes longer than running them.
    codeSplitting: {
      groups: [
        {
          name: 'answer',
          test: /src\/apps\/cli\/(program|answer)\.ts$|src\/(node\.ts|adapters\/stores\/sqlite\.ts)$/,
        },
      ],
    },
    minify,
  },
})

export default [door, esm, commonJs]
