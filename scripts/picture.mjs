// Makes docs/picture.svg from a real run: the built program in a terminal of its own (tmux), offline, asked about this
// repository. What is in the picture is what was on the screen.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { svgOf } from './ansi-svg.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const question = process.argv[2] ?? 'Where are tools filtered for a child agent?'
const size = { columns: 100, rows: 30 }
const home = mkdtempSync(join(tmpdir(), 'offshoot-picture-'))
const socket = `offshoot-picture-${process.pid}`
const tmux = (...args) => execFileSync('tmux', ['-u', '-L', socket, ...args], { encoding: 'utf8' })

execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' })
try {
  const env = `env -i PATH='${process.env.PATH}' HOME='${home}' OFFSHOOT_HOME='${home}/state' LANG=C.UTF-8 TERM=xterm-256color COLORTERM=truecolor`
  const program = `cd '${root}' && ${env} '${process.execPath}' dist/bin/offshoot.cjs; cat`
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(size.columns), '-y', String(size.rows), program)
  await shows('what should be done?')
  const frames = []
  const take = ms => {
    const text = withoutPlace(tmux('capture-pane', '-p', '-e'))
    const last = frames.at(-1)
    if (last?.text === text) last.ms += ms
    else frames.push({ text, ms })
  }
  take(900)
  for (const word of question.split(/(?<= )/)) {
    tmux('send-keys', '-l', word)
    await sleep(60)
    take(110)
  }
  tmux('send-keys', 'Enter')
  for (let looks = 0; looks < 150; looks++) {
    await sleep(60)
    take(160)
    if (isDone(tmux('capture-pane', '-p'))) break
  }
  take(6000)
  writeFileSync(join(root, 'docs/picture.svg'), svgOf(thinned(frames, 40), { ...size, title: 'offshoot' }))
  console.log(`docs/picture.svg: ${frames.length} screens of a real run`)
} finally {
  execFileSync('tmux', ['-L', socket, 'kill-server'])
  rmSync(home, { recursive: true, force: true })
}

async function shows(text) {
  for (let tries = 0; tries < 200; tries++) {
    if (tmux('capture-pane', '-p').includes(text)) return
    await sleep(50)
  }
  throw new Error(`the program never showed "${text}"`)
}

/** The answer is there, and the prompt waits again. */
function isDone(screen) {
  return screen.includes('keyword search, not a language model') && screen.includes('what should be done?')
}

/** Where the repository lies on this machine is nobody's business. */
function withoutPlace(text) {
  return text.replaceAll(root, '~/offshoot')
}

/** Evenly fewer frames; none of the time is lost. */
function thinned(frames, most) {
  const step = Math.ceil(frames.length / most)
  return frames
    .filter((_, at) => at % step === 0 || at === frames.length - 1)
    .map((frame, at, kept) => {
      const from = frames.indexOf(frame)
      const to = at === kept.length - 1 ? frames.length : frames.indexOf(kept[at + 1])
      return { ...frame, ms: frames.slice(from, to).reduce((sum, { ms }) => sum + ms, 0) }
    })
}
