/** Folders that are called as limits are: what stands behind their slash is no value. */
import { isNearTool, isTool } from '../words/tool-words.js'

/** `tools/x.py` is a path, `in tools/ and docs/` a folder: behind a slash that was a colon there is a tool, or nearly. */
export function withoutFolders(line: string): string {
  if (!line.includes('s/')) return line
  const isTools = (name: string) => isTool(name) || isNearTool(name)
  const isName = (name: string) =>
    /\w\.[a-z]{1,5}$/.test(name) || !(/[A-Z]/.test(name) || name.split(/\W/).some(isTools))
  return line
    .replace(foldersAtStart, '$1')
    .replace(paths, (whole, name: string) => (isName(name) ? name : whole))
    .replace(folders, (whole, next: string) => (isTools(next) ? whole : next))
}

const paths = /(?<![\w-])(?:tools|hooks|permissions)\/([\w-]+(?:[./][\w-]+)*)/g
/** `tools/ and docs/ …`, where a description goes on. */
const foldersAtStart = /^\s*tools\/ +((?:and|or) +(?!(?:tools|hooks|permissions)\b)[a-z][\w.-]*\/(?=[\s.,;]|$))/
const folders = /(?<=[^\s:,] )tools\/ +([a-z\u00c0-\ud7ff]+)/g
