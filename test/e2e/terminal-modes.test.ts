/** The permission mode, switched in a real terminal. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { call } from './scripted-server.js'
import { canAnswer, terminalStories } from './terminal-stories.js'

const { story, serve, terminal } = terminalStories({ width: 80, height: 24 })

const shiftTab = '\u001b[Z'
const write = (name: string) => call('Write', { file_path: name, content: 'x\n' })

story('Shift+Tab goes round the modes, and the next call is judged by the one that is shown', async () => {
  const { home } = await serve({
    main: ({ turn }) => (turn % 2 === 0 ? write(`file-${turn}.txt`) : `turn ${turn} done`),
  })
  const made = (name: string) => existsSync(join(home.project, name))
  const screen = terminal(home)
  await screen.shows('Shift+Tab mode')
  screen.send(shiftTab)
  await screen.shows('· acceptEdits ·')
  await screen.type('first', 'Enter')
  await screen.shows('turn 1 done')
  expect(made('file-0.txt')).toBe(true)
  screen.send(shiftTab)
  await screen.shows('· plan ·')
  await screen.type('second', 'Enter')
  await screen.shows('turn 3 done')
  expect(made('file-2.txt')).toBe(false)
  screen.send(shiftTab)
  await screen.shows('mode default:')
  await screen.type('third', 'Enter')
  await screen.shows(canAnswer)
  await screen.type('y')
  await screen.shows('turn 5 done')
  expect(made('file-4.txt')).toBe(true)
  await screen.type('/mode bypassPermissions', 'Enter')
  await screen.shows(/rule:\s+mode-ceiling/)
  await screen.type('/mode', 'Enter')
  await screen.shows('Shift+Tab goes round default, acceptEdits, plan')
})

story('plan mode chosen before the first prompt ends with a yes to the plan; -c never has a looser mode', async () => {
  const { home } = await serve({
    main: ({ turn }) => {
      if (turn === 0) return write('early.txt')
      if (turn === 1) return call('ExitPlanMode', { plan: 'the plan' })
      return turn === 2 ? write('late.txt') : 'all done'
    },
  })
  const screen = terminal(home)
  await screen.shows('what should be done?')
  await screen.type('/plan', 'Enter')
  await screen.shows('· plan ·')
  await screen.type('go', 'Enter')
  await screen.shows('❯ 1. Yes, do it')
  await new Promise(resolve => setTimeout(resolve, 600))
  await screen.type('Enter')
  await screen.shows(canAnswer)
  expect(existsSync(join(home.project, 'early.txt'))).toBe(false)
  await screen.type('y')
  await screen.shows('all done')
  expect(existsSync(join(home.project, 'late.txt'))).toBe(true)
  await screen.type('/mode acceptEdits', 'Enter')
  await screen.shows('· acceptEdits ·')
  await screen.type('/quit', 'Enter')
  await screen.shows('[left with 0]')
  const next = terminal(home, ['--continue'])
  await next.shows('This conversation was in acceptEdits and goes on in plan')
  await next.shows('· plan ·')
})
