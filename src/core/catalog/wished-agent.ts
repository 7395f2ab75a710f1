/**
 * Whom the input of a delegation names: read in one way by the tool that starts the run and by the rules about it. An
 * empty text counts as left out.
 */
export interface WishedAgent {
  readonly agent?: string
  /** The run that is to go on. */
  readonly resume?: string
}

/** Who works where neither an agent nor a run is named. */
export const usualAgent = 'general-purpose'

export function readWishedAgent(input: unknown): WishedAgent {
  const { subagent_type: agent, resume } = (input ?? {}) as { subagent_type?: unknown; resume?: unknown }
  return { ...(isName(agent) && { agent }), ...(isName(resume) && { resume }) }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''
