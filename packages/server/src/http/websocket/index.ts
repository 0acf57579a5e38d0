/** WebSocket for connect subresources, such as exec, attach and portforward. */
export { ClientDisconnected } from '../../request/connection-errors.ts';
export { type AcceptOptions, acceptWebSocket } from './accept.ts';
export type { WebSocketChannel, WebSocketMessage } from './channel.ts';
export {
  channelProtocols,
  commandChannels,
  type NumberedChannels,
  type NumberedMessage,
  numberedChannels,
} from './numbered-channels.ts';
