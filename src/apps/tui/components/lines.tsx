/** Paints lines: the only place where spans become terminal text. */
import { Box, Text } from 'ink'
import { createContext, memo, useContext } from 'react'
import { toAscii } from '../model/glyphs.js'
import type { Line } from '../model/line.js'

export interface Paper {
  /** Without colours only they go: bold, dim and the cursor stay. */
  readonly isColoured: boolean
  readonly isAscii: boolean
}
export const PaperContext = createContext<Paper>({ isColoured: true, isAscii: false })

export const Lines = memo(function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <Box flexDirection="column">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its place
        <PaintedLine key={at} line={line} />
      ))}
    </Box>
  )
})

function PaintedLine({ line }: { readonly line: Line }) {
  const { isColoured, isAscii } = useContext(PaperContext)
  if (line.length === 0) return <Text> </Text>
  return (
    <Text wrap="truncate-end">
      {line.map((span, at) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: a span has no identity but its place
          key={at}
          color={isColoured ? span.hue : undefined}
          bold={span.isBold}
          dimColor={span.isDim}
          italic={span.isItalic}
          underline={span.isUnderlined}
          strikethrough={span.isStruck}
          inverse={span.isInverse}
        >
          {isAscii ? toAscii(span.text) : span.text}
        </Text>
      ))}
    </Text>
  )
}
