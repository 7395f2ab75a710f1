/**
 * What a run that goes on keeps from its beginning. Whoever asks for something else of it is refused: passed over in
 * silence, an agent that only reads would write, and a script would get an answer that does not fit its schema.
 */
import { planCompletion } from '../../core/brief/completion.js'
import { chooseModel, isRefusedModel } from '../../core/brief/model-choice.js'
import { partsAround } from '../../core/brief/substitute.js'
import { serverName } from '../../core/mcp/mcp-config.js'
import type { RunId } from '../../core/message.js'
import { isRecord } from '../../core/record.js'
import { canonicalJson } from '../../core/text/text.js'
import type { Declared, Refusal, StoredBrief } from '../../core/types.js'
import type { SessionFlags } from './flags.js'
import { readJsonArgument } from './json-argument.js'
import { readGivenSettings, type Session } from './open-session.js'

type Kept = Pick<SessionFlags, 'model' | 'agent' | 'maxTurns' | 'jsonSchema' | 'appendSystemPrompt' | 'mcpConfig'>
type Going = Pick<Session, 'house' | 'cwd'>

export async function keptConflict(session: Going, runId: string, flags: Partial<Kept>): Promise<Refusal | undefined> {
  const { model, agent, maxTurns, jsonSchema, appendSystemPrompt, mcpConfig } = flags
  const isAsked = model || agent || maxTurns || jsonSchema || appendSystemPrompt || mcpConfig?.length
  const brief = isAsked && (await session.house.run(runId as RunId).brief())
  if (!brief) return undefined
  const goesOn = `Run ${runId} goes on`
  return (
    modelConflict(session, goesOn, brief, model) ??
    agentConflict(session, goesOn, brief, agent) ??
    turnsConflict(goesOn, brief, maxTurns) ??
    schemaConflict(session, goesOn, brief, jsonSchema) ??
    serversConflict(session, goesOn, brief, mcpConfig) ??
    (await promptConflict(session, goesOn, brief, appendSystemPrompt))
  )
}

/** It must not be the bill that says which model was asked. */
function modelConflict({ house }: Going, goesOn: string, { model }: StoredBrief, asked: string | undefined) {
  if (!asked) return undefined
  const choice = chooseModel({ asked, models: house.models.infos })
  if (isRefusedModel(choice)) return choice
  if (choice.model === model) return undefined
  return kept('model', `${goesOn} with ${model}: a run keeps its model`, `--model ${asked}`)
}

function agentConflict({ house }: Going, goesOn: string, { agent }: StoredBrief, asked: string | undefined) {
  if (!asked || (house.catalog().find(asked)?.name ?? asked) === agent) return undefined
  return kept('agent', `${goesOn} as ${agent}: a run keeps its agent`, `--agent ${asked}`)
}

/** More than it has is no limit that gets lost: `keptTurns` says it. */
function turnsConflict(goesOn: string, { limits }: StoredBrief, asked: number | undefined) {
  if (asked === undefined || (limits.maxTurns ?? Number.POSITIVE_INFINITY) <= asked) return undefined
  const has = limits.maxTurns === undefined ? 'without a limit of turns' : `with at most ${limits.maxTurns} turns`
  return kept('turns', `${goesOn} ${has}: a run keeps its limits`, `--max-turns ${asked}`)
}

function schemaConflict({ cwd }: Going, goesOn: string, { completion }: StoredBrief, asked: string | undefined) {
  const read = asked === undefined ? undefined : readJsonArgument('--json-schema', asked, cwd)
  if (!read || 'fault' in read) return undefined
  const wanted = planCompletion({ output: { name: 'result', schema: read.value }, completion: 'explicit' })
  if (completion.inputSchema && canonicalJson(completion.inputSchema) === canonicalJson(wanted.inputSchema))
    return undefined
  const has = completion.isStructured ? 'with another schema for its answer' : 'without a schema for its answer'
  return kept('schema', `${goesOn} ${has}: a run keeps that`, '--json-schema')
}

/** Those it was begun with may, and have to, be named again, also where its agent got none of their tools. */
function serversConflict({ cwd }: Going, goesOn: string, { reasons }: StoredBrief, asked: SessionFlags['mcpConfig']) {
  const given = asked?.length ? readGivenSettings({ mcpConfig: asked }, cwd) : []
  if ('fault' in given) return undefined
  const named = given.flatMap(({ content }) => Object.keys(isRecord(content.mcpServers) ? content.mcpServers : {}))
  const knew = (server: string) => reasons.some(({ subject }) => subject.startsWith(`mcp__${serverName(server)}__`))
  const missing = named.find(name => !knew(name))
  if (missing === undefined) return undefined
  return kept('servers', `${goesOn} without tools of the server "${missing}": a run keeps its tools`, '--mcp-config')
}

async function promptConflict({ house }: Going, goesOn: string, brief: StoredBrief, asked: string | undefined) {
  if (!asked?.trim()) return undefined
  const declared = await house.store.fetch(brief.declared.hash)
  if (declared === undefined || holds((JSON.parse(declared) as Declared).system, asked)) return undefined
  return kept('prompt', `${goesOn} with its system prompt as it was: a run keeps that`, '--append-system-prompt')
}

/** Whether a text went into a prompt, in which its placeholders have become what they stand for. */
function holds(prompt: string, text: string): boolean {
  let at = 0
  return partsAround(text.trim()).every(part => {
    const found = prompt.indexOf(part, at)
    at = found + part.length
    return found >= 0
  })
}

const kept = (what: string, has: string, option: string): Refusal => ({
  refused: `${has}, so ${option} cannot be had for it. Leave that out, or begin a new conversation.`,
  rule: `${what}-kept`,
})

/** Whoever names more turns must not believe that they count. */
export function keptTurns(runId: string, has: number | undefined, asked: number | undefined): string | undefined {
  if (has === undefined || asked === undefined || asked <= has) return undefined
  return `--max-turns ${asked} is not had: run ${runId} was begun with at most ${has} turns for each attempt, and a resume does not raise that.`
}
