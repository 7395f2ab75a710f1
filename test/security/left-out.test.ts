import { describe, expect, test } from 'vitest'
import { judge, link } from '../support/judging.js'

const unasked = { chain: [link({ mode: 'bypassPermissions' })] }
const bash = (command: string, setting = {}) => judge('Bash', { command }, setting)

describe('to leave .git out was taken for writing it, and no rule lifted that', () => {
  test.each([
    "rg --hidden -g '!.git' foo",
    "rg --hidden --glob '!.git' foo",
    "rg -uu --glob='!.git' foo",
    "rg --hidden -g'!.git' foo",
    "find . -path ./.git -prune -o -name '*.pyc' -delete",
    "find . -maxdepth 3 -name .git -prune -o -name dist -prune -o -name '*.pyc' -delete",
    "find . \\( -name .git -o -name dist \\) -prune -o -name '*.pyc' -delete",
    "find . -not -path ./.git -name '*.pyc' -delete",
    'find . -type d -name .git -prune -o -type f -exec sed -i s/a/b/ {} +',
    'grep -rl foo . --exclude-dir=.git | xargs sed -i s/a/b/',
    "find . ! -name .git \\( -name '*.pyc' -o -name '*.pyo' \\) -delete",
    'tar --exclude=.git -czf x.tgz .',
    'tar --exclude .git -czf x.tgz .',
    "tar czf x.tgz --exclude='.git' .",
    'rsync -a --exclude .git ./ sub/',
    'rsync -a --exclude=.git ./ sub/',
    'fd -H -E .git foo',
    'cloc --exclude-dir=.git .',
    "tree -a -I '.git|node_modules' --filelimit 50",
    "tree -aI '.git|node_modules' --filelimit 50",
    'zip -r x.zip . -x .git',
    'ag --ignore .git foo',
    'grep -Rn --line-buffered foo . --exclude-dir=.git',
    'grep -Rn --line-buffered foo . --exclude-dir .git',
  ])('%s', line => {
    expect(bash(line, unasked).decision).toBe('allow')
    expect(bash(line)).toMatchObject({ decision: 'ask' })
    expect(bash(line, { chain: [link({ mode: 'plan' })] })).toMatchObject({ decision: 'deny', rule: 'plan-mode' })
  })

  test.each([
    'rg --pre .git/hooks/x -g .git foo',
    'find . -printf ! -path ./.git/config -delete',
    'find . -not -name ! -path ./.git/config -delete',
    'find . ! ! -path ./.git/config -delete',
    'find . -unheard ! -path ./.git/config -delete',
    'tar cVf --exclude .git/config a1.txt',
    'tar cVf label --exclude .git/config a1.txt',
    'tar -cf --exclude .git/config a1.txt',
    'tar -c --label --exclude .git/config',
    'rsync a1.txt --log-file --exclude .git/hooks/pre-commit',
    'rsync -- a1.txt --exclude .git/hooks',
    'zip -b -x .git/config a1.txt',
    'fd . -x tee -E .git/config',
    'find . -name .git -delete',
    'find . -name .git -exec rm -rf {} +',
    'find .git -delete',
    'find . -path ./.git -prune -exec rm -rf {} +',
    'find . -path ./.git -prune , -delete',
    'find . -path ./.git -prune -o -name x , -delete',
    'find . ! -path ./.git -prune -o -exec rm -rf {} +',
    'find . \\( -path ./.git -prune -o -name x \\) -exec rm -rf {} +',
    'find . -type f -path ./.git -prune -o -exec rm -rf {} +',
    'find . ! -path ./.git -o -exec rm -rf {} +',
    "find . ! -path ./.git -name '(' -o -exec rm -rf {} +",
    'find . ! ! -path ./.git -exec rm -rf {} +',
    'find . -not ! -name .git -delete',
    'find . -delete -not -name .git',
    'find . \\( -name x -o ! -name .git \\) -delete',
    'find . -name x -prune -o -name .git -delete',
    'tar --exclude x -xf a.tar .git',
    'tar -xf a.tar --exclude=x -C .git',
    'tar --exclude=x -cf .git/config .',
    'rsync -a --delete-excluded --exclude .git ./ sub/',
    'rsync -a --delete --exclude .git ./ sub/',
    'rsync -a --exclude x ./ .git',
    'tree -I x -o .git/config',
    'tree -Io x .git/config',
    'zip -x x -r .git/config .',
    'cp --exclude .git x',
    'python3 x.py --exclude=.git',
    './x --exclude=.git',
    'cp -r x .git --exclude=.git',
  ])('and it stays denied to write it: %s', line => {
    expect(bash(line, unasked)).toMatchObject({ decision: 'deny', rule: 'protected-path' })
  })

  test('whoever left .git out was asked, and whoever did not was not', () => {
    for (const line of ['find . -type f -exec touch {} +', 'find . -path ./.git -prune -o -type f -exec touch {} +'])
      expect(bash(line, unasked).decision).toBe('allow')
    const both = 'find . -path ./.git -prune -o -type f -exec touch {} + && touch .git/x $(cat names)'
    expect(bash(both, unasked).decision).not.toBe('allow')
  })

  test.each(['cd .g*/hooks && split ../../a1.txt', 'cd .gi?/hooks && tar xf x.tar'])(
    'a wildcard led to where hooks lie, unasked: %s',
    line => {
      expect(bash(line, unasked)).toMatchObject({ decision: 'ask', rule: 'protected-path', isFirm: true })
    },
  )

  test('what is left out is still looked for among what lies below', () => {
    const place = { filesBelow: () => ['/w/app/.env', '/w/app/a.ts'] }
    const rules = { deny: ['Read(.env)'] }
    expect(bash('tar --exclude=.env -cf x.tar .', { ...unasked, place, rules })).toMatchObject({ isFirm: true })
  })
})

test('a command that only looks was said to write where nobody knows', () => {
  expect(bash("find . -not -path './.git/*' -type f -exec wc -l {} +")).not.toMatchObject({ rule: 'protected-path' })
  expect(bash('d=.git; ls -d "$d"', unasked).decision).toBe('allow')
  expect(bash('d=.git; touch "$d"', unasked)).toMatchObject({ decision: 'deny' })
  expect(bash('cat .git/HEAD; touch "$d"', unasked)).toMatchObject({ decision: 'ask', isFirm: true })
})

test.each([
  'rgrep x .',
  'rgrep x',
  'ggrep -r x .',
  'zgrep -r x .',
  'bsdtar cf - .',
  'gtar cf x.tar .',
  'gcp -r . ../x',
])('a known program under another name showed a denied file: %s', line => {
  const place = { filesBelow: () => ['/w/app/.env', '/w/app/a.ts'] }
  expect(bash(line, { ...unasked, place, rules: { deny: ['Read(.env)'] } })).toMatchObject({
    decision: 'ask',
    isFirm: true,
  })
  expect(bash(line)).toMatchObject({ decision: 'ask' })
})

test.each(['gtar -I ./evil -cf x.tar a', 'bsdtar --use-compress-program=./evil -cf x.tar a'])(
  'a known program under another name was told to run something: %s',
  line =>
    expect(bash(line, { rules: { allow: ['Bash(gtar *)', 'Bash(bsdtar *)'] } })).toMatchObject({ rule: 'shell-doubt' }),
)
