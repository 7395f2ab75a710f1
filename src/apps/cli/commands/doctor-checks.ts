/** One finding for each thing the program stands on. A check that fails is a finding, never an exception. */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openGround, pluginsOf, surroundingsOf } from '../../../adapters/ground/ground.js'
import { modelOptions } from '../../../adapters/ground/model-options.js'
import { missingFile } from '../../../adapters/hooks/missing-script.js'
import { hookEnvironment } from '../../../adapters/hooks/script-seal.js'
import { lazyScout } from '../../../adapters/models/offline/lazy-scout.js'
import { createModels } from '../../../adapters/models/registry.js'
import { commandEnvironment } from '../../../adapters/os/command-environment.js'
import { offshootDirectories } from '../../../adapters/os/directories.js'
import { createPrivateDir } from '../../../adapters/os/private-dir.js'
import { projectRoot } from '../../../adapters/os/project-root.js'
import { findBubblewrap, testBubblewrap } from '../../../adapters/sandboxes/bubblewrap-test.js'
import { defaultDriver } from '../../../adapters/stores/sqlite/sqlite-driver.js'
import { findRipgrep } from '../../../adapters/tools/ripgrep.js'
import type { CatalogEntry } from '../../../core/catalog/catalog.js'
import { failsClosed, readHookConfig } from '../../../core/hooks/hook-config.js'
import type { Json } from '../../../core/message.js'
import { findSetting, mendIt } from '../../../core/settings/settings.js'
import { commandLine } from '../../../core/text/shell-word.js'
import { messageOf } from '../../../core/thrown.js'
import { strayCommands } from '../../session/custom-commands.js'
import { countWords } from '../../session/figures.js'
import { openRunStore } from '../../session/open-store.js'
import { mayUseUnicode, wantsColour } from '../../session/paint.js'
import { programWords } from '../../session/program-words.js'
import { unfinishedTrees } from '../../session/recovery-note.js'
import { version } from '../../session/version.js'
import type { CommandDeps } from '../command-deps.js'
import { concealSetting } from './conceal-settings.js'
import { loadAgents } from './mount-agents.js'
import { trustItems } from './trust.js'
import { hookDeeds, shortened } from './trust-deeds.js'

export interface Finding {
  readonly about: string
  readonly state: 'fine' | 'missing' | 'wrong'
  readonly text: string
  readonly remedy?: string
}
type Check = (deps: CommandDeps) => Promise<readonly Finding[]>

export async function runChecks(deps: CommandDeps): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const [about, check] of Object.entries(checks)) {
    try {
      findings.push(...(await check(deps)))
    } catch (error) {
      findings.push({ about, state: 'wrong', text: messageOf(error) })
    }
  }
  return findings
}

const fine = (about: string, text: string): Finding => ({ about, state: 'fine', text })
const remedied =
  (state: Finding['state']) =>
  (about: string, text: string, remedy: string): Finding => ({
    about,
    state,
    text,
    remedy: programWords(remedy),
  })
const missing = remedied('missing')
const wrong = remedied('wrong')

const checks: Readonly<Record<string, Check>> = {
  async program() {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const text = `offshoot ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`
    const isOld = major < 20 || (major === 20 && minor < 19)
    return [isOld ? wrong('program', text, 'Node 20.19 or newer is needed') : fine('program', text)]
  },

  async models({ cwd, env }) {
    const { settings } = await openGround({ cwd, env })
    const models = createModels({ ...modelOptions(settings, env), offline: lazyScout() })
    models.close()
    const own = models.providers.filter(({ unavailable, name }) => !unavailable && name !== 'offline')
    const { id, why, unavailable } = models.defaultModel
    const keys = own.map(({ name, keyFrom, baseUrl }) =>
      fine('key', `${name}${keyFrom ? ` from ${keyFrom}` : ''}${baseUrl ? ` at ${baseUrl}` : ''}`),
    )
    const hint = 'set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or name a server under "providers"'
    return [
      unavailable
        ? wrong('model', `${id}: ${unavailable}`, 'name another in OFFSHOOT_MODEL or in your settings, or set its key')
        : id.startsWith('offline/')
          ? missing('model', `${id}: keyword search, no language model`, hint)
          : fine('model', `${id}: ${why}`),
      ...keys,
      ...models.diagnostics.map(({ file, message }) =>
        wrong('model', `${file ?? ''} ${message}`.trim(), 'correct that file'),
      ),
    ]
  },

  async store({ env }) {
    const path = join(offshootDirectories(env).data, 'runs.db')
    const store = await openRunStore(env)
    try {
      const faults = await (store as unknown as { checkIntegrity(): Promise<readonly string[]> }).checkIntegrity()
      const trees = await store.trees()
      const unfinished = await unfinishedTrees(store)
      const driver = (await defaultDriver()).name
      const size = (statSync(path).size / 1024 / 1024).toFixed(1)
      return [
        fine('store', `${path}: ${countWords(trees.length, 'tree')}, ${size} MB, SQLite by ${driver}`),
        ...(faults.length > 0
          ? [wrong('store', faults.slice(0, 3).join('; '), 'move the file away; export what can still be read first')]
          : []),
        ...(unfinished.length > 0
          ? [missing('runs', `${countWords(unfinished.length, 'run')} unfinished`, 'offshoot runs list --unfinished')]
          : []),
      ]
    } finally {
      await store.close()
    }
  },

  async sandbox() {
    const program = findBubblewrap()
    if (!program) {
      const remedy =
        process.platform === 'linux' ? 'install bubblewrap (Debian: apt install bubblewrap)' : 'bubblewrap needs Linux'
      return [missing('sandbox', 'none: commands run as you do, once approved', remedy)]
    }
    const place = await createPrivateDir()
    try {
      const test = await testBubblewrap(program, place.path)
      const failed = test.checks.filter(check => !check.isHolding)
      if (test.isHolding)
        return [fine('sandbox', `bubblewrap at ${program} holds ("sandbox": "bubblewrap" turns it on)`)]
      return [
        missing(
          'sandbox',
          `bubblewrap does not hold here: ${failed.map(check => check.detail || check.name).join('; ')}`,
          'user namespaces may be switched off; commands run unsandboxed, once approved',
        ),
      ]
    } finally {
      await place.remove()
    }
  },

  async tools() {
    const ripgrep = findRipgrep()
    return [
      ripgrep
        ? fine('search', ripgrep)
        : missing(
            'search',
            'ripgrep was not found: a slower search is used',
            'npm install again, with optional packages',
          ),
      hasGit() ? fine('git', 'found') : missing('git', 'not found: no worktrees for children', 'install git'),
    ]
  },

  async settings({ cwd, env }) {
    const ground = await openGround({ cwd, env })
    const { settings } = ground
    const areOff = findSetting(settings, 'disableAllHooks')?.value === true
    const plugins = areOff ? [] : (await pluginsOf({ cwd, env }, ground)).hooks
    const broken = new Set(settings.diagnostics.flatMap(({ severity, file }) => (severity === 'error' ? [file] : [])))
    const read = settings.files.filter(({ isTrusted, path }) => isTrusted && !broken.has(path))
    const rules = settings.rules.flatMap(({ rules: { allow, ask, deny } }) => [...allow, ...ask, ...deny])
    const hooks = [...settings.hooks, ...plugins].flatMap(each => hookFindings(each, { cwd, env }))
    const sound = hooks.filter(({ state }) => state === 'fine')
    const counts = [
      countWords(settings.values.length, 'value'),
      countWords(rules.length, 'rule'),
      countWords(hooks.length, 'hook'),
    ]
    const summary = fine('settings', `${countWords(read.length, 'file')} read: ${counts.join(', ')}`)
    return [
      // Where one cannot be read nothing is started: none of them is fine.
      ...(broken.size > 0 ? [] : [summary]),
      ...hooks.filter(({ state }) => state !== 'fine'),
      ...sound.slice(0, mostHooks),
      ...(sound.length > mostHooks
        ? [fine('hook', `and ${sound.length - mostHooks} more: offshoot config list --json`)]
        : []),
      ...settings.diagnostics.map(({ file, message, hint, severity }) =>
        severity === 'error'
          ? wrong(
              'settings',
              `${file ?? ''}: ${message}`,
              `nothing is started until then: ${programWords(hint ?? mendIt)}`,
            )
          : missing('settings', `${file ?? ''}: ${message}`, hint ?? 'correct that file'),
      ),
    ]
  },

  async surroundings({ cwd, env }) {
    const ground = await openGround({ cwd, env })
    const plugins = await pluginsOf({ cwd, env }, ground)
    const around = await surroundingsOf({ cwd, env }, ground, plugins)
    const found = [...around.diagnostics(), ...strayCommands({ cwd, env })]
    await around.close()
    const tools = around.mcp.tools().length
    return [
      fine('around', `${countWords(around.skillDirs.length, 'skill')}, ${countWords(tools, 'tool')} of MCP servers`),
      ...found.map(({ file, line, message, hint }) =>
        missing(
          'around',
          `${file ?? ''}${line === undefined ? '' : `:${line}`}: ${message}`,
          hint ?? 'look at that file',
        ),
      ),
    ]
  },

  async agents({ cwd, env }) {
    const { catalog, files, unread } = await loadAgents({ cwd, env })
    const quarantined = files.filter(({ reading }) => reading.state === 'quarantined')
    const warned = files.filter(({ reading }) => reading.state === 'warned')
    const broken = new Set(quarantined.map(({ reading }) => reading.path))
    const isHeir = ({ state, agent }: CatalogEntry) => state === 'quarantined' && !broken.has(agent.source.path ?? '')
    const heirs = catalog.all().filter(isHeir).length
    const { items, trust } = await trustItems({ cwd, env })
    const fault = trust.fault?.()
    const untrusted = items.filter(item => !item.isTrusted)
    return [
      fine('agents', `${countWords(catalog.offered().length, 'agent')} offered`),
      ...(quarantined.length > 0
        ? [missing('agents', `${countWords(quarantined.length, 'file')} quarantined`, 'offshoot agents lint')]
        : []),
      ...(heirs > 0
        ? [missing('agents', `${countWords(heirs, 'agent')} quarantined through "extends"`, 'offshoot agents lint')]
        : []),
      ...(warned.length > 0
        ? [missing('agents', `${countWords(warned.length, 'file')} with warnings`, 'offshoot agents lint')]
        : []),
      ...unread().map(({ path, agents }) =>
        missing('agents', `${path} holds ${countWords(agents, 'agent')}, not read from there`, importOf(path)),
      ),
      ...(fault === undefined ? [] : [wrong('trust', `nothing counts as trusted: ${fault}`, 'mend that file')]),
      ...(untrusted.length > 0 && fault === undefined
        ? [
            missing(
              'trust',
              `${countWords(untrusted.length, 'file')} of this folder not trusted, and without effect until then`,
              'read what they say, then: offshoot trust',
            ),
          ]
        : []),
    ]
  },

  async terminal({ env }) {
    const colour = wantsColour(process.stdout, env) ? 'colours' : 'no colours'
    const characters = mayUseUnicode(env) ? 'Unicode' : 'ASCII'
    return [
      fine(
        'terminal',
        `${process.stdout.isTTY ? `${process.stdout.columns} columns` : 'no terminal'}, ${colour}, ${characters}`,
      ),
    ]
  },
}

const importOf = (path: string): string => `to take over: offshoot agents import ${commandLine(path)}`

/** Its commands, and which of them name a script that is not there: of a guard that denies every call it is for. */
function hookFindings(
  { hooks, origin }: { readonly hooks: Json; readonly origin: string },
  { cwd, env }: Pick<CommandDeps, 'cwd' | 'env'>,
): readonly Finding[] {
  const projectDir = projectRoot(cwd)
  const own = hookEnvironment(commandEnvironment(env), projectDir)
  const deeds = hookDeeds(concealSetting('hooks', hooks))
  return readHookConfig(hooks).entries.map((entry, at) => {
    const text = `${shortened(deeds[at] ?? entry.event)} (${origin})`
    const path = missingFile(entry.command, projectDir, own)
    if (path === undefined) return fine('hook', text)
    const comes = failsClosed(entry) ? 'it denies every call it is for' : 'it does nothing'
    return missing('hook', `${text}: there is no ${path}, so ${comes}`, 'make that file, or correct the command')
  })
}

const mostHooks = 20

function hasGit(): boolean {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
