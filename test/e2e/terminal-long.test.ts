/** Long texts in a real terminal: pasted, answered, and asked for. The program has little memory, and nothing is timed. */
import { expect } from 'vitest'
import { call } from './scripted-server.js'
import { canAnswer, terminalStories } from './terminal-stories.js'

const { story, serve, terminal } = terminalStories({ env: { NODE_OPTIONS: '--max-old-space-size=300' } })

story('a paste of 1,000 lines, or an answer of 40 KB in one line, killed the terminal program', async () => {
  const { home, server } = await serve({ main: () => `é${'word '.repeat(8000)}ends here` })
  const screen = terminal(home, [])
  await screen.shows('what should be done?')
  screen.paste(
    Array.from({ length: 1000 }, (_, at) => `line ${at} of pasted text, plain words and nothing odd`).join('\n'),
  )
  await screen.shows('line 999 of pasted text')
  await screen.type('!', 'Enter')
  await screen.shows('ends here')
  await screen.shows('what should be done?')
  expect(JSON.stringify(server.requests[0]!.body.messages)).toContain(
    'line 999 of pasted text, plain words and nothing odd!',
  )
})

story(
  'a Write of 40 KB in one line, and a command of 25 KB, froze the request for them; both are read to their end',
  async () => {
    const long = `é${'word '.repeat(8000)}`
    const { home } = await serve({
      main: ({ turn }) =>
        [
          call('Write', { file_path: 'a.json', content: `{"a":"${long}"}\nlast` }),
          call('Bash', { command: `echo '${long.slice(0, 25_000)}' > out.txt # the end` }),
          'Well then.',
        ][turn]!,
    })
    const screen = terminal(home, ['go'], { height: 50 })
    for (const [count, end] of [
      [/\d{5} more characters of this line, 1 more line/, '+last'],
      [/\d{5} more characters of this line/, '# the end'],
    ] as const) {
      await screen.shows(canAnswer)
      await screen.shows(count)
      for (let page = 0; page < 20; page++) await screen.type('NPage')
      await screen.shows(end)
      await screen.type('n')
    }
    await screen.shows('Well then.')
  },
)
