/** A host in a program of its own that dies without a word, in the middle of its trees. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rolldown } from 'rolldown'
import type { Chance } from './chance.js'

/** Makes the program of such a host in a folder; gives its file. */
export async function buildHost(name: string, folder: string): Promise<string> {
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  const input = join(import.meta.dirname, name)
  const bundle = await rolldown({ input, platform: 'node', external: [/^[^./]/], logLevel: 'silent' })
  const file = join(folder, 'worker.mjs')
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return file
}

export interface Doom {
  readonly trees: number
  /** How long it may live at most after it has begun. */
  readonly withinMs: number
}

export async function startDoomed(file: string, place: object, chance: Chance, doom: Doom): Promise<void> {
  const args = [JSON.stringify(place), String(chance.between(1, 2 ** 31)), String(doom.trees)]
  const host: ChildProcess = fork(file, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let errors = ''
  host.stderr?.on('data', chunk => (errors += chunk))
  const exit = once(host, 'exit')
  const begun = await Promise.race([once(host, 'message'), exit])
  if (begun[0] !== 'begun') throw new Error(`the host ended by itself: ${errors}`)
  await sleep(chance.between(0, doom.withinMs))
  host.kill('SIGKILL')
  await exit
}
