/**
 * What a command can see and do inside bubblewrap, as its arguments.
 * W1 Always a user namespace of its own and no capabilities: as root, anything less can be undone by a remount.
 * W2 Everything is read-only, except the writable roots and the run's own /tmp. Secrets and our own state are hidden.
 * W3 `.git` of a writable root is a mount of its own, so that it cannot be moved aside, and in it hooks, config, modules,
 *    other worktrees and where git looks for all of these (`commondir`) stay read-only: otherwise a later git command of
 *    the user would run what a child put there.
 * W4 The kernel's own settings below /proc are read-only. Without capabilities root may still write them: they go by the
 *    user, and bubblewrap itself takes a directory that cannot be written for one in which nothing can.
 * W5 No network unless it is wanted, no processes of others, and no sockets of services: over the bus of the session, or
 *    to a container service, a command could have itself started outside.
 */
import { join } from 'node:path'
import { isInside } from '../os/inside.js'

export interface BubblewrapPlan {
  readonly writable: readonly string[]
  /** To be seen around writable ones, wherever they lie, and not to be written. */
  readonly visible?: readonly string[]
  /** Repositories whose objects and refs may be written: `.git` directories, as they are on disk. */
  readonly gitDirectories: readonly { readonly path: string; readonly hasHooks: boolean }[]
  /** Of linked worktrees that may be written: their own directory in one of `gitDirectories`. */
  readonly ownWorktrees?: readonly string[]
  /** Files and directories commands must not see. Only those that exist. */
  readonly hidden: readonly { readonly path: string; readonly isDirectory: boolean }[]
  /** Files and directories inside writable roots that stay read-only. Only those that exist. */
  readonly readOnly: readonly string[]
  /** Directories inside writable roots that cannot be moved aside. Only those that exist, outer ones first. */
  readonly pinned?: readonly string[]
  /** Lay an empty /run over the one that is there. */
  readonly hidesServices: boolean
  /** Becomes /tmp. */
  readonly scratch: string
  /** An empty directory, laid where hooks could be planted. */
  readonly empty: string
  readonly hasNetwork: boolean
}

export function bubblewrapArguments(plan: BubblewrapPlan): readonly string[] {
  const repositories = plan.gitDirectories.map(({ path }) => path)
  // Covered before what lies in it is laid on top; everything else is covered last.
  const isAround = ({ path }: { path: string }) =>
    [...plan.writable, ...repositories].some(inner => isInside(inner, path))
  const around = plan.hidden.filter(isAround)
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(plan.hasNetwork ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL', '--die-with-parent'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...kernelSettings.flatMap(path => bind('--ro-bind-try', path)),
    ...(plan.hidesServices ? ['--tmpfs', '/run', ...bind('--ro-bind-try', nameService)] : []),
    ...bind('--bind', plan.scratch, '/tmp'),
    // Outputs too long to show are named by their real path.
    ...bind('--bind', plan.scratch),
    ...around.flatMap(({ path }) => ['--tmpfs', path]),
    ...(plan.visible ?? []).flatMap(path => bind('--ro-bind', path)),
    ...plan.writable.flatMap(path => bind('--bind', path)),
    ...(plan.pinned ?? []).flatMap(path => bind('--bind', path)),
    ...plan.gitDirectories.flatMap(({ path, hasHooks }) => protectedRepository(path, hasHooks, plan.empty)),
    ...(plan.ownWorktrees ?? []).flatMap(protectedWorktree),
    ...plan.readOnly.flatMap(path => bind('--ro-bind', path)),
    ...plan.hidden.filter(place => !isAround(place)).flatMap(cover),
    ...around.flatMap(({ path }) => ['--remount-ro', path]),
    '--',
  ]
}

function cover({ path, isDirectory }: { path: string; isDirectory: boolean }): string[] {
  return isDirectory ? ['--tmpfs', path, '--remount-ro', path] : bind('--ro-bind', '/dev/null', path)
}

const kernelSettings = 'sys sysrq-trigger irq bus mtrr acpi scsi pressure'.split(' ').map(name => `/proc/${name}`)

/** Where /etc/resolv.conf may point to. */
const nameService = '/run/systemd/resolve'

function protectedRepository(directory: string, hasHooks: boolean, empty: string): string[] {
  const hooks = join(directory, 'hooks')
  return [
    ...bind('--bind', directory),
    ...bind('--ro-bind-try', join(directory, 'config')),
    ...bind('--ro-bind-try', join(directory, 'config.worktree')),
    ...bind('--ro-bind-try', join(directory, 'commondir')),
    ...bind('--ro-bind-try', join(directory, 'modules')),
    ...bind('--ro-bind-try', join(directory, 'worktrees')),
    ...bind('--ro-bind-try', join(directory, 'info', 'attributes')),
    ...bind('--ro-bind', hasHooks ? hooks : empty, hooks),
  ]
}

function protectedWorktree(directory: string): string[] {
  const names = ['commondir', 'gitdir', 'config.worktree']
  return [...bind('--bind', directory), ...names.flatMap(name => bind('--ro-bind-try', join(directory, name)))]
}

function bind(kind: string, from: string, to = from): string[] {
  return [kind, from, to]
}
