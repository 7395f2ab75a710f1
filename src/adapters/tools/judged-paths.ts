/**
 * Ties what is opened to what was judged. A judge sees a path before the call; the tool opens it afterwards, and a search
 * opens files nobody named. So each real path is judged again at the moment of use, as if the call had asked for it.
 * J1 A deny always holds. J2 An ask counts as answered only for the very path that was asked about, or for what lies
 * below it when being outside the workspace is all that anyone on the chain has to ask. J3 A call of a run that nobody
 * judges reaches only the roots; one that was judged too long ago reaches nothing.
 */
import { join, relative } from 'node:path'
import type { RunId } from '../../core/message.js'
import { usedField } from '../../core/permission/judged-fields.js'
import type { CallToJudge, Judge, Verdict } from '../../core/ports.js'
import { isRecord } from '../../core/record.js'
import type { ExplainingJudge } from '../judge/judge.js'
import { isInside } from '../os/inside.js'
import { resolveRealPath } from '../os/real-file.js'
import { absolutePath, type PathGuard, rootsOnly } from './file-access.js'
import { type GlobInput, splitPattern } from './glob.js'

/** A judge's word on a call, held against every path the call really opens. */
export interface JudgedPaths {
  /** Lay it around the judge the runtime asks: it remembers each call that may run. */
  around(judge: Judge): Judge
  readonly guard: PathGuard
  /** The run has ended. */
  forget(runId: RunId): void
}

interface JudgedCall {
  readonly call: CallToJudge
  /** The path that was asked for, with its links resolved; absent when it moved while it was judged. */
  readonly real: string | undefined
  readonly verdict: Verdict
}

const rememberedCalls = 500
const forgotten = `more than ${rememberedCalls} calls were made at once, and what was decided about this one is not kept. Make it again, with fewer others.`
const pathFields = ['file_path', 'notebook_path', 'path'] as const

/**
 * Ties what a call opens to what was judged. `judge` is asked about each path, so it must only judge: no
 * prompting, no remembering.
 */
export function createJudgedPaths(
  judge: Judge & Partial<Pick<ExplainingJudge, 'explain' | 'plainReading'>>,
): JudgedPaths {
  const judged = new Map<RunId, Map<string, JudgedCall>>()
  const guard: PathGuard = async (path, use, context) => {
    const calls = judged.get(context.runId)
    if (!calls) return rootsOnly(path, use, context)
    const known = calls.get(context.callId)
    return known ? refusalFor(path, known, judge) : forgotten
  }
  return {
    around: outer => ({
      async judge(call) {
        const before = pathOf(call)
        const verdict = await outer.judge(call)
        if (verdict.decision === 'deny' || !actsOnFiles(call)) return verdict
        const calls = judged.get(call.runId) ?? new Map<string, JudgedCall>()
        judged.set(call.runId, calls)
        calls.set(call.callId, { call, real: before === pathOf(call) ? before : undefined, verdict })
        if (calls.size > rememberedCalls) calls.delete(calls.keys().next().value!)
        return verdict
      },
    }),
    guard: Object.assign(guard, {
      plainly: ({ runId, callId }: Parameters<PathGuard>[2]) => {
        const known = judged.get(runId)?.get(callId)
        // What lies below a link is judged by that way as well.
        return known && wayOver(known) === undefined ? judge.plainReading?.(known.call) : undefined
      },
      sees: async (path: string, real: string, { runId, callId }: Parameters<PathGuard>[2]) => {
        const known = judged.get(runId)?.get(callId)
        return known !== undefined && (await mayReadUnasked([path, real], known.call, judge))
      },
    }),
    forget: runId => void judged.delete(runId),
  }
}

async function refusalFor(
  path: string,
  known: JudgedCall,
  judge: Parameters<typeof createJudgedPaths>[0],
): Promise<string | undefined> {
  const { call, real } = known
  // The very question that was just answered: no link on the way, and nobody had to be asked.
  if (known.verdict.decision === 'allow' && path === real && path === askedPath(call) && call.spec.name !== 'Skill')
    return undefined
  const asking = (one: string) =>
    call.spec.name === 'Skill' ? asReading(call, one) : { ...call, input: { [fieldOf(call)]: one } }
  const asked = asking(path)
  const way = wayOver(known)
  if (way !== undefined && real !== undefined && isInside(path, real)) {
    const spelled = await judge.judge(asking(join(way, relative(real, path))))
    if (spelled.decision === 'deny') return spelled.reason
  }
  const verdict = await judge.judge(asked)
  if (verdict.decision === 'allow') return undefined
  if (verdict.decision === 'deny') return verdict.reason
  const isBelow = verdict.rule === outsideRoots && real !== undefined && isInside(path, real)
  const isAnswered = path === real || (isBelow && (await isAllToAsk(outsideRoots, asked, judge)))
  return isAnswered ? undefined : `${verdict.reason} Ask for it by its own path.`
}

/** By the name it was asked for and by the one it has: a rule may be about either. */
async function mayReadUnasked(paths: readonly string[], call: CallToJudge, judge: Judge): Promise<boolean> {
  const spec = { ...call.spec, name: 'Read', effect: 'read' as const, inputSchema: {} }
  try {
    const reads = paths.map(path => judge.judge({ ...call, spec, effect: 'read', input: { file_path: path } }))
    return (await Promise.all(reads)).every(({ decision }) => decision === 'allow')
  } catch {
    return false
  }
}

/** The path as it was asked for, where that leads over a link: a rule may forbid what is found by the names it has there. */
function wayOver({ call, real }: JudgedCall): string | undefined {
  if (real === undefined) return undefined
  const { cwd, roots } = call.workspace
  const spelled = absolutePath(askedPath(call) ?? '.', cwd)
  // Links above the workspace are on the way to all of it, and rules know where they lead.
  const isPlain = [cwd, ...roots].some(
    root => isInside(spelled, root) && join(resolveRealPath(root), relative(root, spelled)) === real,
  )
  return spelled === real || isPlain ? undefined : spelled
}

const outsideRoots = 'outside-roots'

/** A verdict names the first of the asks alone, and an agent further down the chain may have one of its own. */
async function isAllToAsk(
  rule: string,
  call: CallToJudge,
  judge: Parameters<typeof createJudgedPaths>[0],
): Promise<boolean> {
  const considered = (await judge.explain?.(call))?.considered ?? []
  return considered.every(one => one.decision === 'allow' || one.rule === rule)
}

/** A file beside a skill is shown by another tool than Read, and rules about reading are about it all the same. */
function asReading(call: CallToJudge, path: string): CallToJudge {
  const { spec, brief } = call
  return {
    ...call,
    spec: { ...spec, name: 'Read', inputSchema: {} },
    brief: { ...brief, allowed: [...brief.allowed, 'Read'] },
    input: { file_path: path },
  }
}

/** Nothing for a path that cannot be: the tool says why. */
function pathOf(call: CallToJudge): string | undefined {
  try {
    return resolveRealPath(absolutePath(askedPath(call) ?? '.', call.workspace.cwd))
  } catch {
    return undefined
  }
}

function askedPath(call: CallToJudge): string | undefined {
  if (call.spec.name === 'Glob') return splitPattern(call.input as GlobInput).base
  return (call.input as Record<string, string | undefined>)[fieldOf(call)]
}

function actsOnFiles({ spec }: CallToJudge): boolean {
  return spec.effect === 'read' || spec.effect === 'write'
}

function fieldOf({ spec, input }: CallToJudge): string {
  return usedField(spec, isRecord(input) ? input : {}, pathFields) ?? 'path'
}
