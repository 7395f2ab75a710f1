/**
 * The rules of settings files as they are now. Before a call is judged the files are looked at, and read again when one
 * of them, or what is trusted, has changed.
 *
 * L1 A file that counts is replaced by what it says now, a deny taken out included.
 * L2 One that cannot be read for certain any more, is gone, or is not trusted as it is now lifts no deny and no ask: what
 *    it last said of these stays until the session ends. Its allows go, and it is said.
 * L3 A flag that trusts a project trusts what lay there when the session began: of what comes later only denies and asks
 *    count, unless a person trusts it. Else whatever the project runs could allow itself more.
 */
import type { RuleLayer } from '../../core/permission/permission-rules.js'
import type { Settings, SettingsRules } from '../../core/settings/settings.js'
import { canonicalJson } from '../../core/text/text.js'
import type { LoadedSettings } from '../sources/settings.js'
import type { Ground } from './ground.js'

export interface LiveRules {
  layers(): readonly RuleLayer[]
  /** One look at each file. Rejects where they cannot be looked at at all; whoever judges denies then. */
  refresh(): Promise<void>
}

export interface LiveRulesOptions {
  readonly ground: Ground
  /** Told once what no longer counts, and why. */
  say(sentence: string): void
}

export function liveRules({ ground, say }: LiveRulesOptions): LiveRules {
  const first = new Set(ground.settings.files.map(({ path, hash }) => `${hash} ${path}`))
  const isAccepted = ({ path, hash }: LoadedSettings['files'][number]) =>
    first.has(`${hash} ${path}`) || !ground.isByFlag(path, hash)
  let { stamp } = ground
  let current = ground.settings.rules
  let layers = layersOf(current)
  let reading: Promise<void> | undefined
  const told = new Set<string>()
  const read = async () => {
    // Taken before they are read: what changes meanwhile is read at the next call.
    const seen = ground.stampNow()
    const settings = await ground.loadAgain()
    const doubts = doubtsIn(settings, current, isAccepted)
    current = joined(current, settings.rules, doubts)
    layers = layersOf(current)
    stamp = seen
    for (const [file, why] of doubts) {
      const sentence = `${file}: ${why}. Its denies and asks bind as before; its allows do not count in this session.`
      if (!told.has(sentence)) say(sentence)
      told.add(sentence)
    }
  }
  return {
    layers: () => layers,
    async refresh() {
      if (!reading && ground.stampNow() === stamp) return
      reading ??= read().finally(() => {
        reading = undefined
      })
      await reading
    },
  }
}

function layersOf(settings: readonly SettingsRules[]): readonly RuleLayer[] {
  return settings.map(({ scope, origin, root, rules }) => ({ scope, origin, rules, ...(root && { root }) }))
}

/** Why a file does not count as it is now, by file. */
function doubtsIn(
  { files, diagnostics }: LoadedSettings,
  before: Settings['rules'],
  isAccepted: (file: LoadedSettings['files'][number]) => boolean,
): ReadonlyMap<string, string> {
  const doubts = new Map<string, string>()
  for (const { severity, file, message } of diagnostics)
    if (severity === 'error' && file !== undefined && !doubts.has(file)) doubts.set(file, message)
  for (const file of files)
    if (file.isTrusted && !isAccepted(file) && !doubts.has(file.path))
      doubts.set(file.path, 'it has changed since the session began, and nobody trusts it as it is now')
  const counts = new Set(files.filter(({ isTrusted }) => isTrusted).map(({ path }) => path))
  for (const { origin, scope } of before) {
    if (scope === 'command-line' || counts.has(origin) || doubts.has(origin)) continue
    const said = diagnostics.find(({ file }) => file === origin)?.message
    doubts.set(origin, said ?? 'it is gone')
  }
  return doubts
}

function joined(
  before: readonly SettingsRules[],
  now: readonly SettingsRules[],
  doubts: ReadonlyMap<string, string>,
): readonly SettingsRules[] {
  const bare = (layer: SettingsRules): SettingsRules => ({ ...layer, rules: { ...layer.rules, allow: [] } })
  const layers = [
    ...now.map(layer => (doubts.has(layer.origin) ? bare(layer) : layer)),
    ...before.filter(({ origin }) => doubts.has(origin)).map(bare),
  ]
  return [...new Map(layers.map(layer => [canonicalJson(layer), layer])).values()]
}
