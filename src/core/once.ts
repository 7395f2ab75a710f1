/** What is worked out when it is first asked for, and kept. A start asks for little of what the program knows. */
export function once<T extends object | string | number | boolean>(find: () => T): () => T {
  let found: T | undefined
  return () => {
    found ??= find()
    return found
  }
}
