/**
 * Whether a command is what a forbidding pattern names, with options standing between the words: `git push` is also
 * `git -C x --no-pager push`.
 * W1 Between two words of the pattern only options count, each with one word that may be its value.
 * W2 Where a word has to be some option's value for the pattern to fit, and the option is not known to take one, it is not
 *    certain (`maybe`). An option that is known to take none is followed by a word of the command.
 */
import { anyText, type Glob, globMatches, isCertain, withUnknownsFixed } from '../text/glob.js'
import type { ShellWord } from './words.js'

/** A pattern word by word; undefined stands for any words at all. */
export interface WordPattern {
  readonly words: readonly (Glob | undefined)[]
  /** More words may follow. */
  readonly isOpen: boolean
}

/** `names` are the ways a rule may spell the program. */
export function wordsInOrder(
  { words: wanted, isOpen }: WordPattern,
  words: readonly ShellWord[],
  names: readonly string[],
): 'yes' | 'maybe' | 'no' {
  const [program] = wanted
  if (wanted.length < 2 || !program || !names.some(name => globMatches(program, name))) return 'no'
  const options = optionsOf(names)
  let states = new States()
  states.add({ at: 1, before: 'word', isSure: true }, wanted)
  let found = states.full(wanted)
  for (const { shape } of words.slice(1)) {
    const next = new States()
    for (const state of states.all) for (const after of steps(state, shape, wanted, options)) next.add(after, wanted)
    states = next
    const full = states.full(wanted)
    found = isOpen && full !== 'yes' && found !== 'no' ? found : full
    if (states.isEmpty || (isOpen && found === 'yes')) break
  }
  return found
}

interface State {
  /** How many words of the pattern have been found. */
  readonly at: number
  /** What the last word was: after an option the next may be its value. */
  readonly before: 'word' | 'option' | 'valued' | 'switch'
  readonly isSure: boolean
}

class States {
  private readonly found = new Map<string, State>()

  get all(): Iterable<State> {
    return this.found.values()
  }

  get isEmpty(): boolean {
    return this.found.size === 0
  }

  add(state: State, wanted: WordPattern['words']): void {
    const key = `${state.at} ${state.before}`
    if (!this.found.get(key)?.isSure) this.found.set(key, state)
    // "Any words" may be none.
    if (state.at < wanted.length && wanted[state.at] === undefined) this.add({ ...state, at: state.at + 1 }, wanted)
  }

  /** Whether all of the pattern has been found, with what was the last word. */
  full({ length }: WordPattern['words']): 'yes' | 'maybe' | 'no' {
    const full = [...this.found.values()].filter(state => state.at === length)
    if (full.length === 0) return 'no'
    return full.some(state => state.isSure) ? 'yes' : 'maybe'
  }
}

function steps(
  { at, before, isSure }: State,
  shape: string,
  wanted: WordPattern['words'],
  options: KnownOptions,
): readonly State[] {
  if (at === wanted.length) return []
  if (before === 'valued') return [{ at, before: 'word', isSure }]
  const glob = wanted[at]
  const after: State[] = []
  if (glob === undefined) after.push({ at, before: 'word', isSure })
  else if (globMatches(glob, withUnknownsFixed(shape))) after.push({ at: at + 1, before: 'word', isSure })
  else if (!isCertain(shape) && globMatches(glob, shape)) after.push({ at: at + 1, before: 'word', isSure: false })
  if (/^[-+]/.test(shape)) after.push({ at, before: kindOf(shape, at, options), isSure })
  else if (shape.startsWith(anyText)) after.push({ at, before: 'option', isSure: false })
  else if (before === 'option' || (before === 'switch' && mayBeTruth(shape)))
    after.push({ at, before: 'word', isSure: false })
  return after
}

interface KnownOptions {
  readonly valued: ReadonlySet<string>
  readonly switches: ReadonlySet<string>
}

function optionsOf(names: readonly string[]): KnownOptions {
  const find = (table: ReadonlyMap<string, ReadonlySet<string>>) =>
    names.map(name => table.get(name)).find(Boolean) ?? noOptions
  return { valued: find(valuedOptions), switches: find(switches) }
}

function kindOf(option: string, at: number, { valued, switches }: KnownOptions): 'valued' | 'switch' | 'option' {
  if (valued.has(option)) return 'valued'
  // What blanks in an unknown value take apart may be another option.
  if (!isCertain(option)) return 'option'
  // A subcommand may mean something else by the same letter: `git apply -p 1`.
  const isSwitch = at === 1 && switches.has(option)
  return isSwitch || /^--[\w-]+=|^--no-(?!binary$|.*-package$)/.test(option) ? 'switch' : 'option'
}

/** npm and others take such a word after a switch for its value. */
function mayBeTruth(shape: string): boolean {
  return !isCertain(shape) || /^(true|false|null|undefined)$/i.test(shape)
}

const noOptions: ReadonlySet<string> = new Set()

/** Options of the program itself that take no value. `--no-…` takes none anywhere. */
const switches: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    git: '-P -p --bare --paginate --literal-pathspecs',
    npm: '-s --silent',
    pip: '-q --quiet -v',
    pip3: '-q --quiet -v',
  }).map(([name, options]) => [name, new Set(options.split(' '))]),
)

const npm = '--prefix --workspace --registry --userconfig --globalconfig --cache --loglevel --tag --otp -w -C'
const cluster = '--namespace --kubeconfig --kube-context --kube-token --kube-apiserver --context --cluster --user -n'
const containers =
  '--host --config --context --log-level --tlscacert --tlscert --tlskey --url --connection --identity --file --project-name --project-directory --profile --env-file -H -c -l -f -p'

/** Options whose value is the next word. */
const valuedOptions: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    git: '--git-dir --work-tree --namespace --super-prefix --config-env --attr-source --shallow-file -C -c',
    npm,
    pnpm: `${npm} --dir --filter --config -F`,
    yarn: `${npm} --cwd`,
    bun: '--cwd --config -c',
    docker: containers,
    podman: containers,
    'docker-compose': containers,
    kubectl: `${cluster} --server --token --as --as-group --as-uid --cache-dir --request-timeout --certificate-authority --client-certificate --client-key --tls-server-name -s -v`,
    oc: `${cluster} --server --token --as -s`,
    helm: `${cluster} --registry-config --repository-config --repository-cache`,
    cargo: '--config --color --manifest-path --target-dir -C -Z',
    go: '-C',
    make: '--directory --file --makefile -C -f',
    gh: '--repo --hostname -R',
    glab: '--repo -R',
    systemctl: '--host --machine --type --state --property --lines --output --root -H -M -t -p -n -o',
    aws: '--profile --region --output --endpoint-url --query --color --ca-bundle',
    gcloud: '--project --account --configuration --format --verbosity --billing-project',
    az: '--subscription --output --query -o',
    pip: '--python --log --proxy --timeout --retries --cert --client-cert --cache-dir',
    pip3: '--python --log --proxy --timeout --retries --cert --client-cert --cache-dir',
    uv: '--directory --project --config-file --cache-dir --color',
    poetry: '--directory --project -C -P',
    heroku: '--app --remote -a -r',
    ssh: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w',
  }).map(([name, options]) => [name, new Set(options.split(' '))]),
)
