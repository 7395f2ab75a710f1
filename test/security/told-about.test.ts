/** To ask what a program is, or where it lies, is not to start it. */
import { expect, test } from 'vitest'
import { bash, link } from '../support/judging.js'

const rules = { deny: ['Bash(git:*)'] }
const bypass = { chain: [link({ mode: 'bypassPermissions' })], rules }

test.each(['man git', 'man 1 git', 'help git', 'which git', 'type git', 'whatis git', 'apropos git'])(
  '%s was held up because it "names something that Bash(git:*) forbids"',
  line => expect(bash(line, bypass)).toBe('allow'),
)

test.each([
  'man -P git x',
  'man --pager=git x',
  'man "git push"',
  './man git',
  'man ./git',
  'man() { "$@"; }; man git push',
  'xargs git',
  'man git; git push',
  'echo push | man | git',
  'odd git',
])('%s still is', line => expect(bash(line, bypass)).not.toBe('allow'))
