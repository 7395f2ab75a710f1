// Two children in parallel change the same file: the second is told, looks again, and nothing is lost. No key, no network:
// the model plays a script, but the tools and the file are real.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOffshoot } from 'offshoot'
import { ScriptedModel } from 'offshoot/testing'
import { createShells, createWorkspaceTools } from 'offshoot/tools'

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-example-')))
const list = join(cwd, 'shopping.txt')
writeFileSync(list, 'apples\npears\n')

// Holds both children until both have read the file, so that they really meet.
let arrived = 0
let open
const bothHaveRead = new Promise(resolve => (open = resolve))
const meet = {
  spec: { name: 'Meet', description: 'Waits.', inputSchema: { type: 'object' }, effect: 'read' },
  async run() {
    if (++arrived === 2) open()
    await bothHaveRead
    return { content: 'both have read the list' }
  },
}

const call = (name, input = {}) => ({ calls: [{ name, input }] })
const read = call('Read', { file_path: list })
const worker = fruit => [
  read,
  call('Meet'),
  call('Edit', { file_path: list, old_string: fruit, new_string: `ten ${fruit}` }),
  ({ messages }) => {
    const [answer] = messages.at(-1).content[0].content
    if (!answer.text.startsWith('Refused')) return `${fruit}: done.`
    console.log(`The one for ${fruit} was told:\n  ${answer.text.split('\n').slice(0, 6).join('\n  ')}\n`)
    return read
  },
  call('Edit', { file_path: list, old_string: fruit, new_string: `ten ${fruit}` }),
  `${fruit}: done, after looking again.`,
]
const task = name => ({
  name: 'Task',
  input: { subagent_type: name, description: `ten ${name}`, prompt: `Make it ten ${name}.` },
})
const model = new ScriptedModel({
  main: [{ calls: [task('apples'), task('pears')] }, 'Both are on the list.'],
  apples: () => worker('apples'),
  pears: () => worker('pears'),
})

const agent = name => ({
  name,
  description: `Looks after ${name}.`,
  systemPrompt: `You look after ${name}.`,
  tools: [{ name: 'Read' }, { name: 'Edit' }, { name: 'Meet' }],
  source: { scope: 'user', isTrusted: true },
})
const shells = createShells()
const offshoot = createOffshoot({
  model,
  agents: [agent('apples'), agent('pears')],
  tools: [...createWorkspaceTools({ shells }), meet],
  sandbox: { enter: async () => ({ cwd, roots: [cwd], leave: async () => undefined }) },
  policy: { defaultModel: 'scripted/model', cwd },
})

const run = await offshoot.start({ prompt: 'Ten of each.', description: 'the shopping list' })
if ('refused' in run) throw new Error(run.refused)
const result = await run.result
const text = readFileSync(list, 'utf8')
console.log(`${result.text}\n\n${text}`)
await offshoot.close()
await shells.close()
rmSync(cwd, { recursive: true })
if (text !== 'ten apples\nten pears\n') throw new Error('a change was lost')
