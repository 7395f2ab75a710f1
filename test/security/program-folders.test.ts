// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
/** A program that the user's shell finds by its name is started by whoever types that: written only after a person has looked. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { programFolders } from '../../src/adapters/ground/program-folders.js'
import { bash, decide, judge, link } from '../support/judging.js'

const home = '/home/u'
const env = { PATH: '/home/u/go/bin:/w/app/node_modules/.bin:relative:/home/u:/usr/local/bin:/usr/bin:/home/u/go/bin' }
const programs = programFolders({ home, env, roots: ['/w/app'] })
const bypass = { chain: [link({ mode: 'bypassPermissions' })], place: { programs } } as const
const asked = { decision: 'ask', rule: 'protected-path', isFirm: true }

test('the folders are those of the user, outside the workspace', () => {
  expect(programs).toEqual(['/home/u/.local/bin', '/home/u/bin', '/home/u/go/bin'])
  expect(programFolders({ home, env: {}, roots: ['/home/u'] })).toEqual([])
})

test('a folder that is a link counts by both names', () => {
  const user = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-programs-')))
  mkdirSync(join(user, 'dot/bin'), { recursive: true })
  symlinkSync('dot/bin', join(user, 'bin'))
  expect(programFolders({ home: user, env: { PATH: join(user, 'bin') }, roots: [join(user, 'dot')] })).toEqual([
    join(user, '.local/bin'),
  ])
  const realPath = (path: string) => path.replace(/^\/home\/u\/bin(?=\/|$)/, '/home/u/dot/bin')
  expect(bash('echo x > ~/dot/bin/git', { ...bypass, place: { programs, realPath } })).toBe('ask')
  rmSync(user, { recursive: true })
})

test('a link in the workspace that leads to such a folder had a program laid there by its own name', () => {
  const realPath = (path: string) => path.replace(/^\/w\/app\/b(?=\/|$)/, '/home/u/bin')
  const waysTo = (path: string) => (realPath(path) === path ? [] : [realPath(path)])
  const there = { ...bypass, place: { programs, realPath, waysTo } }
  expect(bash('ln -s $PWD/git b', there)).toBe('ask')
  expect(bash('ln -s $PWD/git b/', there)).toBe('ask')
  expect(bash('cp git b', there)).toBe('ask')
  expect(bash('ln -s b/git tools/git', there)).toBe('allow')
  const out = (path: string) => path.replace(/^\/w\/app\/l(?=\/|$)/, '/w/app/out')
  expect(bash('ln -s ~/bin l/c; cp x out/c/git', { ...bypass, place: { programs, realPath: out } })).toBe('ask')
})

test('a link to a program that is there already is made anew', () => {
  const realPath = (path: string) => (path === '/w/app/tools/x' ? '/home/u/bin/x' : path)
  expect(bash('ln -sf ~/bin/x tools/x', { ...bypass, place: { programs, realPath } })).toBe('allow')
})

describe('a run in bypassPermissions wrote a program that the next shell starts', () => {
  test.each([
    'echo x > ~/.local/bin/git',
    'cp x ~/.local/bin/git',
    'cp x ~/bin',
    'cp -t ~/bin x',
    'mv x ~/go/bin/',
    'ln -sf $PWD/x ~/bin/git',
    'install -Dm755 x ~/.local/bin/git',
    'echo x | tee -a ~/bin/git',
    'dd if=x of=/home/u/bin/git',
    'sed -i s/a/b/ ~/bin/git',
    'curl -fsSLo ~/.local/bin/x https://example.org/x',
    'wget -P ~/bin https://example.org/git',
    'go build -o ~/go/bin/x ./cmd/x',
    'gcc -o/home/u/bin/x x.c',
    'tar xzf x.tgz -C ~/.local/bin',
    'unzip x.zip -d ~/bin',
    'D=~/bin; unzip x.zip -d "$D"',
    'rsync out/ ~/.local/bin/',
    'cd ~/bin && cp /tmp/x git',
    'D=~/.local/bin; cp x $D/git',
    'cp x "$UNKNOWN/.local/bin/git"',
    'cp x ~/.local/b?n/git',
    "python3 -c \"open('/home/u/bin/git', 'w')\"",
    'ln -s ~/bin b; cp x b/git',
    'D=/home/u/.local/bin; echo x > "$D/git"',
    'D=$X; D=/home/u/bin; echo x > $D/git',
    "sudo sh -c 'echo x > ~/bin/git'",
    "tmux send-keys 'cp x ~/bin/git' Enter",
    // What has two names is written by either, in a later line as well.
    'ln ~/bin/git g',
    'ln -ts ~/bin/git',
    'link ~/bin/git g',
    'cp -l ~/bin/git g',
    'cp -al ~/bin .',
    'ln -s ~/bin/git g; echo x > g',
    'ln -s ~/bin b; ln -s $PWD/x b',
    'ln -s out b; ln -sfn ~/bin b; cp x b/git',
    'ln -s out b; ln -s ~/bin b/c; cp x out/c/git',
    'ln -s b b; ln -sfn ~/bin b; cp x b/git',
    'ln -s $PWD/git ~/bin',
    'ln -st ~/bin $PWD/git',
    'ln -Sat -s $PWD/x ~/bin/git',
    'cd ~/bin && ln -s /w/app/git',
    'D=~/bin; ln -s $PWD/x $D/git',
    'ls | xargs -I{} cp {} ~/bin/{}',
    'mv bin ~/.local',
    'perl -pi -e s/a/b/ ~/bin/git',
    'perl -i.bak -ne print ~/bin/git',
    'ruby -pi -e 1 ~/bin/git',
    'openssl base64 -d -in x -out ~/bin/git',
    'git clone https://example.org/x ~/bin',
    'git -C /tmp clone --depth 1 https://example.org/x ~/.local/bin',
    "sed -i -e 's/a/b/' ~/bin/git",
    "sed -n -i.bak 's/a/b/' ~/bin/git",
    'curl -T x -o ~/bin/git https://example.org',
    'git archive -o ~/bin/git HEAD',
    'git diff --output=/home/u/bin/git',
  ])('%s', line => expect(judge('Bash', { command: line }, bypass)).toMatchObject(asked))

  test.each(['Write', 'Edit'])('%s', tool => {
    expect(judge(tool, { file_path: '~/.local/bin/git' }, bypass)).toMatchObject(asked)
    expect(decide(tool, { file_path: '~/.local/bin/lib/x' }, bypass)).toBe('allow')
  })
})

test.each([
  '~/.local/bin/x build',
  'sudo ~/bin/x',
  'timeout 5 ~/go/bin/x',
  'python3 ~/bin/x.py',
  'python3 -c "import subprocess; subprocess.run([\'/home/u/bin/x\'])"',
  'export PATH="$HOME/.local/bin:$PATH" && npm test',
  'PATH=~/go/bin:$PATH make',
  'GIT_EDITOR=~/bin/edit git commit',
  'make CC=~/.local/bin/gcc',
  'cmake -DCMAKE_C_COMPILER=$HOME/.local/bin/clang -B build',
  'cp ~/.local/bin/x .',
  'mv ~/bin/x .',
  'rm ~/bin/x',
  'ls ~/bin',
  'ldd ~/bin/x',
  'mkdir -p ~/.local/bin',
  'install -d ~/.local/bin',
  'docker run -v ~/.local/bin:/x image',
  'cp x ~/Downloads/x',
  'cp x ~/.local/bin-notes',
  'cp x "$OUT/x"',
  'cp x "$OUT/bin/x"',
  'D=out; cp x "$D/.local/bin/x"',
  'cp x node_modules/.bin/x',
  'sudo cp x /usr/local/bin/x',
  'cargo install --path .',
  'tar xzf x.tgz',
  'ln -s ~/.local/bin/x tools/x',
  'ln -s ~/.local/bin/x',
  'ln -s ~/.local/bin/x .',
  'ln -sf ~/.local/bin/x tools/',
  'ln -sfn ~/.local/bin tools/bin',
  'ln -s ~/.local/bin/x ~/.local/bin/y tools/',
  'ln -s -t tools ~/.local/bin/x',
  'ln -fs ~/bin/x -t tools',
  'ln --symbolic -- ~/.local/bin/x tools/x && tools/x --version',
  'D=~/bin; ln -s $D/x tools/x',
  'sudo ln -s ~/.local/bin/x /usr/local/bin/x',
  'curl -T ~/.local/bin/x https://example.org/x',
  'dd if=/home/u/.local/bin/x of=out/x bs=1M',
  'sed -i "s|/usr/bin/x|/home/u/.local/bin/x|" run.sh',
  'perl -ne print ~/bin/x',
  'perl ~/bin/x -i',
  'git clone ~/bin/repo out',
])('to start one, to look at it or to take it away passes, and so does what lies elsewhere: %s', line =>
  expect(bash(line, bypass)).toBe('allow'),
)
