/** What properties are tried on, and how often. */
import fc from 'fast-check'

/** As often in `npm test`; `OFFSHOOT_FUZZ=20 npm test` (`npm run test:properties`) tries twenty times as many. */
export const runs = (count: number): { readonly numRuns: number } => ({ numRuns: count * more })

const more = Number(process.env.OFFSHOOT_FUZZ ?? 1)

/** Any code point but half of a pair. fast-check’s own (`unit: 'binary'`) first lists a million of them: a second and 100 MB. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map(number => String.fromCodePoint(number < 0xd800 ? number : number + 0x800))

/** Of any code points; now and then one that is a name of every object. */
export const anyString = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.string({ ...constraints, unit: anyCharacter }) },
    { weight: 1, arbitrary: fc.string({ ...constraints, unit: 'binary-ascii' }) },
  )
