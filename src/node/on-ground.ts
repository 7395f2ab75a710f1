/** A house on its ground: what settings, plugins and surroundings say, joined with what whoever opens it brings along. */
import { boundsOf, settledIn } from '../adapters/ground/bounds.js'
import { type Ground, surroundingsOf } from '../adapters/ground/ground.js'
import { liveRules } from '../adapters/ground/live-rules.js'
import { modelOptions } from '../adapters/ground/model-options.js'
import { furtherRoots } from '../adapters/ground/named-folders.js'
import {
  allowSlips,
  type Chosen,
  policyOf,
  refusedByManaged,
  ruleLayersOf,
  withoutAbsent,
} from '../adapters/ground/policy-settings.js'
import { savedRules } from '../adapters/ground/saved-rules.js'
import { setVariables } from '../adapters/ground/set-variables.js'
import { homeOf, type Site } from '../adapters/ground/site.js'
import type { Surroundings } from '../adapters/ground/surroundings.js'
import { ownProviderKeys } from '../adapters/mcp/provider-keys.js'
import type { LoadedPlugins } from '../adapters/plugins/load-plugins.js'
import type { Catalog } from '../core/catalog/catalog.js'
import { areAgentsHooksOff, guardsOff, hooksOffBy } from '../core/hooks/hooks-off.js'
import type { Close } from '../core/message.js'
import type { Diagnostic } from '../core/ports.js'
import { findSetting, obstacleIn, type Settings } from '../core/settings/settings.js'
import { type HouseOptions, openHouse } from './house.js'
import type { Brought, NodeOffshoot, SandboxWish } from './options.js'

export interface OnGround {
  readonly site: Site
  readonly ground: Ground
  readonly plugins: LoadedPlugins
  readonly agents: HouseOptions['agents']
  /** Has changed agent files reach new runs, until the house is closed. */
  readonly followAgents?: (() => Close) | undefined
  /** What is worth a word about the agents. */
  readonly agentDiagnostics: readonly Diagnostic[]
  readonly chosen: Chosen
  /** What goes before the settings, or beside them. */
  readonly brought: Brought
}

export interface HouseOnGround extends NodeOffshoot {
  /** The file of what was approved "always". */
  readonly savedIn: string
  /** The configured MCP servers, as they are now. */
  mcpServers(): ReturnType<Surroundings['mcp']['servers']>
}

/** A fault is a sentence: settings that cannot be read for certain open no house. */
export async function openOnGround(options: OnGround): Promise<HouseOnGround | { readonly fault: string }> {
  const { site, ground, plugins, chosen, brought } = options
  const { cwd, env } = site
  const { settings } = ground
  const obstacle = obstacleIn(settings)
  if (obstacle !== undefined) return { fault: obstacle }
  const rules = ruleLayersOf(settings, chosen)
  if ('fault' in rules) return rules
  const say = (sentence: string) => brought.onError?.(new Error(sentence))
  const live = liveRules({ ground, say })
  const saved = savedRules({ cwd, env })
  const models = modelOptions(settings, env)
  const further = furtherRoots(settings, site)
  const surroundings = await surroundingsOf(site, ground, plugins)
  try {
    const house = await openHouse({
      ...brought,
      surroundings,
      cwd,
      ...environmentIn(site, settings, models.env),
      addedDirectories: [...(brought.addedDirectories ?? []), ...further.directories],
      agents: options.agents,
      rules: () => [
        ...live.layers(),
        rules.commandLine,
        ...(brought.rules?.() ?? []),
        ...(site.isBare ? [] : [saved.layer()]),
      ],
      refreshRules: async () => {
        saved.refresh()
        await live.refresh()
      },
      ...(!brought.saveRule && !site.isBare && { keepRule: saved.save }),
      modelSettings: models.settings,
      ...cacheWait(settings),
      policy: policyIn(options),
      sandbox: settledIn(cwd, brought.sandbox ?? sandboxOf(settings)),
    })
    tellLater(surroundings.mcp, say)
    return {
      ...house,
      ...closingWith(house, options.followAgents?.()),
      savedIn: saved.layer().origin,
      mcpServers: () => surroundings.mcp.servers(),
      diagnostics: [
        ...foundWrong(options),
        ...further.diagnostics,
        ...(site.isBare ? [] : saved.diagnostics),
        ...house.models.diagnostics,
        ...options.agentDiagnostics,
        ...lostGuards(options, house.catalog()),
        ...surroundings.diagnostics(),
      ],
    }
  } catch (error) {
    await surroundings.close()
    throw error
  }
}

const policyIn = ({ site, ground: { settings }, chosen, brought }: OnGround): HouseOptions['policy'] => ({
  ...policyOf(settings, chosen, site.env),
  ...withoutAbsent({ given: boundsOf(settings, brought.sandbox, site.cwd) }),
  ...withoutAbsent(brought.policy ?? {}),
})

const foundWrong = ({ ground: { settings }, chosen }: OnGround): readonly Diagnostic[] => [
  ...refusedByManaged(settings, chosen),
  ...allowSlips(chosen),
  ...settings.diagnostics,
]

function closingWith(
  house: Pick<NodeOffshoot, 'close'>,
  stop: Close | undefined,
): Pick<NodeOffshoot, 'close' | typeof Symbol.asyncDispose> {
  const close: NodeOffshoot['close'] = how => {
    stop?.()
    return house.close(how)
  }
  return { close, [Symbol.asyncDispose]: () => close() }
}

/** What servers do while the house is open: a tool that changed is gone for new runs, and only a person lets it in again. */
function tellLater(mcp: Surroundings['mcp'], say: (sentence: string) => void): void {
  const wordsNow = () => mcp.diagnostics().map(({ message, hint }) => (hint ? `${message}; ${hint}` : message))
  let told = new Set(wordsNow())
  mcp.onChange(() => {
    const now = wordsNow()
    for (const words of now) if (!told.has(words)) say(words)
    told = new Set(now)
  })
}

/** Of plugins and agents; those of settings say it themselves. */
function lostGuards({ ground, plugins }: OnGround, catalog: Catalog): readonly Diagnostic[] {
  const off = hooksOffBy(ground.settings)
  if (!off) return []
  const silenced = catalog
    .all()
    .map(({ agent }) => agent)
    .filter(({ source }) => areAgentsHooksOff(off, source))
  return guardsOff(off, [...plugins.hooks, ...silenced.map(({ name, hooks }) => ({ origin: `agent ${name}`, hooks }))])
}

/** What commands see of it is decided by name. */
const environmentIn = (site: Site, settings: Settings, env: Site['env']) => ({
  env,
  home: homeOf(site),
  withheld: ownProviderKeys(settings, env).map(({ name }) => name),
  setVariables: setVariables(settings, env),
})

function cacheWait(settings: Settings): { readonly cacheWaitMs?: number } {
  const seconds = findSetting(settings, 'subagents.cacheWaitSeconds')?.value
  return typeof seconds === 'number' ? { cacheWaitMs: seconds * 1000 } : {}
}

function sandboxOf(settings: Settings): SandboxWish | undefined {
  const value = findSetting(settings, 'sandbox')?.value as SandboxWish | SandboxWish['kind'] | undefined
  return typeof value === 'string' ? { kind: value } : value
}
