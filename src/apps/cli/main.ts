#!/usr/bin/env node
/** The door of the program: answers what needs nothing at once, and loads the rest only when it is used. */
import { join } from 'node:path'
import { version } from '../session/version.js'
import { keepCaches, loadQuickly, prepareToKeep } from './quick-load.js'

const argv = process.argv.slice(2)
const isVersion = argv[0] === '--version' || argv[0] === '-v' || (argv[0] === 'version' && argv.length === 1)
if (isVersion) console.log(version)
else {
  const isBuild = process.env.OFFSHOOT_KEEP_CACHES !== undefined
  if (isBuild) prepareToKeep()
  const { runProgram } = loadQuickly(join(import.meta.dirname, 'quick', 'program.cjs')) as typeof import('./program.js')
  void runProgram(argv).then(() => {
    if (isBuild) keepCaches()
  })
}
