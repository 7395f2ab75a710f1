/**
 * What to look for: a question in English, taken apart into terms.
 *
 * Q1 Names, paths and quoted text are taken as they stand and weigh most; their parts count too, but less.
 * Q2 Plain words lose stop words and endings; words that occur everywhere in code weigh little.
 * Q3 Each word brings its synonyms, which weigh about half; two neighbouring words are also tried as one name.
 */

import { phrases } from './phrases.js'
import { stemOf, wordParts } from './stem.js'
import { genericWords, stopWords, synonymGroups } from './words.js'

export type Intent = 'locate' | 'callers' | 'tests' | 'docs' | 'plan' | 'overview' | 'file' | 'chat'

export interface Term {
  /** As a person would say it. */
  readonly label: string
  readonly weight: number
  /** A name, matched whole and by case; absent for plain words. */
  readonly name?: string
  /** The stems of a word with hyphens, matched when they stand side by side: `read-only`, `readOnly`. */
  readonly compound?: readonly string[]
  /** Stem → how much a match of it counts for this term (1 = the word itself). */
  readonly stems: ReadonlyMap<string, number>
}

export interface Question {
  readonly text: string
  readonly intent: Intent
  readonly terms: readonly Term[]
  /** Stems of two words that stood side by side and may be one name: `front matter`. */
  readonly pairs: readonly (readonly [string, string])[]
  /** Files the question names: `drive.ts`, `src/core/run.ts`. */
  readonly paths: readonly string[]
  /** Text in quotes, to be found as it stands. */
  readonly quotes: readonly string[]
  /** Only its beginning was looked at. */
  readonly isCut: boolean
}

/** Beyond this it is no question any more but what it is about: a diff, a log, a file. */
const readCharacters = 10_000

export function readQuestion(whole: string, earlier: readonly string[] = []): Question {
  // No word is so long; taking one apart could take for ever.
  const text = whole.slice(0, readCharacters).replace(/\S{200,}/g, ' ')
  const said = intentOf(text)
  const quotes = matches(text, /"([^"\n]{3,80})"|“([^”\n]{3,80})”|(?<![\w])'([^'\n]{3,80})'(?!\w)/g)
  const paths = matches(text, /(?<![\w/.-])((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.(?:[a-zA-Z]\w{0,5}))(?![\w/])/g).filter(
    isPath,
  )
  const folders = matches(text, /(?<![\w/.-])((?:[\w@.-]+\/)+[\w@.-]*)(?![\w.])/g)
  const bare = [...quotes, ...paths].reduce((rest, taken) => rest.replace(taken, ' '), text)
  const names = namesIn(bare)
  const compounds = matches(bare, /(?<![\w-])([A-Za-z]{2,}(?:-[A-Za-z]{2,})+)(?![\w-])/g)
  const plain = plainWords(
    [...names, ...compounds].reduce((rest, taken) => rest.split(taken).join(' '), withoutPhrases(bare)),
  )
  const terms = [
    ...names.map(nameTerm),
    ...compounds.map(compoundTerm),
    ...[...paths, ...folders].flatMap(pathTerms),
    ...quotes.flatMap(quote => plainWords(quote)).map(word => wordTerm(word, 1.2)),
    ...besides(said, plain, names.length > 0).map(word => wordTerm(word, weightOf(word, bare))),
    ...phraseTerms(text),
    ...earlier.map(word => wordTerm(word.toLowerCase(), 0.7)),
  ]
  return {
    text: text.trim(),
    intent: said === 'locate' && paths.length > 0 && plain.length <= 1 ? 'file' : said,
    terms: strongest(terms),
    pairs: pairsIn(bare),
    paths: [...paths, ...folders],
    quotes,
    isCut: whole.length > readCharacters,
  }
}

/** Nothing in it can be looked for. */
export const isSmallTalk = ({ intent, terms, quotes }: Question): boolean =>
  intent === 'chat' || (intent !== 'overview' && terms.length === 0 && quotes.length === 0)

/** It asks for a deed, not for a place: `Delete the folder dist`, `Can you run the tests?` */
export const asksForDeed = ({ text }: Question): boolean => deeds.test(text.trim())

const deeds =
  /^(please |can you |could you |would you |now |then )*(add|build|change|clean|commit|convert|copy|create|delete|deploy|drop|edit|erase|execute|fix|format|generate|implement|install|make|merge|migrate|move|publish|push|refactor|release|remove|rename|replace|reset|restart|revert|rewrite|run|save|set|start|stop|uninstall|update|upgrade|write)\s+(?!(of|to|in|by|from|is|are|was)\b)[^\s=(]/i

/** It says what kind of answer is wanted, and in words that occur everywhere; not about what. */
export const saysOnlyKind = ({ intent, terms, paths }: Question): boolean =>
  paths.length === 0 && terms.every(({ label, weight }) => weight <= 0.5 || intentWords[intent]?.test(label))

/** In an English sentence about every second word is a small one; a few words without any may be names. */
export function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? []
  return words.length < 5 || words.filter(word => stopWords.has(word)).length / words.length >= 0.2
}

/** The terms without those that occur everywhere, unless there are no others. */
export function tellingTerms({ terms }: Question): readonly Term[] {
  const rare = terms.filter(({ weight }) => weight > 0.5)
  return rare.length > 0 ? rare : terms
}

export const namesOf = ({ terms }: Question): string[] => terms.flatMap(({ name }) => name ?? [])

export const termLabels = (question: Question): string[] => question.terms.map(({ label }) => label)

const termLimit = 8
const synonymWeight = 0.45

function strongest(terms: readonly Term[]): Term[] {
  const unique = new Map<string, Term>()
  for (const term of terms) {
    const key = term.name ?? [...term.stems.keys()][0] ?? term.label
    const before = unique.get(key)
    if (!before || before.weight < term.weight) unique.set(key, term)
  }
  // Stable sort: among equals the order of the question stays.
  return [...unique.values()].sort((a, b) => b.weight - a.weight).slice(0, termLimit)
}

/** An acronym (HTTP, JSONL) is a word said on purpose. */
function weightOf(word: string, text: string): number {
  if (genericWords.has(word)) return 0.3
  return word.length > 2 && text.includes(word.toUpperCase()) ? 1.4 : 1
}

/** The words that only say what kind of answer is wanted are no terms, unless they are all there is. */
function besides(intent: Intent, words: readonly string[], hasNames: boolean): readonly string[] {
  const rest = words.filter(word => !intentWords[intent]?.test(word))
  return rest.length > 0 || hasNames ? rest : words
}

const intentWords: { readonly [intent in Intent]?: RegExp } = {
  callers:
    /^(calls?|called|callers?|invokes?|invoked|imports?|imported|references?|referenced|usages?|functions?|methods?)$/,
  tests: /^(tests?|tested|testing|unit|cases?|suites?|cover(s|ed|age)?)$/,
  docs: /^(docs?|documented|documentation|readme|guide|manual)$/,
  plan: /^(plan|steps?|implement(ing)?|introduce|extend)$/,
}

function intentOf(text: string): Intent {
  const said = text.replace(/\s+/g, ' ').trim()
  const found = intents.find(({ pattern }) => pattern.test(said.toLowerCase()) || pattern.test(said))
  return found?.intent ?? 'locate'
}

const intents: readonly { intent: Intent; pattern: RegExp }[] = [
  {
    intent: 'chat',
    pattern:
      /^(hi|hello|hey|good (morning|evening|day)|thanks?( you)?|thank you|bye|ok(ay)?|yes|no|who are you|what are you|what can you do|help|test)\b[\s!?.,\w]{0,24}$/,
  },
  {
    intent: 'callers',
    pattern:
      /\bwho (calls|uses|invokes|imports|references|needs)\b|\bwhere\b.{0,40}\b(called|used|invoked|imported|referenced)\b|\b(callers|usages|uses|references|call sites?) (of|to)\b|\b(what|which \w+) (calls?|uses?|imports?|invokes?) [`"']?\w+([A-Z_.]\w*|\(\)|[`"'])/,
  },
  {
    intent: 'tests',
    pattern:
      /\btests?\b.{0,30}\b(for|of|cover|about|that)\b|\b(tested|unit tests?|test (file|case|suite)s?|covered by)\b/,
  },
  {
    intent: 'overview',
    pattern:
      /^(please )?(summari[sz]e|explain|describe|show|read|quote|what (is in|does)|what's in)\b.{0,12}\breadme(\.\w+)?( say| tell)?\W*$/,
  },
  { intent: 'docs', pattern: /\b(documented|documentation|docs|readme|guide|manual)\b/ },
  {
    intent: 'plan',
    pattern:
      /^(please )?(plan|design|implement|add|refactor|fix|change|write|migrate|replace|rename|introduce|extend|port)\b|\bhow (would|do|can|could|should|to)\b.{0,20}\b(add|implement|build|extend|change|replace|introduce|support|write|create|make|migrate|refactor|register|rename|remove)\b|\bplan (for|to|how)\b|\bsteps to\b/,
  },
  {
    intent: 'overview',
    pattern:
      /\b(what (is|does)|explain|describe|summari[sz]e|overview of|give me a tour of)\b.{0,12}\b(this|the|here)?\b.{0,10}\b(project|repo|repository|codebase|program|package|code base)\b( do| about)?\s*\??$|\bhow is (this|the) (project|repo|repository|codebase|code) (organi[sz]ed|structured|laid out)/,
  },
]

/** camelCase, PascalCase with two humps, snake_case, CONSTANT_CASE, calls(), and anything in backticks. An acronym is a word. */
function namesIn(text: string): string[] {
  const ticked = matches(text, /`([^`\n]{2,60})`/g)
  const shaped = matches(
    text,
    /(?<![\w$])([A-Za-z_$][\w$]*(?:_[\w$]+)+|[a-z]+[A-Z][\w$]*|[A-Z][a-z0-9]+[A-Z][\w$]*|[A-Za-z_$][\w$]*(?=\(\)))/g,
  )
  return [...new Set([...ticked, ...shaped])].filter(name => name.trim().length > 1)
}

function plainWords(text: string): string[] {
  const words = wordParts(text).filter(word => word.length > 1 && !stopWords.has(word) && !/^\d+$/.test(word))
  return [...new Set(words)]
}

function nameTerm(name: string): Term {
  const parts = wordParts(name).filter(part => part.length > 1)
  const share = parts.length > 1 ? 0.35 : 0.6
  return {
    label: name,
    weight: 2.4,
    name: name.replace(/\(\)$/, ''),
    stems: new Map(parts.map(part => [stemOf(part), share])),
  }
}

function compoundTerm(word: string): Term {
  const parts = wordParts(word)
  const related = parts.filter(part => !stopWords.has(part)).map(part => [stemOf(part), 0.35] as const)
  const stems = heaviest([[stemOf(parts.join('')), 1], ...related])
  return { label: word.toLowerCase(), weight: 1.2, compound: parts.map(stemOf), stems }
}

function pathTerms(path: string): Term[] {
  const file = path.replace(/\/$/, '').split('/').pop()!
  const words = plainWords(file.replace(/\.\w+$/, ''))
  // `a.ts` has no word in it: the name itself is all there is to look for.
  return words.length > 0 ? words.map(word => wordTerm(word, 1.2)) : [{ ...nameTerm(file), stems: new Map() }]
}

function wordTerm(word: string, weight: number): Term {
  const stem = stemOf(word)
  const related = synonyms.get(stem) ?? []
  return { label: word, weight, stems: heaviest([[stem, 1], ...related.map(other => [other, synonymWeight] as const)]) }
}

function withoutPhrases(text: string): string {
  const whole = phrases.filter(({ isWhole }) => isWhole)
  return whole.reduce((rest, { said }) => rest.replace(new RegExp(said, 'gi'), ' '), text)
}

function phraseTerms(text: string): Term[] {
  const said = text.toLowerCase()
  return phrases
    .filter(phrase => phrase.said.test(said))
    .map(({ means }) => ({ label: means[0]!, weight: 0.8, stems: heaviest(means.flatMap(meant)) }))
}

function meant(word: string): (readonly [string, number])[] {
  return [[stemOf(word), 0.9], ...(synonyms.get(stemOf(word)) ?? []).map(other => [other, synonymWeight] as const)]
}

/** Neighbours in the question, none of them a stop word; in a word with hyphens (`read-only`) any neighbours. */
function pairsIn(text: string): (readonly [string, string])[] {
  const words = text
    .toLowerCase()
    .split(/[^a-z0-9'-]+/)
    .filter(Boolean)
  const hyphened = words.flatMap(word => neighbours(word.split('-')))
  const apart = neighbours(words.flatMap(word => word.split('-'))).filter(
    pair => !pair.some(word => stopWords.has(word)),
  )
  const unique = new Map([...hyphened, ...apart].map(pair => [pair.join(' '), pair]))
  return [...unique.values()]
    .filter(pair => pair.every(word => /^[a-z]{2,}$/.test(word)))
    .map(([a, b]) => [stemOf(a), stemOf(b)] as const)
}

function neighbours(words: readonly string[]): (readonly [string, string])[] {
  return words.slice(1).map((word, i) => [words[i]!, word] as const)
}

const isPath = (text: string) => text.includes('/') || !/^(e\.g|i\.e|vs\.|etc\.|\d)/i.test(text)

function heaviest(weighted: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const best = new Map<string, number>()
  for (const [stem, weight] of weighted) best.set(stem, Math.max(weight, best.get(stem) ?? 0))
  return best
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(found => found.slice(1).find(part => part !== undefined) ?? '').filter(Boolean)
}

const synonyms = relatedStems()
function relatedStems(): ReadonlyMap<string, readonly string[]> {
  const related = new Map<string, Set<string>>()
  for (const group of synonymGroups.map(words => words.map(stemOf))) {
    for (const stem of group) {
      const others = related.get(stem) ?? new Set<string>()
      for (const other of group) if (other !== stem) others.add(other)
      related.set(stem, others)
    }
  }
  return new Map([...related].map(([stem, others]) => [stem, [...others]]))
}
