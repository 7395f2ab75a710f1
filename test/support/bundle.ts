/** Makes one plain module of a source file, for tests that need a program of their own. */
import { resolve } from 'node:path'
import { rolldown } from 'rolldown'

export async function bundleTo(outFile: string, source: string): Promise<void> {
  const root = resolve(import.meta.dirname, '../..')
  const entry = '\0entry.ts'
  const build = await rolldown({
    input: entry,
    platform: 'node',
    cwd: root,
    plugins: [
      {
        name: 'entry',
        resolveId(id, importer) {
          if (id === entry) return id
          if (importer === entry && id.startsWith('.')) return resolve(root, id.replace(/\.js$/, '.ts'))
          return undefined
        },
        load: id => (id === entry ? { code: source, moduleType: 'ts' } : undefined),
      },
    ],
    logLevel: 'silent',
  })
  await build.write({ file: outFile, format: 'esm', codeSplitting: false })
  await build.close()
}
