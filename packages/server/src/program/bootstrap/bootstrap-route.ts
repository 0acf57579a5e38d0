import { badRequest, methodNotAllowed } from '@tributary/apimachinery';
import type { ApiDefinition } from '../../definition/api.ts';
import { plainPage, servePage } from '../../discovery/page.ts';
import { represent } from '../../discovery/representation.ts';
import type { ApiRequest, ApiResponse } from '../../request/pipeline.ts';
import type { Route } from '../../routing/router.ts';
import { apiInstallation, bootstrapManifests } from './bootstrap-manifests.ts';
import { BootstrapOptionError, type BootstrapOptions } from './bootstrap-options.ts';
import { manifestList } from './manifest-list.ts';

/** PEM of the CA of the serving certificate, if it is known and the certificate is valid for this host. */
export type ServingCaSource = (host: string) => Promise<string | undefined>;

const PREFIX = '/bootstrap/';
/** Query parameters; the others have their defaults. */
const PARAMETERS = ['image', 'namespace', 'service', 'storageClaim'] as const;

/**
 * `/bootstrap/<group>`: the output of `tributary bootstrap`, without a Secret, because permission to read a path is not
 * permission to read a private key. The objects are created by an administrator; a server never registers itself.
 */
export function bootstrapRoute(apis: readonly ApiDefinition[], servingCa?: ServingCaSource): Route {
  const byPath = new Map(
    apis.filter(({ builtIn }) => !builtIn).map((api) => [`${PREFIX}${api.group}`, api]),
  );
  return (request) => {
    if (!request.path.startsWith(PREFIX)) return undefined;
    const api = byPath.get(request.path);
    if (api === undefined) return undefined;
    if (request.method !== 'GET') throw methodNotAllowed();
    return respond(api, request, servingCa);
  };
}

async function respond(
  api: ApiDefinition,
  request: ApiRequest,
  servingCa: ServingCaSource | undefined,
): Promise<ApiResponse> {
  const options = optionsOf(request.query);
  const { service, namespace } = withBadRequest(() => apiInstallation(api, options));
  const host = `${service}.${namespace}.svc`;
  const ca = await servingCa?.(host);
  if (ca === undefined) {
    request.warnings.add(
      `the CA of a serving certificate for ${host} is not known here: set spec.caBundle of the APIServices`,
    );
  }
  const objects = bootstrapManifests(api, {
    ...options,
    ...(ca !== undefined && { trust: { kind: 'ca', ca } }),
  });
  return servePage(plainPage(represent(manifestList(objects))), request);
}

function optionsOf(query: URLSearchParams): BootstrapOptions {
  const given = PARAMETERS.flatMap((name) => {
    const value = query.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return { image: '', ...Object.fromEntries(given) };
}

function withBadRequest<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof BootstrapOptionError) throw badRequest(error.message);
    throw error;
  }
}
