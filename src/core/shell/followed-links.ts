/** Commands that are told to follow links on their way down a tree, and so may leave it. */

import { nameOf } from '../text/path-text.js'
import type { ShellCommand } from './reading.js'
import { usualName } from './usual-names.js'

/** Nothing is known of the command but this: what it does at the end of a link it may do elsewhere. */
export function followsLinks({ words: [called, ...rest] }: ShellCommand): boolean {
  const told = options.get(usualName(nameOf(called?.shape ?? '')))
  if (told === undefined) return false
  const has = (form: RegExp) => rest.some(({ shape }) => form.test(shape))
  return has(told.by) && !(told.unless && has(told.unless))
}

interface Told {
  readonly by: RegExp
  readonly unless?: RegExp
}

const dereference = /^-[A-Za-z]*[LH]|^--(?:deref|follow)/

const options: ReadonlyMap<string, Told> = new Map<string, Told>([
  ...['cp', 'ls', 'du', 'chmod', 'chown', 'chgrp', 'fd', 'fdfind', 'rg', 'ack', 'stat', 'file'].map(
    (name): [string, Told] => [name, { by: dereference }],
  ),
  ...['cpio', 'pax', 'setfacl', 'rclone'].map((name): [string, Told] => [
    name,
    { by: /^-[A-Za-z]*L|^--(?:deref|copy-links)/ },
  ]),
  ['find', { by: /^-[LH]$|^-follow$/ }],
  // Of bsdtar the letter is `L`; to the others that is the length of a tape.
  ['tar', { by: /^-?[A-Za-z]*[hL]|^--deref/ }],
  // `K` leaves the links to directories that lie where it writes.
  ['rsync', { by: /^-[A-Za-z]*[LkK]|^--(?:copy-(?:links|dirlinks|unsafe)|keep-d)/ }],
  ...['7z', '7za'].map((name): [string, Told] => [name, { by: /^[au]$/, unless: /^-snl/ }]),
  ['jar', { by: /^-{0,2}[A-Za-z0-9]*[cu]/ }],
  ['aws', { by: /^--recursive$|^sync$/, unless: /^--no-follow-s/ }],
  ['zip', { by: /^-[A-Za-z]*r/, unless: /^-[A-Za-z]*y|^--symlinks/ }],
  ['tree', { by: /^-[A-Za-z]*l/ }],
  ['ag', { by: /^-[A-Za-z]*f|^--follow/ }],
  ['scp', { by: /^-[A-Za-z]*r/ }],
])
