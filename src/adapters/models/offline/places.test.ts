import { expect, test } from 'vitest'
import { type Evidence, judgeHit, weighTerms } from './evidence.js'
import { rankPlaces } from './places.js'
import { type Question, readQuestion } from './question.js'
import { rankFiles } from './rank.js'
import { readHits } from './tool-output.js'

const count = (lines: Record<string, number>, files = Object.keys(lines).length) => {
  const listed = new Map(Object.entries(lines))
  return { lines: listed, files, isCut: files > listed.size }
}
const evidenceOf = (
  question: Question,
  hits: string,
  counts: Evidence['counts'] = [],
  paths: string[] = [],
): Evidence => {
  return { counts, hits: readHits(hits).map(hit => judgeHit(question, hit)), paths }
}
const ranked = (text: string, hits: string, counts?: Evidence['counts'], paths?: string[]) => {
  const question = readQuestion(text)
  const evidence = evidenceOf(question, hits, counts, paths)
  return rankFiles(weighTerms(question, evidence), evidence).map(({ path }) => path)
}

test('R1: a file named after the words comes before one that only uses them', () => {
  const hits = 'src/other.ts:9:  releaseSlot(slot)\nsrc/slots.ts:3:export function releaseSlot() {'
  expect(ranked('where are slots released', hits)).toEqual(['src/slots.ts', 'src/other.ts'])
})

test('R2: a rare word counts more than a common one', () => {
  const counts = [count({ 'src/a.ts': 1 }), count({ 'src/b.ts': 9 }, 4000)]
  expect(ranked('where is the flange of the request', '', counts)[0]).toBe('src/a.ts')
})

test('R2: two different words beat one word many times', () => {
  const counts = [count({ 'src/a.ts': 2, 'src/b.ts': 30 }), count({ 'src/a.ts': 2 })]
  expect(ranked('where is the flange of the gasket', '', counts)[0]).toBe('src/a.ts')
})

test('R3: sources come before tests and docs, unless tests are asked for', () => {
  const hits = [
    'docs/slots.md:1:# Slots',
    'src/slots.test.ts:1:test("slots", () => {',
    'src/slots.ts:1:export class Slots {',
  ]
  expect(ranked('where are slots', hits.join('\n'))[0]).toBe('src/slots.ts')
  expect(ranked('is there a test for slots', hits.join('\n'))[0]).toBe('src/slots.test.ts')
})

test('R4: who uses a name is not answered with its definition', () => {
  const hits = [
    'src/brief.ts:5:export function prepareBrief(a) {',
    'src/start.ts:9:  return prepareBrief(b)',
    'src/load.ts:1:import { prepareBrief } from "./brief.js"',
  ]
  expect(ranked('who calls prepareBrief', hits.join('\n'))).toEqual(['src/start.ts', 'src/load.ts', 'src/brief.ts'])
})

test('R5: equals keep one order, whatever order they came in', () => {
  const lines = ['src/b.ts:1:const slot = 1', 'src/a.ts:1:const slot = 1', 'src/c.ts:1:const slot = 1']
  expect(ranked('slot', lines.join('\n'))).toEqual(ranked('slot', [...lines].reverse().join('\n')))
})

test('words run together in a name are found', () => {
  expect(ranked('where is text wrapped', '', [], ['lib/other_text.py', 'lib/textwrap.py'])[0]).toBe('lib/textwrap.py')
})

test('of the lines of a file the definition with the words in its name comes first, with what stands around it', () => {
  const question = readQuestion('where are slots released')
  const file = [
    '1:import { Slot } from "./slot.js"',
    '20:/** Gives a slot back to the queue. */',
    '21:export function releaseSlot(slot: Slot) {',
    '22:  slot.queue.push(slot)',
    '60:function other() {',
    '64:  // released earlier',
  ].join('\n')
  const scale = weighTerms(question, evidenceOf(question, ''))
  const places = rankPlaces(scale, 'src/pool.ts', readHits(file, 'src/pool.ts'))
  expect(places[0]).toMatchObject({ line: 21, symbol: 'releaseSlot', matched: ['slots', 'released'] })
  expect(places.find(({ line }) => line === 64)).toMatchObject({ symbol: 'other' })
})
