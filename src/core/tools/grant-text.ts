import type { ToolGrant } from '../agent-definition.js'

/** A grant as files and rules write it: `Bash(git *)`. */
export function grantText({ name, pattern }: ToolGrant): string {
  return pattern === undefined ? name : `${name}(${pattern})`
}
