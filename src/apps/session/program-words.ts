/**
 * The library speaks to two kinds of readers. The program says nothing of what only somebody who writes code can do, and of a
 * page it says where it lies.
 */
import { join } from 'node:path'
import { packageRoot } from '../../adapters/os/package-root.js'

const ofCode = [
  ', or `trustsProject` in code',
  ' A person trusts it, or whoever opens the house says `trustsProject`.',
  ', or what `estimateCost` of the house says',
]
const settingsPage = /^docs\/settings\.md(?= lists every setting)/

export function programWords(text: string): string {
  const told = ofCode.reduce((rest, part) => rest.replace(part, ''), text)
  return told.replace(settingsPage, () => pageOf('settings.md'))
}

/** A page of the manual, in the package. */
export const pageOf = (name: string): string => join(packageRoot(), 'docs', name)
