/**
 * What the scout knows about English and about programmers' English, as data.
 * Words are whole and in lower case; `stem.ts` brings them to the form in which they are compared.
 */

/** Say nothing about where to look. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above actually after again against all already also always am an and another any anybody anyone anything anywhere
  are around as ask asked asks at away be became because become been before begin being below between both bring but by came can
  come comes coming could couldn't current currently describe did didn't different do does doesn't doing don't done down
  during each either else even ever every everything exactly explain explained explains few find first for from gave get gets
  getting give given gives go goes going gone good got guess had happen happened happening happens has have having he help her here
  him his how i i'd i'll i'm if in inside instead into is isn't it it's its itself just keep kind kinds know known knows
  learn let let's like likely look looking looks lot made make makes making many may maybe me mean means might mine more most much
  must my need needed needs never no nor not nothing now of off often on once one ones only or other others our ours out over
  own part parts particular piece place placed places please point possible put puts quickly rather really
  responsible right said same saw say says see seem seems seen shall she should show shows since so some somebody someone something
  sometimes somewhere sort still such take taken takes tell than thank thanks that that's the their theirs them then there there's these
  they thing things think this those though through thus to together too took toward trying understand until up upon us usually very
  via want wanted wants was wasn't way ways we well went were weren't what what's whatever when where where's wherever whether
  which while who who's whole whom whose why will with within without won't work working works would wouldn't yes yet you
  you'd your yours code codebase repo repository project program programme source sources app application system actual
  behind exact real whenever towards used using use uses`.split(/\s+/),
)

/** Occur everywhere in code: they count, but little. */
export const genericWords: ReadonlySet<string> = new Set(
  `file files function functions method methods class classes module modules type types value values name names data object
  objects string strings list lists set sets line lines logic implement implements implemented implementation define defines defined
  definition call calls called caller handle handles handled handling handler thing variable variables constant constants
  return returns returned new add adds added adding component components package packages folder folders directory
  number numbers item items main order process processes logic feature features interface interfaces field fields`.split(
    /\s+/,
  ),
)

/** Each line: words that stand for one another in code and in talk about code. */
export const synonymGroups: readonly (readonly string[])[] = `
  deny forbid refuse reject block disallow prohibit prevent
  allow permit grant authorize authorise
  permission access right privilege acl policy
  decide judge verdict choose resolve determine
  retry backoff reattempt attempt
  error failure exception fault
  circular cycle cyclic recursive loop
  shell bash sh
  translate locale i18n language
  report reporter result
  orphan reap reaper zombie leftover stray
  delete remove erase purge prune drop rm del unlink
  create make build construct new
  start launch spawn begin boot init initialize
  stop cancel abort kill terminate halt
  end finish complete conclude close
  limit max maximum bound cap quota threshold
  truncate bound clip cut shorten overflow trim
  config configuration configure setting settings option options preference
  login signin auth authenticate authentication session
  register signup enroll subscribe
  password credential secret passphrase
  encrypt cipher crypto
  hash digest checksum
  parse decode deserialize read
  serialize encode stringify format dump
  load read fetch open import
  store save persist write keep
  storage store repository database db
  cache memo memoize
  queue backlog pending
  concurrency concurrent parallel semaphore slot pool
  lock mutex semaphore
  log logger logging trace
  metric telemetry counter instrument
  message mail notification notify
  email mail smtp
  send dispatch emit publish post
  receive subscribe listen consume
  event signal
  crash recover restart interrupted
  resume restore continue recover
  timeout deadline expire expiry
  schedule cron timer interval
  wait sleep delay pause
  cost price money budget usd amount
  discount coupon promotion voucher
  payment charge billing checkout
  refund reimburse
  invoice bill receipt
  stock inventory warehouse
  basket cart
  product item catalog catalogue
  customer user account client buyer
  shipping delivery shipment carrier
  tax vat
  validate check verify assert
  schema validator
  route router endpoint url handler
  request req
  response reply res answer
  server listen serve
  command cli argv
  argument args parameter param flag
  environment env
  path directory folder dir
  search find lookup query match
  sort order rank compare
  filter select narrow
  merge combine join concat
  token lex lexer scanner split
  token usage
  support capability feature
  copy clone duplicate fork
  convert transform translate map turn
  compute calculate
  conversation chat history message
  determine detect guess infer
  render display draw print view
  screen terminal tui ui
  child subagent descendant
  parent caller
  agent subagent
  tool function
  model llm provider
  prompt instruction
  output result
  input argument
  test spec
  mock fake stub
  document doc docs documentation readme
  hook callback listener
  plugin extension addon
  upload attachment
  image picture photo thumbnail
  migrate migration upgrade
  install setup
  version release
  update modify change edit patch
  rename move
  list enumerate
  count total sum
  random shuffle
  date time clock
  unique distinct dedupe duplicate
  empty blank missing
  default fallback
  sanitize escape clean neutralize
  throttle ratelimit
  permission allowlist denylist
  webhook callback
  worker job background
  detach background
  question ask prompt
  approve approval confirm consent
  sandbox isolate isolation
  near similar suggest closest fuzzy
  compress zip gzip
  recursion recursive depth nested
  header metadata
  trust trusted
  watch observe reload
  compact summarize summary condense
  compile build transpile
  undo revert rollback restore
  repair fix
  incomplete partial
  network socket connection connect
  page paginate pagination cursor
  aggregate sum total
  average mean median
  poll interval
  heartbeat keepalive ping
  stream chunk pipe
  template placeholder substitute interpolate
  replace substitute swap
  exit quit shutdown close
  health status ready
  flag toggle
  deploy release publish
  indent whitespace
  number numeric integer float
  timestamp date time
  currency money price
  role permission
  audio sound speech voice
  highlight color
  buffer memory heap
`
  .trim()
  .split('\n')
  .map(line => line.trim().split(' '))

/** A turn of phrase, and the words that code uses for it. */
export interface Phrase {
  readonly said: RegExp
  readonly means: readonly string[]
  /** Its own words mean nothing by themselves: `too long` is not about what is long. */
  readonly isWhole?: boolean
}

export const phrases: readonly Phrase[] = [
  {
    said: /\b(may|must|can|could|should) ?(not|never)\b|\b(can't|cannot|mustn't)\b|\bnot (be )?(allowed|permitted)\b/,
    means: ['deny', 'forbid', 'disallow'],
  },
  {
    said: /\btoo (long|large|big|much|many)\b/,
    means: ['truncate', 'limit', 'max', 'bound', 'overflow'],
    isWhole: true,
  },
  { said: /\b(at once|same time|simultaneous\w*|in parallel)\b/, means: ['concurrent', 'parallel'], isWhole: true },
  { said: /\blog(s|ged|ging)? ?in\b/, means: ['login', 'auth', 'session'], isWhole: true },
  { said: /\bsign(s|ed|ing)? ?in\b/, means: ['login', 'auth', 'session'] },
  { said: /\b(log|sign)(s|ged|ging|ed|ing)? ?out\b/, means: ['logout'], isWhole: true },
  { said: /\bsign(s|ed|ing)? ?up\b/, means: ['signup', 'register'], isWhole: true },
  { said: /\bcommand[- ]line\b/, means: ['cli', 'argv', 'command'] },
  { said: /\benvironment variables?\b/, means: ['env'] },
  { said: /\btime[sd]? out\b|\btakes? too long\b/, means: ['timeout', 'deadline'] },
  {
    said: /\blimit\w*\b.{0,40}\b(requests?|calls?)\b|\b(requests?|calls?)\b.{0,30}\blimit/,
    means: ['throttle', 'ratelimit', 'limiter'],
  },
  { said: /\brate[- ]limit\w*\b/, means: ['throttle', 'ratelimit'] },
  { said: /\broll(s|ed|ing)? back\b/, means: ['rollback'] },
  { said: /\bfront ?matter\b/, means: ['frontmatter', 'yaml'] },
  { said: /\bgiv(e|es|en|ing) up\b/, means: ['abort', 'max', 'retry'], isWhole: true },
  { said: /\b(run|runs|ran|running|is|are) out( of)?\b/, means: ['exhausted', 'limit', 'remaining'], isWhole: true },
  { said: /\bhow (many|much)\b/, means: ['count', 'limit', 'max'] },
  {
    said: /\b(does|do|did|is|are)(n't| not) (exist|found|known)\b|\bno such\b|\bunknown\b|\bnot found\b/,
    means: ['missing', 'unknown', 'such', 'exist'],
  },
  { said: /\bkick(s|ed)? off\b/, means: ['start', 'launch'], isWhole: true },
]

/** Words whose family no suffix rule finds. All are brought to the first. */
export const wordFamilies: readonly (readonly string[])[] = `
  decide decision decisions decided decides
  permit permission permissions permitted
  choose choice choices chose chosen
  deny denial denials denied denies
  config configuration configure configured configures configurations cfg conf
  auth authenticate authentication authenticated authenticator
  authorize authorization authorise authorisation authorized authorised
  begin began begun beginning
  near nearest nearly nearer
  send sent sending sender
  write wrote written writing writer
  read reader reading
  keep kept keeping
  build built building builder
  spend spent spending
  hold held holding holder
  break broke broken breaking
  choose chosen
  find found finding finder
  run ran running runner
  think thought thoughts
  child children
  query queries queried querying
  retry retries retried retrying
  entry entries
  index indices indexes indexing indexed
  argument argv args arg arguments
  parameter param params parameters
  directory dir dirs directories
  environment env environments
  database db databases
  initialize init initialise initialization initialized initializing
  message msg messages
  request req requests requested
  response res resp responses
  error err errors
  document doc docs documents documentation
  number num numbers
  maximum max
  minimum min
  temporary temp tmp
  specification spec specs
  receive received receiving receipt
  execute exec execution executed executing executor
  synchronize sync synchronise synchronization
  identifier id ids identifiers
  reference ref refs references
  parse parser parsing parsed parses
  resolve resolution resolver resolved resolving
  serialize serialise serialization serializer
  normalize normalise normalization
  sanitize sanitise
  summarize summarise summary summaries
  neutralize neutralise
  cancel cancellation cancelled canceled cancelling
  describe description descriptions
  subscribe subscription subscriber
  redirect redirection redirects
  compress compression
  expire expiry expiration expires expired
  recur recursion recursive recursively
  convert conversion converter converts converted converting
  verify verification verifier verifies verified verifying
  notify notification notifications notifier notifies notified
  extend extension extensions extended extends extending
  expand expansion expanded expands expanding
  submit submission submitted submits
  transmit transmission transmitted
  reduce reduction reducer reduced reduces
  modify modification modified modifies modifying modifications
  classify classification classifier classified
  include inclusion included includes including
  exclude exclusion excluded excludes excluding
  transcribe transcription transcript transcripts transcribed
  depend dependency dependencies dependent depends
  capability capabilities capable
  available availability
  compatible compatibility
  analyse analysis analyze analyzer analyser analyzed
  token tokens tokenize tokenizer tokenise tokenization
  translate translation translator translations translated
  duplicate duplicates duplicated duplication dedupe
`
  .trim()
  .split('\n')
  .map(line => line.trim().split(' '))
