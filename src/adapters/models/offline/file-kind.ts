/** What sort of file a path is, by the habits of most projects. */
export type FileKind = 'source' | 'test' | 'docs' | 'settings' | 'example' | 'generated'

export function fileKind(path: string): FileKind {
  const lower = path.toLowerCase()
  return kinds.find(({ pattern }) => pattern.test(lower))?.kind ?? 'source'
}

/** How much a file of this kind counts for a question that asks for none in particular. */
export const kindWeight: { readonly [kind in FileKind]: number } = {
  source: 1,
  docs: 0.6,
  settings: 0.6,
  test: 0.55,
  example: 0.6,
  generated: 0.2,
}

export const testsAndDocsGlob =
  '{*.md,*.mdx,*.rst,*.txt,*.adoc,*.test.*,*.spec.*,*_test.*,test_*,*Test.*,*Tests.*,*_spec.*}'

const kinds: readonly { kind: FileKind; pattern: RegExp }[] = [
  {
    kind: 'generated',
    pattern:
      /(^|\/)(node_modules|vendor|vendored|third[-_]party|dist|build|out|target|coverage|__generated__|generated|\.next)\/|\.min\.|\.map$|[-.]lock(\.|$)|lock\.json$|\.snap$|\.pb\.|_pb2\.|\.d\.ts$|\.svg$|(^|\/)changelog/,
  },
  {
    kind: 'test',
    pattern:
      /\.(test|spec|bench|e2e)\.|_(test|spec)\.|(^|\/)test_|(^|\/)conftest|(^|\/)(tests?|__tests__|specs?|e2e|fixtures?|testdata|__mocks__)\/|tests?\.(java|kt|cs|swift|scala)$/,
  },
  { kind: 'example', pattern: /(^|\/)(examples?|samples?|demos?|benchmarks?|bench|playground)\// },
  { kind: 'docs', pattern: /\.(md|mdx|rst|adoc|txt)$|(^|\/)(readme|license|contributing)/ },
  {
    kind: 'settings',
    pattern: /\.(json|jsonc|json5|ya?ml|toml|ini|cfg|conf|properties|env|xml|csv|jsonl|html|css|scss)$|(^|\/)\.[^/]+$/,
  },
]
