/**
 * What ends a program unless somebody listens. In place of vitest's own listeners, which would fail the whole file; an
 * error is told a few steps later.
 */
export async function unheardIn(
  kind: 'uncaughtException' | 'unhandledRejection',
  work: () => Promise<void>,
): Promise<readonly unknown[]> {
  const before = process.rawListeners(kind) as ((error: unknown) => void)[]
  const heard: unknown[] = []
  process.removeAllListeners(kind)
  process.on(kind, error => void heard.push(error))
  try {
    await work()
    for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve))
  } finally {
    process.removeAllListeners(kind)
    for (const listener of before) process.on(kind, listener)
  }
  return heard
}
