/** A tar archive by hand, so that a test can put into it what no program would. */
import { gzipSync } from 'node:zlib'

export interface TarEntry {
  readonly path: string
  readonly content?: string
  /** `0` file, `2` link, `5` folder… */
  readonly type?: string
  readonly link?: string
}

export function tarball(entries: readonly TarEntry[]): Buffer {
  return gzipSync(Buffer.concat([...entries.map(entryOf), Buffer.alloc(1024)]))
}

function entryOf({ path, content = '', type = '0', link = '' }: TarEntry): Buffer {
  const body = Buffer.from(content)
  const header = Buffer.alloc(512)
  header.write(path, 0, 100)
  header.write('0000644\0', 100)
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(type, 156)
  header.write(link, 157, 100)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)])
}
