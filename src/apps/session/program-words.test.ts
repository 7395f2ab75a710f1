import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { unpriced } from '../../core/notices.js'
import { withCommand } from './commands-for.js'
import { pageOf, programWords } from './program-words.js'
import { sayDiagnostics } from './say-diagnostics.js'

test('a person at the program was told what to write in code', () => {
  const rule = 'budget-unpriced'
  expect(unpriced('m', true)).toContain('estimateCost')
  expect(withCommand({ rule, refused: unpriced('m', true) }).refused).toContain('(`models.known` in the settings)')
  const refused = 'It is not trusted (x). A person trusts it, or whoever opens the house says `trustsProject`.'
  expect(withCommand({ rule: 'agent-untrusted', refused }).refused).toBe(
    'It is not trusted (x). `offshoot trust` shows what the folder brings along and lets it act.',
  )
})

test('a message named a page by a path that is nowhere', () => {
  let said = ''
  const severity = 'warning' as const
  const diagnostics = [
    { code: 'a', severity, message: 'x', hint: 'docs/settings.md lists every setting' },
    {
      code: 'b',
      severity,
      message: 'y',
      hint: 'read z, then trust the folder: offshoot trust, or `trustsProject` in code',
    },
  ]
  sayDiagnostics(diagnostics, text => (said += text))
  expect(said).toBe(
    `offshoot: x; ${pageOf('settings.md')} lists every setting\noffshoot: y; read z, then trust the folder: offshoot trust\n`,
  )
  for (const page of ['settings.md', 'hooks.md']) expect(existsSync(pageOf(page))).toBe(true)
  expect(programWords('see docs/settings.md of the project')).toBe('see docs/settings.md of the project')
})
