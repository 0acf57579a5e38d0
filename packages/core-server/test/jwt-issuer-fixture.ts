import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createPki } from '../../../test/harness/index.ts';

/** An external token issuer: its documents over real TLS, its keys, and its tokens. */
export interface JwtIssuerFixture extends AsyncDisposable {
  readonly url: string;
  /** PEM of the authority of its certificate. */
  readonly ca: string;
  /** Requested paths, in order. */
  readonly requested: string[];
  /** Replaces its documents, by path: a status code or another document. */
  readonly responses: Map<string, number | object>;
  /** Signs with a new key from now on; old keys stay in the key set unless they are removed. */
  rotate(options?: { forget?: boolean }): Promise<void>;
  token(claims: object, header?: object): Promise<string>;
}

export const WELL_KNOWN = '/.well-known/openid-configuration';

export async function startJwtIssuer(algorithm = 'RS256'): Promise<JwtIssuerFixture> {
  const pki = await createPki();
  const requested: string[] = [];
  const responses = new Map<string, number | object>();
  let keys: { kid: string; jwk: object; privateKey: CryptoKey }[] = [];
  let count = 0;
  const server = createServer({ ...pki.server }, (request, response) => {
    const path = request.url ?? '';
    requested.push(path);
    const override = responses.get(path) ?? documents()[path] ?? 404;
    response.writeHead(typeof override === 'number' ? override : 200, {
      'content-type': 'application/json',
    });
    response.end(typeof override === 'number' ? 'no' : JSON.stringify(override));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const documents = (): Record<string, object> => ({
    [WELL_KNOWN]: { issuer: url, jwks_uri: `${url}/keys` },
    '/keys': { keys: keys.map(({ kid, jwk }) => ({ ...jwk, kid, use: 'sig', alg: algorithm })) },
  });
  const rotate = async ({ forget = false } = {}) => {
    count += 1;
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const added = { kid: `key-${count}`, jwk: await exportJWK(publicKey), privateKey };
    keys = forget ? [added] : [...keys, added];
  };
  await rotate();
  return {
    url,
    ca: pki.ca.cert,
    requested,
    responses,
    rotate,
    async token(claims, header = {}) {
      const key = keys.at(-1);
      if (key === undefined) throw new Error('there is no key');
      return new SignJWT({ iss: url, ...claims })
        .setProtectedHeader({ alg: algorithm, kid: key.kid, ...header })
        .sign(key.privateKey);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
