// Runs the benchmarks named, or all, prints their tables and writes all rows to bench/results/latest.json. Each is bundled
// first, because Node 20 cannot read TypeScript.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { cpus, tmpdir } from 'node:os'
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
const rows = join(folder, 'rows.jsonl')
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
    const { status } = spawnSync(process.execPath, ['--expose-gc', join(folder, `${basename(name, '.ts')}.mjs`)], {
      stdio: 'inherit',
      cwd: root,
      env: { ...process.env, OFFSHOOT_BENCH_ROWS: rows },
    })
    // One that missed its bound or broke does not keep the others from being measured.
    if (status !== 0) process.exitCode = 1
  }
  keepRows()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function keepRows() {
  if (!existsSync(rows)) return
  const results = join(root, 'bench', 'results')
  mkdirSync(results, { recursive: true })
  const machine = {
    node: process.version,
    platform: process.platform,
    processors: cpus().length,
    model: cpus()[0]?.model,
  }
  const measured = readFileSync(rows, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const text = JSON.stringify({ at: new Date().toISOString(), machine, rows: measured }, undefined, 2)
  writeFileSync(join(results, 'latest.json'), `${text}\n`)
  console.log('\nAll rows are in bench/results/latest.json.')
}
