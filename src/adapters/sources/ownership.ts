/**
 * Whether what is trusted for being the user's own really is only theirs to write.
 * O1 looked at are the folder that holds the agents folder, every folder from there down to the file, the file itself, and
 *    of a link what it leads to and the folder that lies in. O2 they belong to the user or to root. O3 others cannot write
 *    to them. A sticky folder (/tmp) is open to all and still protects what lies in it: what others put there is theirs.
 * O4 that its group may write counts as well, unless nobody else is in it: under a umask of 002, as many systems have it,
 *    everything can be written by the user's private group. Who is in root's group runs the machine.
 */
import { lstatSync, readFileSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'

export interface UnsafePlace {
  readonly place: string
  readonly reason: string
}

export interface Ownership {
  /**
   * What is wrong with a file or folder at or below the agents folder, or with what lies above it, up to that folder.
   * `opened`: of a file that is no link, as it was opened; without it the path is looked at.
   */
  whyUnsafe(path: string, opened?: Stats): UnsafePlace | undefined
}

/** `root`: an agents folder, or a list of agents in one file. For one load: what was looked at is remembered. */
export function ownershipBelow(root: string): Ownership {
  const uid = process.getuid?.()
  const folders = new Map<string, UnsafePlace | undefined>()
  if (uid === undefined) return { whyUnsafe: () => undefined }
  const folderFault = (path: string): UnsafePlace | undefined => {
    if (folders.has(path)) return folders.get(path)
    const isTop = path === root || path === dirname(path)
    const fault = isTop ? (placeFault(dirname(path), uid) ?? placeFault(path, uid)) : whyUnsafe(path)
    folders.set(path, fault)
    return fault
  }
  const whyUnsafe = (path: string, opened?: Stats) => {
    if (path === root) return folderFault(root)
    return folderFault(dirname(path)) ?? (opened ? faultOf(path, opened, uid) : placeFault(path, uid))
  }
  return { whyUnsafe }
}

function placeFault(path: string, uid: number): UnsafePlace | undefined {
  try {
    return followedFault(path, uid, 0)
  } catch {
    return { place: path, reason: `whose ${path} is cannot be seen` }
  }
}

function followedFault(path: string, uid: number, links: number): UnsafePlace | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (!stat.isSymbolicLink()) return faultOf(path, stat, uid)
  if (!isOurs(stat, uid)) return { place: path, reason: strangers(path, stat) }
  if (links > maxLinks) return { place: path, reason: `${path} is a link to a link, and so on` }
  const target = resolve(dirname(path), readlinkSync(path))
  const folder = statSync(dirname(target), { throwIfNoEntry: false })
  const fault = folder === undefined ? undefined : faultOf(dirname(target), folder, uid)
  return fault ?? followedFault(target, uid, links + 1)
}

const maxLinks = 16

function faultOf(place: string, stat: Stats, uid: number): UnsafePlace | undefined {
  if (!isOurs(stat, uid)) return { place, reason: strangers(place, stat) }
  if (stat.isDirectory() && (stat.mode & 0o1000) !== 0) return undefined
  if ((stat.mode & 0o002) !== 0) return { place, reason: `everybody can write to ${place}` }
  const isShared = (stat.mode & 0o020) !== 0 && !isPrivateGroup(stat.gid)
  return isShared ? { place, reason: `a group of users can write to ${place} (gid ${stat.gid})` } : undefined
}

const isOurs = (stat: Stats, uid: number): boolean => stat.uid === uid || stat.uid === 0

const strangers = (place: string, { uid }: Stats): string => `${place} belongs to another user (uid ${uid})`

function isPrivateGroup(gid: number): boolean {
  if (gid === 0) return true
  return (
    gid === process.getgid?.() &&
    isAloneIn(gid, currentUser(), { groups: read('/etc/group'), users: read('/etc/passwd') })
  )
}

/** Whether a group is the user's alone: it has their name, and nobody else has it, as a further group or as their first. */
export function isAloneIn(
  gid: number,
  user: string,
  lists: { readonly groups: string; readonly users: string },
): boolean {
  const rows = (list: string) => list.split('\n').map(line => line.split(':'))
  // One from a directory service is in no list, and may have any members.
  const [name, , , members = ''] = rows(lists.groups).find(([, , number]) => number === String(gid)) ?? []
  const firsts = rows(lists.users).flatMap(([other = '', , , group]) => (group === String(gid) ? [other] : []))
  return name === user && [...members.split(','), ...firsts].every(member => ['', user].includes(member.trim()))
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function currentUser(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}
