/** Paints lines: the only place where spans become terminal text. */
import { Box, Text } from 'ink'
import { memo } from 'react'
import type { Line } from '../model/line.js'

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
  if (line.length === 0) return <Text> </Text>
  return (
    <Text wrap="truncate-end">
      {line.map((span, at) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: a span has no identity but its place
          key={at}
          color={span.hue}
          bold={span.isBold}
          dimColor={span.isDim}
          italic={span.isItalic}
          underline={span.isUnderlined}
          strikethrough={span.isStruck}
          inverse={span.isInverse}
        >
          {span.text}
        </Text>
      ))}
    </Text>
  )
}
