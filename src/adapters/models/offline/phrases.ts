/** Turns of phrase, and the words that code uses for them, as data. */

export interface Phrase {
  readonly said: RegExp
  readonly means: readonly string[]
  /** Its own words mean nothing by themselves: `too long` is not about what is long. */
  readonly isWhole?: boolean
}

const idiom = (said: RegExp, means: string): Phrase => ({ said, means: means.split(' '), isWhole: true })
const hint = (said: RegExp, means: string): Phrase => ({ said, means: means.split(' ') })

export const phrases: readonly Phrase[] = [
  // What may be, and how much.
  hint(
    /\b(may|must|can|could|should) ?(not|never)\b|\b(can't|cannot|mustn't)\b|\bnot (be )?(allowed|permitted)\b/,
    'deny forbid disallow',
  ),
  idiom(/\btoo (large|big|much|many)\b/, 'truncate limit max bound overflow'),
  idiom(
    /\b(takes?|taking|runs?|running|waits?|waiting) (for )?too long\b|\bin time\b|\btime[sd]? out\b/,
    'timeout deadline',
  ),
  idiom(/\btoo long\b/, 'truncate limit max bound overflow'),
  idiom(/\b(at most|no more than|at the most)\b/, 'max limit'),
  idiom(/\bat least\b/, 'min minimum'),
  hint(/\bhow (many|much)\b/, 'count limit max'),
  hint(
    /\b(limit\w*\b.{0,40}\b(requests?|calls?))\b|\b(requests?|calls?)\b.{0,30}\blimit/,
    'throttle ratelimit limiter',
  ),
  hint(/\brate[- ]limit\w*\b/, 'throttle ratelimit'),
  hint(/\b(speed|bandwidth)\b.{0,20}\blimit|\blimit\w*\b.{0,20}\b(speed|bandwidth)\b/, 'rate throttle maxrate'),
  idiom(/\b(run|runs|ran|running|is|are) out( of)?\b/, 'exhausted limit remaining'),
  // Order and time.
  idiom(/\b(at once|same time|simultaneous\w*|in parallel)\b/, 'concurrent parallel'),
  idiom(/\b(one after (another|the other)|one by one|in sequence)\b/, 'sequential series serial queue'),
  idiom(/\bin the background\b/, 'background async daemon'),
  idiom(/\b(try|tries|tried|trying|attempt\w*)\b(?=.{0,40}\bagain\b)/, 'retry attempt backoff'),
  hint(/\b(another (attempt|try)|once more|giv(e|es|en|ing) up)\b/, 'retry attempt abort'),
  hint(
    /\b(wait\w*|pause\w*|long)\b.{0,20}\b(before|between)\b|\bbetween (attempts|tries|retries)\b/,
    'delay backoff interval',
  ),
  idiom(/\b(last|next|first|this|every|each|some|any|previous) time\b/, 'last previous'),
  hint(
    /\btime (spent|taken|used)\b|\bhow long\b.{0,30}\b(takes?|took|lasts?)\b|\bmeasur\w+\b.{0,20}\btime/,
    'timing duration elapsed',
  ),
  idiom(/\b(out of date|no longer (valid|fresh))\b/, 'stale expired outdated'),
  idiom(/\bkept alive|\bkeep(s|ing)? alive\b/, 'keepalive heartbeat ping'),
  hint(/\b(dead|lost|broken|dropped) (peer|connection|client|socket)s?\b/, 'heartbeat ping disconnect reconnect'),
  hint(/\bdaylight saving\b/, 'dst timezone'),
  hint(/\btime ?zones?\b/, 'timezone tz offset'),
  // Doing things.
  idiom(/\blog(s|ged|ging)? ?in(?! (a|the)\b)\b/, 'login auth session'),
  hint(/\bsign(s|ed|ing)? ?in\b/, 'login auth session'),
  idiom(/\b(log|sign)(s|ged|ging|ed|ing)? ?out\b/, 'logout'),
  idiom(/\bsign(s|ed|ing)? ?up\b/, 'signup register'),
  idiom(/\broll(s|ed|ing)? back\b/, 'rollback'),
  idiom(/\bkick(s|ed)? off\b/, 'start launch'),
  idiom(/\bwork(s|ed|ing)? out\b/, 'calculate compute'),
  idiom(/\b(figur(e|es|ed)|finds?|found) out\b/, 'detect determine'),
  idiom(/\blook(s|ed|ing)? ?up\b/, 'lookup find resolve'),
  idiom(/\bclean(s|ed|ing)? ?up\b/, 'cleanup dispose teardown remove'),
  idiom(/\btear(s|ing)? ?down\b|\btorn down\b/, 'teardown cleanup dispose'),
  idiom(/\bset(s|ting)? up\b/, 'setup init'),
  idiom(/\bshut(s|ting)? ?down\b/, 'shutdown close stop'),
  idiom(/\bfall(s|ing)? back\b/, 'fallback default'),
  idiom(/\bput(s|ting)? back\b|\bput (it|them) back\b/, 'restore reset undo requeue'),
  idiom(/\b(thr(ow|own|ew|ows|owing) away|get(s|ting)? rid of)\b/, 'discard remove delete'),
  idiom(/\b(broken?|breaks?|cut|divided?|chopped|split) (up |down )?(into|up|down)\b/, 'split chunk divide'),
  idiom(/\b(hand(s|ed|ing)?|giv(e|es|en|ing)) out\b/, 'acquire lease allocate'),
  idiom(/\b(made|mak(e|es|ing)|get(s|ting)?) (it |them )?smaller\b/, 'shrink minimize reduce'),
  hint(/\b(nobody|nothing|no one) (uses?|needs?|reads?|imports?)\b|\b(not|never) used\b/, 'unused usage'),
  idiom(/\bcarr(y|ies|ied) out\b/, 'execute perform'),
  idiom(/\b(turn|turns|turned|turning|made|make)\b(?=.{0,30}\binto\b)/, 'convert transform'),
  idiom(/\bfill(s|ed)? in\b/, 'fill substitute'),
  idiom(/\bleft ?over\b/, 'orphan leftover'),
  hint(/\b(saved?|saving|writ\w+|stored?)\b.{0,12}\b(to|on) disk\b/, 'save persist write'),
  hint(/\b(same .{0,20})?\btwice\b/, 'duplicate dedupe once'),
  hint(/\bwithout (showing|echo\w*|displaying)\b/, 'hide hidden echo'),
  // What is not there, or not right.
  hint(
    /\b(unknown|missing|wrong) (urls?|routes?|pages?|paths?|address(es)?|endpoints?)\b|\bnot found\b/,
    'notfound 404',
  ),
  hint(
    /\b(does|do|did|is|are)(n't| not) (exist|found|known)\b|\bno such\b|\bunknown\b|\bnot found\b/,
    'missing unknown such exist',
  ),
  hint(/\b(nobody|no one|nothing) (handles?|catche?s|listens)\b|\bnot (handled|caught)\b/, 'unhandled uncaught'),
  hint(/\b(re)?connect\w*\b.{0,20}\bagain\b/, 'reconnect'),
  hint(/\b(identical|same|equal)\b.{0,40}\b(once|one|merged)\b/, 'dedupe coalesce'),
  // Terms of art and their short forms.
  hint(/\bcommand[- ]line\b/, 'cli argv command'),
  hint(/\benvironment variables?\b/, 'env environ'),
  hint(/\bfront ?matter\b/, 'frontmatter yaml'),
  idiom(/\bcross[- ]site request forgery\b/, 'csrf xsrf'),
  idiom(/\bcross[- ]site scripting\b/, 'xss sanitize escape'),
  idiom(/\bcross[- ]origin\b/, 'cors origin'),
  idiom(/\bserver[- ]sent events?\b/, 'sse eventsource'),
  idiom(/\bregular expressions?\b/, 'regex pattern'),
  idiom(/\b(least|most) recently used\b/, 'lru'),
  idiom(/\bsource ?maps?\b/, 'sourcemap'),
  idiom(/\bsyntax tree\b/, 'ast node'),
  idiom(/\bstandard (input|output|error)\b/, 'stdin stdout stderr'),
  idiom(/\bgarbage collect\w*\b/, 'gc collect'),
  idiom(/\b(two|multi)[- ]factor\b/, 'totp mfa otp'),
  idiom(/\bsingle sign[- ]on\b/, 'sso saml oidc'),
  idiom(/\bweb tokens?\b/, 'jwt token'),
  idiom(/\bbyte order marks?\b/, 'bom'),
  idiom(/\bline (endings?|breaks?)\b/, 'newline eol crlf'),
  idiom(/\boperating system\b/, 'platform os'),
  idiom(/\bcontent types?\b/, 'mime contenttype'),
  idiom(/\btab completions?\b/, 'completion complete shell'),
  hint(/\bbuilt[- ]in\b/, 'builtin native'),
  hint(/\b(ip|network) address(es)?\b/, 'ip cidr'),
]
