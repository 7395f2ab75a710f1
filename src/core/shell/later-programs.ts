/**
 * Programs that hand something to the system or to a program of the person's, by what they are told: as data. Each says
 * whether these words hand something over. What is not known to only look or to take away counts as handing over where
 * that is all the program is there for; elsewhere it is one of the words that do.
 */
import { type OptionRules, optionList, readOptions } from './options.js'
import type { ShellWord } from './words.js'

export type HandsOver = (rest: readonly ShellWord[]) => boolean

/** One of these, with no option besides that is not known: `-l` may stand beside another action. */
const unlessGiven = (one: string, options: string, mayHaveOperands: boolean): HandsOver => {
  const rules: OptionRules = { options: optionList(`${one} ${options}`) }
  const actions = one.split(' ').map(option => option.replace(':', ''))
  return rest => {
    const reading = readOptions(rest, rules)
    const isOther = !reading || !actions.some(action => reading.given.has(action))
    return isOther || (!mayHaveOperands && reading.operands.length > 0)
  }
}

const anyWord =
  (verbs: string): HandsOver =>
  rest =>
    rest.some(({ shape }) => verbs.split(' ').includes(shape.toLowerCase()))

const operandsOf = (rest: readonly ShellWord[]): readonly string[] =>
  rest.map(({ shape }) => shape).filter(shape => !shape.startsWith('-'))

/** What follows these words, one after the other and first but for options and their values; undefined where they do not. */
function after(rest: readonly ShellWord[], form: string): readonly string[] | undefined {
  const operands = rest.flatMap(({ shape }, at) =>
    shape.startsWith('-') ? [] : [{ shape, mayBeValue: rest[at - 1]?.shape.startsWith('-') === true }],
  )
  const wanted = form.split(' ').map(one => one.split('|'))
  const at = operands.findIndex((_, start) =>
    wanted.every((one, index) => one.includes(operands[start + index]?.shape ?? '')),
  )
  if (at < 0 || !operands.slice(0, at).every(({ mayBeValue }) => mayBeValue)) return undefined
  return operands.slice(at + wanted.length).map(({ shape }) => shape)
}

const inOrder =
  (...forms: readonly string[]): HandsOver =>
  rest =>
    forms.some(form => after(rest, form) !== undefined)

const anyText =
  (form: RegExp): HandsOver =>
  rest =>
    rest.some(({ shape }) => form.test(shape))

const all =
  (...needed: readonly HandsOver[]): HandsOver =>
  rest =>
    needed.every(one => one(rest))

/** `set key value`, `set key=value other=value` with a key that is not known to run nothing. */
const setsOther =
  (forms: readonly string[], harmless: RegExp): HandsOver =>
  rest =>
    forms.some(form => {
      const given = after(rest, form)
      if (!given) return false
      const keys = given.some(one => one.includes('=')) ? given.map(one => one.split('=')[0]!) : given.slice(0, 1)
      return keys.some(key => !harmless.test(key))
    })

const crontab = unlessGiven('-l -T:', '-u:', false)
const at = unlessGiven('-l -c -d -r', '-q: -o: -v', true)
const inScope = optionList(
  '--scope --user --system -u: --unit: -p: --property: --description: --slice: --slice-inherit --uid: --gid: --nice: ' +
    '-d --same-dir --working-directory: -E: --setenv: -q --quiet -G --collect --no-ask-password',
)

/** Of npm's settings: how it looks and how it writes package.json. */
const plainNpm =
  /^(fund|audit|color|loglevel|progress|timing|update-notifier|package-lock|save|save-exact|save-prefix|engine-strict|legacy-peer-deps|strict-peer-dependencies|auto-install-peers|init[.-](author[.-](name|email|url)|license|version)|fetch-(retries|timeout)|maxsockets)$/
const npmSets: HandsOver = rest => setsOther(operandsOf(rest)[0] === 'set' ? ['set'] : ['config|c set'], plainNpm)(rest)
const inProject: HandsOver = rest =>
  rest.some(({ shape }, at) => /^--location=project$/.test(shape) || (shape === 'project' && isLocation(rest[at - 1])))
const isLocation = (word: ShellWord | undefined): boolean => /^(--location|-L)$/.test(word?.shape ?? '')
const npm: HandsOver = rest => (npmSets(rest) && !inProject(rest)) || inOrder('config|c edit')(rest)

/** What only chooses among platforms, or which modules are one's own. */
const plainGo = /^(GO(OS|ARCH|ARM|AMD64|386|PRIVATE|NOPROXY|NOSUMDB|111MODULE|TELEMETRY)|CGO_ENABLED)$/
const goSets: HandsOver = rest =>
  anyWord('-w')(rest) && (after(rest, 'env') ?? []).some(one => !plainGo.test(one.split('=')[0]!))

/** Several commands may stand behind each other, and each may be cut short. */
const tmux: HandsOver = rest => {
  const ends = rest.flatMap(({ shape }, at) => (/;$/.test(shape) ? [at + 1] : []))
  return [0, ...ends].some((start, index) => {
    const words = rest.slice(start, ends[index])
    const verbs = words.filter(({ shape }, at) => {
      const before = words.slice(0, at).filter(one => !one.shape.startsWith('-'))
      return !shape.startsWith('-') && before.every(one => /^-/.test(words[words.indexOf(one) - 1]?.shape ?? ''))
    })
    return (
      verbs.some(({ shape }) => /^(bind|set-h)/.test(shape)) ||
      (verbs.some(({ shape }) => /^set/.test(shape)) && anyWord('default-command default-shell')(words))
    )
  })
}

const otherAgent = inOrder('mcp add|add-json|add-from-claude-desktop', 'plugin|plugins install|i', 'config set|add')
const bus = anyText(/org\.freedesktop\.systemd1/i)
const editor = anyText(/^--(install-extension|add-mcp)(=|$)/)
const shellSetUp = inOrder('init')

export const laterPrograms: ReadonlyMap<string, HandsOver> = new Map(
  Object.entries<HandsOver>({
    crontab,
    fcrontab: crontab,
    at: rest => rest.length > 0 && at(rest),
    batch: () => true,
    schtasks: anyText(/^[/-](create|change)$/i),
    systemctl: anyWord(
      'enable reenable link edit add-wants add-requires preset preset-all set-default set-environment import-environment',
    ),
    // In a scope it stays a process of ours.
    'systemd-run': rest => !readOptions(rest, { options: inScope, stopsAtOperand: true })?.given.has('--scope'),
    // Services then run though nobody is logged in.
    loginctl: anyWord('enable-linger'),
    // The same by messages to it.
    busctl: bus,
    'dbus-send': bus,
    gdbus: bus,
    'dbus-update-activation-environment': () => true,
    launchctl: anyWord('load bootstrap submit enable setenv config'),
    defaults: all(anyWord('write'), anyText(/com\.apple\.loginwindow/i)),
    'update-rc.d': anyWord('defaults enable'),
    'rc-update': anyWord('add'),
    chkconfig: anyWord('on --add'),
    dinitctl: anyWord('enable'),
    // At login.
    brew: inOrder('services start|restart'),
    // The list that `save` writes is what a service of `startup` runs at the next boot, whether that is set up by now or
    // some day: who has not set it up does not save. Under its other name as well.
    pm2: inOrder('startup', 'save', 'dump'),
    // Which program the next login is.
    chsh: unlessGiven('-l --list-shells', '', true),
    usermod: anyText(/^(-[a-zA-Z]*s|--shell(=.*)?)$/),
    // They write start-up files of shells.
    conda: shellSetUp,
    mamba: shellSetUp,
    micromamba: inOrder('shell init'),
    volta: inOrder('setup'),
    pipx: inOrder('ensurepath'),
    uv: inOrder('tool update-shell'),
    // What a project has lying there is run by the shell that comes by.
    direnv: anyWord('allow permit grant edit'),
    mise: anyWord('trust'),
    // They lay hooks into the repository.
    'pre-commit': anyWord('install init-templatedir'),
    prek: anyWord('install init-templatedir'),
    lefthook: anyWord('install'),
    husky: rest => !anyWord('uninstall')(rest),
    overcommit: anyWord('--install'),
    'simple-git-hooks': () => true,
    // They keep settings by which programs run others, or take packages from elsewhere.
    npm,
    pnpm: rest => npm(rest) || operandsOf(rest)[0] === 'setup',
    yarn: setsOther(['config set'], /^(?!(yarn-?path|script-?shell|plugins|node-?options|.*registry.*|.*proxy)$)/i),
    pip: all(inOrder('config set|edit')),
    go: goSets,
    gh: inOrder('alias set|import', 'config set pager|editor|browser|http_unix_socket'),
    glab: inOrder('alias set', 'config set editor|browser|glamour_style'),
    jj: rest => (after(rest, 'config|c set|s|edit|e') ?? ['user.name']).every(one => !/^user\./.test(one)),
    kubectl: all(inOrder('config set-credentials'), anyText(/^--exec-command/)),
    aws: all(inOrder('configure set'), anyText(/(^|\.)credential_process$/)),
    // Run in every window from then on.
    tmux,
    // Loaded by every window of an editor.
    code: editor,
    'code-insiders': editor,
    codium: editor,
    cursor: editor,
    claude: otherAgent,
    codex: otherAgent,
    gemini: rest => otherAgent(rest) || inOrder('extensions install|link')(rest),
  }),
)
