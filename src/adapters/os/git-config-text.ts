/** The text of a git settings file, read without git: nothing in it is obeyed. */

export interface GitSetting {
  /** Section and key in small letters, without the subsection: `core.hookspath`, `includeif.path`. */
  readonly name: string
  readonly value: string
}

/** Every setting in it, in order. What is no setting is passed over. */
export function gitSettingsIn(text: string): readonly GitSetting[] {
  const settings: GitSetting[] = []
  let section = ''
  for (const line of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .reduce(joined, [])) {
    const header = /^\s*\[\s*([\w.-]+)\s*(?:"(?:[^"\\]|\\.)*"\s*)?\]/.exec(line)
    if (header) section = header[1]!.toLowerCase().split('.')[0]!
    const setting = /^\s*([A-Za-z][\w-]*)\s*=(.*)$/.exec(header ? line.slice(header[0].length) : line)
    if (setting) settings.push({ name: `${section}.${setting[1]!.toLowerCase()}`, value: readValue(setting[2]!) })
  }
  return settings
}

/** A backslash at the end of a line goes on in the next. */
function joined(lines: string[], line: string): string[] {
  const last = lines.at(-1)
  if (last !== undefined && /(?<!\\)(?:\\\\)*\\$/.test(last)) lines[lines.length - 1] = last.slice(0, -1) + line
  else lines.push(line)
  return lines
}

function readValue(written: string): string {
  let value = ''
  let certain = 0
  let isQuoted = false
  const text = written.trimStart()
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (!isQuoted && (letter === '#' || letter === ';')) break
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === '\\') value += escaped[text[++at] ?? ''] ?? text[at] ?? ''
    else value += letter
    // Blanks at the end count where they are quoted.
    if (isQuoted || letter === '"' || letter.trim() !== '') certain = value.length
  }
  return value.slice(0, certain)
}

const escaped: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }
