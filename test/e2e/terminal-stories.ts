/** What every file of stories in a real terminal needs: homes with servers, terminals that are closed after each story. */
import { afterAll, afterEach, beforeAll, test, vi } from 'vitest'
import { ensureBuilt, type Home } from './program.js'
import { homesWithServers } from './scripted-server.js'
import { hasTmux, Terminal, type TerminalOptions } from './terminal.js'

/** To be called once, at the top of a file. */
export function terminalStories(usual: TerminalOptions = {}) {
  if (!hasTmux) console.warn('tmux is not installed: the terminal stories are left out')
  const open: Terminal[] = []
  const { serve, closeAll } = homesWithServers()
  // A busy machine takes its time; nothing here is timed.
  vi.setConfig({ testTimeout: 90_000 })
  beforeAll(ensureBuilt, 120_000)
  afterEach(() => {
    for (const each of open.splice(0)) each.close()
  })
  afterAll(closeAll)
  const terminal = (home: Home, args: readonly string[] = [], options: TerminalOptions = {}): Terminal => {
    const made = new Terminal(home, args, { ...usual, ...options })
    open.push(made)
    return made
  }
  return { story: hasTmux ? test : test.skip, serve, terminal }
}

/** The mark stands beside a choice as soon as keys count. */
export const canAnswer = '❯ 1. Yes, once'
