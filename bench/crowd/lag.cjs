// Loaded before the program (`--require`): says at its end how late its event loop came, as JSON in OFFSHOOT_BENCH_LAG.
const { writeFileSync } = require('node:fs')
const { monitorEventLoopDelay } = require('node:perf_hooks')

const resolution = 2
const delay = monitorEventLoopDelay({ resolution })
delay.enable()
process.on('exit', () => {
  // What it measures includes the time between two looks.
  const late = ns => Math.max(0, ns / 1e6 - resolution)
  writeFileSync(
    process.env.OFFSHOOT_BENCH_LAG,
    JSON.stringify({ p99: late(delay.percentile(99)), max: late(delay.max) }),
  )
})
