import type { Refusal } from '../types.js'

export const refuse = (rule: string, refused: string): Refusal => ({ refused, rule })
