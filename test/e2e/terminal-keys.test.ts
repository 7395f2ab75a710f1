/** Keys, pastes and answers of a real terminal that the program did not expect, and a fault of its own. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { call } from './scripted-server.js'
import { canAnswer, terminalStories } from './terminal-stories.js'

const { story, serve, terminal } = terminalStories()

const esc = '\u001b'

story('Ctrl+F1 or a coloured paste ended the program with a stack trace; the rest went to the shell', async () => {
  const { home, server } = await serve({ main: () => 'heard it' })
  const screen = terminal(home)
  await screen.shows('what should be done?')
  for (const sequence of ['[1;5P', '[25;5~', '[0n', '[0m', '[27;5;9~', '[I', '[24;80R', '[?62;22c'])
    screen.send(esc + sequence)
  await screen.type('typed ')
  screen.paste(`${esc}[31mred${esc}[0m and\n${esc}(Bplain`)
  const shown = await screen.shows('plain')
  expect(shown).toMatch(/❯ typed red and\s+plain/)
  await screen.type('Enter')
  await screen.shows('heard it')
  expect(server.requestsOf('main').at(-1)!.text).toContain('typed red and\\nplain')
})

story('after a paste whose end mark came in two reads, or whose last byte was Escape, Ctrl+C typed a "c"', async () => {
  const { home } = await serve({ main: () => 'heard it' })
  const screen = terminal(home)
  await screen.shows('what should be done?')
  screen.send(`${esc}[200~hello${esc}[20`)
  await screen.shows('❯ hello')
  await sleep(700)
  screen.send('1~')
  screen.send(`${esc}[200~ and more${esc}${esc}[201~`)
  await screen.shows('❯ hello and more')
  await screen.type('Enter')
  await screen.shows('heard it')
  screen.send(`${esc}[200~never ends`)
  await screen.shows('❯ never ends')
  await sleep(400)
  await screen.type('C-c')
  await screen.shows('Ctrl+C again leaves')
  await screen.type('C-c')
  await screen.shows('[left with 0]')
})

story(
  'a fault of the program itself gives the terminal back, and the shell runs nothing of what was pasted',
  async () => {
    const { home } = await serve({ main: () => 'heard it' })
    const faulty = join(home.project, 'faulty.mjs')
    writeFileSync(
      faulty,
      `if (process.stdin.isTTY) process.stdin.on('data', read => { if (String(read).includes('BREAK')) throw new Error('broken on purpose') })`,
    )
    const screen = terminal(home, [], { isJob: true, env: { NODE_OPTIONS: `--import=${faulty}` } })
    await screen.shows('what should be done?')
    await screen.type('hi', 'Enter')
    await screen.shows('heard it')
    screen.paste(`BREAK\n${'touch ran-by-the-shell # a line of a log\n'.repeat(400)}`)
    const shown = await screen.shows(/fault of the program itself[\s\S]*kept[\s\S]*[$#]\s*$/)
    expect(shown.replace(/\s+/g, ' ')).toMatch(
      /ended it: broken on purpose What was stored is kept; to go on: offshoot --resume \S+/,
    )
    expect(shown).not.toContain('    at ')
    await screen.type('echo "code $?"; stty -a | grep -o -- "[-]*icanon"', 'Enter')
    expect(await screen.shows(/^code 1$/m)).toMatch(/^icanon$/m)
    expect(existsSync(join(home.project, 'ran-by-the-shell'))).toBe(false)
  },
)

story('"wait", typed into what looks like a prompt, approved a command "always"', async () => {
  const { home } = await serve({
    main: ({ turn }) => (turn === 0 ? call('Bash', { command: 'touch made', description: 'make' }) : 'left it'),
  })
  const screen = terminal(home, ['--', 'go'])
  await screen.shows(canAnswer)
  await screen.type('w', 'a', 'i', 't')
  const shown = await screen.shows('that is no answer, nothing was decided')
  expect(shown).not.toContain(canAnswer)
  await screen.type('Enter')
  await screen.shows(canAnswer)
  await screen.type('a')
  await screen.shows('Enter says: Yes, always in this project')
  await screen.type('Escape')
  await screen.shows('left it')
  expect(existsSync(join(home.project, 'made'))).toBe(false)
})
