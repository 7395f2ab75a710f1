/**
 * Commands that only look, with the options under which that has been checked. An option that is missing here is not
 * known to be harmless: it may write (`sort -o`), run something (`rg --pre`, `git grep -O`) or follow a file's orders.
 * Options are written as options.ts reads them; a test holds each against the real program. `shows` says whether contents
 * of the named files appear in the output.
 */
import { shownSetting } from './git-settings.js'

export interface ReadOnlyCommand {
  readonly options: string
  /** What the operands are: files, a pattern and then files, or plain words. */
  readonly operands: 'files' | 'pattern-files' | 'words' | 'none'
  readonly shows: 'content' | 'names'
  readonly takesNumbers?: boolean
  readonly hasSingleDashNames?: boolean
  readonly hasNoClusters?: boolean
  readonly gluedForm?: RegExp
  /** Harmless with any words at all, unknown ones included. */
  readonly isIndifferent?: boolean
  /** Words after the first operand are data, unknown ones included. */
  readonly stopsAtOperand?: boolean
  /** The first operand tells what becomes of the others, so it has to be known where there are any. */
  readonly takesFormat?: boolean
  /** Without an operand it shows something else: every variable there is. */
  readonly minOperands?: number
  /** A further operand would be written to. */
  readonly maxOperands?: number
  /** Without one of these as its very first word it does something else. Empty text stands for no operand at all. */
  readonly firstOperand?: readonly string[]
  /** Operands are patterns under one of these, and names of new things without. */
  readonly listsUnder?: readonly string[]
  /** Every operand must fit. */
  readonly operandForm?: RegExp
  /** Every word must fit, options and their values included. */
  readonly wordForm?: RegExp
  /**
   * Shows what lies below a directory under one of these options, always, or when it is given a directory. Without an
   * operand: below where it stands.
   */
  readonly goesBelow?: readonly string[] | 'always' | 'directories'
  /** Where it goes below, it follows links. */
  readonly followsLinks?: boolean
  /** The same with one of these options. */
  readonly followsLinksUnder?: readonly string[]
  /** One of the first and one of the second: together they go where links lead. */
  readonly apart?: readonly [readonly string[], readonly string[]]
  /** A first operand that fits does more than look. */
  readonly doubtfulPattern?: RegExp
  /** Options of which a wildcard after the sign of equality can only make more of the same. */
  readonly looseOptions?: readonly string[]
  /** No option it has does more than look, so a wildcard may well pick a file that is named like one. */
  readonly hasHarmlessOptions?: boolean
}

const content = (options: string, more: Partial<ReadOnlyCommand> = {}): ReadOnlyCommand => ({
  options,
  operands: 'files',
  shows: 'content',
  ...more,
})
const names = (options: string, more: Partial<ReadOnlyCommand> = {}): ReadOnlyCommand => ({
  options,
  operands: 'files',
  shows: 'names',
  ...more,
})
const words = (options: string, more: Partial<ReadOnlyCommand> = {}): ReadOnlyCommand => ({
  options,
  operands: 'words',
  shows: 'names',
  ...more,
})

const alike = <T>(all: readonly string[], known: T) => Object.fromEntries(all.map(name => [name, known]))

export const readOnlyCommands: ReadonlyMap<string, ReadOnlyCommand> = new Map(
  Object.entries({
    ':': words('', { isIndifferent: true }),
    true: words('', { isIndifferent: true }),
    false: words('', { isIndifferent: true }),
    echo: words('', { isIndifferent: true }),
    pwd: words('-L -P'),
    cd: names('-L'),
    pushd: names('-n'),
    popd: words('-n', { takesNumbers: true }),
    dirs: words('-l -p -v'),
    printf: words('', { stopsAtOperand: true, takesFormat: true }),
    sleep: words(''),
    exit: words(''),
    return: words(''),
    break: words(''),
    continue: words(''),
    wait: words(''),
    export: words('', { minOperands: 1 }),
    local: words('-r -a -A', { minOperands: 1 }),
    declare: words('-r -x -a -A', { minOperands: 1 }),
    readonly: words('-a -A', { minOperands: 1 }),
    seq: words('-w -s: -f:'),
    date: words('-u -I? -R --utc --iso-8601 --rfc-3339 --rfc-email -d: --date:', { operandForm: /^\+/ }),
    whoami: words('', { operands: 'none' }),
    id: words('-u -g -G -n -r'),
    groups: words(''),
    uname: words('-a -s -n -r -v -m -p -i -o', { operands: 'none' }),
    hostname: words('-f -s -i -I -d', { operands: 'none' }),
    nproc: words('--all', { operands: 'none' }),
    arch: words('', { operands: 'none' }),
    uptime: words('-p -s', { operands: 'none' }),
    free: words('-b -k -m -g -h -t -w', { operands: 'none' }),
    which: words('-a'),
    type: words('-a -t -p -P -f'),
    basename: words('', { isIndifferent: true }),
    dirname: words('', { isIndifferent: true }),
    ls: names(
      '-a -A -b -B -c -C -d -f -F -g -G -h -H -i -I: -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -T: -u -U -v -w: -x -X -Z -1 --all --almost-all --color --classify --directory --full-time --group-directories-first --human-readable --ignore: --inode --recursive --reverse --size --sort: --time: --time-style:',
      { hasHarmlessOptions: true, apart: [['-L'], ['-R', '--recursive']] },
    ),
    tree: names('-a -d -f -i -x -L: -P: -I: -s -h -D -t -r -U -C -n --noreport --dirsfirst --gitignore --prune -J -X', {
      // `-Lo 1 x` is `-L 1 -o x`, which writes.
      gluedForm: /^\d+$/,
    }),
    stat: names('-c: -f -L -t --format: --printf: --terse', { hasHarmlessOptions: true }),
    file: names('-b -i -h -L -k -N -z --brief --mime --mime-type --mime-encoding'),
    du: names(
      '-a -b -c -h -k -m -s -x -d: --max-depth: --apparent-size --summarize --total --human-readable --exclude:',
    ),
    df: names('-a -h -i -k -l -m -P -T --human-readable --total --output'),
    realpath: names('-e -m -s -z -q --relative-to:path --relative-base:path'),
    readlink: names('-e -f -m -n -q -s -v -z'),
    cat: content(
      '-A -b -e -E -n -s -t -T -u -v --number --show-all --squeeze-blank --show-ends --show-tabs --number-nonblank',
      { hasHarmlessOptions: true },
    ),
    tac: content('-b -s:'),
    nl: content('-b: -n: -s: -w: -v: -i:'),
    head: content('-c: -n: -q -v -z --bytes: --lines: --quiet --verbose', {
      takesNumbers: true,
      hasHarmlessOptions: true,
    }),
    tail: content('-c: -n: -q -v -z --bytes: --lines: --quiet --verbose', {
      takesNumbers: true,
      hasHarmlessOptions: true,
    }),
    wc: content('-c -m -l -L -w --bytes --chars --lines --words --max-line-length'),
    cut: content(
      '-b: -c: -d: -f: -s -z --bytes: --characters: --delimiter: --fields: --complement --only-delimited --output-delimiter:',
    ),
    paste: content('-d: -s -z'),
    // Without `-n`: a flag to one program of this name, and to another an option with a value.
    column: content('-t -s: -o: -c: -x -N: -R:'),
    fold: content('-b -s -w:', { takesNumbers: true }),
    fmt: content('-w: -s -u', { takesNumbers: true }),
    expand: content('-i -t:'),
    rev: content(''),
    tr: words('-c -C -d -s -t'),
    comm: content('-1 -2 -3 -12 -13 -23 --check-order --nocheck-order --total'),
    diff: content(
      '-a -b -B -c -C: -d -e -i -I: -N -n -p -q -r -s -t -T -u -U: -w -x: -y -W: --brief --color --exclude: --ignore-all-space --ignore-blank-lines --ignore-case --ignore-space-change --minimal --new-file --recursive --side-by-side --suppress-common-lines --unified --width:',
      // Two directories are compared file by file, also without `-r`.
      { goesBelow: 'directories', followsLinks: true },
    ),
    cmp: content('-b -i: -l -n: -s'),
    sort: content(
      '-b -c -C -d -f -g -h -i -k: -M -m -n -r -R -s -t: -u -V -z --numeric-sort --reverse --unique --key: --field-separator: --human-numeric-sort --version-sort --ignore-case --stable --check',
    ),
    uniq: content('-c -d -D -i -s: -f: -u -w: -z --count --repeated --unique --ignore-case', { maxOperands: 1 }),
    md5sum: content('-b -t -z'),
    sha1sum: content('-b -t -z'),
    sha256sum: content('-b -t -z'),
    sha512sum: content('-b -t -z'),
    cksum: content('-a:'),
    // `@x` is a file with options in it, wherever it stands.
    strings: content('-a -n: -t: -e: -f', { takesNumbers: true, wordForm: /^[^@\u0001-\u0003]/ }),
    hexdump: content('-b -c -C -d -o -x -n: -s: -v'),
    xxd: content('-a -b -c: -C -e -g: -i -l: -p -s: -u', {
      // What stands after the first operand is the file it writes, dash or not.
      maxOperands: 1,
      stopsAtOperand: true,
      hasNoClusters: true,
    }),
    od: content('-A: -t: -N: -j: -v -c -x -w?'),
    base64: content('-d -w: -i --decode --wrap: --ignore-garbage'),
    jq: content(
      '-r -R -c -e -s -n -S -C -M -j -a --raw-input --raw-output --compact-output --exit-status --slurp --null-input --sort-keys --color-output --monochrome-output --join-output --tab --indent:',
      // Programs in its language can show the environment and load others.
      {
        operands: 'pattern-files',
        // A dot before it makes it a key.
        doubtfulPattern: /(?<!(?<![\d.])\.)\benv\b|\bENV\b|\b(import|include|input_line_number|get_search_list)\b/,
      },
    ),
    ...alike(
      ['grep', 'egrep', 'fgrep'],
      content(
        '-a -A: -b -B: -c -C: -e: -E -f:path -F -G -h -H -i -I -l -L -m: -n -o -P -q -r -R -s -T -U -v -w -x -y -z -Z --after-context: --before-context: --binary-files: --color --colour --context: --count --dereference-recursive --exclude: --exclude-dir: --extended-regexp --files-with-matches --files-without-match --fixed-strings --ignore-case --include: --invert-match --line-number --line-regexp --max-count: --no-filename --no-messages --null --only-matching --perl-regexp --quiet --recursive --regexp: --text --with-filename --word-regexp',
        {
          operands: 'pattern-files',
          takesNumbers: true,
          goesBelow: ['-r', '--recursive', '-R', '--dereference-recursive'],
          followsLinksUnder: ['-R', '--dereference-recursive'],
          looseOptions: ['--include', '--exclude', '--exclude-dir'],
        },
      ),
    ),
    rg: content(
      '-A: -B: -c -C: -e: -E: -f:path -F -g: -h -H -i -I -l -m: -M: -n -N -o -p -P -q -r: -s -S -t: -T: -U -v -V -w -x -0 --after-context: --before-context: --case-sensitive --color: --column --context: --count --count-matches --files --files-with-matches --files-without-match --fixed-strings --glob: --heading --iglob: --ignore-case --invert-match --json --line-number --line-regexp --max-columns: --max-count: --max-depth: --multiline --no-config --no-filename --no-heading --no-line-number --no-messages --null --only-matching --pcre2 --pretty --quiet --regexp: --replace: --smart-case --sort: --sortr: --stats --trim --type: --type-list --type-not: --vimgrep --with-filename --word-regexp --version',
      { operands: 'pattern-files', goesBelow: 'always' },
    ),
    find: names(
      '-P -maxdepth: -mindepth: -name: -iname: -path: -ipath: -wholename: -regex: -iregex: -regextype: -type: -xtype: -size: -empty -mtime: -mmin: -atime: -amin: -ctime: -cmin: -newer:path -newermt: -perm: -user: -group: -uid: -gid: -links: -inum: -readable -writable -executable -depth -mount -xdev -prune -print -print0 -printf: -ls -quit -not -a -o -and -or -true -false -daystart -noleaf',
      { hasSingleDashNames: true },
    ),
  } satisfies { readonly [name: string]: ReadOnlyCommand }),
)

const listing = ['--list', '--merged', '--no-merged', '--contains', '--no-contains', '--points-at']

const revisions =
  '-n: -p -u -U? -s -w -b -M? -C? -B? -R -S: -G: -L: -a -q -z -i -E -F -P -c -m -t -r --abbrev --abbrev-commit --all --ancestry-path --author: --before: --branches --cached --cc --check --color --color-words --committer: --compact-summary --count --cumulative --date: --date-order --decorate --diff-algorithm: --diff-filter: --dirstat --exit-code --find-copies --find-renames --first-parent --follow --format: --full-history --full-index --function-context --graph --grep: --histogram --ignore-all-space --ignore-blank-lines --ignore-space-at-eol --ignore-space-change --inter-hunk-context: --invert-grep --left-right --max-count: --merge-base --merges --minimal --name-only --name-status --no-color --no-decorate --no-ext-diff --no-merges --no-patch --no-prefix --no-renames --no-textconv --not --numstat --oneline --patch --patch-with-stat --patience --pickaxe-all --pickaxe-regex --pretty --quiet --raw --regexp-ignore-case --relative --relative-date --remotes --reverse --shortstat --simplify-by-decoration --simplify-merges --since: --skip: --staged --stat --summary --tags --text --topo-order --unified? --until: --after: --walk-reflogs --word-diff --word-diff-regex:'

/**
 * git's own commands, after the options that come before them. None that makes it go into submodules: those have settings
 * of their own.
 */
export const readOnlyGitCommands: ReadonlyMap<string, ReadOnlyCommand> = new Map(
  Object.entries({
    status: names(
      '-s -b -u? -v -z --short --branch --porcelain --long --untracked-files --ignored --no-renames --renames --ahead-behind --no-ahead-behind --show-stash --column --no-column --verbose',
    ),
    log: content(revisions, { takesNumbers: true }),
    show: content(revisions, { takesNumbers: true }),
    diff: content(revisions),
    shortlog: content(
      '-n -s -e -c --numbered --summary --email --group: --since: --until: --all --no-merges --author:',
    ),
    'diff-tree': content(revisions),
    'rev-list': content(`${revisions} --objects --max-parents: --min-parents:`, { takesNumbers: true }),
    'rev-parse': words(
      '--abbrev-ref --show-toplevel --short --verify --git-dir --git-common-dir --show-prefix --show-cdup --is-inside-work-tree --is-bare-repository --symbolic-full-name --absolute-git-dir --quiet -q --branches --tags --remotes --all',
    ),
    branch: words(
      '-a -r -v -q --all --remotes --list --verbose --show-current --contains: --no-contains: --merged --no-merged --sort: --format: --color --no-color --column --points-at: -i --ignore-case',
      { operands: 'words', listsUnder: listing },
    ),
    tag: words(
      '-l -n --list --contains: --no-contains: --merged --no-merged --sort: --format: --points-at: --column --color',
      { listsUnder: ['-l', ...listing] },
    ),
    remote: words('-v --verbose', { firstOperand: ['', 'get-url'] }),
    'ls-files': names(
      '-c -d -i -k -m -o -s -t -u -v -x: -z --cached --deleted --modified --others --ignored --stage --exclude: --exclude-standard --full-name --error-unmatch --abbrev --eol',
    ),
    'ls-tree': names('-d -r -t -l -z --name-only --name-status --full-name --full-tree --long --abbrev'),
    blame: content(
      '-b -c -e -f -l -L: -M -C -n -p -s -t -w --abbrev? --date: --line-porcelain --porcelain --show-email --show-name --show-number',
    ),
    describe: words(
      '--all --tags --contains --abbrev --long --always --dirty --exact-match --match: --exclude: --candidates: --first-parent',
    ),
    'merge-base': words('-a --all --is-ancestor --fork-point --octopus --independent'),
    'name-rev': words('--name-only --tags --refs: --all --always'),
    'for-each-ref': words('--format: --sort: --count: --contains: --merged --no-merged --points-at:'),
    'show-ref': words('-d -h -q -s --head --heads --tags --verify --hash --dereference --abbrev --branches'),
    // With a second one it writes the first.
    'symbolic-ref': words('-q --quiet --short', { minOperands: 1, maxOperands: 1 }),
    'cat-file': content('-e -p -s -t'),
    config: words(
      '--get --get-all --local --global --system --worktree --bool --int --type: --show-origin --show-scope',
      {
        // With a second one it writes the first.
        minOperands: 1,
        maxOperands: 1,
        operandForm: shownSetting,
      },
    ),
    'count-objects': words('-v -H', { operands: 'none' }),
    'check-ignore': names('-v -q -n --no-index --verbose'),
    grep: content(
      '-a -A: -B: -c -C: -e: -E -f:path -F -G -h -H -i -I -l -L -n -o -p -P -q -v -w -W -z --and --cached --color --column --context: --count --extended-regexp --files-with-matches --files-without-match --fixed-strings --heading --ignore-case --invert-match --line-number --max-depth: --name-only --no-color --not --only-matching --or --perl-regexp --quiet --show-function --text --untracked --word-regexp',
      { operands: 'pattern-files', takesNumbers: true },
    ),
    reflog: words('-n: --all --date: --oneline --format: --pretty', { takesNumbers: true, firstOperand: ['', 'show'] }),
    stash: words('-p --stat --name-only --name-status', { firstOperand: ['list', 'show'] }),
    worktree: words('--porcelain -v -z', { firstOperand: ['list'] }),
    version: words('--build-options', { operands: 'none' }),
  } satisfies { readonly [name: string]: ReadOnlyCommand }),
)

/**
 * Programs that say their version and nothing else when that is all they are asked. Not those that first start whatever
 * version of themselves a file of the project names: yarn and pnpm (`yarnPath`, `packageManager`), cargo and rustc
 * (`rust-toolchain.toml`), go.
 */
export const versionOptions: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    // Where `-v` or `-V` is missing it means something else: python and npx go on and run what they are given.
    ...alike(['cmake', 'gcc', 'g++', 'clang', 'ruby'], ['--version']),
    ...alike(['node', 'npm', 'npx', 'bun', 'tsc', 'gem', 'make', 'docker', 'git', 'php', 'perl'], ['--version', '-v']),
    ...alike(['deno', 'python', 'python3', 'pip', 'pip3', 'curl', 'wget', 'rg', 'jq'], ['--version', '-V']),
    ...alike(['java', 'javac'], ['--version', '-version']),
  }),
)
