import { expect, test } from 'vitest'
import { readResetTime, readRetryAfter } from './retry-after.js'

const now = Date.parse('2026-11-15T10:00:00Z')

test.each([
  ['seconds', { 'retry-after': '7' }, '', 7_000],
  ['milliseconds win', { 'retry-after-ms': '250', 'retry-after': '7' }, '', 250],
  ['a date', { 'retry-after': 'Sun, 15 Nov 2026 10:00:30 GMT' }, '', 30_000],
  ['a date gone by', { 'retry-after': 'Sun, 15 Nov 2026 09:00:00 GMT' }, '', 0],
  ['the detail in a body', {}, '{"error":{"details":[{"retryDelay": "34s"}]}}', 34_000],
  ['nothing said', {}, '{}', undefined],
  ['nonsense', { 'retry-after': 'soon' }, '', undefined],
  ['never', { 'retry-after': 'Infinity' }, '', undefined],
  ['never, in milliseconds', { 'retry-after-ms': 'Infinity', 'retry-after': '7' }, '', 7_000],
])('when to come back: %s', (_title, headers, body, wait) => {
  expect(readRetryAfter(headers, body, now)).toBe(wait)
})

test.each([
  ['epoch seconds', { 'anthropic-ratelimit-unified-reset': '1794736800' }, 1_794_736_800_000],
  ['a time of day', { 'anthropic-ratelimit-requests-reset': '2026-11-15T10:05:00Z' }, now + 300_000],
  ['a span', { 'x-ratelimit-reset-tokens': '6m0s' }, now + 360_000],
  ['a short span', { 'x-ratelimit-reset-requests': '450ms' }, now + 450],
  ['only what is used up', { 'x-ratelimit-reset-tokens': '1h0m0s', 'x-ratelimit-remaining-tokens': '900' }, undefined],
  ['never', { 'anthropic-ratelimit-unified-reset': 'Infinity', 'x-ratelimit-reset-tokens': 'Infinity' }, undefined],
  ['nothing', {}, undefined],
])('when a limit is lifted: %s', (_title, headers, time) => {
  expect(readResetTime(headers, now)).toBe(time)
})
