// Builds the library (tsc) and the program (one bundle with lazy chunks). Does nothing when nothing has changed.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import config from '../rolldown.config.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'dist', '.built')
const sources = [
  'src',
  'agents',
  'scripts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'rolldown.config.mjs',
]

if (!process.argv.includes('--force') && existsSync(stamp) && newest(sources) <= statSync(stamp).mtimeMs)
  process.exit(0)
rmSync(join(root, 'dist'), { recursive: true, force: true })
run('tsc', '-p', 'tsconfig.build.json')
execFileSync(process.execPath, [join(root, 'scripts', 'compile-agents.mjs')], { cwd: root, stdio: 'inherit' })
await bundleProgram()
execFileSync(process.execPath, [join(root, 'scripts', 'compile-agents.mjs')], { cwd: root, stdio: 'inherit' })
chmodSync(join(root, 'dist', 'bin', 'offshoot.js'), 0o755)
writeFileSync(stamp, '')

async function bundleProgram() {
  // What is also needed at once elsewhere is simply loaded at once: no fault, and nothing a user should read.
  const onLog = (level, log, report) => void (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT' && report(level, log))
  const bundle = await rolldown({ ...config, cwd: root, onLog })
  await bundle.write(config.output)
  await bundle.close()
}

function run(command, ...args) {
  execFileSync(process.execPath, [join(root, 'node_modules', '.bin', command), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
}

function newest(paths) {
  return Math.max(
    ...paths.map(path => {
      const full = join(root, path)
      if (!existsSync(full)) return 0
      const { mtimeMs } = statSync(full)
      return statSync(full).isDirectory()
        ? Math.max(mtimeMs, newest(readdirSync(full).map(name => join(path, name))))
        : mtimeMs
    }),
  )
}
