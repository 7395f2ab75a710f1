/** Settings as they may be shown: where a key comes from, never the key. What only names a variable stays as it is. */
import { createRedactor } from '../../../adapters/models/redact.js'
import type { Json } from '../../../core/message.js'

export function concealSetting(key: string, value: Json): Json {
  return concealed(value, key.slice(key.lastIndexOf('.') + 1), false)
}

function concealed(value: Json, name: string, isHeader: boolean): Json {
  if (typeof value === 'string') return isHeader || isCredential(name) ? hide(value) : redact(value)
  if (Array.isArray(value)) return value.map((each, at) => argument(each, value[at - 1], name))
  if (typeof value !== 'object' || value === null) return value
  const areHeaders = name === 'headers'
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, concealed(each, key, areHeaders)]))
}

/** `--token x` and `--token=x` of a server's command. */
function argument(value: Json, before: Json | undefined, name: string): Json {
  if (typeof value !== 'string') return concealed(value, name, false)
  if (typeof before === 'string' && /^--?\w/.test(before) && isCredential(before)) return hide(value)
  const [, option = '', given] = /^(--?[\w-]+=)(.+)$/s.exec(value) ?? []
  return given !== undefined && isCredential(option.slice(0, -1)) ? `${option}${hide(given)}` : redact(value)
}

/** `apiKeyEnv` says where one is. */
const isCredential = (name: string): boolean =>
  /(key|token|secret|password|passwd|pwd|passphrase|credentials?|auth|authorization|cookie)$/i.test(name)

const hide = (text: string): string => (isVariable(text) ? text : hidden)

/** `Bearer ${TOKEN}`, and no value to fall back on. */
const isVariable = (text: string): boolean => /^((bearer|basic|token)\s+)?(\$\{\w+\}\s*)*$/i.test(text)

const hidden = '[key hidden]'
const redact = createRedactor([])
