/**
 * Why a provider says an answer ended → what that means for a run. Servers that speak another's format have words of their
 * own, so everything is looked up by the word itself.
 *
 * F1 An answer that was broken off is a failure, whatever it had said by then.
 * F2 A word nobody knows is told and kept (`unknownStop`): the answer may be whole or not.
 */
import type { LanguageModelV3FinishReason } from '@ai-sdk/provider'
import type { FinishReason } from '../../core/events.js'

type Meaning = 'done' | 'length' | 'calls' | 'filter' | 'refusal' | 'broken' | 'unknown'
export type Stop = { readonly broken: string } | { readonly finish: FinishReason; readonly unknownStop?: string }

export function readFinish({ unified, raw }: LanguageModelV3FinishReason, hasCalls: boolean): Stop {
  const meaning = meaningOf(unified, raw)
  switch (meaning) {
    case 'broken':
      return {
        broken: raw ? `the provider says "${harmless(raw)}"` : 'the stream ended without saying why the model stopped',
      }
    case 'length':
    case 'filter':
    case 'refusal':
      return { finish: meaning }
    case 'done':
      return { finish: hasCalls ? 'calls' : 'stop' }
    case 'calls':
      // Calls were announced, and none came: something of the answer is missing.
      return hasCalls
        ? { finish: 'calls' }
        : { finish: 'other', unknownStop: `${harmless(raw ?? unified)}, without a call` }
    case 'unknown':
      return { finish: hasCalls ? 'calls' : 'other', unknownStop: harmless(raw ?? unified) }
  }
}

function meaningOf(unified: LanguageModelV3FinishReason['unified'], raw: string | undefined): Meaning {
  const word = (raw ?? '').trim().toLowerCase()
  if (unified === 'error') return 'broken'
  if (unified === 'content-filter')
    return /filter|safety|block|prohibited|recitation|spii/.test(word) ? 'filter' : 'refusal'
  const known = meanings.get(word)
  if (unified === 'other' || word === paused) return known ?? 'unknown'
  return unified === 'stop' ? 'done' : unified === 'length' ? 'length' : 'calls'
}

/** Anthropic's, for an answer that is to be gone on with; its package takes it for an end. */
const paused = 'pause_turn'

const words: Readonly<Record<Exclude<Meaning, 'unknown'>, string>> = {
  // TGI, Together, llama.cpp, LM Studio, Cohere, Baidu, Bedrock and Anthropic behind a gateway.
  done: 'stop eos eos_token eosfound end end_turn end_of_text stop_sequence stop_string stop_token stopstringfound word complete completed finished done normal',
  // Mistral, TGI, watsonx, LM Studio, MiniMax, Zhipu. The window being full is a cut, too.
  length: `length ${paused} max_tokens max_length max_len max_output max_output_tokens max_completion_tokens max_new_tokens model_length token_limit limit maxpredictedtokensreached contextlengthreached model_context_window_exceeded`,
  calls: 'tool_calls tool_call tool_use function_call function_calls',
  // Zhipu, Hunyuan, Cohere, Bedrock; Gemini's LANGUAGE and IMAGE_… are filters, too.
  filter:
    'content_filter content_filtered sensitive safety guardrail_intervened error_toxic language image_prohibited_content image_recitation model_armor',
  refusal: 'refusal',
  // vLLM and SGLang (abort, repetition), DeepSeek, OpenRouter, Zhipu (network_error), watsonx, Cohere, Ollama (load,
  // unload), LM Studio, Bedrock and Gemini (malformed_…, …). No word at all is none.
  broken:
    'error abort aborted cancel cancelled canceled user_cancel userstopped interrupted preempted insufficient_system_resource network_error server_error internal_error overloaded failed failure timeout time_limit not_finished incomplete error_limit repetition load unload modelunloaded malformed_function_call malformed_model_output malformed_tool_use malformed_response unexpected_tool_call too_many_tool_calls missing_thought_signature finish_reason_unspecified other image_other no_image null none unknown',
}

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['', 'broken'],
  ...Object.entries(words).flatMap(([meaning, all]) => all.split(' ').map(word => [word, meaning as Meaning] as const)),
])

/** A stranger's word: short, and nothing in it that a terminal or a model could take for more. */
const harmless = (raw: string): string => raw.slice(0, 60).replace(/[^\w .:/-]/g, '?')
