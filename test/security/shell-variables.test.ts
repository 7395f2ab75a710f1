// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { expect, test } from 'vitest'
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

test('a value counts where it is held against a deny, never where it would allow', () => {
  const rules = { allow: ['Bash(echo:*)'], deny: ['Bash(curl:*)'] }
  expect(bash('x=echo; $x hi', { rules })).toBe('ask')
  expect(bash('x=curl; $x hi', { rules })).toBe('deny')
  expect(bash('true || x=curl; $x hi', { rules })).toBe('deny')
  expect(bash('f=src/a.ts; cat "$f"')).toBe('ask')
})
