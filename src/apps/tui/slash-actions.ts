/** What each slash command does. Answers are printed above the prompt; nothing here asks a model. */
import { chooseModel, isRefusedModel } from '../../core/brief/model-choice.js'
import { didYouMean } from '../../core/text/nearest.js'
import { visible } from '../../core/text/shell-word.js'
import { oneLine } from '../../core/text/text.js'
import { howToRevoke } from '../session/always.js'
import { stateWords } from '../session/run-words.js'
import { ofPluginOff } from '../session/slash-prompt.js'
import { textWidth } from '../session/text-width.js'
import type { Conversation } from './conversation.js'
import { modeAction, planAction, planWords, withoutRules } from './mode-actions.js'
import { costLines } from './model/cost-lines.js'
import { hueOf } from './model/hue.js'
import { bold, cutLine, dim, type Line, lineWidth, span, textLines } from './model/line.js'
import type { Picker } from './model/screen.js'
import { fillCommand, slashCommands, type TypedCommand } from './model/slash-command.js'
import type { ScreenStore } from './screen-store.js'
import type { SessionMode } from './session-mode.js'
import { storedConversations } from './stored-conversations.js'
import type { Surroundings } from './surroundings.js'

export interface SlashPorts {
  readonly conversation: Conversation
  readonly store: ScreenStore
  readonly surroundings: Pick<Surroundings, 'commands'>
  readonly modes: SessionMode
  quit(): void
}

type Action = (rest: string, ports: SlashPorts) => void | Promise<void>

export async function runSlashCommand({ name, rest }: TypedCommand, ports: SlashPorts): Promise<void> {
  const action = actions[name]
  if (action) {
    const command = slashCommands.find(each => each.name === name)
    if (rest !== '' && command && command.arguments === undefined)
      ports.conversation.note([
        [span(`/${name} takes nothing behind it: "${oneLine(rest, 60)}" is left out.`, { hue: 'yellow' })],
      ])
    return action(rest, ports)
  }
  const custom = ports.surroundings.commands.find(command => command.name === name)
  if (custom) {
    const { body, reach } = custom
    return ports.conversation.say(fillCommand(body, rest), reach && { name, rest, reach })
  }
  const known = [...slashCommands, ...ports.surroundings.commands].map(command => command.name)
  const near = didYouMean(name, known)
  const off = ofPluginOff(name, ports.conversation.session.diagnostics)
  const next = off ?? (near ? `Did you mean /${near}?` : '/help lists them.')
  ports.conversation.note([
    [
      span(`There is no command /${name}. ${next}`, {
        hue: 'yellow',
      }),
    ],
  ])
}

/** What is longer keeps its distance from what follows, too. */
const padTo = (text: string, column: number): string => text + ' '.repeat(Math.max(2, column - textWidth(text)))
const longestName = 32

const actions: Readonly<Record<string, Action>> = {
  help: (_, { conversation, surroundings }) => {
    const row = (command: { name: string; about: string; arguments?: string }): Line => [
      span(padTo(`  /${command.name}${command.arguments ? ` ${command.arguments}` : ''}`, helpColumn), { hue: 'cyan' }),
      dim(command.about),
    ]
    conversation.note([
      [bold('Commands')],
      ...[...slashCommands, ...surroundings.commands].map(row),
      [],
      [bold('Keys')],
      ...keyRows,
    ])
  },

  agents: (_, { conversation, store }) => {
    const offered = conversation.session.house.catalog().offered()
    const column = Math.min(longestName, Math.max(20, ...offered.map(({ name }) => textWidth(name)))) + 4
    conversation.note([
      [bold('Agents a task can go to')],
      ...offered.map(agent => {
        const name = span(padTo(`  ${agent.name}`, column), { hue: hueOf(agent.color), isBold: true })
        // One line each: what does not fit is in `agents show`.
        return cutLine([name, dim(oneLine(agent.description ?? '', 400))], Math.max(40, store.screen.width - 1))
      }),
      [dim('  "offshoot agents list --all" shows what is untrusted or quarantined')],
    ])
  },

  runs: async (_, { conversation, store }) => {
    const { house } = store.screen
    const own = [...house.runs.values()].filter(run => run.runId !== house.rootId && run.parentId)
    const { runs, session } = conversation
    const isDriven = house.rootId !== undefined && (await runs.isHeld(house.rootId))
    const all = (await storedConversations(runs, session.cwd, Date.now())).slice(0, 10)
    const row = runRow(store.screen.width)
    conversation.note([
      [bold('Children of this conversation')],
      ...(own.length === 0 ? [[dim('  none')]] : []),
      ...own.flatMap(run =>
        row(
          run.runId,
          [span(padTo(`  ${run.name}`, 20), { hue: hueOf(run.colour) }), span(run.nickname ?? run.description)],
          stateWords({ ...run.result, status: run.status }, isDriven),
        ),
      ),
      [bold('Conversations')],
      ...(all.length === 0 ? [[dim('  none')]] : []),
      ...all.flatMap(({ run, about }) => row(run.runId, [span(`  ${run.description}`)], about)),
    ])
  },

  cost: (_, { conversation, store }) => {
    conversation.note(costLines([...store.screen.house.runs.values()], store.screen.width))
  },

  permissions: async (_, { conversation, modes }) => {
    const { house, savedIn } = conversation.session
    const all = house
      .rules()
      .flatMap(layer =>
        (['deny', 'ask', 'allow'] as const).flatMap(kind =>
          layer.rules[kind].map(rule => ({ kind, text: rule.text, origin: layer.origin })),
        ),
      )
    // An "always" of this session stands in the file and in the session.
    const rules = all.filter(
      (rule, at) => all.findIndex(({ kind, text }) => kind === rule.kind && text === rule.text) === at,
    )
    const hue = { deny: 'red', ask: 'yellow', allow: 'green' } as const
    const column = Math.min(40, Math.max(0, ...rules.map(({ text }) => visible(text).length)))
    conversation.note([
      [bold('Mode '), span(modes.now, { hue: 'cyan' }), dim(planWords(modes))],
      ...rules.map(
        ({ kind, text, origin }): Line => [
          span(`  ${kind.padEnd(6)}`, { hue: hue[kind] }),
          span(visible(text).padEnd(column)),
          dim(`  ${origin}`),
        ],
      ),
      ...(rules.some(({ origin }) => origin === savedIn) ? [[dim(`  ${howToRevoke}`)]] : []),
      ...(rules.length === 0 ? [[dim(`  no rules: ${withoutRules[modes.now]}`)]] : []),
      [dim('  deny beats ask beats allow; a child can never do more than its caller')],
    ])
  },

  mode: (rest, ports) => modeAction(rest, ports),
  plan: (rest, ports) => planAction(rest, ports),

  model: (rest, { conversation, store }) => {
    const { models } = conversation.session.house
    if (rest === '') {
      const items = models.infos
        .filter(info => !info.unavailable && !info.id.endsWith('/*'))
        .map(({ id, tier }) => ({
          id,
          label: id,
          about: [...(tier ? [tier] : []), ...(id === conversation.model ? ['in use'] : [])].join(', '),
        }))
      return openPicker(store, {
        title: `Model now: ${conversation.model}. Another one for a new conversation:`,
        purpose: 'model',
        items,
        selected: Math.max(
          0,
          items.findIndex(({ id }) => id === conversation.model),
        ),
      })
    }
    const choice = chooseModel({ asked: rest, models: models.infos, isPlanMode: false, planUpgrade: false })
    if (isRefusedModel(choice)) return conversation.note(textLines(choice.refused, { hue: 'red' }))
    if (choice.model === conversation.model)
      return conversation.note([
        [dim(`${choice.model} is in use already; the conversation stays. /clear begins a new one.`)],
      ])
    conversation.clear()
    conversation.nextModel = choice.model
    conversation.note([[span(`The next prompt begins a new conversation with ${choice.model}.`, { hue: 'green' })]])
  },

  compact: (rest, { conversation }) => conversation.compact(rest),

  resume: async (rest, { conversation, store }) => {
    const { runs, session } = conversation
    if (rest !== '') {
      const run = (await runs.list({})).find(each => each.depth === 0 && each.runId.startsWith(rest))
      if (run) return conversation.open(run.runId)
      return conversation.note([[span(`There is no conversation "${rest}".`, { hue: 'red' })]])
    }
    const items = (await storedConversations(runs, session.cwd, Date.now()))
      .slice(0, 50)
      .map(({ run, about }) => ({ id: run.runId, label: oneLine(run.description, 60), about }))
    if (items.length === 0) return conversation.note([[dim('There is nothing to resume.')]])
    openPicker(store, { title: 'Go on with', purpose: 'resume', items, selected: 0 })
  },

  clear: (_, { conversation }) => {
    conversation.clear()
    conversation.note([[dim('A new conversation begins with the next prompt; /resume finds the old one.')]])
  },

  quit: (_, { quit }) => quit(),
  exit: (_, { quit }) => quit(),
}

/** A run in one row where there is room for its id, else in two: the id is to be copied, and never broken. */
const runRow =
  (width: number) =>
  (id: string, what: Line, about: string): readonly Line[] => {
    const isWide = width >= 120
    const end = dim(`  ${about}`)
    const room = Math.max(Math.floor(width / 2), width - lineWidth([end]) - (isWide ? longestId + 2 : 0))
    const name = cutLine(what, Math.min(room, 64))
    return isWide ? [[dim(`  ${id.padEnd(longestId)}`), ...name, end]] : [[...name, end], [dim(`    ${id}`)]]
  }

const longestId = 36

function openPicker(store: ScreenStore, picker: Picker): void {
  store.change(screen => ({ ...screen, picker }))
}

const helpColumn = 28

const keyRows: readonly Line[] = [
  ['Enter', 'sends; while it works, as a message it reads at its next turn'],
  ['\\ Enter, Ctrl+J', 'a new line'],
  ['Up, Down', 'earlier prompts'],
  ['@', 'agents and files'],
  ['Shift+Tab', 'the next permission mode: default, acceptEdits, plan'],
  ['Tab', 'the children: Enter opens one, m sends a message, x stops, b moves to the background'],
  ['Ctrl+B', 'moves what is waited for to the background'],
  ['Ctrl+W, U, K; Ctrl+Y', 'take a word or a line away; bring it back'],
  ['Esc', 'stops what it does now'],
  ['Ctrl+C', 'stops; twice leaves, and everything can be resumed'],
  ['Ctrl+Z', 'suspends; fg goes on'],
].map(([key, about]) => [span(`  ${key}`.padEnd(helpColumn), { hue: 'cyan' }), dim(about!)])
