import { describe, test } from 'vitest'
import { describeModel, type ModelUnderTest } from '../../src/testing/model-conformance.js'
import { jsonAnswer, type WireAnswer } from './wire/server.js'
import { startWireModels, type WireFormat, wireFormats } from './wire-models.js'

const serve = (format: WireFormat, answer: WireAnswer) => async (): Promise<ModelUnderTest> => {
  const { model, stop } = await startWireModels(format, [answer])
  return { model, name: format.model, close: stop }
}
const call = (id: string, text = '{"pattern":"a"}') => ({ id, name: 'search', arguments: text })

describe.each(wireFormats)('$title', format => {
  const say = (said: Parameters<WireFormat['answer']>[0]) => serve(format, format.answer(said))
  const cut = format.answer({ text: ['half of ', 'it'] })
  describeModel(
    { test },
    {
      text: say({ text: ['In ', 'drive.ts'] }),
      calls: say({ calls: [call('a'), call('b')] }),
      length: say({ text: ['so far'], end: 'length' }),
      broken: serve(format, { ...cut, cutAfter: cut.chunks.findIndex(chunk => chunk.includes('half of ')) + 1 }),
      failing: serve(format, jsonAnswer(400, { error: { message: 'no' } })),
      silent: serve(format, { chunks: [''], holdBefore: 0 }),
      // Gemini hands arguments over as parsed JSON, and only OpenAI and Anthropic mark a refusal as one.
      ...(format.title !== 'Gemini' && { invalidArguments: say({ calls: [call('a', '{"pattern":')] }) }),
      ...(/OpenAI|Anthropic/.test(format.title) && { refusal: say({ text: ['No.'], end: 'refusal' }) }),
    },
  )
})
