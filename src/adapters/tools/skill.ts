/** Skill: loads the instructions of a skill, or one of the files beside them. A skill grants no tool and no permission. */
import { readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { AgentDefinition } from '../../core/agent-definition.js'
import type { PromptPart } from '../../core/brief/prompt-parts.js'
import { expandSkill, listSkills, type Skill } from '../../core/brief/skill.js'
import { isSecret } from '../../core/permission/protected-paths.js'
import type { WrittenDeny } from '../../core/permission/written-deny.js'
import type { Tool, ToolOutput } from '../../core/ports.js'
import { didYouMean } from '../../core/text/nearest.js'
import { foldPath } from '../../core/text/path-text.js'
import { readGuardedFile } from '../sources/guarded-file.js'
import { defineTool, ToolFailure } from './define-tool.js'
import type { PathGuard, Refused } from './file-access.js'

interface SkillInput {
  readonly skill: string
  readonly args?: string
  readonly file?: string
}

const maxFileBytes = 256 * 1024
const maxListed = 50

/**
 * Made for the skills of the moment; where there are none, there is no tool. `guard`: asked before a file beside one is
 * shown.
 */
export function createSkillTool(skills: readonly Skill[], guard?: PathGuard): Tool | undefined {
  if (!skills.some(skill => !skill.isHidden)) return undefined
  return defineTool<SkillInput>({
    spec: {
      name: 'Skill',
      description: `Loads a skill: instructions for a kind of task, with files beside them. Load one when its description fits the task.\n${listSkills(skills)}`,
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          skill: { type: 'string', description: 'Its name' },
          args: { type: 'string' },
          file: { type: 'string', description: 'A supporting file of the skill, as listed when it was loaded' },
        },
        required: ['skill'],
      },
    },
    context: ({ skill, file }) => (file ? `${skill}/${file}` : skill),
    async run({ skill: name, args, file }, context) {
      const skill = skills.find(each => each.name === name && !each.isHidden)
      if (!skill) throw new ToolFailure(unknownSkill(name, skills), 'unknown skill')
      if (file === undefined) return loadSkill(skill, args)
      return readSupportingFile(skill, file, path => guard?.(path, 'read', context))
    },
  })
}

function unknownSkill(name: string, skills: readonly Skill[]): string {
  const known = skills.filter(skill => !skill.isHidden).map(skill => skill.name)
  const near = didYouMean(name, known)
  return `There is no skill "${name}".${near ? ` Did you mean ${near}?` : ''} Known: ${known.join(', ')}.`
}

function loadSkill(skill: Skill, args: string | undefined): ToolOutput {
  return { content: skillText(skill, args), summary: `loaded ${skill.name}` }
}

function skillText(skill: Skill, args?: string): string {
  const files = supportingFiles(skill.directory)
  const beside =
    files.length > 0
      ? `\n\n[Files of this skill, in ${skill.directory}; Skill with "file" reads one:\n${files.join('\n')}]`
      : ''
  return expandSkill(skill, args) + beside
}

function supportingFiles(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name !== 'SKILL.md')
      .map(entry => relative(directory, join(entry.parentPath, entry.name)))
      .sort()
      .slice(0, maxListed)
  } catch {
    return []
  }
}

async function readSupportingFile(
  { name, directory }: Skill,
  file: string,
  whyNot: (realPath: string) => Refused | Promise<Refused>,
): Promise<ToolOutput> {
  const read = await readGuardedFile(resolve(directory, file), { maxBytes: maxFileBytes, within: [directory] })
  if (!read) throw new ToolFailure(`The skill ${name} has no file "${file}".`, 'not found')
  if ('fault' in read) throw new ToolFailure(`"${file}" of the skill ${name} was not read: ${read.fault}.`, 'refused')
  if (isSecret(foldPath(read.realPath)))
    throw new ToolFailure(`"${file}" may hold secrets and was not read.`, 'refused')
  const reason = await whyNot(read.realPath)
  if (reason !== undefined) throw new ToolFailure(`"${file}" of the skill ${name} was not read: ${reason}`, 'refused')
  return { content: read.text, summary: file }
}

/** The skills a definition wants loaded from the start; one that is not there leaves an empty part, and so a reason. */
export function skillParts(
  agent: Pick<AgentDefinition, 'skills'>,
  skills: readonly Skill[],
  deniedBy: (name: string) => WrittenDeny | undefined = () => undefined,
): readonly PromptPart[] {
  return (agent.skills ?? []).map(name => {
    const deny = deniedBy(name)
    if (deny) return { kind: 'skill', origin: name, text: '', deniedBy: deny }
    const skill = skills.find(each => each.name === name)
    return { kind: 'skill', origin: name, text: skill ? skillText(skill) : '' }
  })
}
