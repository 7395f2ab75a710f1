/** What is handed to the system runs later, outside of every run: a person sees it first, in every mode. */
import { describe, expect, test } from 'vitest'
import { bash, grant, judge, link, place } from '../support/judging.js'

const bypass = { chain: [link({ mode: 'bypassPermissions' })] }

describe('a run in bypassPermissions set up what runs later by a program, though it may not write the file', () => {
  test.each([
    'crontab jobs.txt',
    'crontab -',
    "echo '* * * * * ./x' | crontab -",
    'crontab -u me -e',
    'crontab -l -e',
    '(crontab -l; echo x) | crontab',
    'at now + 1 minute <<< ./x',
    'at -f x.sh midnight',
    'batch < x.sh',
    'systemctl --user enable --now ./x.service',
    'systemctl link /w/app/x.service',
    'systemctl --user import-environment PATH',
    'systemd-run --user --on-active=10 ./x',
    'systemd-run --user ./x --scope',
    'launchctl bootstrap gui/501 x.plist',
    'launchctl load x.plist',
    'direnv allow',
    'mise trust',
    'pre-commit install --hook-type commit-msg',
    'npx husky init',
    'sudo crontab x',
    '/usr/bin/crontab x',
    'C=crontab; $C x',
    'f() { crontab "$@"; }; f x',
    'ls | xargs crontab',
    "bash -c 'crontab x'",
    'nice -n 5 crontab x',
    'find . -exec crontab {} \\;',
    "trap 'crontab x' EXIT",
    'loginctl enable-linger',
    'busctl --user call org.freedesktop.systemd1 /org/freedesktop/systemd1 x StartTransientUnit',
    'gdbus call --session -d org.freedesktop.systemd1 -o /x -m y',
    'dbus-update-activation-environment --systemd --all',
    'schtasks.exe /Create /TN x /TR y',
    'defaults write com.apple.loginwindow LoginHook /tmp/x',
    'brew services start x',
    'pm2 startup',
    'chsh -s /tmp/x',
    'usermod -s /tmp/x me',
    'conda init bash',
    'pnpm setup',
    'pipx ensurepath',
    "gh alias set co '!./x'",
    'gh config set pager ./x',
    'jj config set --user ui.pager ./x',
    'npm config set script-shell ./x',
    'npm c set node-options=--require=./x',
    'npm set registry=http://x',
    'pnpm config set fund false script-shell=./x',
    'yarn config set yarnPath ./x',
    'python3 -m pip config set global.index-url http://x',
    'pip3.11 config --user set global.index-url http://x',
    'go env -w GOFLAGS=-toolexec=./x',
    'kubectl config set-credentials me --exec-command=./x',
    'aws configure set credential_process ./x',
    'tmux set -g default-command ./x',
    "tmux set-hook -g after-new-window 'run ./x'",
    'code --install-extension x.vsix',
    'claude mcp add x -- ./x',
  ])('%s', line => {
    const asked = { decision: 'ask', rule: 'runs-later', isFirm: true }
    expect(judge('Bash', { command: line }, bypass)).toMatchObject(asked)
    expect(judge('Bash', { command: line }, { rules: { allow: ['Bash', `Bash(${line})`] } })).toMatchObject(asked)
    expect(bash(line, { chain: [link({ mode: 'bypassPermissions' }), link({ mode: 'dontAsk' })] })).toBe('deny')
  })

  test.each([
    'npx --yes husky@latest init',
    'npm exec -- lefthook install',
    'npm x husky init',
    'pnpm dlx husky init',
    'pnpm husky',
    'yarn run husky install',
    'bun x husky init',
    'node_modules/.bin/husky',
    './node_modules/.bin/husky install',
    'node node_modules/.bin/husky',
    '.venv/bin/pre-commit install',
    'uv run pre-commit install',
    'uv tool run --with x pre-commit install',
    'poetry run pre-commit install',
    'python3 -m pre_commit install',
    'bundle exec overcommit --install',
    'mise exec -- pre-commit install',
  ])('whatever runs the tool that lays hooks: %s', line =>
    expect(judge('Bash', { command: line }, bypass)).toMatchObject({ decision: 'ask', rule: 'runs-later' }),
  )

  test.each([
    'f() { "$@"; }; f crontab x',
    '$SUDO systemctl enable x',
    'f() { eval "$1"; }; f \'crontab x\'',
    'x="crontab x"; echo "$x" | bash',
    '/usr/bin/cr*b x',
    "sg users 'crontab x'",
    'node -p \'spawnSync("systemctl", ["--user", "enable", "x"])\'',
    'deno eval \'new Deno.Command("crontab", { args: ["x"] })\'',
    'echo crontab | xargs -I{} {} x',
    'sh -c "crontab $F"',
    "echo 'crontab x' | sh",
    "printf 'ls\\ncrontab x' | sudo bash -s",
    "cat <<'E' | bash\ncrontab x\nE",
    'python3 -c \'import os; os.system("crontab x")\'',
    'python3 - <<E\nsubprocess.run(["systemctl", "--user", "enable", "x"])\nE',
    'node -e \'execSync("crontab -")\'',
    'awk \'BEGIN { system("launchctl load x.plist") }\'',
  ])('what is spelled out counts where a shell or an interpreter decides what is started: %s', line =>
    expect(judge('Bash', { command: line }, bypass)).toMatchObject({ decision: 'ask', rule: 'runs-later' }),
  )

  test('also by a link to it', () => {
    const realPath = (path: string) => (path === '/w/app/c' ? '/usr/bin/crontab' : place.realPath(path))
    expect(bash('./c x', { ...bypass, place: { realPath } })).toBe('ask')
    expect(bash('./d x', { ...bypass, place: { realPath } })).toBe('allow')
  })

  test.each([
    'crontab -l',
    'crontab -u me -l',
    'crontab --help',
    'at -l',
    'at -d 3',
    'atq',
    'systemctl --user status x',
    'systemctl --user restart x',
    'systemctl --user disable x',
    'systemd-run --user --scope -p MemoryMax=1G npm test',
    'launchctl list',
    'direnv status',
    'mise install',
    'pre-commit run --all-files',
    './bin/at x',
    'grep -rn crontab src',
    'loginctl list-sessions',
    'busctl list',
    'schtasks /query',
    'brew services list',
    'pm2 restart x',
    'chsh -l',
    'conda activate x',
    'gh alias list',
    'gh config set git_protocol ssh',
    'jj config set --user user.name me',
    'npm config get registry',
    'npm config set fund false',
    'npm config set --location=project legacy-peer-deps true',
    'npm pkg set scripts.test=vitest',
    'npm install --save-dev husky',
    'yarn add -D husky',
    'pnpm add -D lefthook',
    'npm uninstall husky',
    'npm run prepare',
    'uv run pre-commit run -a',
    'pre-commit install-hooks',
    'poetry run pytest -k at',
    'go env GOPATH',
    'go env -w GOPRIVATE=example.org',
    'kubectl config use-context dev',
    'kubectl get cronjob',
    'aws configure set region x',
    "tmux new-session -d -s dev 'npm run dev'",
    "tmux send-keys -t dev 'npm test' Enter",
    'tmux capture-pane -p -t dev',
    'nohup npm run dev > dev.log 2>&1 &',
    'setsid npm start & disown',
    'docker compose up -d',
    'code .',
    'claude mcp list',
    'git commit -m "run batch at night, and crontab x"',
    '$PYTHON -m pytest -k "fails at start"',
    'python3 -c "print(\'crontab\')"',
    'node -e "console.log(require(\'./package.json\').devDependencies.husky)"',
    'echo "meet me at noon" | sh',
    'run() { echo "+ $*"; "$@"; }; run npm test',
    'systemctl list-unit-files --state=enabled',
    'make -j4 test',
  ])('what looks, takes away or stays with us passes: %s', line => expect(bash(line, bypass)).toBe('allow'))
})

test('an agent that is granted such a program asks for it, and is not denied it', () => {
  const agent = { chain: [link(), link({ agent: 'ops', grants: [grant('Bash(crontab:*)')] })] }
  expect(bash('crontab jobs.txt', agent)).toBe('ask')
  expect(bash('at now', agent)).toBe('deny')
  expect(bash('crontab $(cat x)', agent)).toBe('deny')
})
