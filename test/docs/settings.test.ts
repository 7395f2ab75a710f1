import { expect, test } from 'vitest'
import { knownSettings, type SettingKind } from '../../src/core/settings/settings-table.js'
import { textOf } from './pages.js'

const shapeOf = (is: SettingKind): string => {
  switch (is.kind) {
    case 'number':
      return `${is.isWhole ? 'whole number' : 'number'}, ${is.min} to ${is.max}`
    case 'text':
      return is.oneOf ? is.oneOf.map(each => `\`${each}\``).join(', ') : 'text'
    case 'texts':
      return 'list of texts'
    case 'boolean':
      return '`true`, `false`'
    default:
      return is.kind === 'object' ? 'object' : 'JSON'
  }
}

test('docs/settings.md lists every setting there is, as `config` says of it', () => {
  const [, table] = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(textOf('docs/settings.md')) ?? []
  const rows = Object.entries(knownSettings).map(
    ([key, { is, about, isPersonal }]) => `| \`${key}\`${isPersonal ? ' ●' : ''} | ${shapeOf(is)} | ${about} |\n`,
  )
  expect(table).toBe(`| setting | value | what it says |\n| --- | --- | --- |\n${rows.join('')}`)
})
