/** Tools that misbehave, made in the process of a run. Plain JavaScript: the process loads it as it is. */
import { spawn } from 'node:child_process'

const tool = (name, run, effect = 'execute') => ({
  spec: { name, description: `${name}.`, inputSchema: { type: 'object' }, effect },
  run: async (input, context) => ({ content: await run(input, context) }),
})

export const createKit = () => ({
  tools: [
    tool('Spin', () => {
      for (;;);
    }),
    tool('Exit', ({ code = 7 }) => process.exit(code)),
    tool('ThrowLater', () => {
      setImmediate(() => {
        throw new TypeError('nobody catches this')
      })
      return new Promise(() => {})
    }),
    tool('FillHeap', () => {
      const all = []
      for (;;) all.push({ n: Math.random(), list: [1, 2, 3] })
    }),
    tool('FillBuffers', () => {
      const all = []
      for (let i = 0; i < 100; i++) all.push(Buffer.alloc(20 * 1024 * 1024, 1))
      return `${all.length} buffers`
    }),
    tool('Environment', () => JSON.stringify(process.env), 'read'),
    tool('Pid', () => String(process.pid), 'read'),
    tool('Count', ({ to }, { progress }) => {
      for (let i = 1; i <= to; i++) progress(String(i))
      return 'counted'
    }),
    tool('Sleeper', ({ mark }) => {
      spawn('sh', ['-c', `sleep 600; : ${mark}`], { stdio: 'ignore' })
      return new Promise(() => {})
    }),
  ],
})
