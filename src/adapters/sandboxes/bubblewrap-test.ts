/** Tries to get out, before anything is trusted to stay in. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { messageOf } from '../../core/thrown.js'
import { commandEnvironment } from '../os/command-environment.js'
import { runProgram } from '../os/program.js'
import { bubblewrapArguments } from './bubblewrap-arguments.js'

export interface SelfTest {
  readonly isHolding: boolean
  readonly checks: readonly { readonly name: string; readonly isHolding: boolean; readonly detail: string }[]
}

export function findBubblewrap(path = process.env.PATH ?? ''): string | undefined {
  if (process.platform !== 'linux') return undefined
  return path
    .split(delimiter)
    .filter(directory => directory.startsWith('/'))
    .map(directory => join(directory, 'bwrap'))
    .find(program => existsSync(program))
}

/** `place`: a private directory to try it in; left empty. */
export async function testBubblewrap(program: string, place: string): Promise<SelfTest> {
  const at = (name: string) => join(place, name)
  for (const name of ['writable', 'outside', 'hidden', 'scratch', 'empty', 'mount'])
    await mkdir(at(name), { recursive: true })
  await mkdir(at('writable/.git'), { recursive: true })
  await writeFile(at('hidden/secret'), 'secret')
  await writeFile(at('outside/file'), 'intact')
  const plan = {
    writable: [at('writable')],
    gitDirectories: [{ path: at('writable/.git'), hasHooks: false }],
    hidden: [{ path: at('hidden'), isDirectory: true }],
    readOnly: [at('outside')],
    hidesServices: existsSync('/run'),
    scratch: at('scratch'),
    empty: at('empty'),
    hasNetwork: false,
  }
  try {
    const end = await runProgram(
      program,
      [...bubblewrapArguments(plan), 'sh', '-c', attempts, 'sh', place, String(process.pid)],
      {
        cwd: at('writable'),
        env: commandEnvironment(process.env),
        signal: AbortSignal.timeout(10_000),
      },
    )
    const printed = end.stdout.toString('utf8')
    if (!printed.includes('started')) return unusable(end.stderr.trim() || `exit code ${end.code}`)
    const isIntact = (await readFile(at('outside/file'), 'utf8')) === 'intact' && !existsSync(at('new'))
    return judge(printed, isIntact)
  } catch (error) {
    return unusable(messageOf(error))
  } finally {
    await rm(place, { recursive: true, force: true })
    await mkdir(place, { mode: 0o700 })
  }
}

// Each line is an attempt that must fail, except the first two; what succeeds prints its name. All of them aim at the
// directory of the test, or only ask whether they could, so that even a sandbox that holds nothing does no harm.
const attempts = `
echo started
touch "$1/writable/file" && echo can-write
mount -o remount,bind,rw "$1/outside" 2>/dev/null && echo remount
mount -t tmpfs none "$1/mount" 2>/dev/null && echo mount && umount "$1/mount"
umount -l "$1/hidden" 2>/dev/null && echo unmount
unshare -Ur -m sh -c 'mount -o remount,bind,rw "$0/outside"' "$1" 2>/dev/null && echo nested-remount
(echo changed > "$1/outside/file") 2>/dev/null && echo write-outside
(echo new > "$1/new") 2>/dev/null
cat "$1/hidden/secret" > /dev/null 2>&1 && echo read-hidden
[ "$(find /run -type s 2>/dev/null | grep -vc /resolve/)" -gt 0 ] && echo services
for file in kernel/core_pattern kernel/modprobe vm/overcommit_memory; do [ -w "/proc/sys/$file" ] && echo kernel-settings; done
unshare -Urpf -m sh -c 'mount -t proc proc "$0/mount" && [ -w "$0/mount/sys/kernel/core_pattern" ]' "$1" 2>/dev/null && echo fresh-proc
(echo x > "$1/writable/.git/hooks/post-commit") 2>/dev/null && echo write-hook
mv "$1/writable/.git" "$1/writable/.moved" 2>/dev/null && echo move-git
[ "$2" -gt 100 ] && kill -0 "$2" 2>/dev/null && echo signal-host
[ "$(cat /proc/net/route 2>/dev/null | wc -l)" -gt 1 ] && echo network
true
`

const escapes: Readonly<Record<string, string>> = {
  remount: 'the root file system could be mounted writable',
  mount: 'a file system could be mounted',
  unmount: 'a hidden directory could be uncovered',
  'nested-remount': 'a second namespace could mount the root writable',
  'write-outside': 'a file outside the writable roots could be written',
  'read-hidden': 'a hidden file could be read',
  'kernel-settings': 'settings of the kernel could be written',
  'fresh-proc': 'settings of the kernel could be written from a second namespace',
  services: 'sockets of services are reachable',
  'write-hook': 'a git hook could be planted',
  'move-git': 'the git directory could be moved aside',
  'signal-host': 'a process outside could be signalled',
  network: 'there is a route to the network',
}

function judge(printed: string, isIntact: boolean): SelfTest {
  const happened = new Set(printed.split('\n'))
  const checks = Object.entries(escapes).map(([name, detail]) => {
    const isHolding = !happened.has(name)
    return { name, isHolding, detail: isHolding ? 'tried, and failed as it should' : detail }
  })
  const canWork = happened.has('can-write')
  checks.push({
    name: 'can-write',
    isHolding: canWork,
    detail: canWork ? 'works' : 'the writable root cannot be written',
  })
  checks.push({
    name: 'intact',
    isHolding: isIntact,
    detail: isIntact ? 'untouched' : 'a file outside was made or changed',
  })
  return { isHolding: checks.every(check => check.isHolding), checks }
}

function unusable(detail: string): SelfTest {
  return {
    isHolding: false,
    checks: [{ name: 'start', isHolding: false, detail: `bubblewrap cannot run here (${detail})` }],
  }
}
