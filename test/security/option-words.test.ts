// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proveReadOnly } from '../../src/core/shell/read-only.js'
import {
  type ReadOnlyCommand,
  readOnlyCommands,
  readOnlyGitCommands,
  versionOptions,
} from '../../src/core/shell/read-only-commands.js'
import { bash, link } from '../support/judging.js'

/** Which word belongs to which option decides what a command opens and runs: ours must be the reading of the program. */
describe('D08 a denied command is not hidden among the options of what starts it', () => {
  const denied = { allow: ['Bash', 'Bash(sudo:*)', 'Bash(fd:*)'], deny: ['Bash(curl:*)'] }
  test.each([
    "bash -oc errexit 'curl x'",
    "bash -c -o errexit 'curl x'",
    "bash -c -O extglob 'curl x'",
    "sh -eo nounset -c 'curl x'",
    "bash --norc -c -- 'curl x'",
    "sh -c - 'curl x'",
    "bash -c + 'curl x'",
    'env - curl x',
    'env - A=1 c$(echo)url x',
    'echo x | xargs --replace curl x',
    'echo x | xargs --eof curl x',
    'echo x | xargs --max-lines curl x',
    `sudo ${'-n '.repeat(24)}curl x`,
    `sudo ${'-u a '.repeat(24)}curl x`,
    'chrt -b curl x',
    'fd . --exec=curl',
    'fd . -xcurl',
  ])('%j', line => {
    expect(bash(line, { rules: denied })).not.toBe('allow')
    expect(bash(line, { rules: { deny: denied.deny }, chain: [link({ mode: 'bypassPermissions' })] })).not.toBe('allow')
  })
})

describe('D08 a file that must not be read is not hidden as the value of an option', () => {
  test.each([
    'xxd -ps .env',
    'xxd -as .env',
    'od -c -w .env',
    'git blame --abbrev .env',
    'git cat-file blob 83baae61804e65cc73a7201a7252750c76066a30',
    "git show 'HEAD^{/fix: x}'",
    "git show 'HEAD@{2026-01-01 10:00:00}'",
  ])('%j', line => {
    expect(bash(line, { rules: { deny: ['Read(.env)'] } })).not.toBe('allow')
  })
  test('two files of which one lies outside are compared, whatever stands before them', () => {
    expect(bash('git diff -U README.md notes.txt')).toBe('allow')
    expect(bash('git diff -U /home/u/list README.md')).toBe('ask')
    expect(bash('git diff --unified /home/u/list README.md')).toBe('ask')
  })
})

describe('where a line may move, $PWD is where it stands by then', () => {
  const elsewhere = { rules: { deny: ['Read(sub/key.txt)'], allow: ['Bash'] } }
  test.each([
    'cd sub && cat $PWD/key.txt',
    'cd sub && cat "${PWD}/key.txt"',
    'cd sub && cat ~+/key.txt',
    'for i in 1 2; do cat $PWD/key.txt; cd sub; done',
    'find . -name key.txt -execdir cat key.txt \\;',
  ])('D01 %j does not pass a deny', line => {
    expect(bash(line, elsewhere)).not.toBe('allow')
  })
  test.each(['bypassPermissions', 'acceptEdits'] as const)('E02 in %s it does not write into .git', mode => {
    const setting = { chain: [link({ mode })] }
    expect(bash('cd .git/hooks && echo x > $PWD/pre-commit', setting)).toBe('deny')
    expect(bash('cd .git && echo x > ~+/config', setting)).toBe('deny')
    expect(bash("find . -path '*git*' -name HEAD -execdir cp evil config \\;", setting)).toBe('ask')
  })
  test('a line that stays where it is knows its directory', () => {
    expect(bash('cat $PWD/README.md')).toBe('allow')
  })
})

test('D05 what makes programs read their words in another way, or comes after the operand of xxd, is not proven', () => {
  for (const line of [
    'export POSIXLY_CORRECT=1; head README.md -n .env',
    'POSIXLY_CORRECT=1 head README.md -n 3',
    "bash --posix -c 'head README.md'",
    'xxd README.md -p',
  ])
    expect([line, bash(line)]).toEqual([line, 'ask'])
  for (const line of ['xxd -p README.md', 'xxd -l 16 -c8 README.md', "bash --norc -c 'head README.md'"])
    expect([line, bash(line)]).toEqual([line, 'allow'])
})

test('D08 a shell that reads wildcards in another way is not taken for one that does not', () => {
  const denied = { rules: { allow: ['Bash'], deny: ['Read(.env)'] } }
  for (const line of [
    "bash -O dotglob -c 'cat *env'",
    "bash -c -O dotglob 'cat *env'",
    "zsh -c 'cat *env'",
    'shopt -s dotglob; cat *env',
    'shopt -s dotglob extglob; cat @(x|*env)',
    'GLOBIGNORE=x; cat *env',
  ]) {
    expect(bash(line, denied)).not.toBe('allow')
    expect(bash(line, { rules: { deny: ['Read(.env)'] }, chain: [link({ mode: 'bypassPermissions' })] })).toBe('ask')
  }
  expect(bash("bash -euo pipefail -c 'cat README.md'", denied)).toBe('allow')
})

describe('D07 git runs unasked only where it is kept from running what its repository names', () => {
  test.each([
    'env -i git diff',
    'env -u GIT_CONFIG_COUNT git diff',
    // Only the last of several was looked at.
    'env -u GIT_CONFIG_COUNT -u FOO git status',
    'env -uGIT_CONFIG_COUNT -uFOO git status',
    'env --unset=GIT_CONFIG_COUNT --unset=FOO git status',
    'env --unset GIT_CONFIG_COUNT -u FOO git status',
    'timeout 5 env -u GIT_CONFIG_COUNT -u FOO git status',
    'env -u FOO env -u GIT_CONFIG_KEY_0 -u FOO git status',
    'git diff && npm test',
    'make; git status',
  ])('%j asks', line => expect(bash(line, { rules: { allow: ['Bash(npm test:*)', 'Bash(make:*)'] } })).toBe('ask'))
  test.each(['env LC_ALL=C git diff', 'env -u FOO git diff', 'env -u FOO -u BAR git diff', 'git diff | head'])(
    '%j does not',
    line => expect(bash(line)).toBe('allow'),
  )
})

test('a program in the language of jq that is not all there is not proven', () => {
  expect(bash('x="|env"; jq -n ".$x"')).toBe('ask')
})

describe('against the real programs', () => {
  let place: string
  const secret = () => join(place, 'secret')
  const run = (argv: readonly string[]) =>
    spawnSync(argv[0]!, argv.slice(1), { cwd: place, input: '', timeout: 5_000, encoding: 'utf8' })
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'offshoot-options-'))
    writeFileSync(secret(), 'SECRET\n')
    writeFileSync(join(place, 'other'), 'other\n')
    for (const words of ['init -q .', 'add -A', '-c user.name=a -c user.email=a@b commit -qm first'])
      run(['git', ...words.split(' ')])
  })
  afterAll(() => rmSync(place, { recursive: true }))

  /** The file was opened though the proof does not name it. */
  function hides(argv: readonly string[]): boolean {
    const words = argv.map(shape => ({ shape, source: shape }))
    const proof = proveReadOnly({ words, variables: [], around: [], fed: [], role: 'plain', source: '' })
    if (!proof || proof.view || proof.files.some(({ shape }) => shape === 'secret')) return false
    utimesSync(secret(), 1, Date.now() / 1000)
    const { stdout = '', error } = run(argv)
    if (error) return false
    return argv[0] === 'git' ? stdout.includes('SECRET') : proof.shows === 'content' && wasRead()
  }
  const wasRead = () => statSync(secret()).atimeMs > 2_000

  function* callsOf(head: readonly string[], known: ReadOnlyCommand): Generator<readonly string[]> {
    const options = known.options.split(/\s+/).filter(option => option !== '')
    const isFlag = (option: string) => /^-[A-Za-z]$/.test(option)
    const taking = options.filter(option => /[:?]/.test(option)).map(option => option.replace(/[:?].*/, ''))
    // One flag before it in the same word is enough to see whether the program takes words apart as we do.
    const clusters = head[0] === 'git' || known.hasSingleDashNames ? [] : options.filter(isFlag).slice(0, 3)
    for (const option of taking) {
      const words = [option, ...(isFlag(option) ? clusters.map(flag => flag + option[1]) : [])]
      for (const word of words) for (const rest of [['secret'], ['secret', 'other']]) yield [...head, word, ...rest]
    }
  }

  test('D05 every option that is listed with a value takes the word after it', context => {
    utimesSync(secret(), 1, Date.now() / 1000)
    run(['cat', 'secret'])
    if (!wasRead()) context.skip('this file system does not say when a file was read')
    const looking = [...readOnlyCommands].filter(([, { operands }]) => operands === 'files')
    const calls = [
      ...looking.flatMap(([name, known]) => [...callsOf([name], known)]),
      ...[...readOnlyGitCommands].flatMap(([name, known]) => [...callsOf(['git', name], known)]),
    ]
    expect(calls.length).toBeGreaterThan(200)
    expect(calls.filter(hides).map(argv => argv.join(' '))).toEqual([])
    expect(readFileSync(join(place, 'other'), 'utf8')).toBe('other\n')
  })

  test('D05 a program asked for its version runs nothing that it is given', () => {
    const isAllowed = (line: string) => bash(line) === 'allow'
    const asked = [...versionOptions.keys()].flatMap(name =>
      ['-v', '-V', '-version'].map(option => [name, option] as const),
    )
    const running = asked
      .filter(argv => isAllowed(argv.join(' ')))
      .filter(argv => {
        const input = 'touch ran\nopen("ran", "w")\n'
        spawnSync(argv[0], argv.slice(1), { cwd: place, input, timeout: 20_000 })
        return existsSync(join(place, 'ran'))
      })
    expect(running).toEqual([])
    for (const line of ['npx -V', 'python3 -v', 'python -v', 'bash -v', 'ruby -v', 'php -V', 'pip -v', 'java -v'])
      expect([line, isAllowed(line)]).toEqual([line, false])
    for (const line of ['node -v', 'npx -v', 'python3 -V', 'java -version', 'git --version'])
      expect([line, isAllowed(line)]).toEqual([line, true])
  }, 120_000)
})
