import { describe, expect, test } from 'vitest'
import { bash, judge } from '../support/judging.js'

const setting = { rules: { allow: ['Bash(git *)'] } }

describe('E01 under a rule for git it read secrets and files outside the workspace unasked', () => {
  test.each([
    'git interpret-trailers ~/.ssh/id_rsa',
    'git commit -F ~/.ssh/id_rsa',
    'git commit -F~/.ssh/id_rsa',
    'git commit -aF /etc/passwd',
    'git commit --file=/home/u/.ssh/id_rsa',
    'git commit --fil /home/u/.ssh/id_rsa',
    'git commit -F .env',
    'git commit -F notes.md',
    'git commit -t ~/.ssh/id_rsa',
    'git commit --template=/etc/passwd',
    'git -C . commit -F /etc/passwd',
    'git tag -F ~/.ssh/id_rsa x',
    'git merge -F ~/.ssh/id_rsa dev',
    'git notes add -F ~/.aws/credentials',
    'git hash-object -w /home/u/.ssh/id_rsa',
    'git merge-file -p a a ~/.ssh/id_rsa',
    'git config -f ~/.aws/credentials -l',
    'git config --file=/home/u/.aws/credentials --list',
    'git config -f .env -l',
    'git apply ~/.ssh/id_rsa',
    'git bundle list-heads /etc/passwd',
    'git archive --add-file=/home/u/.ssh/id_rsa HEAD',
    'git credential-store --file ~/.git-credentials get',
    'git difftool --no-index /etc/passwd x',
    'git send-email ~/.ssh/id_rsa',
    'git clone ~/other y',
    'git clone -b feature/x /srv/other',
    'git fetch ../other main',
    'git remote add o /srv/other',
    'git unknown ~/.ssh/id_rsa',
  ])('%s', line => {
    expect(bash(line, setting)).toBe('ask')
    expect(bash(line, { rules: { allow: [`Bash(${line})`] } })).toBe('allow')
  })

  test.each([
    "git commit -F - <<'E'\nfix: it\nE",
    "git commit -F /dev/stdin <<'E'\nfix: it\nE",
    'git commit -F msg.txt',
    'git commit -F /tmp/scratch-1/msg.txt',
    'git commit -am "/etc/passwd is read"',
    'git commit -m .env --author="/x <y>"',
    'git tag -a v1 -m ~/x',
    'git stash push -m .env',
    'git hash-object -w src/a.ts',
    'git merge-file -p a b c',
    'git interpret-trailers --trailer a=b msg.txt',
    'git config --add user.name x',
    'git apply fix.patch',
    'git clone https://github.com/a/b /tmp/b',
    'git clone git@github.com:a/b.git',
    'git remote add o https://github.com/a/b',
    'git pull --rebase origin main',
    'git push origin HEAD:refs/heads/x',
    'git add .env',
    'git rebase --cont',
    'git lfs track src/a.psd',
  ])('it still allows %s', line => {
    expect(bash(line, setting)).toBe('allow')
  })
})

test('a denial said "write" of a file that was only named', () => {
  const verdict = judge(
    'Bash',
    { command: 'git notes add -F ~/.aws/credentials' },
    {
      rules: { allow: ['Bash(git *)'], deny: ['Read(~/.aws/**)'] },
    },
  )
  expect(verdict).toMatchObject({
    decision: 'deny',
    reason: expect.stringMatching(/^(name|read) .*\.aws\/credentials/),
  })
})

test('jq asked for a key that is called env', () => {
  for (const line of ["jq '.env' package.json", "jq -r '.scripts.env // .env.x' package.json"])
    expect([line, bash(line)]).toEqual([line, 'allow'])
  for (const line of [
    "jq 'env' a.json",
    "jq '.a | env' a.json",
    "jq '..env' a.json",
    "jq '.[env.X]' a.json",
    "jq '$ENV' a",
  ])
    expect([line, bash(line)]).toEqual([line, 'ask'])
})
