/** `tool_restrictions: [Bash]`: a plain list under a word that may grant or deny. Either reading may be wider than what was meant. */
import { type FieldReader, refuse } from './field-reader.js'

export const unsaidKeys = ['toolrestrictions', 'toolpolicy', 'restrictions']

export const readUnsaidList: FieldReader = (_value, given) =>
  refuse(given, 'it is not said whether these are its only tools, or the ones it may not use')
