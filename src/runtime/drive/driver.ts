/** Who carries a claimed run: a loop in this process, or a process of its own. The supervisor asks, and does not mind. */
import type { Tool } from '../../core/ports.js'
import type { RunLog } from '../logs/run-log.js'
import { drive } from './drive.js'
import type { DrivePorts, Driving } from './drive-ports.js'

export interface Driver {
  /** The tools as the run reaches them. */
  reach(tools: ReadonlyMap<string, Tool>): ReadonlyMap<string, Tool>
  drive(log: RunLog, ports: DrivePorts): Driving
}

/** A new one for each claim of a run. */
export type DriverFor = (log: RunLog) => Driver

export const localDriver: Driver = { reach: tools => tools, drive }
