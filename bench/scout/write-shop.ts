/** Writes the shop into a folder, the same every time, padded to as many files as asked for with plausible other modules. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { services } from './shop-services.js'
import { workers } from './shop-workers.js'

export function writeShop(folder: string, files: number): void {
  const shop = Object.entries({ ...services, ...workers })
  for (const [path, text] of shop) write(folder, path, text)
  for (let i = 0; i < files - shop.length; i++) write(folder, ...paddingFile(i))
}

// One date for all, so that tools which list the newest first list the same every time.
const date = new Date('2026-01-01T00:00:00Z')

function write(folder: string, path: string, text: string): void {
  const full = join(folder, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  utimesSync(full, date, date)
}

const areas =
  'analytics legacy reporting partners admin exports experiments backoffice loyalty surveys kiosk intranet'.split(' ')
const things =
  'Banner Widget Panel Ledger Profile Badge Layout Digest Notice Segment Region Branch Voucher Parcel Label Report'.split(
    ' ',
  )
const verbs = 'load render collect apply format merge update measure list group store compare refresh publish'.split(
  ' ',
)
const remarks = [
  'Shown on the start page of the back office.',
  'Kept for the old mobile app; new code should not call it.',
  'The order of the fields is part of the export format.',
  'Called once a day by the scheduler.',
  'Amounts are in cents, dates in UTC.',
  'The customer never sees this.',
]

function paddingFile(i: number): [string, string] {
  const pick = (list: readonly string[], salt: number) =>
    list[(i * 31 + salt * 17 + Math.floor(i / list.length)) % list.length]!
  const thing = pick(things, 1)
  const verb = pick(verbs, 2)
  const area = pick(areas, 3)
  const name = `${verb}${thing}${i}`
  const path = `packages/${area}/module${Math.floor(i / 60)}/${verb}-${thing.toLowerCase()}-${i}.ts`
  const other = `${pick(verbs, 5)}${pick(things, 6)}`
  const body = `import { ${other} } from '../shared/${other.toLowerCase()}.js'

/** ${pick(remarks, 4)} */
export function ${name}(input: ${thing}Input): ${thing}Result {
  const rows = input.rows.filter(row => row.isActive && row.amount > ${i % 97})
  if (rows.length === 0) return { state: 'empty', rows: [] }
  return { state: 'done', rows: rows.map(row => ${other}(row, { limit: ${(i % 40) + 1} })) }
}
`
  return [path, body]
}
