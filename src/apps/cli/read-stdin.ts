/**
 * What comes on stdin: a prompt (`-`), or context beside one.
 *
 * S1 A terminal is never read.  S2 With a prompt on the command line, a pipe that stays silent is not waited for: a
 * program that starts us may have left it open. A file is always read.  S3 What is too large is refused, not cut.
 */
import { fstatSync } from 'node:fs'

export interface StdinOptions {
  /** There is a prompt without it. */
  readonly isOptional: boolean
  readonly maxBytes?: number
}
export type StdinText = { readonly text: string; readonly wasSilent?: boolean } | { readonly fault: string }

const maxStdinBytes = 64 * 1024 * 1024
const silenceMs = 2000

export async function readStdin(stream: NodeJS.ReadStream, options: StdinOptions): Promise<StdinText> {
  if (stream.isTTY) return { text: '' }
  const { isOptional, maxBytes = maxStdinBytes } = options
  const chunks: Buffer[] = []
  let size = 0
  const reading = (async () => {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size > maxBytes) return 'too-large' as const
    }
    return 'done' as const
  })()
  const end = await Promise.race([reading, ...(isOptional && mayStaySilent() ? [silence()] : [])])
  if (end === 'too-large') return { fault: `More than ${maxBytes / 1024 / 1024} MB came on stdin; that is too much.` }
  if (end === 'silent') stream.destroy()
  return { text: Buffer.concat(chunks).toString('utf8'), ...(end === 'silent' && { wasSilent: true }) }

  async function silence(): Promise<'silent' | 'done' | 'too-large'> {
    await new Promise<void>(resolve => setTimeout(resolve, silenceMs).unref())
    return size > 0 ? reading : 'silent'
  }
}

/** Files and /dev/null end by themselves; pipes and sockets end when somebody closes them. */
function mayStaySilent(): boolean {
  try {
    const stat = fstatSync(0)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    return false
  }
}
