/** `offshoot/mcp`: every public name, by hand. */
export { type McpServer, type McpSource, readMcpServers } from '../../core/mcp/mcp-config.js'
export type { ConnectPlace } from './connect.js'
export { type McpHub, type McpHubOptions, mcpHub } from './mcp-hub.js'
export { filePins, memoryPins, type Pins, type ToolPins } from './tool-pins.js'
