/** A plugin's inventory for people: what it says to models, and, apart from that, what would run as the user. */
import type { PluginInventory } from '../../../adapters/plugins/inspect-plugin.js'
import { oneLine } from '../../../core/text/text.js'
import { printable } from '../agents/output.js'

export function inventoryText(plugin: PluginInventory): string {
  const { name, version, description, path, agents, skills, commands, items, diagnostics } = plugin
  const runs = (kind: 'hook' | 'server') =>
    items.filter(item => item.kind === kind).map(item => `${item.name}: ${item.does}`)
  const sections: readonly [string, readonly string[]][] = [
    ['Agents', agents.map(each => line(each.name, each.state === 'quarantined' ? 'quarantined' : each.description))],
    ['Skills', skills.map(each => line(each.name, each.description))],
    ['Commands', commands.map(each => each.name)],
    ['Hooks (run as you)', runs('hook')],
    ['Servers (run as you, or are asked over the network)', runs('server')],
    ['Findings', diagnostics.filter(each => each.severity !== 'info').map(each => `${each.code}: ${each.message}`)],
  ]
  const head = `${name}${version ? ` ${version}` : ''}  ${path}\n${description ? `${oneLine(description, 200)}\n` : ''}`
  return printable(
    head +
      sections
        .filter(([, lines]) => lines.length > 0)
        .map(([title, lines]) => `${title}\n${lines.map(each => `  ${oneLine(each, 200)}\n`).join('')}`)
        .join(''),
  )
}

const line = (name: string, about: string | undefined): string => (about ? `${name}  ${oneLine(about, 100)}` : name)
