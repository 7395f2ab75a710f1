/** The version both ends must speak. Raised whenever a message changes its meaning. */
export const protocolVersion = 1
/** The descriptor a process finds its pipe at. */
export const pipeDescriptor = 3
/** Names the directory a process may leave files in; it goes with the process. */
export const scratchVariable = 'OFFSHOOT_SCRATCH'
