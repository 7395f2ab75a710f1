#!/usr/bin/env node
/** The door of the program: answers what needs nothing at once, and loads the rest only when it is used. */
import { version } from './version.js'

const [first] = process.argv.slice(2)
if (first === '--version' || first === '-v') console.log(version)
else {
  const { runProgram } = await import('./program.js')
  await runProgram(process.argv.slice(2))
}
