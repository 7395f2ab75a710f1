/** The screen: what was printed stays above, the frame below is drawn anew. All of it is decided by the model. */
import { Static, useStdout } from 'ink'
import { useEffect, useSyncExternalStore } from 'react'
import { type FrameFacts, frameLines } from '../model/frame.js'
import type { ScreenStore } from '../screen-store.js'
import { Lines, type Paper, PaperContext } from './lines.js'

export interface AppProps {
  readonly store: ScreenStore
  readonly paper: Paper
  facts(): FrameFacts
  onResize(width: number, height: number): void
}

export function App({ store, paper, facts, onResize }: AppProps) {
  const { screen, printed, sheet } = useSyncExternalStore(store.subscribe, store.snapshot)
  const { stdout } = useStdout()
  useEffect(() => {
    const hear = () => onResize(stdout.columns, stdout.rows)
    stdout.on('resize', hear)
    return () => void stdout.off('resize', hear)
  }, [stdout, onResize])
  return (
    <PaperContext value={paper}>
      <Static key={sheet} items={[...printed]}>
        {item => <Lines key={item.id} lines={item.draw(screen.width)} />}
      </Static>
      <Lines lines={frameLines(screen, facts())} />
    </PaperContext>
  )
}
