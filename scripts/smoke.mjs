// Installs the packed package into an empty folder, imports every subpath and runs the program: what a user gets.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'offshoot-smoke-'))
const run = (command, args) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
try {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', join(folder, filename)])
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const subpaths = Object.keys(manifest.exports).filter(path => !path.endsWith('.json') && !path.includes('*'))
  const imports = subpaths
    .map(path => `await import('${path === '.' ? 'offshoot' : `offshoot/${path.slice(2)}`}')`)
    .join('\n')
  writeFileSync(join(folder, 'all.mjs'), imports)
  run(process.execPath, ['all.mjs'])
  const version = run(join(folder, 'node_modules', '.bin', 'offshoot'), ['--version'])
  if (version !== manifest.version) throw new Error(`--version says ${version}, the package says ${manifest.version}`)
  console.log(`smoke: ${subpaths.length} subpaths import, offshoot ${version} runs`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
