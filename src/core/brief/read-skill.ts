/**
 * What a `SKILL.md` says. Read as tolerantly as agents: broken YAML is repaired line by line; a file without front matter
 * still is a skill, named by its folder and described by its first paragraph, with a warning.
 */
import type { Parse } from '../agent-file/block.js'
import { readBlock } from '../agent-file/text/entries.js'
import { splitFrontMatter } from '../agent-file/text/front-matter.js'
import type { Diagnostic } from '../ports.js'
import { looseKey } from '../text/nearest.js'
import { cutCharacters, oneLine } from '../text/text.js'
import type { Skill, SkillScope } from './skill.js'

export interface SkillFile {
  readonly path: string
  readonly directory: string
  readonly text: string
  readonly scope: SkillScope
}

const maxDescription = 1024

export function readSkill(
  file: SkillFile,
  yaml: Parse,
): { readonly skill?: Skill; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const warn = (code: string, message: string, line = 1) =>
    void diagnostics.push({ code, severity: 'warning', message, file: file.path, line })
  const { fields, body } = readParts(file.text, yaml, warn)
  const text = (key: string): string => {
    const value = fields.get(looseKey(key))
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  }
  const folder = file.directory.split('/').at(-1) ?? ''
  const name = (text('name') || folder).slice(0, 64)
  if (!/^[\w.:-]+$/.test(name)) {
    warn('skill-name-invalid', `"${oneLine(name, 40)}" cannot be a skill's name; it is left out`)
    return { diagnostics }
  }
  if (body.trim() === '') warn('skill-empty', 'the skill has no body')
  const description = text('description') || firstParagraph(body)
  if (!text('description')) warn('skill-without-description', 'described by its first paragraph')
  return {
    skill: {
      name,
      description: cutCharacters(oneLine(description, maxDescription), maxDescription),
      body,
      directory: file.directory,
      scope: file.scope,
      ...(text('argument-hint') && { argumentHint: oneLine(text('argument-hint'), 100) }),
      ...(fields.get(looseKey('disable-model-invocation')) === true && { isHidden: true }),
    },
    diagnostics,
  }
}

function readParts(
  text: string,
  yaml: Parse,
  warn: (code: string, message: string, line?: number) => void,
): { readonly fields: ReadonlyMap<string, unknown>; readonly body: string } {
  const split = splitFrontMatter(text)
  if ('none' in split) {
    warn('skill-without-front-matter', 'the file has no front matter; the folder gives the name', split.line)
    return { fields: new Map(), body: text }
  }
  if (split.language !== 'yaml') {
    warn('skill-front-matter-language', `front matter in ${split.language} is not read`, split.firstLine)
    return { fields: new Map(), body: split.body }
  }
  const block = readBlock(split.lines, split.firstLine, yaml)
  for (const { code, message, line } of block.problems) warn(`skill-${code}`, message, line)
  const body = [block.trailing, split.body].filter(part => part !== '').join('\n\n')
  return { fields: new Map(block.entries.map(({ key, value }) => [looseKey(key), value])), body }
}

const firstParagraph = (body: string): string =>
  body
    .split(/\n\s*\n/)
    .map(part => part.replace(/^#+ .*$/gm, '').trim())
    .find(part => part !== '') ?? ''
