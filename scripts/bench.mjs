// Runs the benchmarks named, or all: each is bundled first, because Node 20 cannot read TypeScript.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const notBenches = new Set(['report.ts'])
const all = readdirSync(join(root, 'bench')).filter(name => name.endsWith('.ts') && !notBenches.has(name))
const wanted = process.argv.slice(2)
const chosen = wanted.length > 0 ? all.filter(name => wanted.includes(basename(name, '.ts'))) : all
if (chosen.length === 0) {
  console.error(`No such benchmark. Known: ${all.map(name => basename(name, '.ts')).join(', ')}`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'offshoot-bench-'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
try {
  for (const name of chosen) {
    const bundle = await rolldown({
      input: join(root, 'bench', name),
      platform: 'node',
      external: [/^[^./]/],
      logLevel: 'warn',
    })
    await bundle.write({
      file: join(folder, `${basename(name, '.ts')}.mjs`),
      format: 'esm',
      codeSplitting: false,
    })
    execFileSync(process.execPath, ['--expose-gc', join(folder, `${basename(name, '.ts')}.mjs`)], {
      stdio: 'inherit',
      cwd: root,
    })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
