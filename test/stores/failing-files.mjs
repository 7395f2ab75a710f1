/**
 * Loaded before a store's process (`--import`): the files of that process fail, or it dies, at the change that the tests
 * name. `FILES_FAIL=kill|throw`, and `process.failAt = n` counts from there on.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const how = process.env.FILES_FAIL
let count = 0
const meet = () => {
  if (process.failAt === undefined) return
  count += 1
  if (count !== process.failAt) return
  if (how === 'kill') process.kill(process.pid, 'SIGKILL')
  throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', errno: -5, syscall: 'write' })
}
const failing = (target, name) => {
  const change = target[name].bind(target)
  target[name] = (...args) => {
    meet()
    return change(...args)
  }
}
for (const name of ['rename', 'utimes', 'mkdir', 'link']) {
  const change = fs.promises[name]
  fs.promises[name] = async (...args) => {
    meet()
    return change(...args)
  }
}
const { open } = fs.promises
fs.promises.open = async (path, flags = 'r', ...rest) => {
  if (flags !== 'r') meet()
  const file = await open(path, flags, ...rest)
  for (const name of ['writeFile', 'datasync', 'sync']) failing(file, name)
  return file
}
for (const name of ['writeSync', 'renameSync', 'ftruncateSync', 'fdatasync']) failing(fs, name)
syncBuiltinESMExports()
