// Builds the library (tsc) and the program (one bundle with lazy chunks). Does nothing when nothing has changed.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { commonJs, door, esm } from '../rolldown.config.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'dist', '.built')
// What V8 compiled for the caches is of use to the same V8 only.
const compiledBy = `${process.versions.v8} ${process.arch}`
const sources = [
  'src',
  'agents',
  'scripts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'rolldown.config.mjs',
]

const isForced = process.argv.includes('--force')
if (!isForced && isBuilt()) process.exit(0)
await lockOthersOut(join(root, '.building'))
if (!isForced && isBuilt()) process.exit(0)
rmSync(join(root, 'dist'), { recursive: true, force: true })
run('tsc', '-p', 'tsconfig.build.json')
for (const script of ['compile-agents.mjs', 'compile-prices.mjs'])
  execFileSync(process.execPath, [join(root, 'scripts', script)], { cwd: root, stdio: 'inherit' })
for (const config of [door, esm, commonJs]) await bundle(config)
importByHand(join(root, commonJs.output.dir))
chmodSync(join(root, 'dist', 'bin', 'offshoot.cjs'), 0o755)
await warmUp()
writeFileSync(stamp, compiledBy)

function isBuilt() {
  // Whoever builds meanwhile takes it away.
  const built = statSync(stamp, { throwIfNoEntry: false })
  return built !== undefined && newest(sources) <= built.mtimeMs && readFileSync(stamp, 'utf8') === compiledBy
}

// Two that build at once would take each other's files away: the second waits, and mostly finds that all is done.
async function lockOthersOut(lock) {
  for (let tries = 0; !isTaken(lock); tries++) {
    if (tries === 10) console.error(`Another build is under way, and this one waits for it (${lock}).`)
    await setTimeout(200)
  }
  process.on('exit', () => rmSync(lock, { force: true }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
}

function isTaken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isHeld(lock)) rmSync(lock, { force: true })
    return false
  }
}

// Whoever was killed holds nothing.
function isHeld(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function bundle(config) {
  const made = await rolldown({ ...config, cwd: root })
  await made.write(config.output)
  await made.close()
}

// Scripts loaded with a cache cannot import by themselves: they are handed a function that does (quick-load.ts).
function importByHand(folder) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    let code = readFileSync(file, 'utf8')
    const starts = []
    visit(parseAst(code, { lang: 'js', sourceType: 'commonjs' }), node => {
      if (node.type === 'ImportExpression') starts.push(node.start)
    })
    for (const start of starts.sort((a, b) => b - a))
      code = `${code.slice(0, start)}importModule${code.slice(start + 'import'.length)}`
    // Plain ASCII is read and kept at half the cost.
    writeFileSync(
      file,
      code.replace(/[^\u0000-\u007f]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
      'latin1',
    )
  }
}

function visit(node, see) {
  if (Array.isArray(node)) for (const each of node) visit(each, see)
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') see(node)
    for (const value of Object.values(node)) visit(value, see)
  }
}

// Real answers in an empty folder: what V8 compiled for them is kept for every start to come. The offline model answers by
// itself; the providers' are asked a server of our own, which refuses, so that all of the way to them has been gone; and a
// made-up model hands work to a child, so that delegation and tools have been gone through too.
async function warmUp() {
  const folder = mkdtempSync(join(tmpdir(), 'offshoot-build-'))
  writeFileSync(join(folder, 'note.txt'), 'a note')
  const refusing = createServer((_, response) => response.writeHead(400).end('{}')).listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const story = spawn(process.execPath, [join(root, 'scripts', 'story-model.mjs')], {
    env: { PATH: process.env.PATH, MODEL_DELAY_MS: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const [port] = await once(story.stdout, 'data')
  const key = (name, at) => ({ [`${name}_API_KEY`]: 'none', [`${name}_BASE_URL`]: `http://127.0.0.1:${at}` })
  const nobody = refusing.address().port
  const kinds = [
    {},
    key('GEMINI', nobody),
    key('OPENAI', nobody),
    key('ANTHROPIC', nobody),
    // A name under which nobody reasons: it takes the short road.
    { ...key('OPENAI', String(port).trim()), OFFSHOOT_MODEL: 'openai/story' },
    key('ANTHROPIC', String(port).trim()),
  ]
  for (const [round, more] of kinds.entries()) {
    // Each finds files that the one before has read, and others that nobody has.
    writeAgents(join(folder, '.claude', 'agents'), round)
    const env = { PATH: process.env.PATH, HOME: folder, OFFSHOOT_HOME: folder, OFFSHOOT_KEEP_CACHES: '1', ...more }
    const args = [join(root, 'dist', 'bin', 'offshoot.cjs'), '-p', 'Where is nothing?', '-q']
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore', timeout: 20_000 })
    await once(child, 'exit')
  }
  refusing.close()
  story.kill()
  rmSync(folder, { recursive: true, force: true })
}

// What people's folders hold: a plain file, lists and blocks that need the parser, prose in a block above maps of tools and
// permissions, keys of other products, tools of servers, and a description nobody quoted.
function writeAgents(folder, round) {
  const heads = {
    plain: 'description: Reads code.\ntools: Read, Grep, Bash(git log *)\nmodel: sonnet\ncolor: blue',
    lists:
      'description: >-\n  Reads\n  code.\ntools:\n  - Read\n  - Grep\nskills: [a, b]\nmaxTurns: 9\npermissions:\n  deny: [Bash]',
    prose: `description: >-
  Runs the tests of a change and says which fail. Examples:

  <example>

  Context: a function was written.

  user: "Does it still work?"

  assistant: "I will let the runner find out."

  </example>
mode: subagent
tools:
  bash: false
  read: true
permissions:
  edit: ask
  bash: deny`,
    foreign: `description: "Reads code"
type: "analysis"
version: "1.0.0"
created: "2025-07-25"
metadata:
  topic: "Code, and its tests"
  alone: true
triggers:
  keywords:
    - "look at it"
  files:
    - "**/*.js"
capabilities:
  allowed_tools:
    - Read
  max_execution_time: 600`,
    servers:
      'description: "Reads code"\neffort: high\ntools: Read, mcp__notes__get, Agent(helper), mcp__other\nskills: a, b',
    broken: 'description: Use it: "now".\n  And later: too\ntools: Read, Grep\nmodel: inherit',
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, head] of Object.entries(heads))
    writeFileSync(join(folder, `${name}-${round}.md`), `---\nname: ${name}-${round}\n${head}\n---\nYou read code.\n`)
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
