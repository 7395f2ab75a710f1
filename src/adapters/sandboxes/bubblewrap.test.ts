import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { eventually, processesWith } from '../../../test/support/processes.js'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import type { RunId } from '../../core/message.js'
import type { Brief } from '../../core/types.js'
import { createScratch } from '../os/scratch.js'
import { createBashTool } from '../tools/bash.js'
import { createShells } from '../tools/shells.js'
import { type BubblewrapOptions, openBubblewrap } from './bubblewrap.js'
import { findBubblewrap, testBubblewrap } from './bubblewrap-test.js'
import { createPlainSandbox } from './none.js'
import { createWorktreeSandbox } from './worktree.js'

const workspace = createTestWorkspace()
const outside = createTestWorkspace()
const scratch = createScratch()
const shells = createShells({ scratch })
afterAll(async () => {
  await shells.close()
  workspace.remove()
  outside.remove()
})
const bash = createBashTool(shells)
const brief = { isolation: 'none' } as Brief

async function sandboxed(options: Partial<BubblewrapOptions> = {}, name = 'boxed') {
  const inside = createPlainSandbox({ cwd: workspace.root })
  const sandbox = await openBubblewrap({ inside, scratch, network: false, ...options })
  const entered = await sandbox.enter({ runId: name as RunId, brief })
  const run = createTestRun(entered, name)
  return async (command: string) => textOf(await run.call(bash, { command }))
}

test('without bubblewrap, or with one that does not work, the message says what to do', async () => {
  const options = { inside: createPlainSandbox({ cwd: workspace.root }), scratch, network: false }
  await expect(openBubblewrap({ ...options, program: '/nonexistent/bwrap' })).rejects.toThrow(
    'does not hold on this machine',
  )
  expect(findBubblewrap('/nonexistent')).toBeUndefined()
})

test('a program that only pretends to be a sandbox fails the self-test', async () => {
  const fake = workspace.write(
    'fake-bwrap',
    '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n',
    0o755,
  )
  const result = await testBubblewrap(fake, await scratch.of('.fake'))
  expect(result.isHolding).toBe(false)
  const failed = result.checks.filter(check => !check.isHolding).map(check => check.name)
  expect(failed).toEqual(expect.arrayContaining(['write-outside', 'read-hidden', 'move-git', 'signal-host', 'intact']))
})

test('F08 an empty list of hosts means no network, and a list that cannot be enforced is refused', async () => {
  const options = { inside: createPlainSandbox({ cwd: workspace.root }), scratch }
  await expect(openBubblewrap({ ...options, network: ['example.com'] })).rejects.toThrow('not filter it by host')
})

const program = findBubblewrap()
const isUsable = program !== undefined && (await testBubblewrap(program, await scratch.of('.probe'))).isHolding
if (!isUsable) console.warn('bubblewrap is missing or cannot run here: its tests are skipped')

describe.skipIf(!isUsable)('with bubblewrap', () => {
  test('the self-test tried to get out and could not', async () => {
    const result = await testBubblewrap(program!, await scratch.of('.self'))
    expect(result.checks.filter(check => !check.isHolding)).toEqual([])
    expect(result.checks.map(check => check.name)).toContain('nested-remount')
  })

  test('D11 a command writes inside its roots and nowhere else, by whatever interpreter', async () => {
    const call = await sandboxed()
    outside.write('victim.txt', 'intact')
    expect(await call('echo in > inside.txt && cat inside.txt; pwd')).toBe(`in\n${workspace.root}`)
    expect(workspace.text('inside.txt')).toBe('in\n')
    const victim = outside.path('victim.txt')
    for (const command of [`rm -f ${victim}`, `bash -c 'rm -f ${victim}'`, `node -e 'fs.rmSync("${victim}")'`]) {
      await call(command)
      expect(outside.text('victim.txt')).toBe('intact')
    }
    expect(await call('touch /etc/offshoot-test /usr/offshoot-test ~/offshoot-test')).toContain('Read-only file system')
  })

  test("the working directory is kept, and $TMPDIR and /tmp are the run's own and persist", async () => {
    const call = await sandboxed({}, 'tmp-run')
    mkdirSync(workspace.path('sub'), { recursive: true })
    expect(await call('cd sub; echo kept > /tmp/note')).toBe('[working directory: sub]')
    expect(await call('pwd; cat /tmp/note; cat $TMPDIR/note')).toBe(`${workspace.path('sub')}\nkept\nkept`)
    const other = await sandboxed({}, 'tmp-other')
    expect(await other('cat /tmp/note')).toContain('No such file')
  })

  test('H02 the environment and memory of the host, and hidden places, cannot be read', async () => {
    const state = outside.path('state')
    mkdirSync(state)
    writeFileSync(`${state}/auth.json`, 'canary')
    const file = outside.write('token', 'canary')
    const call = await sandboxed({ hidden: [state, file] })
    expect(await call(`cat ${state}/auth.json ${file}; echo; ls ${state}`)).not.toContain('canary')
    expect(await call(`echo x > ${state}/new`)).toMatch(/Read-only|No such file|denied/)
    expect(await call(`cat /proc/${process.ppid}/environ /proc/${process.pid}/environ`)).toMatch(/No such file/)
    expect(await call('find /run -type s | grep -v /resolve/ | wc -l; touch /run/x && ls /run/x')).toBe('0\n/run/x')
    expect(existsSync('/run/x')).toBe(false)
    expect(await call('ls -d /proc/[0-9]* | wc -l')).toMatch(/^\d$/)
  })

  test('a hidden directory around the workspace is hidden, and the workspace in it is not', async () => {
    const state = createTestWorkspace()
    try {
      const secret = state.write('runs.db', 'canary')
      state.write('worktrees/r1/file.txt', 'work')
      const inside = createPlainSandbox({ cwd: state.path('worktrees/r1') })
      const call = await sandboxed({ inside, hidden: [state.root] }, 'inner')
      expect(await call(`cat file.txt; echo; cat ${secret}; echo more >> file.txt`)).toMatch(
        /^work\ncat: .*No such file/,
      )
      expect(state.text('worktrees/r1/file.txt')).toBe('workmore\n')
      expect(await call(`touch ${state.path('planted')}`)).toContain('Read-only file system')
    } finally {
      state.remove()
    }
  })

  test('git hooks, git config and our settings in the workspace are read-only; the rest of git works', async () => {
    execFileSync('git', ['init', '-q', workspace.root])
    workspace.write('.claude/settings.json', '{}')
    const call = await sandboxed()
    const commit = 'git add -A . && git -c user.name=a -c user.email=a@b commit -qm x && git log --oneline | wc -l'
    expect(await call(commit)).toBe('1')
    for (const command of [
      'echo evil > .git/hooks/post-commit',
      'git config core.pager evil',
      'echo evil >> .git/config',
      'mv .git .git2',
      'rm -rf .git/hooks',
      'echo evil > .claude/settings.json',
      'mv .claude .claude2',
    ]) {
      expect(await call(command), command).toMatch(/exit code/)
    }
    expect(workspace.text('.git/config')).not.toContain('evil')
    expect(existsSync(workspace.path('.git/hooks/post-commit'))).toBe(false)
    expect(workspace.text('.claude/settings.json')).toBe('{}')
  })

  test('the script of a hook in the workspace is read-only and cannot be moved aside, by whatever interpreter', async () => {
    workspace.write('tools/scripts/guard.sh', 'exit 2')
    const decisive = () => [workspace.path('tools/scripts/guard.sh'), workspace.path('not-there.sh'), '/etc/hosts']
    const call = await sandboxed({ decisive }, 'guarded')
    for (const command of [
      `node -e 'fs.writeFileSync("tools/scripts/guard.sh", "evil")'`,
      'rm -f tools/scripts/guard.sh',
      'mv tools/scripts/guard.sh aside',
      'mv tools/scripts aside',
      'mv tools aside',
    ])
      expect(await call(command), command).toMatch(/exit code/)
    expect(workspace.text('tools/scripts/guard.sh')).toBe('exit 2')
    expect(await call('echo x > tools/scripts/other.sh; cat tools/scripts/other.sh tools/scripts/guard.sh')).toBe(
      'x\nexit 2',
    )
  })

  test('a command in the background that outlived its run made the settings of git that the run could not', async () => {
    const repository = createTestWorkspace()
    execFileSync('git', ['init', '-q'], { cwd: repository.root })
    const sandbox = await openBubblewrap({
      inside: createPlainSandbox({ cwd: repository.root }),
      scratch,
      network: false,
    })
    const entered = await sandbox.enter({ runId: 'outlived' as RunId, brief })
    const plant = 'for f in commondir config.worktree info/attributes; do echo PLANTED > .git/$f; done'
    const [program, ...words] = entered.wrap!([
      'sh',
      '-c',
      `echo ready; while sleep 0.02; do ${plant}; done 2>/dev/null`,
    ])
    const command = spawn(program!, words, { cwd: repository.root, stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      await once(command.stdout, 'data')
      await entered.leave(undefined)
      await sleep(300)
      expect(repository.text('.git/commondir')).toBe('.\n')
      expect(repository.text('.git/config.worktree') + repository.text('.git/info/attributes')).toBe('')
      command.kill('SIGKILL')
      await expect.poll(() => existsSync(repository.path('.git/commondir')), { timeout: 8000 }).toBe(false)
      expect(existsSync(repository.path('.git/config.worktree'))).toBe(false)
    } finally {
      command.kill('SIGKILL')
      repository.remove()
    }
  })

  test('a planted commondir made the user’s next git obey a child: nothing can say where git looks for its settings', async () => {
    const repository = createTestWorkspace()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: repository.root,
        encoding: 'utf8',
      })
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'first')
    git('worktree', 'add', '-q', 'other')
    try {
      const sandbox = await openBubblewrap({
        inside: createPlainSandbox({ cwd: repository.root }),
        scratch,
        network: false,
      })
      const entered = await sandbox.enter({ runId: 'planter' as RunId, brief })
      const second = await sandbox.enter({ runId: 'second' as RunId, brief })
      const run = createTestRun(entered, 'planter')
      const call = async (command: string) => textOf(await run.call(bash, { command }))
      expect(
        await call('git -c user.name=a -c user.email=a@b commit -q --allow-empty -m more && git log --oneline | wc -l'),
      ).toBe('2')
      await call(
        `cp -r .git evil && git --git-dir=evil config core.fsmonitor 'touch ${repository.path('CANARY')}; false'`,
      )
      for (const command of [
        'echo ../evil > .git/commondir',
        'rm -f .git/commondir',
        'mv .git/commondir .git/x',
        'echo /evil > .git/worktrees/other/commondir',
        'mv .git/worktrees .git/worktrees2',
        'rm -rf .git/worktrees/other',
        'git config --file .git/config core.fsmonitor evil',
        'mv .git/modules x || mv .git/hooks x',
      ])
        expect(await call(command), command).toMatch(/exit code/)
      second.wrap!(['true'])
      await entered.leave(undefined)
      expect(git('status', '--porcelain', 'other')).toBe('?? other/\n')
      await second.leave(undefined)
      expect(existsSync(repository.path('.git/commondir'))).toBe(false)
      expect(existsSync(repository.path('CANARY'))).toBe(false)
      expect(git('worktree', 'list').split('\n')).toHaveLength(3)
    } finally {
      repository.remove()
    }
  })

  test('settings for one work tree that were not there yet could be planted: nothing that git obeys can be made', async () => {
    const repository = createTestWorkspace()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: repository.root,
        encoding: 'utf8',
      })
    git('init', '-q', '--template=')
    git('config', 'extensions.worktreeConfig', 'true')
    git('commit', '-q', '--allow-empty', '-m', 'first')
    const before = readdirSync(repository.path('.git'))
    try {
      const sandbox = await openBubblewrap({
        inside: createPlainSandbox({ cwd: repository.root }),
        scratch,
        network: false,
      })
      const entered = await sandbox.enter({ runId: 'settings' as RunId, brief })
      const run = createTestRun(entered, 'settings')
      for (const command of [
        `printf '[core]\\n\\tfsmonitor = touch ${repository.path('CANARY')}\\n' > .git/config.worktree`,
        'rm -f .git/config.worktree',
        'mv .git/config.worktree .git/x',
        `git config --worktree core.fsmonitor 'touch ${repository.path('CANARY')}'`,
        "echo '* filter=evil' > .git/info/attributes",
      ])
        expect(textOf(await run.call(bash, { command })), command).toMatch(/exit code/)
      expect(git('status', '--porcelain')).toBe('')
      await entered.leave(undefined)
      expect(readdirSync(repository.path('.git')).filter(name => name !== 'hooks')).toEqual(before)
      expect(existsSync(repository.path('CANARY'))).toBe(false)
    } finally {
      repository.remove()
    }
  })

  test('H02 E04 tricks with devices, links, processes and the kernel’s own files lead nowhere', async () => {
    const call = await sandboxed({}, 'tricks')
    const victim = outside.write('linked.txt', 'intact')
    for (const command of [
      'cat < /dev/tty',
      `ln ${victim} hard.txt`,
      `ln -s ${outside.root} out; echo changed > out/linked.txt`,
      `cd /proc/self/root${outside.root} && echo changed > linked.txt`,
      `cd /proc/1/root${outside.root} && echo changed > linked.txt`,
      `exec 3< ${outside.root}; echo changed > /proc/self/fd/3/linked.txt`,
      'mknod disk b 8 0',
      'chroot / true',
      'nsenter -t 1 -m true',
      // Asked and not tried: a sandbox that does not hold would change the machine the test runs on.
      '[ -w /proc/sys/kernel/core_pattern ]',
      '[ -w /proc/sys/kernel/modprobe ] || [ -w /proc/sysrq-trigger ] || [ -w /sys/kernel/uevent_helper ]',
      'find /proc /sys -not -path "/proc/[0-9]*" -not -path "/proc/*self/*" -type f -writable 2>/dev/null | grep .',
      'ls /run/docker.sock /var/run/docker.sock /run/user',
      'ls /tmp/ssh-* /tmp/.X11-unix',
    ])
      expect(await call(command), command).toMatch(/exit code/)
    expect(outside.text('linked.txt')).toBe('intact')
    expect(await call('env')).not.toMatch(/^(SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS|DOCKER_HOST|\w+_TOKEN|\w+_KEY)=/m)
  })

  test('without a network there are no sockets of the host without a name either', async () => {
    const server = createNetServer(socket => socket.end('reached'))
    const name = `offshoot-test-${process.pid}`
    await new Promise<void>(resolve => server.listen(`\0${name}`, resolve))
    const asking = `python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(chr(0) + "${name}"); print(s.recv(10).decode())'`
    try {
      expect(await (await sandboxed({ network: false }, 'abstract'))(asking)).toContain('refused')
    } finally {
      server.close()
    }
  })

  test('the network is there or not, as it was said', async () => {
    const server = createServer((_, response) => response.end('reached'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const fetching = `node -e 'fetch("http://127.0.0.1:${port}").then(r => r.text()).then(console.log, e => console.log("failed"))'`
    try {
      expect(await (await sandboxed({ network: [] }))(fetching)).toBe('failed')
      expect(await (await sandboxed({ network: true }))(fetching)).toBe('reached')
    } finally {
      server.close()
    }
  })

  test('a child in the worktree of its caller is wrapped once, and can commit there', async () => {
    const repository = createTestWorkspace()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: repository.root })
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'first')
    try {
      const otherwise = createPlainSandbox({ cwd: repository.root })
      const inside = createWorktreeSandbox({ otherwise, cwd: repository.root, directory: outside.path('worktrees') })
      const sandbox = await openBubblewrap({ inside, scratch, network: false })
      const parent = await sandbox.enter({ runId: 'parent' as RunId, brief: { isolation: 'worktree' } as Brief })
      const child = await sandbox.enter({ runId: 'child' as RunId, brief, caller: parent })
      expect(child.cwd).toBe(outside.path('worktrees/parent'))
      expect(child.wrap!(['true']).filter(word => word.endsWith('bwrap'))).toHaveLength(1)
      const run = createTestRun(child, 'child')
      const commit =
        'touch new && git add new && git -c user.name=a -c user.email=a@b commit -qm work && git log --oneline | wc -l'
      expect(textOf(await run.call(bash, { command: commit }))).toBe('2')
      expect(textOf(await run.call(bash, { command: 'echo gitdir: /tmp/evil > .git' }))).toContain('exit code')
      expect(await parent.leave(undefined)).toContain('on branch offshoot/parent')
      const caller = { cwd: repository.path('sub'), roots: [repository.path('sub')] }
      repository.write('sub/a.txt', 'a')
      const below = await sandbox.enter({ runId: 'below' as RunId, brief: { isolation: 'worktree' } as Brief, caller })
      const inBelow = async (command: string) => textOf(await createTestRun(below, 'below').call(bash, { command }))
      expect(await inBelow(commit)).toBe('2')
      expect(await inBelow('git status --short; touch ../beside')).toContain('Read-only file system')
    } finally {
      repository.remove()
    }
  })

  test('L01 an abort ends what runs inside, daemons included', async () => {
    const seconds = `${6_000_000 + Math.floor(Math.random() * 1e6)}.5`
    const inside = createPlainSandbox({ cwd: workspace.root })
    const sandbox = await openBubblewrap({ inside, scratch, network: false })
    const run = createTestRun(await sandbox.enter({ runId: 'stop' as RunId, brief }), 'stop')
    const stop = new AbortController()
    const command = `setsid sleep ${seconds} & sleep ${seconds}`
    const call = run.call(bash, { command }, { signal: stop.signal })
    const started = await eventually(
      () => processesWith(`sleep ${seconds}`).length,
      count => count >= 4,
    )
    expect(started).toBeGreaterThanOrEqual(4)
    stop.abort(new DOMException('stopped', 'AbortError'))
    await expect(call).rejects.toThrow('stopped')
    expect(
      await eventually(
        () => processesWith(`sleep ${seconds}`),
        left => left.length === 0,
      ),
    ).toEqual([])
  })
})
