import { baseDirectory } from '../../../adapters/sandboxes/base-directory.js'
import { repositoryOf } from '../../../adapters/sandboxes/worktree.js'
import { messageOf } from '../../../core/thrown.js'
import type { Brief } from '../../../core/types.js'

/** Why a run of this brief could not stand where it is to, as far as can be known before: asked from its caller's directory. */
export async function whyNoPlace(brief: Brief, cwd: string): Promise<string | undefined> {
  try {
    if (brief.isolation === 'worktree') await repositoryOf(cwd)
    else baseDirectory(brief, cwd)
    return undefined
  } catch (error) {
    return `${messageOf(error)}.`
  }
}
