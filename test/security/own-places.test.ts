/** What is open to a run because it is its own is that very folder, never what somebody put in its place since. */
import { existsSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lookAtPath } from '../../src/core/permission/path-policy.js'
import { place } from '../support/judging.js'
import { called, createNodeStage, type NodeStage, ownAgent } from '../support/node-story.js'

let stage: NodeStage
beforeEach(() => {
  stage = createNodeStage()
})
afterEach(() => stage.close())

const settings = { permissions: { allow: ['Bash(rmdir:*)', 'Bash(ln:*)'] } }
const write = (file_path: string) => called('Write', { file_path, content: 'x' })

test.each(['default', 'bypassPermissions'] as const)(
  'a link in place of the scratch directory opened everything it led to, in mode %s',
  async mode => {
    stage.write('project/.env', 'SECRET=1')
    const project = realpathSync(stage.project)
    const inProject = (path: string) => join(project, path)
    const scratch = () => told.answers[0]!.trim()
    const told = await stage.open(
      {
        main: [
          called('Bash', { command: 'echo $TMPDIR' }),
          () => called('Bash', { command: `rmdir ${scratch()}` }),
          () => called('Bash', { command: `ln -s ${project} ${scratch()}` }),
          () => {
            // However it came there: something left running may have made it.
            rmSync(scratch(), { force: true })
            symlinkSync(project, scratch())
            return write(inProject('.git/hooks/pre-commit'))
          },
          () => write(join(scratch(), '.git/hooks/pre-commit')),
          write(inProject('.claude/settings.json')),
          write(inProject('plain.txt')),
          called('Read', { file_path: inProject('.env') }),
          'done',
        ],
      },
      { policy: { mode }, settings, agents: [ownAgent('main')] },
    )
    await told.play()
    const rule = mode === 'default' ? 'denied no-approver' : 'ok bypassPermissions'
    expect(told.ends[2]).toBe(`main Bash: ${mode === 'default' ? rule : 'ok Bash(ln:*)'}`)
    expect(told.ends.slice(3)).toEqual([
      ...Array(3).fill('main Write: denied protected-path'),
      `main Write: ${rule}`,
      `main Read: ${rule}`,
    ])
    expect(existsSync(inProject('.git/hooks/pre-commit'))).toBe(false)
  },
)

test('a link in place of the folder of a memory opened what it led to, and so did the session after', async () => {
  const folder = stage.write('.claude/agent-memory/main/MEMORY.md', 'noted').replace('/MEMORY.md', '')
  const hook = join(realpathSync(stage.project), '.git/hooks/pre-commit')
  const options = {
    settings: { permissions: { allow: [...settings.permissions.allow, 'Bash(rm:*)'] } },
    agents: [ownAgent('main', { memory: 'user' })],
  }
  const told = await stage.tell(
    {
      main: [
        write(join(folder, 'more.md')),
        called('Bash', { command: `rm ${folder}/MEMORY.md ${folder}/more.md` }),
        called('Bash', { command: `rmdir ${folder}` }),
        called('Bash', { command: `ln -s ${stage.project} ${folder}` }),
        write(hook),
        'done',
      ],
    },
    options,
  )
  expect(told.ends.at(0)).toBe('main Write: ok own-place')
  expect(told.ends.at(-1)).toBe('main Write: denied protected-path')
  const after = await stage.tell({ main: [write(hook), write(join(stage.project, 'plain.txt')), 'done'] }, options)
  expect(after.ends).toEqual(['main Write: denied protected-path', 'main Write: denied no-approver'])
})

describe('of what is open to a run no link is followed', () => {
  const realPath = (path: string) => path.replace(/^\/own\/(dir|plan\.md)/, '/w/app/.git/hooks')
  const seen = (path: string, more: object) => lookAtPath(path, { ...place, realPath, ...more })

  test.each(['/own/dir/x', '/w/app/.git/hooks/x'])('%s was writable', path => {
    expect(seen(path, { writable: ['/own/dir'] })).toMatchObject({ isWritable: false, sealed: 'yes' })
    expect(seen(path, { readable: ['/own/dir'] }).isReadable).toBe(false)
  })

  test('a plan file that is a link by now was written through', () => {
    expect(seen('/own/plan.md', { planFile: '/own/plan.md' })).toMatchObject({ isPlanFile: false, sealed: 'yes' })
  })

  test('a folder that has two names from the beginning is open by both', () => {
    const more = { writable: ['/own/dir', '/w/app/.git/hooks'] }
    expect(seen('/own/dir/x', more)).toMatchObject({ isWritable: true, sealed: 'no' })
  })
})
