#!/usr/bin/env node
/** The door of the program: answers what needs nothing at once, and loads the rest only when it is used. */
import { version } from './version.js'

const argv = process.argv.slice(2)
if (argv[0] === '--version' || argv[0] === '-v') console.log(version)
else {
  const { keepCaches, loadQuickly, quickProgram } = await import('./quick-load.js')
  const quick = quickProgram(import.meta.url)
  const { runProgram } = quick ? (loadQuickly(quick) as typeof import('./program.js')) : await import('./program.js')
  await runProgram(argv)
  if (quick && process.env.OFFSHOOT_KEEP_CACHES) keepCaches()
}
