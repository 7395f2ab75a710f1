/** The directory and the user that a house is for. */
import { homeDirectory } from '../os/directories.js'

export interface Site {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** A project acts without a person's word, this time. */
  readonly trustsProject?: boolean | undefined
  /** Nothing of this directory and its user counts but agent files. */
  readonly isBare?: boolean | undefined
}

export const homeOf = ({ env }: Pick<Site, 'env'>): string => homeDirectory(env)
