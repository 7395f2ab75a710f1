import { expect, test } from 'vitest'
import { hostileFiles } from './hostile-files.js'
import { isSettled, readText } from './widened.js'

test('a megabyte of the worst front matter is settled, however it is made', () => {
  for (const { name, path, text } of hostileFiles())
    expect(isSettled(readText(new TextEncoder().encode(text), path)), `${name} (${path})`).toBe(true)
})
