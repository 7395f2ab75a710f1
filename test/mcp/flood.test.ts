import * as protocol from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { StdioTransport } from '../../src/adapters/mcp/stdio-transport.js'

const pouring = `
const piece = Buffer.alloc(65536, 120)
const pour = () => { while (process.stdout.write(piece)); process.stdout.once('drain', pour) }
process.on('SIGTERM', () => {})
pour()`

test('N03: a server that never stops pouring was asked to end with every piece, and Node warned of a leak of listeners', async () => {
  const warnings: string[] = []
  const hear = ({ message }: Error) => void warnings.push(message)
  process.on('warning', hear)
  const how = { command: process.execPath, args: ['-e', pouring], env: { PATH: process.env.PATH ?? '' }, cwd: '/' }
  const transport = new StdioTransport(how, protocol)
  const faults: string[] = []
  transport.onerror = ({ message }) => void faults.push(message)
  const closed = new Promise<void>(resolve => {
    transport.onclose = resolve
  })
  await transport.start()
  await closed
  await Promise.all([transport.close(), transport.close()])
  process.off('warning', hear)
  expect(warnings.filter(message => message.includes('listeners'))).toEqual([])
  expect(faults).toEqual([expect.stringMatching(/^one message had more than \d+ bytes$/)])
})
