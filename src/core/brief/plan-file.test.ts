import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunId } from '../message.js'
import { planFileOf, planSlug } from './plan-file.js'

const id = (text: string) => text as RunId

test('C4: the main plan and each child’s have files of their own, under one slug for the tree', () => {
  const root = id('root-1')
  const slug = planSlug(root)
  expect(slug).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/)
  expect(planFileOf('/plans', { runId: root, rootId: root, depth: 0 })).toBe(`/plans/${slug}.md`)
  expect(planFileOf('/plans', { runId: id('a1'), rootId: root, depth: 1 })).toBe(`/plans/${slug}-agent-a1.md`)
  expect(planFileOf('/plans', { runId: id('a2'), rootId: root, depth: 2 })).toBe(`/plans/${slug}-agent-a2.md`)
})

test('a slug is the same for ever, other roots get others, and no id leads out of the folder', () => {
  expect(planSlug(id('0198'))).toBe(planSlug(id('0198')))
  const slugs = new Set(Array.from({ length: 500 }, (_, i) => planSlug(id(`root-${i}`))))
  expect(slugs.size).toBeGreaterThan(495)
  fc.assert(
    fc.property(fc.string(), fc.string(), (root, run) => {
      const path = planFileOf('/plans', { runId: id(run), rootId: id(root), depth: 1 })
      expect(path).toMatch(/^\/plans\/[a-z]+-[a-z]+-[a-z]+-agent-[\w-]*\.md$/)
    }),
  )
})
