/**
 * How well and how fast `offline/scout` finds things: labelled questions about this repository and about a made-up
 * shop, small and padded to 20,000 files. A question is answered right when an acceptable file is among the first
 * three that the answer cites. Every question is asked twice, and both answers must be the same bytes.
 *
 * Prints a table, and exits 1 when a target is missed.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScout } from '../src/adapters/models/offline/scout.js'
import { row, table } from './report.js'
import { askMain } from './scout/ask-main.js'
import { writeShop } from './scout/write-shop.js'

interface Labelled {
  readonly question: string
  /** Acceptable files; a trailing slash accepts a whole folder. */
  readonly files: readonly string[]
}
interface Score {
  readonly set: string
  readonly right: number
  readonly first: number
  readonly asked: number
  readonly slowestMs: number
  readonly middleMs: number
  readonly isSame: boolean
}

const target = { share: 0.8, slowestMs: 3000 }
const root = process.cwd()
const isVerbose = process.argv.includes('--verbose')
const work = mkdtempSync(join(tmpdir(), 'offshoot-scout-'))

try {
  const own = join(work, 'offshoot')
  copyTracked(own)
  const shop = join(work, 'shop')
  writeShop(shop, 0)
  const large = join(work, 'large')
  writeShop(large, 20_000)
  const scores = [
    await score('this repository', own, readQuestions('offshoot')),
    await score('shop', shop, readQuestions('shop')),
    await score('shop among 20,000 files', large, readQuestions('shop')),
  ]
  report(scores)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function readQuestions(name: string): readonly Labelled[] {
  return JSON.parse(readFileSync(join(root, 'bench/scout-questions', `${name}.json`), 'utf8')).questions
}

/** This repository as it is checked out, less the questions themselves: they would find themselves. */
function copyTracked(to: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const path of listed.toString().split('\0')) {
    if (path === '' || path.startsWith('bench/scout-questions/')) continue
    cpSync(join(root, path), join(to, path), { recursive: true, dereference: false, preserveTimestamps: true })
  }
}

async function score(set: string, cwd: string, questions: readonly Labelled[]): Promise<Score> {
  const times: number[] = []
  let right = 0
  let first = 0
  let isSame = true
  for (const { question, files } of questions) {
    const started = performance.now()
    const answer = await askMain(createScout(), cwd, question)
    times.push(performance.now() - started)
    if ((await askMain(createScout(), cwd, question)) !== answer) isSame = false
    const rank = citedFiles(answer).findIndex(cited => files.some(file => isAccepted(cited, file)))
    if (rank >= 0 && rank < 3) right++
    if (rank === 0) first++
    if (isVerbose || rank < 0 || rank > 2) console.log(`${rank < 0 ? 'not cited' : `cited ${rank + 1}.`}  ${question}`)
  }
  times.sort((a, b) => a - b)
  const middleMs = times[Math.floor(times.length / 2)]!
  return { set, right, first, asked: questions.length, slowestMs: times.at(-1)!, middleMs, isSame }
}

/** The files an answer cites, in order, each once. */
function citedFiles(answer: string): string[] {
  return [...new Set([...answer.matchAll(/([\w@./-]+\.\w+):\d+\b/g)].map(found => found[1]!))]
}

function isAccepted(cited: string, file: string): boolean {
  return file.endsWith('/') ? cited.startsWith(file) : cited === file
}

function report(scores: readonly Score[]): void {
  table(
    `Scout: the right file among the first three cited (bound ${target.share * 100} %, ${target.slowestMs} ms, the same bytes twice)`,
    scores.map(({ set, right, first, asked, slowestMs, middleMs, isSame }) =>
      row(
        set,
        `${right}/${asked}  ${((right / asked) * 100).toFixed(0)} %`,
        `${first} first; middle ${middleMs.toFixed(0)} ms, slowest ${slowestMs.toFixed(0)} ms; ${isSame ? 'same bytes twice' : 'ANSWERS DIFFER'}`,
      ),
    ),
  )
  const isMissed = ({ right, asked, slowestMs, isSame }: Score) =>
    right / asked < target.share || slowestMs > target.slowestMs || !isSame
  if (scores.some(isMissed)) process.exitCode = 1
}
