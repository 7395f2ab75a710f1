/** `audit-*`: all agents whose names begin so. Not `audit*`, which is a name with one slip in it. */
export function isAgentPattern(name: string): boolean {
  return /^\w[\w .-]{0,120}[-_]\*$/.test(name)
}
