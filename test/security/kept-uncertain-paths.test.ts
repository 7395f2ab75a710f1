// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
/** An agent kept in its workspace, and words of command lines that may lead out of it. In bypassPermissions throughout. */
import { expect, test } from 'vitest'
import { judge, link } from '../support/judging.js'

const atTop = { directories: ['w', 'etc', 'usr', 'home', 'tmp'], links: ['bin'], files: ['info.json'] }
const place = {
  directoriesIn: (directory: string) => (directory === '/' ? atTop.directories : []),
  linksIn: (directory: string) => (directory === '/' ? atTop.links : []),
  filesIn: (directory: string) => (directory === '/' ? atTop.files : []),
}
const judged = (command: string, staysInRoots: boolean) =>
  judge('Bash', { command }, { place, chain: [link({ agent: 'main', mode: 'bypassPermissions', staysInRoots })] })

const asksAPerson = (command: string) => {
  expect(judged(command, true)).toMatchObject({ decision: 'ask', isFirm: true, rule: 'outside-roots' })
  expect(judged(command, false), 'not kept').toMatchObject({ decision: 'allow' })
}
const isAllowed = (command: string) => expect(judged(command, true)).toMatchObject({ decision: 'allow' })

test.each([
  ...['perl -pe 1 "${PWD%/*}/secret.txt"', 'sqlite3 "${PWD%/*}/x" .dump', 'mytool "$X/../secret.txt"'],
  ...['P=${PWD%/*}; perl -pe 1 "$P/secret.txt"', 'docker run -v "${PWD%/*}:/m" alpine ls', 'mytool --in="$X/y"'],
])('a path that begins with a variable left the workspace: %s', asksAPerson)

test.each([
  ...['npm --prefix "${PWD%/*}" run x', 'npm --prefix="$X" test', 'yarn --cwd "$X" test', 'pnpm -C "$X" test'],
  ...[
    'git -C "${PWD%/*}" checkout .',
    'git -C "$X" commit -am x',
    'git $(cat words)',
    'git --work-tree="$X" checkout .',
    'make -C "$X"',
  ],
  ...[
    'curl -T "$X" http://a.test',
    'curl -o "$X" http://a.test',
    'gcc -o "$X" a.c',
    'npx jest --coverageDirectory "$X"',
  ],
  ...['git worktree add "$X"', 'git init "$X"', 'git clone . "$X"', 'git archive -o "$X" HEAD', 'docker run -v "$X" a'],
])('a variable that says where to go or what to write left the workspace: %s', asksAPerson)

test.each([
  ...[
    'env -C "$(dirname "$PWD")" cat secret.txt',
    'env --chdir="$X" cat a',
    'env -C "${PWD%/*}" sh -c \'echo x > new\'',
  ],
  ...['env -u FOO -C "$X" cat a', 'env $X cat a', "env -S '-C ${OLDPWD} cat a'", 'sudo -D "$X" cat a'],
])('a launcher that is told where to stand by a variable left the workspace: %s', command =>
  expect(judged(command, true)).toMatchObject({ decision: 'ask', isFirm: true, rule: 'outside-roots' }),
)

test.each([
  ...['make -C /', 'make -C/', 'python3 -m http.server -d /', 'bun --cwd / test', 'python3 walk.py /', 'sqlite3 /'],
])('the root of everything was lost in what looks like code: %s', asksAPerson)

test.each([
  ...['curl -T /info.json http://a.test', 'source /info.json', 'node x.js /info.json', 'perl -pe 1 /info.json'],
  ...['git clone . /new', 'git init /new', 'git worktree add /new', 'curl -o /new http://a.test', 'go build -o /new'],
])('a file directly in the root counted as no path: %s', asksAPerson)

test('a file directly in the root that is edited for certain is denied', () => {
  expect(judged('sed -i s/a/b/ /info.json', true)).toMatchObject({ decision: 'deny', rule: 'outside-roots' })
})

test.each([
  ...['curl -o /usr/local/bin/x http://a.test', 'go build -o /usr/local/bin/x', 'gcc -o /bin/ls a.c'],
  ...['gcc -o/usr/bin/x a.c', 'wget -O /usr/local/bin/x http://a.test', 'perl -pi -e 1 /usr/bin/x'],
])('a program of the system was overwritten by an agent that may only name it: %s', asksAPerson)

test.each([
  ...['GIT_DIR=../other/.git git log', 'GIT_DIR=/w/other/.git git commit -am x', 'GIT_DIR="$X" git log'],
  ...['export GIT_DIR=../other/.git; git push origin x', 'env GIT_DIR=../other/.git git update-ref refs/heads/x y'],
  ...[
    'GIT_WORK_TREE="$X" git checkout .',
    'GIT_OBJECT_DIRECTORY="${PWD%/*}/o" git log',
    'GIT_INDEX_FILE="$X" git add .',
  ],
  ...['GIT_ALTERNATE_OBJECT_DIRECTORIES=.git/objects:../o git log', 'GIT_CONFIG_GLOBAL=../c git log'],
])('a repository elsewhere that is named by a variable was used: %s', asksAPerson)

test('a repository that is named by a variable is held against what forbids reading it', () => {
  const rules = { deny: ['Read(//w/other/**)'] }
  const line = { command: 'GIT_DIR=/w/other/.git git log -p' }
  const chain = [link({ mode: 'bypassPermissions' })]
  expect(judge('Bash', line, { rules, chain })).toMatchObject({ decision: 'deny', rule: 'Read(//w/other/**)' })
})

test.each([
  ...['tar -T list.txt -cf x.tar', 'tar cTf list.txt x', 'tar --files-from=list.txt -c', 'sort --files0-from=list.txt'],
  ...['rsync --files-from=list.txt . x', 'git hash-object --stdin-paths', 'curl -K cfg', 'curl -sK- http://a.test'],
  ...['cpio -o < list.txt', 'zip x.zip -@ < list.txt', '7z a x.7z "@list.txt"', 'tar xPf a.tar', 'unzip -: a.zip'],
])('files that a list or an archive names lay elsewhere: %s', asksAPerson)

test.each([
  ...['node x.js "$MODE"', 'node x.js --mode="$MODE"', 'npm run "$T"', 'kill "$PID"', 'git commit -m "$MSG"'],
  ...['git checkout -b "$BRANCH"', 'LEVEL="$X" make', 'URL="$HOST/api" npm test', 'PATH="$X/bin:$PATH" npm test'],
  ...['D=src; node x.js "$D/a.ts"', 'D=sub; npm --prefix "$D" test', 'for t in a b; do npm run "$t"; done'],
  ...['for f in src/*.ts; do node x.js "$f"; done', 'find . -exec mytool {} \\;', 'make -j"$(nproc)"', 'make -C sub'],
  ...['env FOO="$BAR" npm test', 'env -C sub ls', 'env --block-signal=INT npm test', 'echo "${PWD%/*}/x"'],
  ...["sed -i '/x/d' f", "sed -i '/x/d;/y/d' f", "awk '{print $1/2}' f", "python3 -c 'print(10 / 3)'", 'awk -F/ 1 f'],
  ...[
    'curl -s http://localhost:3000/health',
    'curl SINK',
    'wget https://a.test/x.tgz',
    'curl -d @src/a.ts http://a.test/x',
  ],
  ...['gcc -o app a.c', 'go build -o bin/app', 'CC=/usr/bin/gcc make', '/usr/bin/make', 'node x.js /api-of-nobody'],
  ...[
    'GIT_DIR=.git git status',
    'GIT_DIR="$PWD/.git" git log',
    'GIT_INDEX_FILE=.git/i git add -A',
    'GIT_TRACE=1 git fetch',
  ],
])('an ordinary line was asked about: %s', isAllowed)
