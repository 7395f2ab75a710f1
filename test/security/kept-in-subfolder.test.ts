/** An agent kept in a folder of a repository: what git shows and changes above it. In bypassPermissions throughout. */
import { expect, test } from 'vitest'
import { judge, link } from '../support/judging.js'

const repository = { top: '/w', tracked: ['/w/top.txt', '/w/app/a.ts'] }
const judged = (command: string, staysInRoots = true) =>
  judge(
    'Bash',
    { command },
    {
      place: { repository: () => repository },
      chain: [link({ agent: 'main', mode: 'bypassPermissions', staysInRoots })],
    },
  )

test.each(['git diff', 'git log -p', 'git show HEAD', 'git grep x'])(
  'what git shows of files above was denied without a word of how to do it: %s',
  command => {
    const verdict = judged(command)
    expect(verdict).toMatchObject({ decision: 'deny', rule: 'outside-roots' })
    expect(verdict).toHaveProperty('reason', expect.stringContaining('`-- .`'))
    expect(judged(`${command} -- .`).decision).toBe('allow')
  },
)

test.each([
  ...[
    'git reset --hard',
    'git reset --ha HEAD~1',
    'git reset "$X"',
    'git checkout main',
    'git checkout -f',
    'git checkout -',
  ],
  ...[
    'git checkout -b x origin/main',
    'git checkout main --',
    'git checkout -- "$F"',
    'git switch main',
    'git merge x',
  ],
  ...['git pull', 'git rebase main', 'git cherry-pick x', 'git revert HEAD', 'git am x.patch', 'git read-tree -u HEAD'],
  ...['git bisect start', 'git submodule update', 'git sparse-checkout set app', 'git lfs pull', 'git co main'],
  ...['git restore --pathspec-from-file=x', 'git restore "$F"', "sh -c 'git pull'", 'cd src && git switch main'],
])('git changed files above the folder: %s', command => {
  expect(judged(command)).toMatchObject({ decision: 'ask', isFirm: true, rule: 'outside-roots' })
  expect(judged(command, false), 'not kept').toMatchObject({ decision: 'allow' })
})

test.each([
  ...[
    'git status',
    'git add -A',
    'git commit -am x',
    'git push',
    'git fetch',
    'git checkout -b x',
    'git checkout -b "$B"',
  ],
  ...[
    'git checkout .',
    'git checkout -- a.ts',
    'git checkout main -- a.ts',
    'git checkout HEAD a.ts',
    'git switch -c x',
  ],
  ...[
    'git reset',
    'git reset --soft HEAD~1',
    'git reset HEAD a.ts',
    'git restore .',
    'git clean -fd',
    'git apply x.patch',
  ],
  ...[
    'git branch x',
    'git tag v1',
    'git --help',
    'git bisect log',
    'git submodule status',
    'git stash list',
    'git lfs track x',
  ],
])('what git does in the folder alone was asked about: %s', command => {
  expect(judged(command)).toMatchObject({ decision: 'allow' })
})

test('where the repository begins in the folder, nothing is asked', () => {
  const chain = [link({ agent: 'main', mode: 'bypassPermissions', staysInRoots: true })]
  const place = { repository: () => ({ top: '/w/app', tracked: [] }) }
  for (const command of [
    'git checkout main',
    'git pull',
    'git reset --hard',
    'git diff',
    'git stash',
    'git checkout -- "$F"',
  ])
    expect(judge('Bash', { command }, { place, chain }), command).toMatchObject({ decision: 'allow' })
})
