#!/usr/bin/env node
/** The door of the program: answers what needs nothing at once, and loads the rest only when it is used. */
import { version } from './version.js'

const [first] = process.argv.slice(2)
if (first === '--version' || first === '-v') console.log(version)
else {
  const { program } = await import('./program.js')
  await program().parseAsync()
}
