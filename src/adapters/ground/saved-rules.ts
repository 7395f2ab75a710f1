/**
 * What was approved "always": kept for one project, in the user's own configuration, where neither the project nor a
 * run can write. Rules like any other: they never beat a deny.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { PermissionRule } from '../../core/agent-definition.js'
import { parsePermissionRules } from '../../core/permission/permission-rule.js'
import type { RuleLayer } from '../../core/permission/permission-rules.js'
import type { Diagnostic } from '../../core/ports.js'
import { visible } from '../../core/text/shell-word.js'
import { messageOf } from '../../core/thrown.js'
import { offshootDirectories } from '../os/directories.js'
import { asOnlyWriter } from '../os/file-lock.js'
import { fileStamp } from '../os/file-stamp.js'
import { readPrivateJson, writePrivateJson } from '../os/private-json.js'
import { projectRoot } from '../os/project-root.js'

export interface SavedRules {
  /** As they were at the last look, and what could not be written. */
  layer(): RuleLayer
  /** Looks whether the file is another one: what somebody has taken back asks again in sessions that are open. */
  refresh(): void
  /** From then on `layer` has it. Where the file cannot be read it is left as it is, and the rule counts for this session. */
  save(rule: PermissionRule): true
  /** False when there is no rule of that text, as it is or as it is shown. Throws when the file cannot be read or written. */
  revoke(text: string): boolean
  /** A file that cannot be read allows nothing. */
  readonly diagnostics: readonly Diagnostic[]
}

type Env = Readonly<Record<string, string | undefined>>

export function savedRules({ cwd, env }: { readonly cwd: string; readonly env: Env }): SavedRules {
  const project = projectRoot(cwd)
  const name = createHash('sha256').update(project).digest('hex').slice(0, 16)
  const { config, data } = offshootDirectories(env)
  const path = join(config, 'approved', `${name}.json`)
  const alone = <T>(change: () => T): T => asOnlyWriter(path, join(data, 'locks'), change)
  let stamp = fileStamp(path)
  const first = readOrFault(path)
  let written = first.allow
  const unwritten = new Set<string>()
  /** Made anew when it is asked for after a change. */
  let layer: RuleLayer | undefined
  const write = (texts: readonly string[]) => writePrivateJson(path, { version: 1, project, allow: texts })
  return {
    layer() {
      layer ??= {
        scope: 'user',
        origin: path,
        root: project,
        rules: parsePermissionRules({ allow: [...new Set([...written, ...unwritten])] }).rules,
      }
      return layer
    },
    refresh() {
      const now = fileStamp(path)
      if (now === stamp) return
      written = readOrFault(path).allow
      stamp = now
      layer = undefined
    },
    save({ text }) {
      unwritten.add(text)
      layer = undefined
      return alone(() => {
        // As it is by now: another session may have added a rule, or somebody taken one back.
        const kept = readOrFault(path)
        if (kept.fault !== undefined) return true
        const allow = kept.allow.includes(text) ? kept.allow : [...kept.allow, text]
        if (allow !== kept.allow) write(allow)
        written = allow
        unwritten.delete(text)
        return true
      })
    },
    revoke: text =>
      alone(() => {
        const kept = read(path)
        const rest = kept.filter(each => each !== text && visible(each) !== text)
        if (rest.length === kept.length) return false
        write(rest)
        return true
      }),
    diagnostics: first.fault === undefined ? [] : [unreadable(path, first.fault)],
  }
}

const unreadable = (file: string, fault: string): Diagnostic => ({
  code: 'approved-unreadable',
  severity: 'warning',
  message: `what was approved "always" here does not count: ${fault}`,
  file,
})

function readOrFault(path: string): { readonly allow: readonly string[]; readonly fault?: string } {
  try {
    return { allow: read(path) }
  } catch (error) {
    return { allow: [], fault: messageOf(error) }
  }
}

function read(path: string): readonly string[] {
  const allow = readPrivateJson(path)?.allow
  return Array.isArray(allow) ? allow.filter(each => typeof each === 'string') : []
}
