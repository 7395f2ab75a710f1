/** The version both ends must speak. Raised whenever a message changes its meaning. */
export const protocolVersion = 1
/** The descriptor a process finds its pipe at. */
export const pipeDescriptor = 3
