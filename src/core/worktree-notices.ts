/** What is said of the worktree of a run: to its caller, to the person, and to the run when it goes on. */

/** A run whose work is not where its caller stands: without a word its caller would look for it in vain. */
export const keptWorktree = (runId: string, path: string, branch: string, caller: string): string =>
  `The changes of run ${runId} are in ${path}, on branch ${branch}, and not in ${caller}; the user brings them there with: offshoot runs worktrees --merge ${runId}`

/** Instead, where nobody can tell what the run left. */
export const lostWorktree = (runId: string, path: string): string =>
  `The worktree of run ${runId} is gone: ${path} does not exist any more. What the run had not committed there is lost; what it had committed is on its branch.`

export const unreadWorktree = (runId: string, path: string, reason: string): string =>
  `What run ${runId} left in ${path} could not be looked at, and nothing there was removed: ${reason}`

/** For a run that goes on, and for the person. */
export const worktreeMadeAnew = (runId: string, path: string, branch: string): string =>
  `The worktree of run ${runId} was gone and was made anew in ${path}, from branch ${branch}: whatever was not committed there before is lost. Look at what is there before you go on.`
