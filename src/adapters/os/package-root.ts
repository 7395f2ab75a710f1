/** Where the package itself lies, and what its build has made of it. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Upwards from this file, which lies at different depths in the sources, the library and the bundled program. */
export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(directory, 'agents', 'Explore.md'))) {
    if (dirname(directory) === directory)
      throw new Error(
        'the folder with the built-in agents is missing from the package: a bundler has to leave offshoot/node external',
      )
    directory = dirname(directory)
  }
  return directory
}

/** Put there when the program is bundled (rolldown.config.mjs). */
declare const offshootBuild: string | undefined

/** A name that changes with the code; undefined where nobody has bundled it, as in a checkout and in the library. */
export function buildName(): string | undefined {
  return typeof offshootBuild === 'string' ? `${offshootBuild} ${process.version}` : undefined
}

/** A file the build compiled into `dist`; undefined in a checkout, where its sources are read. */
export function compiledFile(name: string): string | undefined {
  const dist = join(packageRoot(), 'dist')
  const file = join(dist, name)
  return fileURLToPath(import.meta.url).startsWith(dist) && existsSync(file) ? file : undefined
}
