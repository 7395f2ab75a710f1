/** The tools of kit.mjs as the host knows them. Run here they would be a mistake, and say so. */
import { pathToFileURL } from 'node:url'
import type { Tool } from '../../src/core/ports.js'
import type { ToolEffect } from '../../src/core/types.js'

const module = pathToFileURL(`${import.meta.dirname}/kit.mjs`).href

export const kitTool = (name: string, effect: ToolEffect = 'execute', from = module): Tool => ({
  spec: { name, description: `${name}.`, inputSchema: { type: 'object' }, effect },
  run: async () => {
    throw new Error(`${name} was run in the host`)
  },
  portable: { module: from },
})
