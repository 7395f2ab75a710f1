/**
 * Keys of no product that collections of agents give their files all the same. They are words of their own, however
 * close some of them come to a limit (`max_tokens` to `maxTurns`, `phase` to `grace`): never slips.
 */
import { isWithin, looseKey } from '../text/nearest.js'

export function isOrdinaryKey(key: string): boolean {
  return /^[A-Za-z][\w-]{0,40}$/.test(key) && (ordinary.has(looseKey(key)) || settings.has(key))
}

/** `output_to` beside `output`, `agent_topic` beside `agentType`: with a whole word more, or another one, it is no slip. */
export function hasAnotherWord(key: string, known: string): boolean {
  const [words, meant] = [wordsOf(key), wordsOf(known)]
  if (words.length < 2) return false
  if (words.length !== meant.length) return words.length > meant.length && meant.every(word => isAmong(words, word))
  return words.some((word, at) => !isWithin(word.length <= 4 ? 1 : 2, word, meant[at]!))
}

/** One of them is enough for many: `modelRefs` beside `models`. */
const isAmong = (words: readonly string[], word: string): boolean =>
  words.includes(word) || (word.endsWith('s') && words.includes(word.slice(0, -1)))

const wordsOf = (key: string) => key.split(/[\s._-]+|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase())

/** A setting of Codex that is no limit of an agent: a role may have any of them, and means it. As it is written there. */
export function isSetting(key: string): boolean {
  return settings.has(key)
}

const settings: ReadonlySet<string> = new Set(
  `
  allow_login_shell analytics apps approvals_reviewer audio auth background_terminal_max_timeout chatgpt_base_url
  check_for_update_on_startup cli_auth_credentials_store commit_attribution compact_prompt disable_paste_burst
  disable_response_storage experimental_compact_prompt_file experimental_use_unified_exec_tool feedback file_opener
  forced_chatgpt_workspace_id forced_login_method hide_agent_reasoning history include_apps_instructions
  include_collaboration_mode_instructions include_environment_context include_permissions_instructions log_dir
  marketplaces mcp_oauth_callback_port mcp_oauth_callback_url mcp_oauth_credentials_store memories model_auto_compact_token_limit
  model_catalog_json model_context_window model_instructions_file model_max_output_tokens model_providers
  model_reasoning_summary model_supports_reasoning_summaries model_verbosity notice notify openai_base_url oss_provider otel
  personality plan_mode_reasoning_effort plugins preferred_auth_method project_doc_fallback_filenames
  project_doc_max_bytes project_root_markers projects review_model service_tier shell_environment_policy
  show_raw_agent_reasoning sqlite_home suppress_unstable_features_warning tool_output_token_limit tui windows
  zsh_path
  `
    .trim()
    .split(/\s+/),
)

const ordinary: ReadonlySet<string> = new Set(
  `
  abilities auditable billable durable editable iteration iterations stable usable access action actions activation allowed_paths annotations api apply_to args arguments artifacts assets audience author
  authors agent_id agent_name subagent_type badge based_on base_url behavior behaviors behaviour best_for binding bindings blind bucket bytes ends minutes seconds capabilities capability
  categories category changelog checks children class cluster code command commands communication company complexity
  compatibility confidence config constraints contact content context coordinates cost created created_at created_by
  credits criteria data date default detailed defaults deliverables demo department dependencies depends deprecated depth details
  difficulty delegate delegates delegation discipline docs documentation domain domains download draft edition emoji endpoint engine entry env escalate escalates escalation
  environment events examples example elements execution experience expertise extendable extensible extensions family features file files filter
  flags flow focus format graph formats framework frameworks frequency gate gates globs goal goals grade grant grants group groups guidelines handler
  header headers heading history homepage host hosts icon id identity image imports include index industry info
  input input_schema instruction instructions integration integrations intent interface invocation invocations
  invokes items job jobs judge key keywords knowledge label labels lang language languages last_updated layer layers layout lead level
  levels library license licence limitations link links locale location logo looks loop main maintainer maintainers maintained
  manifest maps max max_attempts max_concurrency max_depth max_files max_items max_iterations max_length max_lines
  max_results max_retries max_size max_words min limit limits max_tokens max_turn_tokens maturity meta metadata methods metrics min_version
  mission models_used modes module modules mood motto nodes note notes objective objectives optimization options order
  organization origin outcome outcomes output_format outputs outputs_to overview owner owners package package_name parameters params
  parent part parts paths pattern patterns permission_note permissions_note persona personality phase phases pipeline place plan plans platform platforms
  playbook plugin plugins policies policy port ports position postconditions preconditions prefix prerequisites previous price prices pricing priority
  process product products profile providers project projects prompts properties protocol protocols purpose quality questions rank
  rate rating reading ready reason references region related release repo repository required_tools requirements requires response responsibilities
  result results retries review reviewer reviewers revision role roles root roots routes rule rules runtime sample samples
  scenario scenarios schedule schema scope scopes score scores scripts section sections secrets seed sequence series
  service services session session_mode settings severity shape signals signature sources skill skill_level slug snippet space speciality
  specialization specialties specialty spec specs stack stage stages stand standards start state states status step_name stop
  stop_sequences stories strategy strengths structure style styles subagents subject success_criteria suffix summary
  supported support symbols system tag tags target targets task tasks team teams template templates test tested tests theme tier
  time times time_estimate title todo todos token tokens tone toolbox toolchain toolkit tooling toolset top_k topic topics trace track trait traits trigger
  trends triggers tutorial type types unit units updated updated_at uri url usage use_cases use_when user users uses uuid value values
  variables variant variants vendor verbosity verified version versions vibe violation visibility vision voice warnings weight when
  widget width workflow workflows workspace year
  `
    .trim()
    .split(/\s+/)
    .map(looseKey),
)

/** What a file says of itself: behind a broken description, too, where `user:` or `context:` would be a part of it. */
export function isAboutFile(key: string): boolean {
  return aboutFiles.has(key)
}

const aboutFiles: ReadonlySet<string> = new Set(
  'author authors categories category created created_at created-at emoji homepage icon keywords last_updated last-updated license maintainer maintainers repository tags updated updated_at updated-at version'.split(
    ' ',
  ),
)
