import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startHeartbeat } from './heartbeat.js'

const never = () => new Promise<never>(() => {})

test('a stop waited ten seconds for a process that answered once more before its tool began to block it', async () => {
  let asked = 0
  await new Promise<void>(resolve => {
    const heartbeat = startHeartbeat(
      600_000,
      async () => {
        asked += 1
        if (asked > 1) await never()
      },
      () => {
        heartbeat.close()
        resolve()
      },
    )
    heartbeat.hurry(50)
  })
  expect(asked).toBe(2)
})

test('one that goes on answering is left alone, however often it is hurried', async () => {
  let isBlocked = false
  let asked = 0
  const heartbeat = startHeartbeat(
    600_000,
    async () => {
      asked += 1
    },
    () => {
      isBlocked = true
    },
  )
  for (let i = 0; i < 5; i++) heartbeat.hurry(20)
  await sleep(150)
  heartbeat.close()
  expect(isBlocked).toBe(false)
  const before = asked
  expect(before).toBeGreaterThan(5)
  await sleep(50)
  expect(asked, 'closed').toBe(before)
})

test('a stop of a run whose process had just ended left a timer that kept its host from ending', async () => {
  let asked = 0
  const heartbeat = startHeartbeat(
    600_000,
    async () => {
      asked += 1
    },
    () => {},
  )
  heartbeat.close()
  heartbeat.hurry(20)
  await sleep(60)
  expect(asked).toBe(0)
})
