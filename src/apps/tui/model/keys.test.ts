/** What keys do: the editor, the prompt, the tree, approvals, leaving. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallId, RunId } from '../../../core/message.js'
import type { ApprovalRequest } from '../../../core/ports.js'
import { sampleEnded, sampleEvent } from '../../../testing/sample-log.js'
import { editWith } from './edit-keys.js'
import { type Editor, emptyEditor, insert, submitted } from './editor.js'
import { type KeyPress, press, type Wish } from './keys.js'
import { openRun, type RunView } from './run-view.js'
import { emptyScreen, hearScreen, quitWithinMs, type Screen, settleMs } from './screen.js'
import { fillCommand, readSlashCommand } from './slash-command.js'
import { acceptSuggestion, suggest } from './suggestions.js'

const setText = (editor: Editor, text: string): Editor => ({ ...editor, text, cursor: text.length })

const key = (name: string): KeyPress => {
  const named = [
    'return',
    'escape',
    'tab',
    'upArrow',
    'downArrow',
    'leftArrow',
    'rightArrow',
    'backspace',
    'pageUp',
  ] as const
  if ((named as readonly string[]).includes(name)) return { input: '', [name]: true }
  return name.startsWith('^') && name.length === 2 ? { input: name[1]!, ctrl: true } : { input: name }
}
const runOf = (runId: string, parentId: string | undefined, change: Partial<RunView> = {}): RunView =>
  Object.assign(
    openRun({
      runId: runId as RunId,
      rootId: 'root' as RunId,
      ...(parentId && { parentId: parentId as RunId }),
      depth: parentId ? 1 : 0,
      agent: runId,
      eventId: '',
      seq: 1,
      at: 0,
      event: { type: 'run.started' },
    }),
    change,
  )
const screenWith = (change: Partial<Screen> = {}, runs: readonly RunView[] = []): Screen => {
  const screen = { ...emptyScreen(['older', 'newest'], 80, 24), now: 100_000, ...change }
  screen.house.rootId = runs.length > 0 ? ('root' as RunId) : undefined
  for (const run of runs) screen.house.runs.set(run.runId, run)
  return screen
}
const play = (screen: Screen, ...names: readonly string[]): { screen: Screen; wishes: Wish[] } => {
  const wishes: Wish[] = []
  let now = screen
  for (const name of names) {
    const pressed = press(now, key(name))
    now = pressed.screen
    if (pressed.wish) wishes.push(pressed.wish)
  }
  return { screen: now, wishes }
}

describe('the editor', () => {
  const typed = (text: string, ...names: readonly string[]): Editor =>
    names.reduce((editor, name) => editWith(editor, key(name)), setText(emptyEditor(['first', 'second']), text))

  test.each<[string, string[], string, number]>([
    ['one two', ['^w'], 'one ', 4],
    ['one two', ['^u'], '', 0],
    ['one two', ['^w', '^y', '^y'], 'one twotwo', 10],
    ['one two', ['^u', 'x', '^y'], 'xone two', 8],
    ['one two', ['^a', '^k', '^e', '^k', '^y'], 'one two', 7],
    ['one two', ['backspace', '^y'], 'one tw', 6],
    ['one two', ['^a', '^k'], '', 0],
    ['ab', ['leftArrow', 'x'], 'axb', 2],
    ['ab', ['^a', 'backspace'], 'ab', 0],
    ['👍', ['backspace'], '', 0],
    ['a👨‍👩‍👧‍👦', ['backspace'], 'a', 1],
    ['e\u0301x', ['leftArrow', 'backspace'], 'x', 0],
    ['👍🏽', ['leftArrow', 'rightArrow', 'b'], '👍🏽b', 5],
    ['ab\n👨‍👩‍👧‍👦', ['upArrow', 'downArrow', 'x'], 'ab\nx👨‍👩‍👧‍👦', 4],
    ['\na', ['^a', 'leftArrow', '^a'], '\na', 0],
    ['a\nb', ['upArrow', 'x'], 'ax\nb', 2],
    ['', ['upArrow'], 'second', 6],
    ['draft', ['upArrow', 'upArrow', 'downArrow', 'downArrow'], 'draft', 5],
    ['a', ['return', 'b'], 'a\nb', 3],
    ['a', ['x\r\ny\u0007'], 'ax\ny', 4],
  ])('%j with %j gives %j at %i', (text, names, result, cursor) => {
    expect(typed(text, ...names)).toMatchObject({ text: result, cursor })
  })

  test('whatever is pressed, the cursor stays inside the text', () => {
    const names = fc.constantFrom(
      'a',
      '日',
      '👍',
      '\n',
      'backspace',
      '^w',
      '^u',
      '^k',
      '^a',
      '^e',
      'leftArrow',
      'rightArrow',
      'upArrow',
      'downArrow',
    )
    fc.assert(
      fc.property(fc.array(names, { maxLength: 40 }), pressed => {
        const { text, cursor } = typed('', ...pressed)
        expect(cursor).toBeGreaterThanOrEqual(0)
        expect(cursor).toBeLessThanOrEqual(text.length)
      }),
    )
  })

  test('what was sent is remembered once', () => {
    expect(submitted(insert(emptyEditor(['a']), 'b')).history).toEqual(['a', 'b'])
    expect(submitted(insert(emptyEditor(['a']), 'a')).history).toEqual(['a'])
  })
})

describe('the prompt', () => {
  test('Enter sends, a backslash before it begins a new line', () => {
    expect(play(screenWith(), 'hi', 'return').wishes).toEqual([{ do: 'submit', text: 'hi' }])
    const { screen, wishes } = play(screenWith(), 'one\\', 'return', 'two')
    expect(wishes).toEqual([])
    expect(screen.editor.text).toBe('one\ntwo')
  })

  test('Ctrl+C: stops what runs; twice leaves; when nothing runs, twice leaves as well', () => {
    const working = screenWith({}, [runOf('root', undefined, { status: 'working' })])
    expect(play(working, '^c').wishes).toEqual([{ do: 'stop' }])
    expect(play(working, '^c', '^c').wishes).toEqual([{ do: 'stop' }, { do: 'quit' }])
    const idle = play(screenWith(), 'text', '^c')
    expect(idle.wishes).toEqual([])
    expect(idle.screen).toMatchObject({ notice: 'Ctrl+C again leaves; Up brings it back', editor: { text: '' } })
    expect(press({ ...idle.screen, now: idle.screen.now + quitWithinMs + 1 }, key('^c')).wish).toBeUndefined()
  })

  test('what Ctrl+C stopped ended at once, and took the hint with it that a second one leaves', () => {
    const working = screenWith({}, [runOf('root', undefined, { status: 'working' })])
    const { screen } = play(working, '^c')
    expect(screen.notice).toBe('stopping; Ctrl+C again leaves')
    const ended = sampleEnded({ runId: 'root' as RunId }, 9, 'half of it')
    const after = hearScreen(screen, ended)
    expect(after.notice).toBe('Ctrl+C again leaves')
    expect(press(after, key('^c')).wish).toEqual({ do: 'quit' })
    expect(hearScreen({ ...screen, now: screen.now + quitWithinMs }, ended).notice).toBeUndefined()
    expect(hearScreen(play(working, 'escape').screen, ended).notice).toBeUndefined()
  })

  test('Ctrl+C threw what was typed away for good', () => {
    expect(play(screenWith(), 'a long draft', '^c', 'upArrow').screen.editor.text).toBe('a long draft')
  })

  test('Esc ends the attempt, but first what is open before it', () => {
    const working = screenWith({}, [runOf('root', undefined, { status: 'working' })])
    expect(play(working, 'escape').wishes).toEqual([{ do: 'stop' }])
    const open = { ...working, suggestions: { items: [{ text: '/cost', about: '' }], selected: 0, from: 0, to: 1 } }
    expect(play(open, 'escape').wishes).toEqual([])
    expect(play(screenWith(), 'escape').wishes).toEqual([])
  })

  test('Ctrl+C, Up and Ctrl+C left the program a second later, and the prompt that Up had brought back was gone', () => {
    for (const between of ['upArrow', 'x', 'escape', 'tab', '^l', '^z']) {
      const { screen, wishes } = play(screenWith(), 'draft', '^c', between, '^c')
      expect(wishes).not.toContainEqual({ do: 'quit' })
      expect(play(screen, '^c').wishes).toEqual([{ do: 'quit' }])
    }
  })

  test('that nothing was waited for was still said when children were waited for', () => {
    const working = screenWith({}, [runOf('root', undefined, { status: 'working' })])
    const told: Screen = { ...working, notice: 'nothing', noticeOf: 'root' as RunId, noticeUntil: 'child.started' }
    const run = { runId: 'root' as RunId }
    const child = { callId: 'c' as CallId, runId: 'a' as RunId, background: false } as never
    expect(hearScreen(told, sampleEvent(run, 2, { type: 'run.started' })).notice).toBe('nothing')
    expect(
      hearScreen(told, sampleEvent(run, 3, { type: 'child.started', ...(child as object) } as never)).notice,
    ).toBeUndefined()
  })

  test('Ctrl+D leaves an empty prompt only', () => {
    expect(play(screenWith(), '^d').wishes).toEqual([{ do: 'quit' }])
    expect(play(screenWith(), 'x', '^d').wishes).toEqual([])
  })
})

test('Shift+Tab opened the children: it asks for the next mode, also beside suggestions and while it works', () => {
  const shiftTab: KeyPress = { input: '', tab: true, shift: true }
  const typed = screenWith({ editor: setText(emptyEditor(), '/mo') })
  for (const screen of [screenWith(), screenWith({}, [runOf('root', undefined, { status: 'working' })]), typed]) {
    const pressed = press(screen, shiftTab)
    expect([pressed.wish, pressed.screen.editor]).toEqual([{ do: 'mode' }, screen.editor])
  }
})

describe('children', () => {
  const runs = [
    runOf('root', undefined, { status: 'waiting' }),
    runOf('a', 'root', { status: 'ended' }),
    runOf('b', 'root', { status: 'working' }),
  ]

  test('Tab goes to the first that is at work; keys act on the chosen one', () => {
    const { screen } = play(screenWith({}, runs), 'tab')
    expect(screen.tree).toMatchObject({ isFocused: true, selected: 'b' })
    expect(play(screen, 'x').wishes).toEqual([{ do: 'stop', runId: 'b' }])
    expect(play(screen, 'b').wishes).toEqual([{ do: 'background', runId: 'b' }])
    expect(play(screen, 'm', 'hurry', 'return').wishes).toEqual([{ do: 'send', runId: 'b', text: 'hurry' }])
    expect(play(screen, 'upArrow', 'x').wishes).toEqual([])
    expect([...play(screen, ' ').screen.tree.expanded]).toEqual(['b'])
    expect([...play(screen, ' ', 'leftArrow').screen.tree.expanded]).toEqual([])
    expect(play(screen, 'escape').screen.tree.isFocused).toBe(false)
    const typed = play(screen, '/', 'x').screen
    expect([typed.tree.isFocused, typed.editor.text]).toEqual([false, '/x'])
  })

  test('Enter opens the transcript, which scrolls and goes back to the tree', () => {
    const { screen } = play(screenWith({}, runs), 'tab', 'return', 'upArrow', 'upArrow', 'downArrow')
    expect(screen.transcript).toEqual({ runId: 'b', fromEnd: 1 })
    expect(play(screen, 'escape').screen).toMatchObject({ transcript: undefined, tree: { isFocused: true } })
  })

  test('in a transcript words are a message to the child, wherever an x stands in them', () => {
    const open = play(screenWith({}, runs), 'tab', 'return').screen
    expect(play(open, 'f', 'i', 'x', 'return').wishes).toEqual([{ do: 'send', runId: 'b', text: 'fix' }])
    expect(play(open, 'hello there', 'return').wishes).toEqual([{ do: 'send', runId: 'b', text: 'hello there' }])
    expect(play(open, 's', 't', 'o', 'p', 'return').wishes).toEqual([{ do: 'send', runId: 'b', text: 'stop' }])
    expect(play(open, 'q').screen.transcript).toBeDefined()
    expect(play(open, 'x').wishes).toEqual([{ do: 'stop', runId: 'b' }])
  })

  test('Ctrl+Z suspends, wherever the keys go', () => {
    const open = play(screenWith({}, runs), 'tab', 'return').screen
    for (const screen of [screenWith(), open]) expect(play(screen, '^z').wishes).toEqual([{ do: 'suspend' }])
  })

  test('without children Tab says so', () => expect(play(screenWith(), 'tab').screen.notice).toBe('no children yet'))
})

describe('approvals', () => {
  const request = {
    ...{ approvalId: 'r/c/1', name: 'Bash', path: ['main'], input: { command: 'touch made' } },
    ...{ context: 'touch made', rule: 'default', reason: 'commands ask' },
  } as unknown as ApprovalRequest
  const asked = screenWith({ approvals: [request], askedAt: 0 })

  test.each<[string[], string | undefined, string | undefined]>([
    [['y'], 'allow', 'once'],
    [['1'], 'allow', 'once'],
    [['2'], undefined, undefined],
    [['2', 'return'], 'allow', 'run'],
    [['s'], undefined, undefined],
    [['s', 'return'], 'allow', 'session'],
    [['a'], undefined, undefined],
    [['a', 'return'], 'allow', 'always'],
    [['4', '3', '1'], 'allow', 'once'],
    [['^a'], undefined, undefined],
    [['^y'], undefined, undefined],
    [['n'], 'deny', 'once'],
    [['escape'], 'deny', 'once'],
    [['return'], 'allow', 'once'],
    [['downArrow', 'downArrow', 'return'], 'allow', 'session'],
    [['upArrow', 'upArrow', 'return'], 'deny', 'once'],
    [['q'], undefined, undefined],
  ])('%j answers %s %s', (names, verdict, scope) => {
    const wish = play(asked, ...names).wishes[0]
    if (verdict === undefined) expect(wish).toBeUndefined()
    else expect(wish).toMatchObject({ do: 'approve', approvalId: 'r/c/1', choice: { verdict, scope } })
  })

  test.each(['wait', 'cancel', 'stop', 'really?', 'say yes', 'always', 'abort', 'run', 'a y', '9'])(
    '"%s", typed at a request, approved it, "always" even',
    word => {
      const typed = play(asked, ...word)
      expect(typed.wishes).toEqual([])
      expect(typed.screen.notice).toContain('no answer')
      const ended = play(typed.screen, 'return', 'return', 'y')
      expect(ended.wishes).toEqual([])
      const later = { ...ended.screen, now: ended.screen.now + settleMs }
      expect(play(later, 'return').wishes).toMatchObject([{ choice: { verdict: 'allow', scope: 'once' } }])
      expect(play(typed.screen, 'escape').wishes).toEqual([])
    },
  )

  test('a word that was begun before the request appeared answers it with none of its letters', () => {
    let now: Screen = { ...asked, askedAt: asked.now }
    for (const letter of 'every day, yes') {
      const { screen, wish } = press({ ...now, now: now.now + 120 }, key(letter))
      expect(wish).toBeUndefined()
      now = screen
    }
  })

  test('a no with words', () => {
    const { wishes } = play(asked, 't', 'too risky', 'return')
    expect(wishes).toMatchObject([{ do: 'approve', choice: { verdict: 'deny' }, reason: 'too risky' }])
  })

  test('a key that was on its way when the request appeared is no answer', () => {
    const fresh = { ...asked, askedAt: asked.now - settleMs + 1 }
    expect(play(fresh, 'y').wishes).toEqual([])
    expect(play(fresh, 'return').wishes).toEqual([])
  })
})

test('the tabs of pasted code were lost, and the words round them run together', () => {
  const { text } = editWith(emptyEditor([]), { input: 'if x:\n\treturn\t1' })
  expect(text).toBe('if x:\n    return    1')
})

test('questions are answered by number or in words', () => {
  const question = { id: 'q', from: 'main', question: 'Which?', options: [{ label: 'red' }, { label: 'blue' }] }
  expect(play(screenWith({ questions: [question] }), '2', 'return').wishes).toEqual([
    { do: 'answer', questionId: 'q', text: 'blue' },
  ])
  expect(play(screenWith({ questions: [question] }), 'green', 'return').wishes).toEqual([
    { do: 'answer', questionId: 'q', text: 'green' },
  ])
})

describe('suggestions', () => {
  const sources = {
    commands: [
      { name: 'cost', about: '' },
      { name: 'compact', about: '' },
    ],
    agents: [{ name: 'Explore', about: 'finds' }],
    files: ['src/core/run.ts', 'src/explore.md', 'README.md', 'my notes.txt', 'app/[id].tsx'],
  }
  const found = (text: string) => suggest(setText(emptyEditor(), text), sources)?.items.map(item => item.text)

  test.each<[string, string[] | undefined]>([
    ['/co', ['/cost', '/compact']],
    ['/x', undefined],
    ['say /co', undefined],
    ['ask @expl', ['@Explore', '@src/explore.md']],
    ['see @run', ['@src/core/run.ts']],
    ['see @rdm', ['@README.md']],
    ['see @notes', ['@"my notes.txt"']],
    ['see @"my no', ['@"my notes.txt"']],
    ['see @my\\ no', ['@"my notes.txt"']],
    ['see @id', ['@"app/[id].tsx"']],
    ['see @"my notes.txt"', undefined],
    ['mail a@b', undefined],
    ['done', undefined],
  ])('%s: %j', (text, items) => expect(found(text)).toEqual(items))

  test('counts what there is no room for', () => {
    const many = { ...sources, agents: [], files: Array.from({ length: 11 }, (_, at) => `file-${at}`) }
    expect(suggest(setText(emptyEditor(), '@fi'), many)).toMatchObject({ more: 3 })
    expect(suggest(setText(emptyEditor(), '@file-1'), many)).not.toHaveProperty('more')
  })

  test('an older prompt on the line suggests nothing: Up and Down go on through the history', () => {
    const editor = editWith(emptyEditor(['/cost']), key('upArrow'))
    expect(editor.text).toBe('/cost')
    expect(suggest(editor, sources)).toBeUndefined()
    expect(suggest(editWith(editor, key('backspace')), sources)?.items).toHaveLength(1)
  })

  test('Enter on a command of the list only completed it: with the next one behind it, the next one was dropped', () => {
    const at = (text: string, commands = sources.commands) => {
      const editor = setText(emptyEditor(), text)
      return { ...screenWith(), editor, suggestions: suggest(editor, { ...sources, commands }) } as Screen
    }
    expect(play(at('/cos'), 'return')).toMatchObject({
      wishes: [{ do: 'submit', text: '/cost' }],
      screen: { editor: { text: '' } },
    })
    expect(play(at('/cos'), 'tab')).toMatchObject({ wishes: [], screen: { editor: { text: '/cost ' } } })
    // It may take something: that can be written then.
    const model = [{ name: 'model', about: '', arguments: '[model]' }]
    expect(play(at('/mod', model), 'return')).toMatchObject({ wishes: [], screen: { editor: { text: '/model ' } } })
    expect(play(at('ask @expl'), 'return')).toMatchObject({ wishes: [], screen: { editor: { text: 'ask @Explore ' } } })
    const before = { ...at('/cos'), editor: { ...setText(emptyEditor(), '/cos the rest'), cursor: 4 } }
    expect(play(before, 'return')).toMatchObject({ wishes: [], screen: { editor: { text: '/cost the rest' } } })
  })

  test('a taken one replaces the word and leaves room for the next', () => {
    const editor = setText(emptyEditor(), 'ask @expl')
    expect(acceptSuggestion(editor, suggest(editor, sources)!).text).toBe('ask @Explore ')
    const spaced = setText(emptyEditor(), 'read @"my n')
    expect(acceptSuggestion(spaced, suggest(spaced, sources)!).text).toBe('read @"my notes.txt" ')
  })
})

test.each<[string, object | undefined]>([
  ['/cost', { name: 'cost', rest: '' }],
  ['/git:commit fix it', { name: 'git:commit', rest: 'fix it' }],
  ['/etc/hosts is what?', undefined],
  ['what about /cost', undefined],
])('%s is a command: %j', (text, command) => expect(readSlashCommand(text)).toEqual(command))

test.each<[string, string, string]>([
  ['Say $ARGUMENTS!', 'hi there', 'Say hi there!'],
  ['$2 before $1', 'a b', 'b before a'],
  ['Just do it.', 'now', 'Just do it.\n\nnow'],
  ['Costs $5', '', 'Costs '],
  ['Plain', '', 'Plain'],
])('%j filled with %j', (body, rest, text) => expect(fillCommand(body, rest)).toBe(text))
