import { afterEach, beforeEach } from 'vitest'
import { createTestWorkspace, type TestWorkspace } from './tool-workspace.js'

/** Once at the top of a file: a workspace made anew for each of its tests, and removed after it. */
export function freshWorkspace(create: () => TestWorkspace = createTestWorkspace): TestWorkspace {
  let current: TestWorkspace
  beforeEach(() => {
    current = create()
  })
  afterEach(() => current.remove())
  return {
    get root() {
      return current.root
    },
    path: (...parts) => current.path(...parts),
    write: (...args) => current.write(...args),
    text: name => current.text(name),
    remove: () => current.remove(),
  }
}
