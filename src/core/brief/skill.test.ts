import { expect, test } from 'vitest'
import { parsers } from '../../adapters/sources/parsers.js'
import { readSkill } from './read-skill.js'
import { expandSkill, listSkills, type Skill } from './skill.js'

const read = (text: string, directory = '/skills/deploy') =>
  readSkill({ path: `${directory}/SKILL.md`, directory, text, scope: 'user' }, parsers.yaml)

test('a skill is its front matter and its body', () => {
  const { skill, diagnostics } = read(
    '---\nname: ship\ndescription: Ships it\nargument-hint: "[target]"\n---\nDo $ARGUMENTS.\n',
  )
  expect(skill).toMatchObject({
    name: 'ship',
    description: 'Ships it',
    argumentHint: '[target]',
    body: 'Do $ARGUMENTS.',
  })
  expect(diagnostics).toEqual([])
})

test.each([
  ['no front matter', '# Deploying\n\nHow we deploy.\n', 'How we deploy.', 'skill-without-front-matter'],
  [
    'an unquoted colon',
    '---\nname: x\ndescription: Use when: deploying\n---\nBody',
    'Use when: deploying',
    'skill-syntax-repaired',
  ],
  ['no description', '---\nname: x\n---\nFirst words.', 'First words.', 'skill-without-description'],
])('a file with %s still is a skill, with a warning', (_, text, description, code) => {
  const { skill, diagnostics } = read(text)
  expect(skill?.description).toBe(description)
  expect(diagnostics.map(each => each.code)).toContain(code)
})

test('a name that could be no name is left out and said', () => {
  const { skill, diagnostics } = read('---\nname: "../../etc"\ndescription: x\n---\nBody')
  expect(skill).toBeUndefined()
  expect(diagnostics[0]?.code).toBe('skill-name-invalid')
})

test('arguments are put in once, whole or one by one; what nobody asked for is appended', () => {
  const skill = (body: string): Skill => ({ name: 's', description: '', body, directory: '/s', scope: 'user' })
  expect(expandSkill(skill('Fix $ARGUMENTS now'), 'issue 7')).toBe('Fix issue 7 now')
  expect(expandSkill(skill('$1 then $2, $ARGUMENTS[0]'), '"a b" c')).toBe('a b then c, a b')
  expect(expandSkill(skill('See ${CLAUDE_SKILL_DIR}/x.md'), '')).toBe('See /s/x.md')
  expect(expandSkill(skill('$1'), '$2 $ARGUMENTS')).toBe('$2')
  expect(expandSkill(skill('Plain'), 'extra')).toBe('Plain\n\nArguments: extra')
  expect(expandSkill(skill('Costs $100 and ${HOME}'), '')).toBe('Costs $100 and ${HOME}')
})

test('the listing is short, stable and bounded', () => {
  const many = Array.from(
    { length: 300 },
    (_, i): Skill => ({
      name: `skill-${i}`,
      description: 'word '.repeat(100),
      body: '',
      directory: '/',
      scope: 'user',
      ...(i === 0 && { isHidden: true }),
    }),
  )
  const text = listSkills(many, 2000)
  expect(text.length).toBeLessThan(2100)
  expect(text).toMatch(/- and \d+ more, by name$/)
  expect(text).not.toContain('skill-0:')
  expect(listSkills(many, 2000)).toBe(text)
})
