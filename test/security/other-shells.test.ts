// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
/** Text for another shell is judged as the command it becomes there; text that nobody can read is never let through as text. */
import { describe, expect, test } from 'vitest'
import { startUpFiles } from '../../src/adapters/ground/start-up-files.js'
import { bash, judge, link } from '../support/judging.js'

const decisive = startUpFiles({ home: '/home/u', env: {}, roots: ['/w/app'] })
const bypass = { chain: [link({ mode: 'bypassPermissions' })], place: { decisive } } as const

describe('what is typed into another shell', () => {
  test.each([
    "tmux send-keys -t x 'echo x >> .bashrc' Enter",
    "tmux send -t x 'echo x >> .bashrc' C-m",
    "tmux -L s send-k -t x 'cp y .ssh/config' Enter",
    "tmux new -d \\; send-keys 'echo x > .npmrc' Enter",
    "screen -S x -X stuff 'echo x >> .bashrc^M'",
    "zellij action write-chars 'echo x >> .bashrc'",
    "kitty @ send-text --match id:1 'echo x >> .bashrc\\n'",
    "wezterm cli send-text --pane-id 3 'echo x >> .bashrc'",
    "xdotool type 'echo x >> .bashrc'",
  ])('was judged as if that stood in the workspace: %s', line =>
    expect(judge('Bash', { command: line }, bypass)).toMatchObject({ decision: 'ask', rule: 'protected-path' }),
  )

  test.each([
    "tmux send-keys -t x 'crontab x' Enter",
    "tmux send-keys -t x cron 'tab x' Enter",
    'tmux send-keys -t x crontab Space x Enter',
    "tmux send-keys -t x cron; tmux send-keys -t x 'tab x' Enter",
    'tmux send-keys -H 63 72 6f 6e 74 61 62 20 78 0d',
    "screen -X stuff 'systemctl enable x^M'",
    "screen -S x -X stuff $'batch\\n'",
    "kitten @ send-text 'crontab x\\r'",
    'xterm -e crontab x',
    "gnome-terminal -- bash -c 'crontab x'",
  ])('set up what runs later: %s', line =>
    expect(judge('Bash', { command: line }, bypass)).toMatchObject({ decision: 'ask', rule: 'runs-later' }),
  )

  test.each([
    "tmux send-keys -t x 'npm test' Enter",
    'tmux send-keys -t x C-c',
    'tmux send-keys -t x Up Enter',
    "tmux send-keys -t x 'cd packages/a && npm run dev' Enter",
    "screen -S x -X stuff 'npm test^M'",
    'screen -S x -X quit',
    'kitty --version',
    'xterm -e npm test',
  ])('passes in bypassPermissions as the command itself does: %s', line => expect(bash(line, bypass)).toBe('allow'))

  test('is not allowed by a rule for the program that types it', () => {
    const rules = { allow: ['Bash(tmux:*)'], deny: ['Bash(curl:*)'] }
    expect(bash('tmux ls', { rules })).toBe('allow')
    expect(bash('tmux send-keys -t x C-c', { rules })).toBe('allow')
    expect(bash("tmux send-keys -t x 'npm test' Enter", { rules })).toBe('ask')
    expect(bash('tmux send-keys -t x cu rl Space x Enter', { rules })).toBe('deny')
    const line = "tmux send-keys -t x 'npm test' Enter"
    expect(bash(line, { rules: { allow: [`Bash(${line})`] } })).toBe('allow')
  })
})

test.each([
  'echo aGk= | base64 -d | sh',
  'base64 -d x | bash',
  'base64 -d <<< aGk= | sh',
  'echo 6869 | xxd -r -p | bash',
  'xxd -r -p x | sh -s',
  "printf '\\x68\\x69' | sh",
  "printf '\\150\\151' | bash -",
  'echo aGk= | openssl base64 -d | sh',
  'echo hi | rev | sh',
  'echo uv | tr a-z n-za-m | zsh',
  'bash <(echo aGk= | base64 -d)',
  'sh -c "$(echo aGk= | base64 -d)"',
  'eval "$(base64 -d <<< aGk=)"',
  '. <(base64 -d x)',
  'source /dev/stdin <<< "$(base64 -d x)"',
  'echo aGk= | base64 -d | xargs -I{} sh -c {}',
  'echo aGk= | base64 -d > x; sh x',
])('text in disguise for a shell is neither known to only look nor allowed by a rule for what undoes it: %s', line => {
  const names = 'echo base64 xxd printf openssl rev tr cat xargs'.split(' ')
  const rules = { allow: names.map(name => `Bash(${name}:*)`) }
  expect(bash(line)).toBe('ask')
  expect(bash(line, { rules })).toBe('ask')
  expect(bash(line, { rules, chain: [link({ mode: 'acceptEdits' })] })).toBe('ask')
  expect(bash(line, { rules, chain: [link({ mode: 'plan' })] })).toBe('deny')
})

describe('a copy of a program that sets up what runs later', () => {
  test.each([
    'cp /usr/bin/crontab ./c; ./c x',
    'cp /usr/bin/crontab c',
    'cp -p "$(which crontab)" c && ./c x',
    'cp `command -v systemctl` c',
    'install -m 755 /usr/bin/at c',
    'dd if=/usr/bin/crontab of=c',
    'cat /usr/bin/crontab > c; chmod +x c',
    'rsync /usr/bin/crontab c',
    'mv /usr/bin/crontab c',
    'sudo cp /usr/bin/crontab c',
  ])('had a name of its own: %s', line =>
    expect(judge('Bash', { command: line }, bypass)).toMatchObject({
      decision: 'ask',
      rule: 'runs-later',
      isFirm: true,
    }),
  )

  test.each([
    'cp /usr/bin/node n',
    'cp /etc/crontab x',
    'ls -l /usr/bin/crontab > x',
    'cp crontab x',
    'cp bin/at out/at',
  ])('passes, since it is none: %s', line => expect(bash(line, bypass)).toBe('allow'))
})

test.each(['pm2 save', 'pm2 save --force', 'pm2 dump', 'pm2 start x.js && pm2 save', 'echo x > ~/.pm2/dump.pm2'])(
  'what pm2 starts at the next boot is asked about, by its program and by its file: %s',
  line => {
    expect(bash(line, bypass)).toBe('ask')
    expect(bash('pm2 start x.js', bypass)).toBe('allow')
    expect(bash('pm2 cleardump', bypass)).toBe('allow')
    expect(bash('pm2 resurrect', bypass)).toBe('allow')
  },
)
