/** What is run or obeyed later, though nobody starts it on purpose, is written only after a person has looked, in every mode. */
import { describe, expect, test } from 'vitest'
import { startUpFiles } from '../../src/adapters/ground/start-up-files.js'
import { bash, decide, judge, link } from '../support/judging.js'

const home = '/home/u'
const decisive = startUpFiles({ home, env: {}, roots: ['/w/app'] })
const bypass = { chain: [link({ mode: 'bypassPermissions' })], place: { decisive } } as const

const waysToWrite = (path: string): readonly string[] => [
  `echo x > ${path}`,
  `cp x ${path}`,
  `echo x | tee -a ${path}`,
  `sed -i s/a/b/ ${path}`,
  `mv x ${path}`,
  `ln -sf x ${path}`,
  `install -m 600 x ${path}`,
  `dd if=x of=${path}`,
  `python3 -c "open('${path}', 'w')"`,
]

/** Each with a neighbour that is nobody's concern. */
test.each([
  ['~/.ssh/config', '~/.ssh/known_hosts'],
  ['~/.ssh/config.d/work', '~/.ssh/id_new.pub'],
  ['~/.ssh/authorized_keys', '~/.ssh/authorized_keys.bak'],
  ['~/.ssh/authorized_keys2', '~/.ssh/id_new'],
  ['~/.ssh/rc', '~/.ssh/rc.txt'],
  ['~/.ssh/environment', '~/.ssh/environments'],
  ['~/.inputrc', '~/inputrc'],
  ['~/.bash_completion', '~/.bash_history'],
  ['~/.oh-my-zsh/custom/x.zsh', '~/oh-my-zsh/x.zsh'],
  ['~/.config/systemd/user/x.service', '~/.config/system/x.service'],
  ['~/.config/systemd/user.conf', '~/.config/user.conf'],
  ['~/.local/share/systemd/user/x.timer', '~/.local/share/x.timer'],
  ['~/.local/share/dbus-1/services/x.service', '~/.local/share/dbus/x.service'],
  ['~/.local/share/applications/firefox.desktop', '~/.local/share/icons/firefox.png'],
  ['~/.local/share/direnv/allow/0f', '~/.local/share/mytool/allow'],
  ['~/.config/autostart/x.desktop', '~/.config/autostarted'],
  ['~/.config/plasma-workspace/env/x.sh', '~/.config/plasmarc'],
  ['~/.config/sway/config', '~/.config/waybar/config'],
  ['~/.config/direnv/direnvrc', '~/.config/mytool/direnvrc'],
  ['~/Library/LaunchAgents/x.plist', '~/Library/Preferences/x.plist'],
  ['~/.pam_environment', '~/.pam'],
  ['~/.npmrc', '.npmrc'],
  ['~/.yarnrc.yml', '.yarnrc.yml'],
  ['~/.config/pip/pip.conf', 'pip.conf'],
  ['~/.cargo/config.toml', '.cargo/config.toml'],
  ['~/.cargo/env', '~/.cargo/credentials.toml'],
  ['~/.gradle/init.d/x.gradle', 'build.gradle'],
  ['~/.vimrc', '.vimrc'],
  ['~/.config/nvim/init.lua', 'nvim/init.lua'],
  ['~/.emacs.d/init.el', '~/.emacs-notes'],
  ['~/.tmux.conf', '.tmux.conf'],
  ['~/.gdbinit', '.gdbinit'],
  ['~/.gnupg/gpg-agent.conf', '~/.gnupg/trustlist.txt'],
  ['~/.config/gh/config.yml', '~/.config/gh/state.yml'],
  ['~/.config/go/env', '~/.config/gopls/x'],
  ['~/.config/Code/User/settings.json', '~/.config/Code/logs/x'],
  ['~/.claude.json', 'claude.json'],
  ['~/.codex/config.toml', '~/.codex/history.jsonl'],
  ['.vscode/tasks.json', '.vscode/launch.json'],
  ['.vscode/settings.json', '.vscode/extensions.json'],
  ['.vscode/mcp.json', '.devcontainer/devcontainer.json'],
  ['.cursor/mcp.json', '.cursor/rules/x.md'],
  ['.gemini/settings.json', '.gemini/notes.md'],
  ['.vscode/settings.json', 'src/.vscode.json'],
  ['/etc/cron.d/x', '/etc/hosts'],
  ['/etc/profile.d/x.sh', '/etc/motd'],
  ['/etc/systemd/system/x.service', '/etc/nginx/nginx.conf'],
  ['/etc/sudoers.d/x', '/usr/local/bin/x'],
  ['/var/spool/cron/crontabs/u', '/var/spool/mail/u'],
])('a run in bypassPermissions wrote %s unasked; %s is free there', (path, neighbour) => {
  for (const [file, expected] of [
    [path, 'ask'],
    [neighbour, 'allow'],
  ] as const) {
    for (const tool of ['Write', 'Edit'])
      expect(`${tool} ${file} ${decide(tool, { file_path: file }, bypass)}`).toBe(`${tool} ${file} ${expected}`)
    for (const line of waysToWrite(file)) expect(`${line}: ${bash(line, bypass)}`).toBe(`${line}: ${expected}`)
  }
  expect(judge('Write', { file_path: path }, bypass)).toMatchObject({ rule: 'protected-path', isFirm: true })
  expect(decide('Write', { file_path: path }, { ...bypass, chain: [link({ mode: 'dontAsk' })] })).toBe('deny')
})

test.each([
  'package.json',
  'Makefile',
  '.github/workflows/ci.yml',
  '.envrc',
  '.husky/pre-commit',
  '.pre-commit-config.yaml',
  'mise.toml',
  '.npmrc',
  '.cargo/config.toml',
  '.devcontainer/Dockerfile',
])('work on a project is none of it: %s', path => {
  expect(decide('Write', { file_path: path }, bypass)).toBe('allow')
  expect(bash(`echo x > ${path}`, bypass)).toBe('allow')
})

test('what a build of cargo is told to run asks where edits are accepted, as npm’s does', () => {
  const editing = { chain: [link({ mode: 'acceptEdits' })] }
  for (const path of ['.cargo/config.toml', '.cargo/config', '.npmrc'])
    expect(judge('Write', { file_path: path }, editing)).toMatchObject({ decision: 'ask', rule: 'delicate-file' })
  expect(decide('Write', { file_path: 'Cargo.toml' }, editing)).toBe('allow')
})

test.each([
  'cat ~/.ssh/config',
  'grep Host ~/.ssh/config',
  'cp ~/.npmrc kept',
  '. "$HOME/.cargo/env" && cargo test',
  'source ~/.cargo/env; npm test > "$LOG"',
  'ls -la ~/.ssh ~/.config/nvim',
  'diff ~/.vimrc vimrc',
  'ssh-keygen -t ed25519 -f ~/.ssh/id_new',
])('reading, copying from and running them is judged like anything else: %s', line =>
  expect(bash(line, bypass)).toBe('allow'),
)

test.each([
  ['/root', 'echo x > ~root/.bashrc'],
  ['/Users/me', 'cp x ~me/.zshrc'],
])('%s has its own name as well: %s', (own, line) => {
  const place = { home: own, decisive: startUpFiles({ home: own, env: {}, roots: [] }) }
  expect(bash(line, { ...bypass, place })).toBe('ask')
})

test('places follow the variables that move them', () => {
  const env = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', CARGO_HOME: '/cargo', ZDOTDIR: '/z' }
  const moved = startUpFiles({ home, env, roots: [] })
  expect(moved).toEqual(expect.arrayContaining(['/c/nvim', '/d/direnv', '/cargo/config.toml', '/z/.zshrc']))
})

describe('a command that does not name such a file laid one all the same', () => {
  const app = '/home/u/app'
  const near = {
    chain: bypass.chain,
    place: {
      cwd: app,
      roots: [app],
      stateDirs: [],
      decisive: startUpFiles({ home, env: {}, roots: [app] }),
      linksIn: () => [],
    },
    call: { workspace: { cwd: app, roots: [app] } },
  }

  test.each([
    'tar xf x.tar -C ~',
    'tar -C "$HOME" -xf x.tar',
    'tar xPf x.tar',
    'tar xf x.tar -C /',
    'cd ~ && tar xf app/x.tar',
    'bsdtar xf x.tar -C ~/.config',
    'unzip -o x.zip -d ~',
    'cd && unzip app/x.zip',
    '7z x x.7z -o/home/u',
    'cpio -idD ~ < x',
    'patch -d ~ -p0 < x.diff',
    'cd ~ && git apply app/x.diff',
    'git apply --unsafe-paths x.diff',
    'git --work-tree=$HOME --git-dir=x checkout -f',
    'git -C ~ checkout .',
    'D=$HOME; tar xf x.tar -C $D',
    'D=~; rsync -a dot/ "$D/"',
    'D=/home/u && git --work-tree=$D checkout -f',
    'git checkout-index -a --prefix=$HOME/',
    'rsync -a dot/ ~/',
    'cp -r dot/. ~',
    'cp -rT dot ~',
    'cp -r .ssh ~/',
    'cp -r template/.vscode .',
    'mv ssh ~/.ssh',
    'ln -s $PWD/ssh ~/.ssh',
    'rsync -a ssh/ ~/.ssh',
    'curl --output-dir ~ -o .bashrc http://x',
    'curl --output-dir ~ -O http://x/.bashrc',
    'wget -P ~ "http://x/.bashrc?y"',
    'wget -P ~ http://x/.bashrc?y',
    'wget -P ~ -i list',
    'cd ~ && wget http://x/.bashrc',
    'echo ~/.bashrc | xargs cp x',
    'echo ~/.ssh/config | xargs -I{} cp x {}',
    'find ~ -maxdepth 1 -name .bashrc -exec cp x {} \\;',
    "find ~ -name '.bash*' | xargs sed -i s/a/b/",
    'xargs -I{} cp x {} <<< ~/.bashrc',
    'ln -s ~ h; echo y > h/.bashrc',
    'ln -s ~/.config x && cp y x/fish/config.fish',
    'cp x $OLDPWD/.bashrc',
    'cp x "$(dirname $PWD)/.ssh/config"',
    'echo x > ${D%/}/.config/fish/config.fish',
    'node -e \'fs.writeFileSync(os.homedir() + "/.bashrc", "x")\'',
    'python3 -c \'(Path.home() / ".bashrc").write_text("x")\'',
    'awk \'BEGIN { print "x" > ENVIRON["HOME"] "/.bashrc" }\'',
  ])('%s', line =>
    expect(judge('Bash', { command: line }, near)).toMatchObject({
      decision: 'ask',
      rule: 'protected-path',
      isFirm: true,
    }),
  )

  test('what is moved to a directory that is there lies in it', () => {
    const there = (line: string) =>
      bash(line, { ...near, place: { ...near.place, directoriesIn: path => (path === home ? ['.ssh'] : []) } })
    for (const line of ['mv x ~/.ssh', 'ln -s $PWD/x ~/.ssh', 'mv x ~/.ssh/']) expect(there(line)).toBe('allow')
    for (const line of ['mv config ~/.ssh', 'rm -rf ~/.ssh && ln -s $PWD/x ~/.ssh']) expect(there(line)).toBe('ask')
  })

  test.each([
    'tar xzf x.tgz',
    'tar xzf x.tgz -C /tmp/out',
    'tar xzf x.tgz -C "$OUT"',
    'tar czf x.tgz -C ~ app',
    'tar tf x.tar -C ~',
    'unzip -q x.zip -d out',
    'unzip -l x.zip -d ~',
    'patch -p1 < x.diff',
    'git apply x.diff',
    'git checkout .',
    'git -C ../other pull',
    'git -C ~ status',
    'rsync -av src/ build/',
    'rsync -av ~/app/ /tmp/kept/',
    'rsync -a src/ ../other/',
    'cp -r dist ~/',
    'cp -v a.txt ..',
    'cp -r . /tmp/kept',
    'curl -O https://x.org/a.tgz',
    'wget -P ~/Downloads https://x.org/a.tgz',
    'wget -r https://x.org',
    "find . -name '*.json' -exec sed -i s/a/b/ {} +",
    'git ls-files | xargs sed -i s/a/b/',
    'ls ~ | xargs -n1 basename',
    'ln -s ../shared lib && cp x lib/y',
    'source ~/.cargo/env && cargo build 2>&1 | tee "$LOG"',
    'cp ~/.npmrc . && echo x > "$OUT"',
    'echo x > "$OUT/config.json"',
    'cat list | xargs -I{} cp {} out/',
    'mv x "$DEST"',
    'mv "$F" "$DIR/$NAME"',
    'cp "$F" "$DEST/"',
    'cp -r x "$DIR"',
    'ln -s "$A" "$B"',
    'node -e "console.log(require(\'os\').homedir())"',
    "python3 - <<'E'\nc = open('src/home.css').read().replace('.profile', '.user')\nE",
    "python3 -c \"print('.vim' in open('pages/home/a.html').read())\"",
    'cp -r .vscode ../other/',
    'rsync -a .vscode /tmp/kept',
    'find "$DIR" -name .profile',
  ])('what is laid elsewhere passes: %s', line => expect(bash(line, near)).toBe('allow'))
})

test.each([
  "python3 -c \"import os; open(os.environ['HOME'] + '/.bashrc', 'a')\"",
  "node -e \"const {homedir: h} = require('os'); appendFileSync(h() + '/.zshrc', 'x')\"",
  'ruby -e \'File.write(Dir.home + "/.bashrc", "x")\'',
  'perl -e \'open F, ">>$ENV{HOME}/.bashrc"\'',
  'cp -r x/.vscode .',
  'cp -rt . x/.vscode',
  'cp -r x/.vscode . -v',
  'rsync -a --remove-source-files .vscode x',
  'find "$D" -name .bashrc -delete',
  'find "$D" -name .bashrc -exec sed -i s/a/b/ {} +',
  'rm -rf ~/.con*/nvi?',
  'mv ~/.conf?g x',
])('however home is asked for, and whatever a wildcard or a copy lays there: %s', line =>
  expect(bash(line, bypass)).toBe('ask'),
)

test('whoever worked in ~/.config/nvim itself was asked at every change there', () => {
  const places = startUpFiles({ home, env: {}, roots: [`${home}/.config/nvim/lua`, home] })
  expect(places).not.toContain(`${home}/.config/nvim`)
  expect(places).toContain(`${home}/.config/fish`)
  expect(places).toContain(`${home}/.vimrc`)
})

describe('what find finds in the workspace lies there, whatever it is called', () => {
  const husky = '/w/app/.husky'
  const near = { ...bypass, place: { decisive: [...decisive, husky] } }

  test.each([
    'find . -name .npmrc | xargs rm',
    'find packages -type f -name .npmrc | xargs rm -f',
    'find . -name .bashrc -print0 | xargs -0 rm',
    'find . -name .npmrc -exec rm {} \\;',
    "find . -name '.npm*' -delete",
    'find /w/app/packages -name .vimrc -exec rm -f {} +',
  ])('to delete it was asked about as if it lay at home: %s', line => {
    expect(bash(line, near)).toBe('allow')
    expect(bash(line, { place: near.place })).toBe('ask')
  })

  test.each([
    'find ~ -name .npmrc | xargs rm',
    'find / -name .npmrc | xargs rm',
    'find .. -name .npmrc | xargs rm',
    'find . ~ -name .npmrc | xargs rm',
    'find "$D" -name .npmrc | xargs rm',
    'find link -name .npmrc | xargs rm',
    'find -L . -name .npmrc | xargs rm',
    'find . -follow -name .npmrc | xargs rm',
    "find . -name .npmrc -printf '/home/u/%f\\n' | xargs rm",
    'find . -name .npmrc | xargs -I{} rm /home/u/{}',
    "find . -name .npmrc | sed 's,^,/home/u/,' | xargs rm",
    'find . -name .npmrc | while read f; do rm ~/$f; done',
    'find . -name .npmrc | xargs cp x',
    'find . -name .npmrc | xargs sed -i s/a/b/',
    'find . -name .npmrc -exec cp x {} \\;',
    'find . -name .husky | xargs rm -rf',
    'cd ~; find . -name .npmrc | xargs rm',
    'echo ~/.npmrc | xargs rm',
  ])('where it lies elsewhere, is written through, or is a place of the workspace that runs later, it asks: %s', line =>
    expect(judge('Bash', { command: line }, near)).toMatchObject({ decision: 'ask', rule: 'protected-path' }),
  )
})
