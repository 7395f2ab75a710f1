/**
 * Keeps the process alive while somebody waits for this. A promise alone does not: a run that waits for an answer has
 * nothing else under way, and Node would end the program in the middle of an `await`.
 */
export async function holdOpen<T>(awaited: Promise<T>): Promise<T> {
  const alive = setInterval(() => {}, longestMs)
  try {
    return await awaited
  } finally {
    clearInterval(alive)
  }
}

/** Node cannot wait longer in one timer. */
const longestMs = 2_147_483_647
