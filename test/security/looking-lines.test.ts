// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
/** Lines that coding agents write every day, and that only look. */
import { describe, expect, test } from 'vitest'
import { bash } from '../support/judging.js'

describe('a line that only looks was asked about', () => {
  test.each([
    "sed 's/a/b/' README.md",
    "sed -n 's/^name: //p' README.md",
    "sed -E 's#a[0-9]+#b#g; 1,3p' README.md",
    "sed 's/[^a-z]//2g' README.md | sort",
    "awk '{print $1}' README.md",
    "awk -F: 'NR==1 {print $2}' README.md",
    "ls -l | awk 'NR==2'",
    'grep -rn foo src --include=*.ts',
    'grep -rn foo src --include=*.{ts,tsx} --exclude-dir=node_modules',
    'egrep -n "a|b" README.md',
    'fgrep foo README.md',
    'ls *.json',
    'ls -d src/*/',
    'wc -l src/*.ts',
    'du -sh src/*',
    '[ -z "$CI" ] && ls',
    '[ "$(wc -l < README.md)" -gt 10 ]',
    'git diff --quiet',
    'git status -uno',
    'ls --help',
    'date -Iseconds',
  ])('%j', line => {
    expect(bash(line)).toBe('allow')
  })
})

describe('a line that does more still asks', () => {
  test.each([
    "sed 's/a/b/w out' README.md",
    "sed 's/a/b/e' README.md",
    "sed 's/a/b/gw out' README.md",
    "sed 's/a/b/;w out' README.md",
    "sed -i 's/a/b/' README.md",
    "sed -ni 's/a/b/p' README.md",
    "sed 's/a/b/' -i README.md",
    "sed 's/a/x\\\n/;e rm x' README.md",
    "sed 's/[/]/x/w out' README.md",
    "sed -n -e p -e 'w out' README.md",
    "sed 's/a/b/' /etc/passwd",
    'awk \'{print > "out"}\' README.md',
    'awk \'BEGIN{system("rm x")}\'',
    'awk \'{print | "sh"}\' README.md',
    'awk \'BEGIN{while(("ls")|getline)print}\'',
    'awk \'BEGIN{ARGV[1]="/etc/passwd";ARGC=2}{print}\'',
    'awk \'BEGIN{print ENVIRON["KEY"]}\'',
    'awk -f prog.awk README.md',
    'awk "$PROGRAM" README.md',
    'awk \'@load "filefuncs"; {print}\' README.md',
    "awk '{print}' /etc/passwd",
    "awk '{print}' FS=/ -f x",
    'sort *.txt',
    'tree *',
    'file *',
    'ls $X',
    'wc -l $X',
    'grep -rn foo src --include=$X',
    '[ -v "$X" ]',
    '[ $X ]',
    '[ "$A" "$B" ]',
    '[ -z $X ]',
    'test "$A" -o -v "$B"',
    'git diff --output=x',
  ])('%j', line => {
    expect(bash(line)).toBe('ask')
  })
})
