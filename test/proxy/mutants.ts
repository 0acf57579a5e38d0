/** Proxies with one fault each, made from the sources of the product, and the tests that find it. */

export interface ProxyMutant {
  readonly name: string;
  /** Of packages/proxy/src. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** In the name of a test that must fail. */
  readonly foundBy: string;
}

const requestHeaders = { file: 'headers/request-headers.ts' };
const responseHeaders = { file: 'headers/response-headers.ts' };

export const proxyMutants: readonly ProxyMutant[] = [
  {
    ...requestHeaders,
    name: 'forwards impersonation that it does not know',
    from: 'hasImpersonationPrefix(name) ||',
    to: '',
    foundBy: 'identity headers of a client are not forwarded',
  },
  {
    ...requestHeaders,
    name: 'forwards hop-by-hop headers of a client',
    from: 'isHopByHopHeader(name) ||',
    to: '',
    foundBy: 'hop-by-hop headers of a client are not forwarded',
  },
  {
    ...requestHeaders,
    name: 'forwards headers that Connection names',
    from: '|| named.has(name)',
    to: '',
    foundBy: 'headers that Connection names of a client are not forwarded',
  },
  {
    ...responseHeaders,
    name: 'forwards hop-by-hop headers of a response',
    from: 'isHopByHopHeader(name) ||',
    to: '',
    foundBy: 'headers of the connection to a backend do not reach the client',
  },
  {
    ...responseHeaders,
    name: 'forwards CORS headers',
    from: '|| CORS.has(name)',
    to: '',
    foundBy: 'headers of the connection to a backend do not reach the client',
  },
  {
    file: 'forward/forward-request.ts',
    name: 'forwards an upgrade to cleartext HTTP/2',
    from: '!headers',
    to: 'true || !headers',
    foundBy: 'an upgrade to HTTP/2 in cleartext is not forwarded as one',
  },
  {
    file: 'forward/forward-request.ts',
    name: 'forwards an upgrade with a body',
    from: 'if (sent.body !== undefined) throw cannotUpgrade();',
    to: '',
    foundBy: 'an upgrade with a body is an error',
  },
  {
    file: 'forward/forward-request.ts',
    name: 'forwards a status code that HTTP does not have',
    from: 'status > 599',
    to: 'status > 5990',
    foundBy: 'a status code of HTTP that nothing has',
  },
  {
    file: 'forward/forward-request.ts',
    name: 'does not cancel the request of a client that left',
    from: 'signal: request.cancellation.signal,',
    to: 'signal: new AbortController().signal,',
    foundBy: 'a backend that never responds is left with its client',
  },
  {
    file: 'forward/forward-response.ts',
    name: 'ends a response that broke off',
    from: 'throw new IncompleteResponse(error);',
    to: 'return { done: true, value: undefined };',
    foundBy: 'a response that breaks off is never complete for the client',
  },
];
