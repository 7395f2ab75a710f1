// Builds, then runs every example as a user would: from the built package, without keys. One that fails fails all.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' })
for (const name of readdirSync(join(root, 'examples'))
  .filter(file => file.endsWith('.mjs'))
  .sort()) {
  console.log(`\n── examples/${name}`)
  const { status } = spawnSync(process.execPath, [join(root, 'examples', name)], { stdio: 'inherit', timeout: 60_000 })
  if (status !== 0) {
    console.error(`examples/${name} failed (${status ?? 'time-out'})`)
    process.exit(1)
  }
}
