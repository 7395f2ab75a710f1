import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { homeDirectory, offshootDirectories } from './directories.js'

test.each(['', 'relative'])(
  'with HOME=%j runs and settings lay in whatever folder the program was started in',
  HOME => {
    vi.stubEnv('HOME', HOME)
    const places = Object.values(offshootDirectories({ HOME }))
    expect(places.every(place => isAbsolute(place) && !place.startsWith(join(process.cwd(), '.local')))).toBe(true)
    expect(isAbsolute(homeDirectory({ HOME }))).toBe(true)
    vi.unstubAllEnvs()
  },
)

test('a relative OFFSHOOT_HOME means a folder of the moment, whatever directory a run stands in later', () => {
  expect(offshootDirectories({ OFFSHOOT_HOME: 'state' }).data).toBe(resolve('state/data'))
})

test('a relative XDG place counts for nothing', () => {
  const env = { HOME: '/home/me', XDG_DATA_HOME: 'data', XDG_CONFIG_HOME: './config' }
  expect(offshootDirectories(env)).toEqual(offshootDirectories({ HOME: '/home/me' }))
})

test('without any of them it is the home the system knows', () => {
  expect(homeDirectory({})).toBe(homedir())
})
