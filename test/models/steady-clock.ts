import { FakeClock } from '../../src/testing/fake-clock.js'

/** A fake clock without chance in it, which can run until nobody waits any more. */
export class SteadyClock extends FakeClock {
  override random(): number {
    return 0.5
  }

  async run(): Promise<void> {
    do await this.advance(1_000)
    while (this.pending > 0)
  }
}
