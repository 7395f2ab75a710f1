/** What the person was asked in a call, and what they said: it stays in the transcript, all of it. */
import type { ToolEnded } from '../../../core/run/run-state.js'
import type { Glyphs } from './glyphs.js'
import { type Line, safeText, span, wrapLine } from './line.js'

/** Undefined for every call that asks nobody. */
export function askedText({ name, status, content }: ToolEnded, input: unknown): string | undefined {
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Readonly<Record<string, unknown>>
  const came = content.map(part => (part.type === 'text' ? part.text : '')).join('')
  if (name === 'ExitPlanMode' && typeof fields.plan === 'string') {
    const said = /The user says: ([\s\S]*)$/.exec(came)?.[1]
    return said === undefined ? fields.plan : `${fields.plan.trimEnd()}\n\n→ ${said}`
  }
  if (name !== 'AskUser') return undefined
  if (status === 'ok') return came
  const questions = Array.isArray(fields.questions) ? fields.questions : []
  return questions.map(each => String((each as { readonly question?: unknown } | null)?.question ?? '')).join('\n')
}

export function askedLines(asked: string | undefined, width: number, glyphs: Glyphs): readonly Line[] {
  const text = safeText(asked ?? '').trim()
  if (text === '') return []
  return text.split('\n').flatMap(line => {
    const isAnswer = line.startsWith('→ ')
    const words = isAnswer ? `${glyphs.arrow}${line.slice(1)}` : line
    return wrapLine([span('  '), span(words, isAnswer ? { hue: 'cyan' } : {})], width, '    ')
  })
}
