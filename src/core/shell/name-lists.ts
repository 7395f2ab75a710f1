/**
 * Commands that are told to take names of files from elsewhere, as xargs does: from a list, their input, an archive that may
 * name any. Which files that are is only known when they run.
 */
import { nameOf } from '../text/path-text.js'
import type { ShellCommand } from './reading.js'
import { usualName } from './usual-names.js'

export function takesUnnamedFiles({ words: [called, ...rest] }: ShellCommand): boolean {
  const name = usualName(nameOf(called?.shape ?? ''))
  const own = ofPrograms.get(name)
  // To tar the first word is one of letters without a dash as well.
  const shapes = rest.map(({ shape }, at) =>
    name === 'tar' && at === 0 && /^[A-Za-z]+$/.test(shape) ? `-${shape}` : shape,
  )
  return shapes.some(shape => ofAny.test(shape) || own?.test(shape))
}

/** Cut short as well. */
const ofAny = /^--?(?:files?-?from|files0-f|stdin-paths)/

const ofPrograms: ReadonlyMap<string, RegExp> = new Map([
  // With `P` also what an archive says lies elsewhere.
  ['tar', /^-[A-Za-eg-z]*[TP]|^--absolute/],
  ['cpio', /^-[A-Za-z]*[iop]|^--(?:create|extract|pass)/],
  ['pax', /^-[A-Za-z]*[rw]/],
  ['zip', /^-[A-Za-z]*@/],
  ['unzip', /^-[A-Za-z]*:/],
  ['7z', /^(?:-[ix]r?\d?)?@/],
  ['7za', /^(?:-[ix]r?\d?)?@/],
  // What it is told there are options, which may say anything.
  ['curl', /^-[fgijklnpqsvGIJLNORSV#]*K|^--conf/],
  ['aria2c', /^-i|^--input/],
])
