/** `audit-*`: all agents whose names begin so. Not `audit*`, which is a name with one slip in it. */
export function isAgentPattern(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,120}[-_]\*$/u.test(name)
}
