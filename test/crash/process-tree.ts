/** main → four children, one of them with a child of its own; reads, and writes that leave a mark. */
import type { Plan } from './plan.js'

export const tree: Plan = [
  [{ child: [[{ write: 1 }, { read: 2 }]] }, { child: [[{ read: 3 }], [{ child: [[{ write: 4 }], [{ read: 5 }]] }]] }],
  [{ child: [[{ write: 6 }, { write: 7 }]] }, { child: [[{ read: 8 }]], isBackground: true }, { write: 9 }],
]
