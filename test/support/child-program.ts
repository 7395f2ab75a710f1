/** The program of a run's process, bundled from the sources as they are now; built once for each state of them. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const root = resolve(import.meta.dirname, '../..')

export async function buildChildProgram(): Promise<string> {
  const place = join(tmpdir(), `offshoot-child-${process.getuid?.() ?? 'user'}-${stateOf(join(root, 'src'))}`)
  if (!existsSync(place)) await buildInto(place)
  return join(place, 'child.js')
}

async function buildInto(place: string): Promise<void> {
  const made = mkdtempSync(join(tmpdir(), 'offshoot-child-new-'))
  symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'))
  const bundle = await rolldown({
    input: { child: join(root, 'src/apps/child/main.ts') },
    platform: 'node',
    external: ['libsql', '@vscode/ripgrep', /^node:/],
    logLevel: 'silent',
  })
  await bundle.write({ dir: made, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' })
  await bundle.close()
  try {
    renameSync(made, place)
  } catch {
    // Another test file was quicker: it built the same.
    rmSync(made, { recursive: true, force: true })
  }
}

function stateOf(folder: string): string {
  const hash = createHash('sha256').update(root)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    hash.update(`${path} ${statSync(path).mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}
