// The program, and what it starts for runs in their own process: a file each, and lazy chunks. Packages stay outside where they bring binaries of their own.
import { defineConfig } from 'rolldown'

export default defineConfig({
  input: { offshoot: 'src/apps/cli/main.ts', child: 'src/apps/child/main.ts' },
  platform: 'node',
  external: ['libsql', '@vscode/ripgrep', /^node:/],
  output: {
    dir: 'dist/bin',
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: false,
    sourcemap: false,
  },
})
