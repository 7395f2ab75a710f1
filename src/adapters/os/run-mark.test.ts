import { expect, test } from 'vitest'
import { ownerBy, serverMark } from './run-mark.js'

test('who owns a command that is refused is a run or a server, each by its name', () => {
  expect(ownerBy('run-1')).toBe('run run-1')
  expect(ownerBy(serverMark('files'))).toBe('the MCP server files')
})
