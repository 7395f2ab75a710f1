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
  ])('%s', line => {
    const asked = { decision: 'ask', rule: 'runs-later', isFirm: true }
    expect(judge('Bash', { command: line }, bypass)).toMatchObject(asked)
    expect(judge('Bash', { command: line }, { rules: { allow: ['Bash', `Bash(${line})`] } })).toMatchObject(asked)
    expect(bash(line, { chain: [link({ mode: 'bypassPermissions' }), link({ mode: 'dontAsk' })] })).toBe('deny')
  })

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
  ])('what looks, takes away or stays with us passes: %s', line => expect(bash(line, bypass)).toBe('allow'))
})

test('an agent that is granted such a program asks for it, and is not denied it', () => {
  const agent = { chain: [link(), link({ agent: 'ops', grants: [grant('Bash(crontab:*)')] })] }
  expect(bash('crontab jobs.txt', agent)).toBe('ask')
  expect(bash('at now', agent)).toBe('deny')
  expect(bash('crontab $(cat x)', agent)).toBe('deny')
})
