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
  number numbers item items main order process processes logic feature features interface interfaces field fields
  time times long server client user users large larger big bigger small smaller single several various certain given proper
  produce produced produces incoming outgoing`.split(/\s+/),
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
  promise thenable async await future
  small shrink minimize reduce simplify
  style css stylesheet
  recognize detect parse
  unused usage dead
  compress decompress deflate inflate zip gzip brotli
  unpack extract decompress unzip untar
  measure timing duration elapsed profile benchmark
  speed rate throughput bandwidth
  url uri link href
  uncaught unhandled
  attribute property field
  remember record memoize cache store
  recurring repeat repeatable periodic cron schedule
  free release available idle
  sign signature hmac
  guess detect infer sniff
  pick choose select
  wildcard glob pattern
  pattern regex glob
  hide mask conceal redact
  divide split chunk batch partition
  batch bulk chunk
  upstream backend
  wrong invalid bad malformed incorrect
  broken corrupt malformed damaged
  notice detect watch observe
  warn warning deprecate
  obsolete deprecated legacy
  comment annotation directive pragma
  evaluate eval execute interpret
  escape quote encode
  size length bytes
  equal same compare equality identical
  skip ignore exclude
  expect expected expectation
  reconnect reopen
  dead stale unresponsive
  alive keepalive heartbeat
  peer remote
  strip remove trim
  protect guard
  nest nested inner
  cycle circular loop infinite
  endless infinite
  wrap wrapper
  encoding charset codec
  variable binding
  compose pipeline chain
  middleware interceptor plugin hook
  intercept interceptor
  upper lower case
  rotate rollover roll
  spelling typo suggestion similar
  tree hierarchy node ast
  visit visitor traverse walk
  walk traverse visit iterate
  iterate loop each
  reuse pool recycle
  keep retain preserve
  discard drop ignore
  collect gather accumulate
  expire ttl stale age
  old stale expired outdated
  certificate tls ssl x509
  secure tls ssl https
  cookie cookiejar
  proxy tunnel
  body payload content
  multipart form upload
  debounce throttle
  broadcast publish emit
  subscribe listener observer
  sum total aggregate
  grow resize expand
  shrink resize compact
  slot pool
  ask prompt confirm input
  terminal console tty
  width column
  colour color ansi
  table column row
  primary key index
  transaction commit rollback savepoint
  lock mutex
  shared common
  child subprocess fork
  symlink link
  temporary tmp temp
  ordering sort priority
  urgent priority
  mark tag label
  optional nullable
  required mandatory
  rule check
  locale language translation
  mimetype mime contenttype
  identifier id uuid
  status state
  state status
  reset clear restore
  clear flush reset empty
  flush drain
  drain backpressure
  pressure backpressure
  apply patch
  diff difference delta
  annotate decorate
  decorator wrapper
  inherit extend parent
  mixin inherit
  instantiate construct create
  inject injection provide
  recursion nested
  bytecode opcode
  minify compress uglify
  bundle pack
  import require load
  export expose
  public expose
  visible visibility show
  layout position
  zoom scale
  scroll viewport
  click press tap
  keyboard key shortcut
  mouse pointer cursor
  animate animation transition
  drag drop
`
  .trim()
  .split('\n')
  .map(line => line.trim().split(' '))
