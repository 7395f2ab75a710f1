/** Keys of somebody’s own: ordinary words, and words put together, load whatever they hold. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const read = (lines: string, head = 'name: a\ndescription: x') =>
  readAs('.claude/agents/a.md', `---\n${head}\n${lines}\n---\nYou help.\n`)

const values = { text: 'level one', word: 'debug', number: '3', true: 'true', empty: '', list: '[a, b]', map: '{a: b}' }
const inner = { words: '{level: debug}', deep: '{os: {version: linux}}' }

const ordinary = `
  ability access achieve actor admin age agency agenda agentic aim alignment analytics angle animation app application
  archive area article assertion assistant attempt audience audit automation average aware backend balance base
  baseline basis batch belief bias bio blog book boost boss bot boundary box brand bridge brief bubble buffer bug
  build bundle business cache call candidate capacity career cast caution certificate change character chat checkpoint
  chunk city class client cloud coach collection commit compact compliance concept concurrency confirm consensus
  constant container contract control conversion core correction course creator critic culture curve cycle dashboard
  deadline debt decision defect delay delegate delta deploy desk detector dialect diet dimension disclaimer display
  distance division doc dollar door doubt duration ear edge edition effect emotion encoding end energy entity episode
  error estimate evolution exchange expert exposure extension extent eye face fact fallback fashion feedback filter
  fire flavor floor folder food forecast fortune fraction frame frequency function gain game gap garden gender genre
  glance grade grain grant grid ground guard guess guide hand harness header heart help hero hierarchy history hook
  horizon host hour house humor idea image import incident indicator ingress inheritance ink insight instance
  intelligence interaction interview invention invoice item iteration job joint judge junction kernel kit label lake
  lane latency layout league lens letter library lift line lint list literature local lock log logs loop loss love
  macro main mandate margin mask master material maturity measure medium memo merge method migration mini minute
  mission moderation momentum mood motivation move music narrative need news norm notice number obligation occasion
  office onboarding opinion orchestrator origin overhead owner pace package page pair parser pass patch path pause
  peak people period philosophy phrase picture piece pitch plan play plugin policy poll pool port position potential
  precision preparation pressure pride principle prize producer profile progress promotion proposal provider publish
  puzzle quarter question queue quote race radius range rank reach reality recipe recovery reflection registry
  relation reliability remote repeat report reputation rescue research reset resolution resource response retry
  revenue reward river robot roll rotation round routine runner sale scaffold scale scene scheme scope screen season
  seat section seed selector self sense sentence series session set setup severity share shelf shell shift shop show
  sign simulation situation size skill slice smoke software solution sound spec speed spirit sport squad staff stage
  stake standard star state station statistic step stock stop store story stream stress string study subject
  submission success summary supply surface surprise switch syntax tab table tables tag talk task taste team telemetry
  tempo term terminal terms territory text texture thing ticket timeline timezone tip title topic total touch tour
  tower trace track trade tradition trail training transition travel tree trend trip truth tutorial typography update
  url user validator variant vendor verification vibe view visibility visual volume wall watch wave weather website
  welcome whole width window wish word workflow workspace world wrapper yard zone zoom
`

const compounds = `
  a2a_enabled agentVersion agent_type_note agent_version anti_patterns api_version auto_start base_model budget_note
  budget_owner build_command child_agents code_owner color_scheme context_window cost_tier design_system display_order
  doc_style domain_tags end_date eqhm_enabled escalate_to execution_order extends_note feature_flags file_patterns
  gitHooks git_hooks grace_note group_name handoff_to hnsw_enabled hookNotes hook_events hooksPath hooks_note
  host_name icon_name isolation_notes key_topics last_reviewed lint_command maintained_by max_words mcp_notes
  mcp_servers_note memory_notes memory_scope mode_note model_hint model_notes network_zone next_agent output_path
  output_style owned_by parallel_safe parent_agent permissionNotes permission_level permission_notes permissions_note
  plan_file preferred_language prev_agent prompt_file prompt_version quality_bar readOnlyNote related_agents
  reports_to response_format review_cycle review_style risk_level rtk_enabled security_level security_notes
  self_improving server_name servers_used skill_level skill_tags skills_required start_date step_count steps_note
  sub_tasks success_metrics tddEnabled tdd_enabled team_name tech_stack test_command time_budget_note time_zone
  timeout_note tool_chain tool_hints tool_notes tool_version toolbox_version tools_notes turn_style user_facing
  voice_id web_hooks webhooks working_dir
`

/** One slip from a limit, half of one or one with a word more, with what its value would be; and a word of another product. */
const nearest = ['race: ', 'race: 3', 'step: ', 'step: 3']

test('ordinary words were taken for slips of limits', () => {
  const refused: string[] = []
  const keys = `${ordinary} ${compounds}`.trim().split(/\s+/)
  const isRefused = (lines: readonly string[]) => read(lines.join('\n')).state === 'quarantined'
  // One by one where one of them is: a file for each would take seconds.
  for (const value of Object.values({ ...values, ...inner }))
    for (let at = 0; at < keys.length; at += 20) {
      const lines = keys.slice(at, at + 20).map(key => `${key}: ${value}`)
      if (isRefused(lines)) refused.push(...lines.filter(line => isRefused([line])))
    }
  expect(refused.sort()).toEqual([...nearest].sort())
})

test('below a broken description they were taken for a part of it', () => {
  const broken = 'name: a\ndescription: Does two things: this and that'
  const lines = [
    'logs: {a: b}',
    'face: 3',
    'table: true',
    'git_hooks: {a: b}',
    'permission_notes:',
    'hnsw_enabled: true',
  ]
  for (const line of lines) expect(read(`${line}\ncolor: red`, broken).state, line).toBe('warned')
})

describe('what is left of a limit, though it is a word', () => {
  test.each([
    ...['hook: {PreToolUse: [{matcher: Bash}]}', 'race: 60', 'tool: Bash', 'tool:', 'step: 5', 'budge: 200k tokens'],
    ...['surface: [Read, Bash]', 'logs: {PreToolUse: []}', 'time: {bash: deny}', 'isReadOnly: true', 'onMode: plan'],
    ...['hooksPreToolUse: [{command: x}]', 'list: false', 'question: false'],
    ...[
      'sets: 4',
      'step: x',
      'web_each: disabled',
      'ten_table_mcp_tools: false',
      'hook: [{event: PreoTolUse, command: x}]',
    ],
    ...['missions: {can_edit: false}', 'permissiones: {can_edit: false, read: true}'],
  ])('%s', line => expect(read(line).state).toBe('quarantined'))

  test('a dot of TOML takes one apart', () => {
    const role = 'name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n'
    for (const limit of ['to.ols = ["Read"]\n', '[per.missions.bash]\n"*" = "deny"\n'])
      expect(readAs('.codex/agents/a.toml', role + limit).state).toBe('quarantined')
  })

  test('and what is that far from one, and holds nothing of it', () => {
    for (const line of ['face: 4', 'stress: 4', 'step: {a: b}', 'research: false', 'hook: writing'])
      expect(read(line).state, line).toBe('loaded')
  })

  test('directories elsewhere, denied with a letter less', () => {
    const file = '---\ndescription: x\ntools:\n  external_director: false\n---\ny'
    expect(readAs('.opencode/agent/a.md', file).state).toBe('quarantined')
  })
})

test('a word is not said to be another one', () => {
  expect(codesOf(read('logs: x'))).toEqual(['key-unknown'])
  expect(shownIn(read('terms: {a: b}\ntools: Read'))).toBe('Read')
})

test.each([
  'stable: true',
  'durable: true',
  'usable: false',
  'editable: true',
  'billable: true',
  'iteration: {enabled: true}',
])('a word of their own was taken for what is left of a limit: %s', block => {
  const reading = readAs('.claude/agents/a.md', `---\nname: a\ndescription: x\n${block}\n---\nYou help.\n`)
  expect(reading.diagnostics.map(({ code }) => code)).toEqual(['key-unknown'])
})
