/** Irregular words and usual abbreviations, as data. */

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
  duplicate duplicates duplicated duplication dedupe dedup deduplicate deduplication
  fail failure failures failed failing fails
  try tries tried trying
  throw threw thrown throws throwing
  catch caught catches catching
  hide hid hidden hides hiding
  lose lost loses losing loss
  rewrite rewrote rewritten rewriting rewriter rewrites
  override overrode overridden overriding overrides
  forget forgot forgotten
  draw drew drawn drawing
  grow grew grown growing growth
  freeze froze frozen freezing
  leave left leaving
  feed fed feeding
  wake woke woken waking
  spin spun spinning
  compare comparison compares compared comparing comparator comparer
  store stored stores storing storage
  sign signature signatures signed signs signing signer
  author authors
  setting settings
  statement statements
  alias aliases aliased aliasing
  embed embedded embedding embeds
  time times timed timing timer timers
  pay paid payment payments paying
  remove removal removes removed removing
  detach detached detachment
  connect connection connections connected connecting connector conn
  calculate calculation calc calculated calculates calculating
  generate generator generation generated generates gen
  length len lengths
  previous prev
  count counter counts counted counting cnt
  position pos positions
  attribute attr attributes attrs
  property prop props properties
  destination dest dst
  package pkg packages
  manage manager management managed manages mgr
  utility util utils utilities
  library lib libs libraries
  implement implementation impl implements implemented
  command cmd commands
  address addr addresses
  buffer buf buffers buffered buffering
  context ctx contexts
  header headers hdr
  asynchronous async asynchronously
  certificate cert certs certificates
  password passwd pwd passwords
  administrator admin admins
  transaction tx txn transactions
  regex regexp regexes
  timezone tz timezones
  utf unicode
  permanent permanently
  explain explanation
  deep deeply depth
`
  .trim()
  .split('\n')
  .map(line => line.trim().split(' '))
