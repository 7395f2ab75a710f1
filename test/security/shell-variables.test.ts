// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { describe, expect, test } from 'vitest'
import { bash, judge, link } from '../support/judging.js'

const bypass = { chain: [link({ mode: 'bypassPermissions' })] }

test.each([
  'for f in *.ts; do cat "$f"; done',
  'for f in *.ts; do sed -i s/a/b/ "$f"; done',
  'for f in *.txt; do cp "$f" "$f.bak"; done',
  'for i in 1 2 3; do echo $i > out$i.txt; done',
  'ls | while read f; do cp "$f" "$f.bak"; done',
  'tmp=$(mktemp); npm test > $tmp 2>&1; tail $tmp',
  'npm test > "$LOG" 2>&1',
  'OUT=dist; mkdir -p $OUT && cp a.js $OUT/',
  '$PYTHON script.py',
  '"$NPM" config get registry',
  'cat "$DIR/config"',
  'cp .gitignore "$DEST"',
  'x=$(cat f); echo "$x" > g',
  'for d in */; do (cd "$d" && git pull); done',
])('D04 in bypassPermissions a variable that may be anything stands in nobody’s way: %s', line => {
  expect(bash(line, bypass)).toBe('allow')
})

test('P19 an emptied environment around what is not our program stands in nobody’s way', () => {
  for (const line of [
    'env -i PATH=$PATH npm test',
    'env -i node scripts/build.js',
    'exec -c make',
    'env -i ls offshoot',
  ])
    expect([line, bash(line, bypass)]).toContain('allow')
})

test('a long loop is no attack', () => {
  const many = Array.from({ length: 300 }, (_, index) => `f${index}`).join(' ')
  expect(bash(`for f in ${many}; do touch $f; echo $f > $f.log; done`, bypass)).toBe('allow')
})

test('D04 a protected name that only shows when it runs is for a person, and the rule is named', () => {
  expect(judge('Bash', { command: 'echo .git/config | while read f; do echo x > $f; done' }, bypass)).toMatchObject({
    decision: 'ask',
    isFirm: true,
    rule: 'protected-path',
    reason: expect.stringContaining('.git'),
  })
  expect(judge('Bash', { command: 'D=.git; echo x > $D/config' }, bypass)).toMatchObject({ rule: 'protected-path' })
})

test('C01 a loop over a wildcard is judged by what the wildcard picks, in bypassPermissions as well', () => {
  const denied = { ...bypass, rules: { deny: ['Read(./private/**)'] } }
  expect(bash('for f in src/*.ts; do cat "$f"; done', denied)).toBe('allow')
  for (const line of [
    'for f in private/*; do cat "$f"; done',
    'for f in */*; do cat "$f"; done',
    'for f in src/*.ts; do f=private/x; cat "$f"; done',
    'for f in src/*.ts; do eval \'f=private/x\'; cat "$f"; done',
    'for f in src/*.ts; do read f; cat "$f"; done',
    'for f in src/*.ts; do printf -v f %s private/x; cat "$f"; done',
    'for f in src/*.ts; do (( f = 1 )); cat "$f"; done',
    'for f in src/*.ts; do g; cat "$f"; done; g() { f=private/x; }',
    'for f in src/*.ts; do cat $f; done',
    'for f in src/*.ts; do :; done; cat "$f"',
    'for f in src/*.ts $X; do cat "$f"; done',
    'for f in $(ls); do cat "$f"; done',
    'for f in src/*.ts; do bash -c \'cat "$f"\'; done',
  ])
    expect([line, bash(line, denied)]).not.toContain('allow')
})

describe('C01 what a wildcard of the shell picks is a list of names, whoever prints it', () => {
  const rules = { deny: ['Read(./private/**)'] }
  test.each([
    'echo private/*',
    "printf '%s\\n' private/*",
    'for f in private/*; do echo "$f"; done',
    'select f in private/*; do echo "$f"; done',
    'a=(private/*); echo "${a[@]}"',
    'echo a.ts p*/notes.md',
    'echo */*',
    'echo private/{a,b}*',
    'cd src && echo ../private/*',
    'x=private; echo $x/*',
  ])('a directory that a rule denies: %s', line => {
    expect(bash(line, { rules })).not.toBe('allow')
    expect(bash(line, { ...bypass, rules })).not.toBe('allow')
    expect(bash(line, { rules, chain: [link({ mode: 'plan', approvalMode: 'suppress' })] })).toBe('deny')
  })

  test.each([
    "printf '%s\\n' /etc/ss*",
    'for f in /root/*; do echo "$f"; done',
    'echo ~/.ssh/*',
    'echo ~root/*',
    'echo ../*',
    'echo /home/*/.ssh',
  ])('a directory outside the workspace: %s', line => {
    expect(bash(line)).toBe('ask')
    expect(bash(line, { chain: [link({ mode: 'plan', approvalMode: 'suppress' })] })).toBe('deny')
    expect(bash(line, bypass)).toBe('allow')
  })

  test.each([
    'echo *',
    'echo src/*.ts',
    'echo */',
    'for d in */; do echo "$d"; done',
    'for f in src/*.ts; do echo "$f"; done',
    'echo "private/*"',
    "echo 'what? /etc/*'",
    'echo Is it done?',
    'case x in private/*) echo y;; esac',
    'echo $x/*',
  ])('%s shows nothing of the kind', line => expect(bash(line, { rules })).toBe('allow'))
})

test('a value counts where it is held against a deny, never where it would allow', () => {
  const rules = { allow: ['Bash(echo:*)'], deny: ['Bash(curl:*)'] }
  expect(bash('x=echo; $x hi', { rules })).toBe('ask')
  expect(bash('x=curl; $x hi', { rules })).toBe('deny')
  expect(bash('true || x=curl; $x hi', { rules })).toBe('deny')
  expect(bash('f=src/a.ts; cat "$f"')).toBe('ask')
})

test.each([
  ['Bash(openssl version)', 'OPENSSL_CONF=./evil.cnf openssl version'],
  ['Bash(openssl version)', 'export OPENSSL_CONF=./evil.cnf; openssl version'],
  ['Bash(openssl version)', 'OPENSSL_CONF=./evil.cnf; export OPENSSL_CONF; openssl version'],
  ['Bash(openssl version)', 'declare -x OPENSSL_CONF=./evil.cnf; openssl version'],
  ['Bash(openssl version)', 'env OPENSSL_CONF=./evil.cnf openssl version'],
  ['Bash(openssl version)', 'CI=1 OPENSSL_CONF=./evil.cnf timeout 5 openssl version'],
  ['Bash(openssl version)', 'set -a; OPENSSL_CONF=./evil.cnf; openssl version'],
  ['Bash(pytest:*)', 'PYTEST_PLUGINS=evil pytest'],
  ['Bash(gh pr view:*)', "GH_BROWSER='sh -c id' gh pr view --web"],
  ['Bash(helm list:*)', 'HELM_PLUGINS=./evil helm list'],
  ['Bash(helm list:*)', 'lower=./evil helm list'],
])(
  'D05 a variable nobody knows before an allowed command told it what to load: %s does not allow %s',
  (allow, line) => {
    const rules = { allow: [allow, 'Bash(export:*)', 'Bash(env:*)', 'Bash(set:*)', 'Bash(timeout:*)'] }
    expect(bash(line, { rules })).toBe('ask')
    expect(bash(line, { rules: { allow: [`Bash(${line})`] } })).toBe('allow')
    expect(bash(line, { rules: { allow: ['Bash'] } })).toBe('allow')
    expect(bash(line, { ...bypass, rules: { allow: [allow] } })).toBe('allow')
  },
)

test.each([
  'GIT_PAGER+=cat; git log',
  'PAGER+=; git log',
  'export GIT_PAGER+=cat; git log',
  'declare -x GIT_EDITOR+=true; git log',
  'NODE_OPTIONS+=--no-warnings; ls',
])('a value that is harmless alone was taken for harmless behind another: %s', line => {
  expect(bash(line)).toBe('ask')
  expect(bash(line, { chain: [link({ mode: 'plan' })] })).toBe('deny')
  expect(bash(line.replace('+=', '='))).toBe('allow')
})

test('P21 a variable that changes nothing of the kind stands before an allowed command, and one that a rule names', () => {
  const rules = { allow: ['Bash(npm test:*)', 'Bash(HELM_PLUGINS=./own helm list:*)'] }
  for (const line of [
    'FOO=bar npm test',
    'CI=1 NODE_ENV=test FORCE_COLOR=0 npm test',
    'DEBUG=* LC_ALL=C TZ=UTC npm test',
    'RUST_BACKTRACE=1 TERM=dumb COLUMNS=80 npm test',
    'export CI=1; npm test',
    'env CI=1 npm test',
    'name=x; npm test "$name"',
    'OUT=x; npm test "$OUT"',
    'HELM_PLUGINS=./own helm list --all',
  ])
    expect([line, bash(line, { rules })]).toContain('allow')
  expect(bash('HELM_PLUGINS=./other helm list', { rules })).toBe('ask')
  expect(judge('Bash', { command: 'PYTEST_PLUGINS=a npm test' }, { rules })).toMatchObject({
    rule: 'execute-asks',
    reason: expect.stringContaining('PYTEST_PLUGINS may change what it does'),
  })
})

describe('everyday variables before an allowed command', () => {
  const rules = { allow: ['Bash(npm test:*)'] }

  test.each([
    'HOST=0.0.0.0 MODE=ci STAGE=dev ENVIRONMENT=test TEST_ENV=ci npm test',
    'HEADLESS=1 ANALYZE=true STORYBOOK=1 CUDA_VISIBLE_DEVICES=0,1 npm test',
    'GOMAXPROCS=2 CARGO_INCREMENTAL=0 DOCKER_BUILDKIT=1 SQLX_OFFLINE=true DO_NOT_TRACK=1 npm test',
    'RUST_TEST_THREADS=1 OMP_NUM_THREADS=4 npm test',
    'VITE_API_URL=http://localhost:3000/api npm test',
    'NEXT_PUBLIC_NAME=a REACT_APP_X=1 NUXT_PUBLIC_X=1 EXPO_PUBLIC_X=a.b npm test',
    'TEST_THREADS=4 JEST_WORKERS=2 TELEMETRY_DISABLED=1 npm test',
    'SKIP_BUILD=1 UPDATE_SNAPSHOTS= npm test',
    'export SKIP_BUILD=1; npm test',
    'SKIP_BUILD=1; export SKIP_BUILD; npm test',
    'env "VITE_X=a-b" npm test',
    'export "VITE_X=a"; VITE_X+=b; npm test',
  ])('asked: %s', line => {
    expect(bash(line, { rules })).toBe('allow')
  })

  test.each([
    'DATABASE_URL=x',
    'BASE_URL=x',
    'VITE_TOKEN=x',
    'API_KEY=x',
    'PYTEST_WORKERS=1',
    'PYTEST_ADDOPTS=x',
    'DJANGO_SETTINGS_MODULE=x',
    'COMPOSE_FILE=x',
    'COMPOSE_X_DISABLED=1',
    'NODE_X_WORKERS=1',
    'GIT_X_DISABLED=1',
    'git_X_DISABLED=1',
    'LD_THREADS=1',
    'VITE_PAGER=x',
    'SKIP_HOME=x',
    'UPDATE_EDITOR=x',
    'VITE_=x',
    'XVITE_X=x',
    "VITE_X='a[$(id)]'",
    'VITE_X="a b"',
    'VITE_X=$Y',
    'VITE_X=$(id)',
    'SKIP_X=`id`',
    "SKIP_X='() { :; }'",
    'SKIP_X=*',
    'UPDATE_X=${Y:-1}',
    "VITE_X=a VITE_X+='[x]'",
  ])('D05 no name that changes more, and no text that something might evaluate: %s', setting => {
    for (const line of [`${setting} npm test`, `export ${setting}; npm test`, `env ${setting} npm test`])
      expect([line, bash(line, { rules: { allow: [...rules.allow, 'Bash(export:*)'] } })]).toContain('ask')
  })

  test.each([
    'read VITE_X < a.txt; export VITE_X; npm test',
    'export VITE_X; read VITE_X <<< "a[x]"; npm test',
    'printf -v VITE_X %s "a[x]"; export VITE_X; npm test',
    'for VITE_X in "a[x]"; do export VITE_X; npm test; done',
    'export VITE_X=1; : ${VITE_X:="a[x]"}; npm test',
    'export VITE_X=1; : ${VITE_Y:="a[x]"}; export VITE_Y; npm test',
    "export VITE_X=1; VITE_X='a[x]'; npm test",
    "VITE_X='a[x]'; export VITE_X; npm test",
    'export VITE_X; mapfile VITE_X < a.txt; npm test',
    'declare -x "VITE_X=a[x]"; npm test',
  ])('D05 what such a variable is given elsewhere in the line counts: %s', line => {
    const allow = ['npm test:*', 'export:*', 'read:*', 'printf:*', 'declare:*', 'mapfile:*'].map(
      text => `Bash(${text})`,
    )
    expect(bash(line, { rules: { allow: [...allow, 'Read'] } })).toBe('ask')
  })
})

test('an exported variable stood in the way of a command that only looks, and plan mode denied it', () => {
  for (const line of [
    'export X=1; ls',
    'export VERSION=1.2.3 && echo $VERSION',
    'MSG=hi; export MSG; echo $MSG',
    'export DATABASE_URL=x; git status',
    'cd src && export X=1 && ls',
    'declare -x X=1; ls',
    'export X=1; timeout 5 ls',
  ]) {
    expect([line, bash(line)]).toContain('allow')
    expect([line, bash(line, { chain: [link({ mode: 'plan' })] })]).toContain('allow')
  }
  expect(bash('export X=1; ls; npm test', { rules: { allow: ['Bash(npm test)'] } })).toBe('ask')
})

test('a variable before a command that only looks, under a rule for it, asked', () => {
  const rules = { allow: ['Bash(ls:*)', 'Bash(git log:*)'] }
  for (const line of ['X=1 ls', 'X=1 timeout 5 ls', 'env X=1 ls -la', 'X=1 git log'])
    expect([line, bash(line, { rules }), bash(line)]).toEqual([line, 'allow', 'ask'])
})

test.each(['PATH=.', 'LESSOPEN=x', 'GIT_DIR=x', 'LD_PRELOAD=./x.so', 'OPENSSL_CONF=./evil.cnf', 'HTTPS_PROXY=x'])(
  'D05 what changes how programs load or look counts for what only looks as well: %s',
  setting => {
    for (const line of [
      `export ${setting}; ls`,
      `${setting} ls`,
      `declare -x ${setting}; git log`,
      `env ${setting} ls`,
    ]) {
      expect([line, bash(line)]).toContain('ask')
      expect([line, bash(line, { rules: { allow: ['Bash(ls:*)', 'Bash(git log:*)'] } })]).toContain('ask')
    }
  },
)
