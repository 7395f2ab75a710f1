import { expect, test } from 'vitest'
import { exploreProject } from './overview.js'

function told(listing: string): string {
  const script = exploreProject(tool => tool === 'LS')
  script.next()
  const { value, done } = script.next([{ text: listing, isMissing: false }])
  if (!done) throw new Error('it wants more than the list')
  return value
}

test('of an empty folder it said that this is what the folder shows, and then nothing', () => {
  expect(told('.:\n[empty]')).toMatch(/^This folder is empty/)
})

test('a folder with files alone was shown as nothing', () => {
  expect(told('.:\nnotes.txt (1 kB)\nrun.sh (2 kB)')).toContain('Files at the top: notes.txt run.sh\n')
  expect(told('.:\nsrc/\nnotes.txt (1 kB)\n[200 of 900 entries; use Glob to narrow]')).toContain('at the top: src/\n')
})
