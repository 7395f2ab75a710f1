/** The tools of an agent, written out once: its requests carry the same list, turn after turn. */
import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from '@ai-sdk/provider'

export type Tools = NonNullable<LanguageModelV3CallOptions['tools']>

export function writeOnce(toolOf: (tool: LanguageModelV3FunctionTool) => object): (tools: Tools) => string {
  const texts = new WeakMap<Tools, string>()
  return tools => {
    const known = texts.get(tools)
    if (known !== undefined) return known
    const text = JSON.stringify(tools.flatMap(tool => (tool.type === 'function' ? [toolOf(tool)] : [])))
    texts.set(tools, text)
    return text
  }
}
