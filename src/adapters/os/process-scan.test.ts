import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { inheritedFrom } from './process-scan.js'

test.runIf(process.platform === 'linux')(
  'P19 a variable that was taken from a command is found with whoever started the command',
  async () => {
    const child = spawn('bash', ['-c', "env -i bash -c 'echo $$; read -r _; true'; true"], {
      env: { PATH: process.env.PATH, OFFSHOOT_TEST: 'a=b' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    try {
      const [printed] = await once(child.stdout, 'data')
      expect(inheritedFrom('OFFSHOOT_TEST', Number(String(printed)))).toBe('a=b')
      expect(inheritedFrom('OFFSHOOT_TES', Number(String(printed)))).toBeUndefined()
      expect(inheritedFrom('OFFSHOOT_TEST')).toBeUndefined()
      expect(inheritedFrom('OFFSHOOT_TEST', 2 ** 30)).toBeUndefined()
    } finally {
      child.stdin.end('\n')
      await once(child, 'exit')
    }
  },
)
