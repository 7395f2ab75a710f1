/** Waiting that a test decides about. */

/** Closed until it is opened. */
export function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = () => {}
  const opened = new Promise<void>(resolve => (open = resolve))
  return { open: () => open(), opened }
}

/** What the work comes to, or `hung`. */
export async function within<T>(work: Promise<T>, ms = 4_000): Promise<T | 'hung'> {
  return Promise.race([work, new Promise<'hung'>(resolve => setTimeout(() => resolve('hung'), ms))])
}
