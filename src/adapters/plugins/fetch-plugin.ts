/**
 * Brings a plugin into an empty folder of ours: from a folder, a tarball, or, where `npm:` says so, the npm registry. Files only:
 * no link is made, no script of a package runs.
 */
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { commandLine } from '../../core/text/shell-word.js'
import { messageOf } from '../../core/thrown.js'
import type { Refusal } from '../../core/types.js'
import { commandEnvironment } from '../os/command-environment.js'
import { runProgram } from '../os/program.js'
import { readPluginTree } from './plugin-tree.js'
import { readTar } from './read-tar.js'

export interface FetchOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Packs an npm package into a folder and gives its file's name; default: `npm pack --ignore-scripts`. */
  readonly packNpm?: (spec: string, folder: string) => Promise<string>
}
export interface FetchedPlugin {
  readonly path: string
  /** `folder /x`, `tarball /x.tgz`, `npm name@1.2.3`. */
  readonly origin: string
  /** Removes what was fetched. */
  release(): Promise<void>
}

/** Compressed; what it unpacks to is bounded as well. */
const maxTarballBytes = 20 * 1024 * 1024

export async function fetchPlugin(source: string, options: FetchOptions): Promise<FetchedPlugin | Refusal> {
  const work = await mkdtemp(join(tmpdir(), 'offshoot-plugin-'))
  const release = () => rm(work, { recursive: true, force: true })
  try {
    const fetched = await fetchInto(source, work, options)
    if ('refused' in fetched) await release()
    return 'refused' in fetched ? fetched : { ...fetched, release }
  } catch (error) {
    await release()
    throw error
  }
}

async function fetchInto(
  source: string,
  work: string,
  options: FetchOptions,
): Promise<Omit<FetchedPlugin, 'release'> | Refusal> {
  if (source.startsWith(npmPrefix)) return fetchPackage(source.slice(npmPrefix.length), work, options)
  const local = resolve(options.cwd, source)
  const found = await stat(local).catch(() => undefined)
  if (found?.isDirectory()) return copyFolder(local, work)
  if (found?.isFile()) return unpack(local, work, `tarball ${local}`)
  const isPath = /[/\\]|\.t(ar\.)?gz$/.test(source.replace(/^@[^/]+\//, ''))
  const step = commandLine('offshoot', 'plugins', 'add', `${npmPrefix}${source}`)
  const fromNpm = isPath || !isPackageSpec(source) ? '' : `. A package of the npm registry is named so: ${step}`
  return { refused: `there is no file or folder ${local}${fromNpm}`, rule: 'plugin-missing' }
}

/** Whoever mistypes the name of a folder has not asked for whatever a stranger published under it. */
const npmPrefix = 'npm:'

async function fetchPackage(
  source: string,
  work: string,
  options: FetchOptions,
): Promise<Omit<FetchedPlugin, 'release'> | Refusal> {
  if (!isPackageSpec(source))
    return { refused: `${JSON.stringify(source)} is no name of a package`, rule: 'plugin-source' }
  const pack = options.packNpm ?? ((spec, folder) => packNpm(spec, folder, options.env))
  try {
    const file = await pack(source, work)
    return await unpack(join(work, file), work, `npm ${source}`)
  } catch (error) {
    const reason = messageOf(error)
    return { refused: `the npm registry did not give ${source}: ${reason}`, rule: 'plugin-source' }
  }
}

/** A name, a scope, a version: nothing npm could take for an option, a path or an address. */
const isPackageSpec = (spec: string): boolean => /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(@[\w.^~<>=*+-]+)?$/i.test(spec)

async function copyFolder(from: string, work: string): Promise<Omit<FetchedPlugin, 'release'> | Refusal> {
  const tree = await readPluginTree(from)
  if ('refused' in tree) return tree
  const to = join(work, 'plugin')
  for (const { path } of tree.files) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyFile(join(from, path), join(to, path))
  }
  await mkdir(to, { recursive: true })
  return { path: to, origin: `folder ${from}` }
}

async function unpack(file: string, work: string, origin: string): Promise<Omit<FetchedPlugin, 'release'> | Refusal> {
  const { size } = await stat(file)
  if (size > maxTarballBytes)
    return { refused: `the archive has ${size} bytes; at most ${maxTarballBytes} are taken`, rule: 'plugin-size' }
  const files = readTar(await readFile(file))
  if ('refused' in files) return files
  const to = join(work, 'plugin')
  for (const { path, content, isExecutable } of files) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    // Fails where something is already: one file twice is no archive to trust.
    await writeFile(join(to, path), content, { flag: 'wx', mode: 0o644 })
    if (isExecutable) await chmod(join(to, path), 0o755)
  }
  return { path: await onlyFolder(to), origin }
}

/** npm packs everything below `package/`. */
async function onlyFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  const [only] = entries
  return entries.length === 1 && only?.isDirectory() && only.name !== '.claude-plugin'
    ? join(folder, only.name)
    : folder
}

/** The first line that says something: around it stand codes and the place of a log. */
const npmFault = (stderr: string): string | undefined =>
  stderr
    .split('\n')
    .flatMap(line => /^npm (?:error|ERR!) (.+)$/.exec(line.trim())?.[1] ?? [])
    .find(text => !/^(code|errno|syscall|network|path|dest) |complete log/.test(text))

async function packNpm(spec: string, folder: string, env: FetchOptions['env']): Promise<string> {
  const { code, stdout, stderr } = await runProgram(
    'npm',
    ['pack', spec, '--ignore-scripts', '--json', '--pack-destination', folder],
    { cwd: folder, env: commandEnvironment(env, { allow: ['npm_config_*', 'NPM_CONFIG_*'] }), maxBytes: 1024 * 1024 },
  )
  if (code !== 0) throw new Error(npmFault(stderr) ?? `npm ended with ${code}`)
  const [packed] = JSON.parse(stdout.toString('utf8')) as readonly { readonly filename: string }[]
  const name = packed?.filename.replace(/^@/, '').replaceAll('/', '-')
  const file = (await readdir(folder)).find(each => each === packed?.filename || each === name)
  if (file === undefined) throw new Error('npm packed nothing')
  return file
}
