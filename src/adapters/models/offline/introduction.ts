/** What the scout says about itself. */

export const disclaimer =
  'offline/scout is keyword search, not a language model: it finds places, it does not understand them. Read them before you rely on them.'

export function introduce(canSearch: boolean): string {
  return [
    'I am offline/scout, the model Offshoot uses when no key for a language model is set.',
    'I am keyword search, not a language model: I cannot chat, reason or write code.',
    '',
    canSearch
      ? 'What I can do is find things in this folder. I send Explore children over it and answer with path:line citations. Try:'
      : 'Here I was given no tool to search with, so there is nothing I can look up. With Grep, Glob and Read I answer questions like:',
    '  - Where are retries with backoff handled?',
    '  - Who calls parseConfig?',
    '  - Is there a test for the timeout?',
    '  - How would I add a new command?',
    '  - What is this project?',
    '',
    'For a language model set a key such as ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.',
  ].join('\n')
}
