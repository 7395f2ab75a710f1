/**
 * Words that people name things with. A key that is one of them, or made of them, is somebody's own however close it comes to
 * another word. The list need not be whole: what is not in it is judged by its letters.
 */
import { once } from '../once.js'

/** Whether it is such words, each another one: `logs`, `gitHooks`, `permission_notes`. */
export function isMadeOfCommonWords(name: string): boolean {
  if (name.length > maxName || !/^[A-Za-z][A-Za-z\d_-]*$/.test(name)) return false
  const words = name.split(/[_-]+|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase())
  return words.every(isCommonWord) && new Set(words).size === words.length
}

function isCommonWord(word: string): boolean {
  if (commonWords().has(word)) return true
  if (word.length < 4 || !word.endsWith('s')) return false
  return commonWords().has(word.slice(0, -1)) || commonWords().has(word.replace(/ies$/, 'y').replace(/es$/, ''))
}

const maxName = 60
const commonWords = once((): ReadonlySet<string> => new Set(list.trim().split(/\s+/)))

const list = `
  ability about above accept access account accuracy achieve action activated active actor adapter add added adding
  address admin admission advice age agency agenda agentic agents aim alert algorithm alias alignment allocated allow
  allowed also amend amount analysis analytics analyze anchor angle animal animation annotate answer anthropic api app
  appearance appendix application apply approach approval approve approved approver archive archived area argument
  article artifact ask asked aspect assertion asset assign assigned assignment assist assistant assumption attached
  attachment attempt attitude attribute audience audit auth auto automation autonomy availability avatar average avoid
  await award aware aws axis azure backend background backlog backup balance bank banned banner base based baseline
  bash basis batch batches beat behaviour belief benchmark benefit beta bias bill binary bio birth block blocked
  blocker blog board body bold book boost border boss bot bottom bound boundary box brace brake branch brand breadth
  break bridge brief broken browser bubble budget buffer bug build building built bundle burn bus business busy button
  buyer cache cached cadence calendar call called calling campaign can canal cancel candidate cap capability capacity
  caption card care career cargo case cast catalog cats cause caution cell cent center certificate chain challenge
  change channel chapter character charge chart chat check checked checking checklist checkpoint chief child children
  choice choose chosen chunk circle citation city claim clarity class classification classify claude clause cli client
  climate clock clone close closed cloud club cluster coach code codex coding collaborator collected collection color
  column combo comment commission commit committee common community compact company compare compile compiler completed
  compliance component compose compute computed concept concern conclusion concurrency condition conduct config
  confirm conflict connect connection consensus consent console constant consumer contact container content contest
  context contract contrast contribution control convention conversation conversion convert cooldown copilot copy core
  corner corpus correction cost count country course coverage craft create created creator credential crew critic
  critique cron crowd css culture curated currency cursor curve custom customer cycle daemon damage dashboard data
  database dataset date day dead deadline deal debate debt debug decade decide decision declaration default defect
  defined definition degree delay delegatable delegate delegated delegation delete deleted delivery delta demand
  denied density deny dependency deploy deployed deployment deprecated depth derived describe design desk destination
  detail detected detector dev developer device dialect dialog dictionary diet diff digest dimension dir direction
  director disabled disclaimer disconnect discovery discussion dispatch display distance distribution division doc
  docker document dollar domain done door dose doubt download draft drafted drafting driven driver dry due duration
  duty dynamic each ear early ease edge edit edited editing edition editor education effect effort election element
  email emission emitted emotion emphasis employee enable enabled encoding end endpoint energy enforced engagement
  engineer engineering enter entity entries entry env epic episode equipment era error escalated escalating escape
  essay estimate estimated evaluation event evidence evolution examiner example exceed exception excerpt exchange
  exclude excluded execute executed exercise exit expected expert explain explanation export exported exposure
  expression extend extended extending extension extent external extra extract eye face facet fact factor failed
  failure fallback family farm fashion fast fault feature feedback fetch field figma figure file filter filtered
  finance find finding finished fire first fix fixed flag flavor fleet flexibility floor flow focus folder follow font
  food footer for forbidden force forecast form formal format formula fortune forum found foundation fraction frame
  free freedom frequency friend from front full function fund future gain gallery game gap garden gate gating gemini
  gender general generate generated genre get gift git github gitlab given glance glossary go goal good google grace
  grade grading gradle grain grammar grant granted graph great grid ground group grouped grouping growth guard guarded
  guarding guess guest guide guided guideline habit hand handle handled handler handling handoff harness has hash head
  header headline health heart heat height held help helper hero hidden hierarchy high highlight hint history hobby
  hold hook hooked horizon host hosted hosting hot hour house html http hub human humor hypothesis icon id idea ideal
  identifier ignored image impact import imported in inbox incident include included income index indexed indexing
  indicator inferred influence information ingress inherit inheritance init initiative injected ink inline inner input
  inquiry insert insight inspect inspection inspiration install installed instance institute integration intelligence
  intensity intent interaction interest internal interval interview introduction invariant invention inventory
  invitation invite invoice invoke is isolated isolation issue item iteration jira job join joined joint journal
  journey json judge judgment jump junction jury justification kept kernel key keyboard kind kit kitchen knowledge
  kubernetes lab label labor lake land landscape lane lang language last late latency latest launch law layer layout
  leader leadership league learned learning leave legal lens less lesson letter level leverage lib library license
  lifecycle lift light limit limited line lineage linear link linked lint linting linux list listed listen listing
  literature live llm load loaded loading loan local located location lock locked log logged logging logic long loop
  loss lot love low luck mac machine macro magic mail main maintained maintenance major make managed manager managing
  mandate manual map mapped mapping margin mark marked market marketing mask master match matched matching material
  matrix matter maturity max may mcp md me meal meaning measure measured mechanism media medium meeting member memo
  mentor menu merge merged merging message meta metadata method metric mid middle migration milestone min mind mini
  minimum minor minute mirror miss mission mix mobile mocking mode model modeling moderation module moment momentum
  monitor monitoring month mood moral more most motion motivation mount mouse move moved movie multi music must
  mutation my name named namespace naming narrative nature navigation need needed neighbor nested nesting net network
  news next nice no node noise norm notation note noted notice notification notify notion now npm number object
  objective obligation observation observed obstacle occasion occupation of off offer office officer official offset
  often old omission on onboarding once one only open openai operation operator opinion opportunity optimized option
  or orchestrator order ordered ordering organization origin oss other our out outcome outer outline output over
  overhead overlap overlay own owned owner pace pack package page pain pair paired panel paper parallel parent parity
  parse parsed parser parsing partner parts party pass passed passion patch path patience pattern pause paused payload
  payment peak peer penalty people per percentage perform performance period permission permissive permitted
  perspective phase philosophy phone phrase pick picture piece pin pinned pipeline pitch pivot place plan planned
  planner planning platform play player plot plugin plus podcast point policy poll pool port portfolio pose position
  positive post posted postgres potential power practice pre precision preference preferred premise preparation
  prepared presence presentation pressure prev preview pricing pride primary principle print prior privacy private
  prize pro problem procedure prod produced producer product profession profile profiling profit program progress
  project promise promotion prompt prompting proof property proposal propose protection protocol provided provider
  provision proxy public publication publish published pull purpose push put puzzle python quality quantity quarter
  query quest question queue queued quick quiet quiz quota quote race radio radius raise range rank ranked ranking
  rated rating ratio raw reach reached react reaction read reader reading ready real reality reason reasoning receipt
  received recent recipe recipient record recorded recording recovery recursion redis reference referenced reflection
  refresh refs region register registered registry regression regulation reject rejected related relation release
  released relevance reliability reload reminder remote remove removed rename render rendered rendering repair repeat
  repeated replace replaced replay reply report reported reporting repository representation reputation request
  requested required requirement requires res rescue research researching reserve reserved reset resolution resolved
  resource response restart restricted result resume retention retired retries retrieval retry return returned rev
  revenue review reviewed reviewing revised revision reward rhythm rich right risk river road roadmap robot robustness
  role roll root rotation round route routed router routine routing row rule run runner running runtime rust safe
  safety sale same sample sampling sandbox satisfaction save saved scaffold scale scaling scan scanned scanning scene
  schedule scheduled schema scheme school science scope scoped score scored scoring scout screen script scripted sdk
  search searching season seat second secondary secret section sector security seed seen segment selected selection
  selector self send sense sent sentence sentiment sequence series server service session set setup severity shadow
  shape share shared sharing shelf shell shift shipping shop short shortcut show shown side sidebar sign signal signed
  signing silence simple simulation since single site situation size sketch skill skipped slack slice slot slow slug
  smoke snapshot social soft software solution some sort sorted sorting sound source space span spawning speak spec
  specialist specified speech speed spell spent sphere spirit split sponsor sport spot sprint sql squad stack staff
  stage staged staging stake stakeholder stale standard star start started state statement station statistic stats
  status step still stock stop stopped storage store stored story strategy stream streaming strength stress strict
  string stripe strong structure structured student study stuff style styling sub subject submission submit submitted
  subscribe subscription success suggest suggested suggestion suite sum summarize summarized summary super supervisor
  supplier supply support supported surface surprise survey swarm switch symbol sync synced synonym syntax synthesis
  system tab table tag tagged tagging takeaway talent talk target targeted task taste tax taxonomy teaching team
  technique technology telemetry tell temp temperature template tempo ten tenant tension term terminal terraform
  territory test tested testing text texture than the their theme then theory thing thinking this thread threshold
  tick ticket tied tier tight time timed timeline timeout timezone timing tip title to todo token tone tool toolbox
  tooling top topic total touch tour tower trace traced tracing track tracked tracker tracking trade tradition traffic
  trail trained training trait transcript transition translate translation transmission transport travel treatment
  tree trend trial tries trigger triggered trip trouble trust trusted truth tune turn turnaround tutorial twin two
  type typed typescript typing typography ui unit universe until up update updated upgrade upload url us usage use
  used user using utility valid validate validated validation validator value variable variant variation vector vendor
  venue vercel verdict verification verified verify version versioned versioning vertical via viable vibe victory
  video view viewpoint violation virtue visibility visible vision visit visual vocabulary voice volume vote wait wall
  warm warming warning warranty was watch watched watcher watching water wave way weakness wealth weather web webhooks
  website week weight weighted welcome what wheel when where who whole why width wiki win window winner wisdom wish
  with without wizard woman word work worker workflow working workload workshop workspace world worth wrap wrapper
  write writer writing written yaml yard yarn year yes yield you your zone zoom
`
