/**
 * What bound a tree beside files when it was begun: denies, asks, guards and a sandbox of `--settings`, or of whoever opened
 * the house. No file says it again, so it stands in the link of the root, which is stored: it binds all below, in every
 * process, and whoever goes on with any of it. What is given at a resume is laid over it, as every link is.
 */
import type { PermissionRule } from '../agent-definition.js'
import type { Json } from '../message.js'
import type { PermissionLink } from '../types.js'

/** What bound a tree beside files when it was begun, and binds it wherever it goes on. */
export interface GivenBounds {
  /** What it was given by: `--settings`. */
  readonly origin: string
  readonly deny: readonly PermissionRule[]
  readonly ask: readonly PermissionRule[]
  /** Hooks that guard calls, as settings write them. */
  readonly guards?: Json
  readonly sandbox?: GivenSandbox
}

/** What holds commands in, and how much it leaves open. */
export interface GivenSandbox {
  readonly kind: 'bubblewrap'
  readonly network?: boolean
  readonly writable?: readonly string[]
}

type Links = readonly Pick<PermissionLink, 'given'>[]

export const givenGuards = (chain: Links): readonly (Json & object)[] =>
  chain.flatMap(({ given }) => (typeof given?.guards === 'object' && given.guards !== null ? [given.guards] : []))

/**
 * As tight as the tightest: the network only where all have it, and to write only what all may. Undefined: nobody gave one.
 * Logs of before have relative folders as well, and nobody knows from where they counted.
 */
export function givenSandbox(chain: Links, own?: GivenSandbox): GivenSandbox | undefined {
  const all = [own, ...chain.map(({ given }) => given?.sandbox)].filter(each => each !== undefined)
  const [first] = all
  if (!first) return undefined
  const writable = (first.writable ?? []).filter(
    path => path.startsWith('/') && all.every(each => each.writable?.includes(path)),
  )
  return { kind: 'bubblewrap', network: all.every(({ network }) => network === true), writable }
}
