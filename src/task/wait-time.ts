/** How long the tools that follow runs wait for them. */
export const defaultSeconds = 300
export const maxSeconds = 3600

export const waitMs = (seconds: number): number => Math.min(Math.max(seconds, 0), maxSeconds) * 1000
