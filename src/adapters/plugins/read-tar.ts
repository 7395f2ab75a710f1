/**
 * The files of a tar archive, taken apart in memory and within bounds: nothing is written, linked or run here.
 * Only ordinary files and folders are taken; a link, a device, or a path that leaves the archive refuses all of it.
 */
import { gunzipSync } from 'node:zlib'
import { isInsidePath } from '../../core/catalog/plugin.js'
import type { Refusal } from '../../core/types.js'
import { pluginBounds, tooMuch } from './plugin-tree.js'

export interface TarFile {
  readonly path: string
  readonly content: Uint8Array
  readonly isExecutable: boolean
}

const block = 512
/** Headers and padding beside the files themselves. */
const maxBytes = pluginBounds.bytes + pluginBounds.files * 3 * block

export function readTar(archive: Uint8Array): readonly TarFile[] | Refusal {
  const tar = unzip(archive)
  if ('refused' in tar) return tar
  const files: TarFile[] = []
  const names = new NameBook()
  let [bytes, name] = [0, undefined as string | undefined]
  for (let at = 0; at + block <= tar.length; ) {
    const header = tar.subarray(at, at + block)
    if (header.every(byte => byte === 0)) break
    const entry = readHeader(header)
    if ('refused' in entry) return entry
    const content = tar.subarray(at + block, at + block + entry.size)
    if (content.length < entry.size) return refuse('plugin-archive', 'the archive ends in the middle of a file')
    at += block + Math.ceil(entry.size / block) * block
    if (entry.type === 'x' || entry.type === 'g' || entry.type === 'L') {
      name = entry.type === 'L' ? textOf(content) : (paxPath(content) ?? name)
      continue
    }
    const path = name ?? entry.path
    name = undefined
    bytes += entry.size
    const fault = whyNot(entry.type, path) ?? tooMuch(files.length + 1, bytes) ?? names.add(path, entry.type)
    if (fault) return fault
    if (entry.type === '0') files.push({ path, content, isExecutable: (entry.mode & 0o100) !== 0 })
  }
  return files.length > 0 ? files : refuse('plugin-archive', 'the archive holds no files')
}

/** Paths of an archive. Two that a disk could take for one, now or on another machine, refuse all of it. */
class NameBook {
  readonly #types = new Map<string, string>()

  add(path: string, type: string): Refusal | undefined {
    const parts = path.replace(/\/+$/, '').normalize('NFC').toLowerCase().split('/')
    const folders = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
    const isFree = folders.every(folder => this.#take(folder, '5')) && this.#take(parts.join('/'), type)
    return isFree
      ? undefined
      : refuse(
          'plugin-archive',
          `${JSON.stringify(path.slice(0, 120))} stands in the archive twice, or as file and folder`,
        )
  }

  /** A folder may be named again and again; a file once. */
  #take(name: string, type: string): boolean {
    const before = this.#types.get(name)
    this.#types.set(name, type)
    return before === undefined || (before === '5' && type === '5')
  }
}

function unzip(archive: Uint8Array): Uint8Array | Refusal {
  if (archive[0] !== 0x1f || archive[1] !== 0x8b) return archive
  try {
    return gunzipSync(archive, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    return isTooLarge
      ? refuse('plugin-size', `the archive unpacks to more than ${pluginBounds.bytes / 1024 / 1024} MB`)
      : refuse('plugin-archive', 'the archive cannot be unpacked')
  }
}

interface Header {
  readonly path: string
  readonly size: number
  readonly mode: number
  readonly type: string
}

function readHeader(header: Uint8Array): Header | Refusal {
  const field = (from: number, length: number) => textOf(header.subarray(from, from + length))
  const octal = (from: number, length: number) => Number.parseInt(field(from, length).trim() || '0', 8)
  const sum = header.reduce((all, byte, i) => all + (i >= 148 && i < 156 ? 32 : byte), 0)
  const size = octal(124, 12)
  if (octal(148, 8) !== sum || !Number.isSafeInteger(size) || size < 0)
    return refuse('plugin-archive', 'the archive is damaged, or no tar archive')
  const prefix = field(257, 5) === 'ustar' ? field(345, 155) : ''
  const type = field(156, 1) || '0'
  return { path: prefix ? `${prefix}/${field(0, 100)}` : field(0, 100), size, mode: octal(100, 8), type }
}

function whyNot(type: string, path: string): Refusal | undefined {
  const shown = JSON.stringify(path.slice(0, 120))
  if (type !== '0' && type !== '5') return refuse('plugin-link', `${shown} is a link or no ordinary file`)
  return isInsidePath(path.replace(/\/+$/, ''))
    ? undefined
    : refuse('plugin-path', `${shown} would be written outside of the plugin`)
}

/** `length key=value\n`, where the length counts the whole record. */
function paxPath(content: Uint8Array): string | undefined {
  let path: string | undefined
  for (let rest = Buffer.from(content); rest.length > 0; ) {
    const length = Number.parseInt(rest.toString('utf8', 0, 20), 10)
    if (!(length > 0)) break
    const record = rest.toString('utf8', 0, length - 1)
    const [, key, value] = /^\d+ ([^=]+)=(.*)$/s.exec(record) ?? []
    if (key === 'path') path = value
    rest = rest.subarray(length)
  }
  return path
}

const textOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0)
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString('utf8')
}

const refuse = (rule: string, refused: string): Refusal => ({ refused, rule })
