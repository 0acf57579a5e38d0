import { isIP } from 'node:net';
import { goJson } from '@tributary/apimachinery';
import type { ApiRequest, Peer } from '../../request/pipeline.ts';

/** The addresses as text; those of a connection without proxies are the same for all its requests. */
export function sourceTexts(): (request: ApiRequest) => string {
  const direct = new WeakMap<Peer, string>();
  return (request) => {
    const { headers, peer } = request;
    if (headers.get('x-forwarded-for') || headers.get('x-real-ip')) return textOf(request);
    let text = direct.get(peer);
    if (text === undefined) {
      text = textOf(request);
      direct.set(peer, text);
    }
    return text;
  };
}

function textOf(request: ApiRequest): string {
  const addresses = sourceAddresses(request);
  return addresses.length === 0 ? '' : `,"sourceIPs":${goJson(addresses)}`;
}

/**
 * The source addresses of a request: those of proxies in their order, and last that of the connection, which cannot be
 * forged.
 */
function sourceAddresses({ headers, peer }: ApiRequest): string[] {
  const addresses = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => canonical(part.trim()))
    .filter((address) => address !== '');
  const real = canonical(headers.get('x-real-ip') ?? '');
  if (real !== '' && !addresses.includes(real)) addresses.push(real);
  const own = canonical(peer.address);
  if (own !== '' && own !== addresses.at(-1)) addresses.push(own);
  return addresses;
}

/** An IPv4-mapped IPv6 address is the IPv4 address; an invalid address is empty. */
function canonical(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  switch (isIP(mapped)) {
    case 4:
      return mapped;
    case 6:
      return new URL(`http://[${mapped}]`).hostname.slice(1, -1);
    default:
      return '';
  }
}
