import { methodNotAllowed, StatusError } from '@tributary/apimachinery';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import type { KeySet, VerificationKey } from './key-set.ts';

export const openIdConfigurationPath = '/.well-known/openid-configuration';
export const jwksPath = '/openid/v1/jwks';
const MAX_AGE_SECONDS = 3600;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  [openIdConfigurationPath]: 'application/json',
  [jwksPath]: 'application/jwk-set+json',
};

export interface DiscoveryOptions {
  readonly issuer: string;
  /** The `jwks_uri` of `--service-account-jwks-uri`. Default: at `externalAddress`. */
  readonly jwksUri?: string;
  /** Host and port at which clients reach this server. */
  readonly externalAddress: string;
  readonly keys: () => KeySet;
}

/** The OpenID documents by which other servers verify service account tokens. */
export type Discovery =
  | { readonly route: (request: ApiRequest) => ApiResponse | undefined }
  /** Why this issuer cannot have discovery documents. */
  | { readonly reason: string };

export function serviceAccountDiscovery(options: DiscoveryOptions): Discovery {
  const { issuer, externalAddress, keys } = options;
  const jwksUri = options.jwksUri || `https://${externalAddress}${jwksPath}`;
  const reason = issuerProblem(issuer) ?? jwksProblem(jwksUri);
  if (reason !== undefined) return { reason };
  // Created once per key set.
  const documents = new WeakMap<KeySet, ReadonlyMap<string, ApiResponse>>();
  const documentsOf = (set: KeySet) => {
    let made = documents.get(set);
    if (made === undefined) {
      made = createDocuments(issuer, jwksUri, set.verification);
      documents.set(set, made);
    }
    return made;
  };
  return {
    route({ info: { isResourceRequest, path }, method, headers }) {
      if (isResourceRequest || (path !== openIdConfigurationPath && path !== jwksPath)) {
        return undefined;
      }
      if (method !== 'GET') throw methodNotAllowed();
      requireAccepted(headers.get('accept') ?? '', CONTENT_TYPES[path] ?? '');
      return documentsOf(keys()).get(path);
    },
  };
}

function createDocuments(
  issuer: string,
  jwksUri: string,
  keys: readonly VerificationKey[],
): ReadonlyMap<string, ApiResponse> {
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))].sort();
  const configuration = {
    issuer,
    jwks_uri: jwksUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: algorithms,
  };
  const contents = new Map<string, object>([
    [openIdConfigurationPath, configuration],
    [jwksPath, { keys: keys.map(publicKey) }],
  ]);
  return new Map(
    contents
      .entries()
      .map(([path, content]) => [path, document(CONTENT_TYPES[path] ?? '', content)]),
  );
}

/** Upstream's negotiation accepts no other wildcard. */
function requireAccepted(accept: string, contentType: string): void {
  const wanted = accept.split(',').map((one) => (one.split(';')[0] ?? '').trim());
  if (accept === '' || wanted.includes('*/*') || wanted.includes(contentType)) return;
  throw new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${contentType}`,
    details: {},
  });
}

function publicKey({ kid, algorithm, jwk }: VerificationKey): object {
  const { kty, crv, x, y, n, e } = jwk;
  return { use: 'sig', kty, kid, crv, alg: algorithm, x, y, n, e };
}

function document(contentType: string, content: object): ApiResponse {
  return {
    kind: 'bytes',
    code: 200,
    contentType,
    chunks: [Buffer.from(JSON.stringify(content))],
    headers: [['Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`]],
  };
}

function issuerProblem(issuer: string): string | undefined {
  if (issuer === '') return 'empty issuer URL';
  const url = URL.parse(issuer);
  if (url?.protocol !== 'https:') return `issuer URL must use https scheme, got: ${issuer}`;
  if (url.search !== '') return `issuer URL may not include a query, got: ${issuer}`;
  if (url.hash !== '') return `issuer URL may not include a fragment, got: ${issuer}`;
  return undefined;
}

function jwksProblem(uri: string): string | undefined {
  if (URL.parse(uri)?.protocol === 'https:') return undefined;
  return `jwksURI requires https scheme, parsed as: ${uri}`;
}
