/** What sort of file a path is, by the habits of most projects. */
export type FileKind = 'source' | 'test' | 'docs' | 'settings' | 'example' | 'generated'

export function fileKind(path: string): FileKind {
  const lower = path.toLowerCase()
  return kinds.find(({ patterns }) => patterns.some(pattern => pattern.test(lower)))?.kind ?? 'source'
}

/** How much a file of this kind counts for a question that asks for none in particular. */
export const kindWeight: { readonly [kind in FileKind]: number } = {
  source: 1,
  docs: 0.6,
  settings: 0.6,
  test: 0.55,
  example: 0.6,
  generated: 0.35,
}

/** One glob for both. Endings are spelled out: a pattern that could also pick `.env` files would be denied. */
export const testsAndDocsGlob = `{${[
  ...['md', 'mdx', 'rst', 'txt', 'adoc'].map(ending => `*.${ending}`),
  ...['ts', 'tsx', 'js', 'jsx', 'mjs'].flatMap(ending => [`*.test.${ending}`, `*.spec.${ending}`]),
  ...['go', 'py', 'rs', 'rb', 'exs', 'dart', 'cc', 'cpp', 'c'].map(ending => `*_test.${ending}`),
  ...['java', 'kt', 'cs', 'php', 'swift', 'scala'].flatMap(ending => [`*Test.${ending}`, `*Tests.${ending}`]),
  'test_*.py',
  '*_spec.rb',
  '*.t',
].join(',')}}`

const inFolder = (names: string) => new RegExp(`(^|/)(${names.split(' ').join('|')})/`)
const withEnding = (endings: string) => new RegExp(`\\.(${endings.split(' ').join('|')})$`)

/** The first that fits counts. */
const kinds: readonly { readonly kind: FileKind; readonly patterns: readonly RegExp[] }[] = [
  {
    kind: 'generated',
    patterns: [
      inFolder(
        'node_modules vendor vendored third[-_]party dist out target coverage __generated__ generated cjs esm umd',
      ),
      // `build` is also where a builder lives; what it built lies at the top.
      /^build\//,
      withEnding('map snap d\\.ts svg lock'),
      /\.min\.|[-.]lock\.|lock\.json$|\.pb\.|_pb2\.|(^|\/)changelog/,
    ],
  },
  {
    kind: 'test',
    patterns: [
      inFolder('tests? __tests__ specs? e2e fixtures? testdata __mocks__'),
      /\.(test|spec|bench|e2e)\.|_(test|spec)\.|(^|\/)test_|(^|\/)conftest/,
      /tests?\.(java|kt|cs|swift|scala)$/,
    ],
  },
  { kind: 'example', patterns: [inFolder('examples? samples? demos? benchmarks? bench playground')] },
  { kind: 'docs', patterns: [withEnding('md mdx rst adoc txt'), /(^|\/)(readme|license|contributing)/] },
  {
    kind: 'settings',
    patterns: [
      withEnding('json jsonc json5 jsonl ya?ml toml ini cfg conf properties env xml csv html css scss'),
      /(^|\/)\.[^/]+$/,
    ],
  },
]
