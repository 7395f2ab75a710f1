// The program, and what it starts for runs in their own process: a file each, and lazy chunks. Packages stay outside where they bring binaries of their own.
import { defineConfig } from 'rolldown'

export default defineConfig({
  input: { offshoot: 'src/apps/cli/main.ts', child: 'src/apps/child/main.ts' },
  platform: 'node',
  external: ['libsql', '@vscode/ripgrep', 'react-devtools-core', /^node:/],
  // React's development build is larger and slower, and says things on the screen.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: {
    dir: 'dist/bin',
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: false,
    sourcemap: false,
  },
})
