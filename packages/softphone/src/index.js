export { Softphone } from './softphone.js';
export { SoftphoneError } from './softphone-error.js';
export { WebSocketTransport } from './websocket-transport.js';
