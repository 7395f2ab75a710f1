#!/usr/bin/env node
/** The door of the program: answers what needs nothing at once, and loads the rest only when it is used. */
import { version } from './version.js'

const [first] = process.argv.slice(2)
if (first === '--version' || first === '-v') console.log(version)
else {
  const { default: module } = await import('node:module')
  // From Node 22 on, what was compiled once is kept for the next start.
  const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown }
  enableCompileCache?.()
  const { runProgram } = await import('./program.js')
  await runProgram(process.argv.slice(2))
}
