// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
/** Lines that coding agents write every day, and that only look. */
import { describe, expect, test } from 'vitest'
import { bash, judge, link } from '../support/judging.js'

describe('a line that only looks was asked about', () => {
  test.each([
    "sed 's/a/b/' README.md",
    "sed -n 's/^name: //p' README.md",
    "sed -E 's#a[0-9]+#b#g; 1,3p' README.md",
    "sed 's/[^a-z]//2g' README.md | sort",
    "sed 's/[[:space:]]*$//' README.md",
    "sed -E 's/^[[:blank:]]+|[0-9]+$//g; s/a/[b]/' README.md",
    "sed 's/é/e/g' README.md",
    "awk '{print $1}' README.md",
    "awk -F: 'NR==1 {print $2}' README.md",
    "ls -l | awk 'NR==2'",
    "awk '$1 > 5' README.md",
    "awk 'NR>=1 && NR<=5' README.md",
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
    'tree -aL 2',
    'tree -L 2 -I node_modules',
    'base64 -d README.md',
    'jq -R . README.md',
    'column -t -s , README.md',
    'git grep -n foo -- src',
    "git for-each-ref --format='%(refname) %(contents:subject)'",
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
    "awk '$1 > 5 {print > 7}' README.md",
    "awk '$1 > 5 {print > $2}' README.md",
    "awk '1 > system(1)' README.md",
    "awk 'getline < 1' README.md",
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

describe('what the shell takes apart into more words was taken for one', () => {
  test.each([
    `awk 'BEGIN{print 1system("touch x")}'`,
    `awk 'BEGIN{print 1ENVIRON["KEY"]}'`,
    `awk '{print $1system("id")}' README.md`,
    `awk '{print 2getline}' README.md`,
    '[ "a"$(cat f)"b" = c ]',
    '[ -z "a"$(cat f)"b" ]',
    'A=($(cat f)); [ -z "${A[@]}" ]',
    `bash -c '[ -z "$@" ]' x a -o -v 'x[$(touch y)]'`,
    "X='1 -o out'; sort -k $X -k 1 README.md",
    'awk -vx=$(cat f) -vy=1 "{print}" README.md',
    "awk -v $X -v y=1 '{print}' README.md",
    'find . -name $(cat f) -name x',
    'git log -n $(cat f) -n 1',
    'git grep -e $(cat f) -e x -- README.md',
    'uniq -s $(cat f) -s 1',
    'head -n $(cat f) -n 1 README.md',
    'jq --indent $(cat f) --indent 2 . README.md',
    'rg -e $(cat f) -e foo src',
    'date -d $(cat f) -d now',
    'git log --pretty=$(cat f)',
    'git log --color=$(cat f)',
    'git diff --stat=$(cat f)',
    'git branch --column=$(cat f)',
    'grep --color=$(cat f) foo README.md',
    'date --rfc-3339=$(cat f)',
    'X="5 touch y"; nice -n $X ls',
    'nice -n $(cat f) ls',
    'timeout 5$(cat f) ls',
    'timeout -k $(cat f) 5 ls',
    'timeout --signal=$(cat f) 5 ls',
    'env LANG=$(cat f) ls',
    'env A=1 LANG=$(cat f) ls',
    'stdbuf -o $(cat f) ls',
    'ionice -c $(cat f) ls',
    'grep a$(cat f) README.md',
    'grep -- $(cat f) README.md',
    'grep .e* README.md',
    'rg a* src',
    'du ?-files*',
    'for f in *.ts; do sort $f; done',
  ])('%j', line => {
    expect(bash(line)).toBe('ask')
    expect(bash(line, { chain: [link({ mode: 'plan' })] })).not.toBe('allow')
  })
  test.each([
    'env LANG="$X" ls',
    'timeout 5 ls',
    'nice -n 5 ls',
    'grep "a$X" README.md',
    'grep "a${X}b${Y:-z}${#Z}" README.md',
    'grep "a${X%.ts}" README.md',
    '[ "${CI:-no}" = no ]',
    '[ "$(ls | wc -l)" -gt "$#" ]',
    `bash -c '[ -n "$1" ] && [ -z "$*" ]'`,
    'git log --pretty=oneline -n 3',
  ])('%j is one', line => expect(bash(line)).toBe('allow'))
})

test.each([
  ['wc -l *.txt', 'Write `./` before it'],
  ['wc -l *.txt', 'named like an option'],
  ['grep -n x ?.txt', 'named like an option'],
  ['cd src && git status', 'git obeys the settings of the repository it finds'],
  ['git -C . status', 'git obeys the settings of the repository it finds'],
  ['cd src; ls; cd ..', 'the line moves about'],
  ['git diff --name-only | xargs make x', /^make x.*: running a command asks/],
  ['git status && npm test', /^npm test: /],
  ['find . -name *.ts', 'Put the pattern in quotes'],
  ["jq --arg x 1 '.a' b.json", 'its option --arg is not known to only look'],
  ['diff <(sort a.txt) <(sort b.txt)', 'is only known when it runs'],
  ["awk 'NR>1{print > $2}' a.txt", 'awk is only known to look where'],
  ['while read -r l; do echo "$l"; done < a.txt', 'may become any word of the line'],
  ['make x', 'running a command asks by default'],
  ['git push', 'running a command asks by default'],
])('the reason named no ground: %s', (command, reason) => {
  expect(judge('Bash', { command })).toMatchObject({ decision: 'ask', reason: expect.stringMatching(reason) })
})

test.each([
  ['wc -l *.json', 'Write `./` before it'],
  ['find . -name *.ts', 'Put the pattern in quotes'],
  ["jq --arg x 1 '.a' b.json", 'its option --arg'],
])('plan mode kept to itself what it did not understand: %s', (command, reason) => {
  expect(judge('Bash', { command }, { chain: [link({ mode: 'plan' })] })).toMatchObject({
    decision: 'deny',
    rule: 'plan-mode',
    reason: expect.stringContaining(reason),
  })
})

test.each(['wc -l ./*.txt', 'cat ./src/*.txt', 'wc -l -- src/*.txt'])('what the reason says passes: %s', line => {
  expect(bash(line, { place: { linksIn: () => [] } })).toBe('allow')
})
