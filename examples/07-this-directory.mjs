// The whole house on this machine, as the program opens it: files, shells, permissions, agent files; without a key the
// offline model answers. Nobody is there to ask, so what would need a yes is denied. Nothing is kept.
import { isSuccess } from 'offshoot'
import { openOffshoot } from 'offshoot/node'

const offshoot = await openOffshoot({ env: { HOME: process.env.HOME, PATH: process.env.PATH }, store: 'memory' })
try {
  const offered = offshoot.catalog().offered()
  console.log(`agents: ${offered.map(({ name }) => name).join(', ')}`)
  console.log(`model: ${offshoot.models.defaultModel.id} (${offshoot.models.defaultModel.why})`)
  const run = await offshoot.start({ prompt: 'Where is the result of a run rendered?', description: 'a look' })
  if ('refused' in run) throw new Error(run.refused)
  const result = await run.result
  console.log(`\n${result.text.split('\n').slice(0, 6).join('\n')}`)
  if (!isSuccess(result)) throw new Error(`it ended as ${result.outcome}`)
} finally {
  await offshoot.close()
}
