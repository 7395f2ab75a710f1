/**
 * What was approved "always": kept for one project, in the user's own configuration, where neither the project nor a
 * run can write. Rules like any other: they never beat a deny.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { PermissionRule } from '../../core/agent-definition.js'
import { parsePermissionRules } from '../../core/permission-rule.js'
import type { RuleLayer } from '../../core/permission-rules.js'
import { readPrivateJson, writePrivateJson } from './private-json.js'

export interface SavedRules {
  layer(): RuleLayer
  save(rule: PermissionRule): void
}

export function savedRules(configDir: string, project: string): SavedRules {
  const name = createHash('sha256').update(project).digest('hex').slice(0, 16)
  const path = join(configDir, 'approved', `${name}.json`)
  let allow = read(path)
  return {
    layer: () => ({
      scope: 'user',
      origin: path,
      root: project,
      rules: parsePermissionRules({ allow }).rules,
    }),
    save({ text }) {
      if (allow.includes(text)) return
      allow = [...allow, text]
      writePrivateJson(path, { version: 1, project, allow })
    },
  }
}

function read(path: string): readonly string[] {
  try {
    const allow = readPrivateJson(path)?.allow
    return Array.isArray(allow) ? allow.filter(each => typeof each === 'string') : []
  } catch {
    return []
  }
}
