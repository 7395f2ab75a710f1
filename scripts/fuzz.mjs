// The long sweep over damaged agent files (test/fuzz/sweep.ts), bundled first, because Node 20 cannot read TypeScript.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'offshoot-fuzz-'))
try {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const bundle = await rolldown({
    input: join(root, 'test/fuzz/sweep.ts'),
    platform: 'node',
    external: [/^[^./]/],
    logLevel: 'warn',
  })
  const file = join(folder, 'sweep.mjs')
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: 'inherit', cwd: root })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
