import { describe, expect, test } from 'vitest'
import { judge, link, type Setting } from '../support/judging.js'

const unasked = { chain: [link({ mode: 'bypassPermissions' })] }
const bash = (command: string, setting: Setting) => judge('Bash', { command }, setting)

describe('a command that stood in a protected directory could write there what it did not name', () => {
  test.each([
    'cd .git && tar xf ../g.tar',
    'cd .git/hooks && split ../../a.txt',
    'cd .claude && tar xf ../c.tar',
    'cd .claude/hooks && unzip ../../h.zip',
    'cd .offshoot && make',
    'cd .offshoot/agents && cpio -i',
    '(cd .git/hooks; split ../../a.txt)',
    'pushd .git && tar x',
    'env -C .git tar x',
    'cd .git && timeout 5 tar x',
    'cd .git && ls | xargs touch',
    'cd sub/.git/hooks && ./make-hooks',
  ])('%s', line => {
    expect(bash(line, unasked)).toMatchObject({ decision: 'deny', rule: 'protected-path' })
    expect(bash(line, { rules: { allow: ['Bash'] } })).toMatchObject({ decision: 'deny', rule: 'protected-path' })
  })

  test.each(['cd .git/info && tar xf ../../i.tar', 'cd .git/objects/info && split x'])('a person looks: %s', line => {
    expect(bash(line, unasked)).toMatchObject({ decision: 'ask', rule: 'protected-path', isFirm: true })
  })

  test.each([
    'cd .git && ls',
    'cd .git && cat HEAD && wc -l packed-refs',
    'cd .git/hooks && ls -la | head',
    'cd .claude/agents && make',
    'cd src && tar xf ../g.tar',
    'cd "$DIR" && npm test',
  ])('nothing stands in the way of %s', line => {
    expect(bash(line, unasked).decision).toBe('allow')
  })

  test('the reason says that it stands there', () => {
    expect(bash('cd .git && tar x', unasked)).toMatchObject({
      reason:
        'stand in /w/app/.git: a command that stands in it could change it without naming it, and it decides what runs later or what is allowed.',
    })
  })
})

describe('what a variable held was not looked at, though programs write the file it names', () => {
  test.each([
    'GIT_TRACE=/w/app/.mcp.json git status',
    'GIT_TRACE=$PWD/.mcp.json git status',
    'env GIT_TRACE=/w/app/.mcp.json git status',
    'timeout 5 env GIT_TRACE=/w/app/.mcp.json git status',
    'export GIT_TRACE=/w/app/.mcp.json; git status',
    'export "GIT_TRACE=/w/app/.mcp.json"; git status',
    'GIT_TRACE=/w/app/.mcp.json; export GIT_TRACE; git status',
    'declare -x GIT_TRACE=/w/app/.mcp.json; git status',
    'GIT_INDEX_FILE=.mcp.json git add a.txt',
    'GIT_WORK_TREE=.git/hooks git checkout -- README.md',
    'GIT_DIR=.git/hooks git checkout -- README.md',
    'NODE_V8_COVERAGE=.git/hooks node -e 1',
    'd=.git; NODE_V8_COVERAGE="$d/hooks" node -e 1',
    'cd src && NODE_V8_COVERAGE=../.git/hooks node -e 1',
    'set -a; OUT=.git/config; make',
    'OUT=a:.git/config make',
    'bash -c "OUT=.git/config make"',
  ])('%s', line => {
    expect(bash(line, unasked)).toMatchObject({ decision: 'deny', rule: 'protected-path' })
  })

  test.each([
    'OUT=secret/x make',
    'export OUT=secret/x; make',
    'env OUT=./secret/x make',
    'cd secret && OUT=x make',
    'GIT_INDEX_FILE=secret/index git add a.txt',
  ])('a deny of the file holds: %s', line => {
    for (const deny of ['Edit(secret/**)', 'Read(secret/**)'])
      expect(bash(line, { ...unasked, rules: { deny: [deny] } })).toMatchObject({ decision: 'deny', rule: deny })
  })

  test.each([
    'OUT=build/x make',
    'NODE_ENV=test npm test',
    'PATH="./node_modules/.bin:$PATH" tsc',
    'd=.git; echo "$d"',
    'LC_ALL=C git status',
    'GIT_DIR=.git git checkout -- README.md',
  ])('nothing stands in the way of %s', line => {
    expect(bash(line, unasked).decision).toBe('allow')
  })
})

describe('a repository moved out of .git had hooks and settings that nothing protected', () => {
  test.each([
    'git init --separate-git-dir=gd',
    'git init --separate-git-dir gd',
    'git init --sep=gd .',
    'git -C . init -q --separate=gd',
    'git init-db --separate-git-dir=gd',
    'git clone --separate-git-dir=gd . x',
    'git -c alias.i=init i --separate-git-dir=gd',
    'git reinit --separate-git-dir=gd',
    'mv .git gd',
    'cp -r .git gd',
    'ln -s .git gd',
  ])('%s', line => {
    expect(bash(line, unasked)).toMatchObject({ decision: 'deny', rule: 'protected-path' })
    expect(bash(line, { rules: { allow: ['Bash(git *)'] } })).toMatchObject({ decision: 'deny' })
  })

  test.each(['git init', 'git init sub', 'git clone https://example.org/x', 'git commit -m --sep'])(
    'nothing stands in the way of %s',
    line => expect(bash(line, unasked).decision).toBe('allow'),
  )
})

describe('a place that git was asked for, or a name in a patch or a list, was written in bypassPermissions', () => {
  test.each([
    'cp x "$(git rev-parse --git-path hooks/pre-commit)"',
    'H=$(git rev-parse --git-path hooks); cp x $H',
    'git rev-parse --absolute-git-dir | while read d; do cp x "$d"; done',
    "patch -p0 <<'E'\n--- /dev/null\n+++ .git/hooks/pre-commit\n@@ -0,0 +1 @@\n+evil\nE",
    'echo .git/hooks/pre-commit | cpio -p out',
    "curl -K - <<< 'output = .git/hooks/pre-commit'",
    'echo .mcp.json | tar xf x.tar -T -',
  ])('%s', line => expect(bash(line, unasked)).toMatchObject({ decision: 'ask', rule: 'protected-path', isFirm: true }))

  test.each([
    'git rev-parse --git-dir >/dev/null 2>&1 && cp a "$OUT"',
    'git rev-parse --git-dir && npm test',
    "patch -p1 <<'E'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nE",
    'find src | cpio -p out',
    'tar cf x.tar -T list.txt --exclude=.git',
  ])('and what names nothing protected passes: %s', line => expect(bash(line, unasked).decision).toBe('allow'))
})
