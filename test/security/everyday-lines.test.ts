import { expect, test } from 'vitest'
import { judge, link } from '../support/judging.js'

const plan = { chain: [link({ mode: 'plan' })] }
const decide = (command: string) => judge('Bash', { command }, plan).decision

test.each([
  "awk 'NR>1{print $2}' f",
  "awk '$3 > 100 {print $1}' f",
  "awk '{ if ($1 > 5) print }' f",
  "awk '{ if (length($1) >= 5) print $1 }' f",
  "awk '{ for (i = NF; i > 0; i--) print $i }' f",
  "awk '{ for (i = 1; i <= NF; i++) print $i }' f",
  `awk -F, '{ if ($1 > 5) print "a -> " $1 }' f`,
])('a comparison in awk was taken for a file that is written: %s', line => {
  expect(decide(line)).toBe('allow')
})

test.each([
  `awk '{print > "out"}' f`,
  `awk '{print "a/b" > "out"}' f`,
  `awk 'BEGIN{print "x/y" > "out"}'`,
  `awk '{print "{" > "out"}' f`,
  `awk '{print "#" >> "out"}' f`,
  `awk 'NR>1{print $2 > "out"}' f`,
  `awk '{print (1) > "out"}' f`,
  `awk '{print(1)(2) > "out"}' f`,
  `awk '{ if ($1 > 5) print > "out" }' f`,
  `awk '{ for (print 1 > $2; i < 1; i++) x }' f`,
  `awk '{ for (printf "a" > $2; i < 1; i++) x }' f`,
  `awk '{ print "(" > "out)" }' f`,
  `awk '{ print /(/ > "x)" }' f`,
  `awk '/"/{print > $1} /"/' f`,
  `awk '/["]/ {print > "out"}' f`,
  `awk '{print "\\"\\\\" > "out"}' f`,
  `awk '{print "if (" > $1")"}' f`,
  `awk '{print >> "out"}' f`,
  `awk '{ # (\nprint > $1 } # )' f`,
  `awk '{getline x < "secret"}' f`,
])('and awk that writes or reads elsewhere is none that looks: %s', line => {
  expect(decide(line)).toBe('deny')
})

test.each([
  "sed -e 's/a/b/' -e 's/c/d/' f",
  "sed -n -e '1,5p' --expression='/x/p' f",
  "sed 's/\\x1b\\[[0-9;]*m//g' f",
  "sed 's/a;b/c/;s/d/e/' f",
  "sed -n '1p\n3p' f",
])('sed with several scripts, or a semicolon in one, asked: %s', line => {
  expect(decide(line)).toBe('allow')
})

test.each([
  "sed -e 's/a/b/' -e 'w out' f",
  "sed -e 'w out' -e 's/a/b/' f",
  "sed -e 's/a/b/w out' -e p f",
  "sed 's/a;b/c/;w out' f",
  "sed 's/a/b/;s/c/d/e' f",
  "sed -e 's/a/b\\' -e 'w out' f",
  "sed 's/a/b/\nw out' f",
  'sed -e s/a/b/ -e "$X" f',
])('and sed that writes or runs is none that looks: %s', line => {
  expect(decide(line)).toBe('deny')
})

test.each(['head -20 *.ts', 'cat *.ts', 'tail -5 *.log', 'basename "$(pwd)"', 'ls | xargs -n1 basename'])(
  'what can do nothing else, whatever the wildcard picks, asked: %s',
  line => expect(decide(line)).toBe('allow'),
)

test.each(['wc -l *', 'sort *', 'uniq *', 'grep x *', 'cat $X', 'head $X', 'du -sh *'])(
  'and where a name could be an option that matters it is none: %s',
  line => expect(decide(line)).toBe('deny'),
)

test.each([
  'git diff -M50% --stat',
  'git symbolic-ref HEAD',
  'git symbolic-ref --short HEAD',
  'git rev-parse --git-common-dir',
])('git that only looks asked: %s', line => expect(decide(line)).toBe('allow'))

test.each([
  'git symbolic-ref HEAD refs/heads/x',
  'git symbolic-ref -d HEAD',
  'git symbolic-ref -m x HEAD y',
  'git diff -M --output=x',
])('and git that writes is none that looks: %s', line => expect(decide(line)).toBe('deny'))

test('what keeps a command behind xargs from running unasked was not said', () => {
  for (const line of ["find . -name '*.ts' | xargs grep -n foo", 'git ls-files | xargs wc -l'])
    expect(judge('Bash', { command: line })).toMatchObject({
      reason: expect.stringMatching(/which files xargs gives it/),
    })
})
