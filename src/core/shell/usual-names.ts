/**
 * Other names under which a known program is installed: what may be forbidden of the one is of the other. Never a ground to
 * allow.
 */

export function usualName(name: string): string {
  return others.get(name) ?? (gnu.has(name.slice(1)) && name.startsWith('g') ? name.slice(1) : name)
}

const others: ReadonlyMap<string, string> = new Map(
  Object.entries({
    grep: 'rgrep zgrep zegrep zfgrep bzgrep xzgrep lzgrep zstdgrep pcregrep pcre2grep ugrep ug ggrep bsdgrep',
    rg: 'ripgrep',
    ack: 'ack-grep',
    ag: 'sift pt',
    tar: 'bsdtar star',
    cpio: 'bsdcpio',
    '7z': '7zz 7zr p7zip',
    sed: 'bsdsed',
    vim: 'vim.basic vim.tiny vim.nox',
    rsync: 'openrsync',
  }).flatMap(([usual, names]) => names.split(' ').map(name => [name, usual])),
)

/** With a letter before them, where the system has its own. */
const gnu: ReadonlySet<string> = new Set(
  'awk cp mv rm rmdir mkdir touch ln install tee dd truncate shred chmod chown chgrp tar sed split csplit cat head tail wc cut paste sort uniq diff cmp comm grep egrep fgrep patch'.split(
    ' ',
  ),
)
