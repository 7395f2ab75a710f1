// The program in three bundles. CommonJS: the door, and all that an answer needs, because only that can be loaded with what
// V8 compiled of it at build time (quick-load.ts). ESM: the terminal, and what is started for runs in their own process.
// Packages stay outside where they bring binaries of their own.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'rolldown'

const root = import.meta.dirname

// What all of the code comes to, packages included: what one program has read, the other may take over (kept-readings.ts).
function nameOfBuild() {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of [...sources, join(root, 'package-lock.json')]) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

const common = {
  platform: 'node',
  // A module that is loaded on demand in one place and at once in another is no mistake.
  checks: { ineffectiveDynamicImport: false },
  external: ['libsql', '@vscode/ripgrep', 'react-devtools-core', /^node:/],
  // React's development build is larger and slower, and says things on the screen.
  transform: { define: { 'process.env.NODE_ENV': '"production"', offshootBuild: JSON.stringify(nameOfBuild()) } },
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
    inject: { Headers: [`${root}/src/adapters/models/http/plain-headers.ts`, 'PlainHeaders'] },
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
