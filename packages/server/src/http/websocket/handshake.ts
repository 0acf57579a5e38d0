import { badRequest, plainError, StatusError } from '@tributary/apimachinery';
import type { RequestHeaders } from '../../request/request-headers.ts';

const VERSION = '13';
/** Sixteen bytes in base64 (RFC 6455). */
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** Whether the client requests another protocol on this connection. */
export function isUpgradeRequest(headers: RequestHeaders): boolean {
  return headers.all('connection').some((line) => line.toLowerCase().includes('upgrade'));
}

export function isWebSocketRequest(headers: RequestHeaders): boolean {
  return headers.get('upgrade')?.toLowerCase() === 'websocket' && isUpgradeRequest(headers);
}

/** Subprotocols in the client's order of preference. */
function offeredProtocols(headers: RequestHeaders): string[] {
  const line = headers.get('sec-websocket-protocol')?.trim() ?? '';
  return line === '' ? [] : line.split(',').map((protocol) => protocol.trim());
}

/** Checks the opening handshake in upstream's order, and throws upstream's errors. */
export function requireHandshake(method: string, headers: RequestHeaders): void {
  if (method !== 'GET') throw plainError('bad method', 405);
  if (!isWebSocketRequest(headers)) throw badRequest('not websocket protocol');
  if (!KEY.test(headers.get('sec-websocket-key') ?? '')) {
    throw badRequest('mismatch challenge/response');
  }
  if (headers.get('sec-websocket-version') !== VERSION) {
    throw badRequest('missing or bad WebSocket Version');
  }
}

/**
 * A watch rejects pages with an opaque origin, and accepts the one subprotocol that is offered, whatever it is: events
 * look the same in all of them.
 */
export function watchProtocol(headers: RequestHeaders): string {
  if (!URL.canParse(headers.get('origin') ?? '')) throw refused('null origin');
  const [protocol = '', ...more] = offeredProtocols(headers);
  if (more.length > 0) throw badRequest('missing or bad WebSocket-Protocol');
  return protocol;
}

/** The first offered subprotocol that is supported; '' stands for none on both sides. */
export function chooseProtocol(headers: RequestHeaders, supported: readonly string[]): string {
  const offered = offeredProtocols(headers);
  const chosen = (offered.length === 0 ? [''] : offered).find((one) => supported.includes(one));
  if (chosen !== undefined) return chosen;
  const lists = `[${offered.join(' ')}]; supports [${supported.join(' ')}]`;
  throw refused(`requested protocol(s) are not supported: ${lists}`);
}

function refused(message: string): StatusError {
  return new StatusError({ code: 403, reason: 'Forbidden', message });
}
