/**
 * Names that stay taken while a file cannot be read: another agent of the name, further down the list, might be allowed
 * more than this one.
 */
import { nameFault } from './fields/word-fields.js'
import { isData, isModesFile, nameByFile } from './file-name.js'
import type { AgentFile, FileReading } from './read-agent-file.js'
import { decodeText } from './text/decode.js'

/** The same, and of a file in which no agent could be made out what it holds: its own name, and those seen in the text. */
export function withHolds(reading: FileReading, { path, content, prefix }: AgentFile): FileReading {
  // Empty is what is left of one that was being written.
  const isLost =
    reading.state === 'quarantined' ||
    content.length === 0 ||
    reading.diagnostics.some(({ code }) => code === 'front-matter-unopened')
  if (!isLost || reading.agents.some(({ agent }) => agent !== undefined)) return reading
  const text = typeof content === 'string' ? content : decodeText(content).text
  const names = namesIn(text, isData(path) && !isModesFile(path)).map(name =>
    prefix === undefined ? name : `${prefix}:${name}`,
  )
  return { ...reading, holds: [...new Set([nameByFile(path, prefix), ...names])] }
}

/** Of data that names files and has no prompt only its own: the agents stand in these files, which must not wait for it. */
function namesIn(text: string, isData: boolean): readonly string[] {
  const written = Array.from(text.slice(0, maxText).matchAll(nameLine), ([, name = '']) => name.trim())
  if (isData && written.length > 1 && namesFile.test(text) && !promptWord.test(text)) return []
  return written.slice(0, maxNames).filter(name => nameFault(name) === undefined)
}

const nameLine = /(?:^|[{,])[ \t]*["']?name["']?[ \t]*[:=][ \t]*["']?([^\s"',}][^\n"',}]{0,80})/gm
const promptWord = /prompt|instructions|roleDefinition|query|extends|persona/i
const namesFile = /["' ](?:file|path)_?\w{0,10}["']?\s*:\s*["']?[^\s"':]{1,200}\.md\b/i
const maxText = 64 * 1024
const maxNames = 20
