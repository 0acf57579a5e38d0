import { methodNotAllowed } from '@tributary/apimachinery';
import type { FindTargets } from '@tributary/proxy';
import type { AccessInfo, ApiRequest, ApiResponse, Authorizer } from '@tributary/server';
import { accessDenied } from '@tributary/server/request';
import type { Route } from '@tributary/server/routing';
import type { Registration } from '../api-services/registration.ts';
import { AGGREGATION_GROUP, REGISTRATION_GROUP } from '../api-services/resources.ts';
import type { Availability } from '../availability/availability.ts';
import type { RegistrationSnapshot } from '../registrations/registrations.ts';

export const SERVERS_PATH = '/aggregation/servers';

export interface ServersRouteOptions {
  readonly registrations: { readonly current: RegistrationSnapshot };
  readonly availability: Pick<Availability, 'stateOf'>;
  readonly findTargets: FindTargets;
  /** Decides whether the user may list APIServices. */
  readonly authorize: Authorizer;
  /** The address of this process, for local group versions; undefined while its port is closed. */
  readonly localAddress?: () => LocalAddress | undefined;
}

export interface LocalAddress {
  /** Without a path. */
  readonly url: string;
  /** PEM; undefined: the system's certificate authorities. */
  readonly ca: string | undefined;
}

/** One group version of the document. */
interface ServedBy {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  readonly local: boolean;
  readonly available: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  /** All ready endpoints. */
  readonly servers: readonly { readonly url: string; readonly tlsServerName: string }[];
  /** PEM; absent: the system's certificate authorities. */
  readonly caBundle?: string;
  readonly insecureSkipTLSVerify?: true;
}

/** The permission that the document requires. */
const LIST_REGISTRATIONS: Omit<AccessInfo, 'path'> = {
  isResourceRequest: true,
  verb: 'list',
  group: REGISTRATION_GROUP,
  version: 'v1',
  resource: 'apiservices',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

/** Lists the servers of every group version, so that a client can connect to one directly. */
export function serversRoute(options: ServersRouteOptions): Route {
  return (request) => (request.path === SERVERS_PATH ? serve(request) : undefined);

  async function serve(request: ApiRequest): Promise<ApiResponse> {
    const { path, user, cancellation } = request;
    const access = { user, info: { ...LIST_REGISTRATIONS, path }, cancellation };
    const decision = await options.authorize(access);
    if (!decision.allowed) throw accessDenied(access, decision.reason);
    if (request.method !== 'GET') throw methodNotAllowed();
    const items = options.registrations.current.all
      .map((registration) => servedBy(registration, options))
      .sort(compare);
    const kind = { kind: 'ServerList', apiVersion: `${AGGREGATION_GROUP}/v1` };
    return { kind: 'object', code: 200, object: { ...kind, metadata: {}, items } };
  }
}

/** The path requires the permission to list APIServices, instead of one for the path. */
export function withServersPath(authorize: Authorizer): Authorizer {
  return (request) => {
    const { isResourceRequest, path, verb } = request.info;
    if (isResourceRequest || path !== SERVERS_PATH || verb !== 'get') return authorize(request);
    return authorize({ ...request, info: { ...LIST_REGISTRATIONS, path } });
  };
}

function servedBy(registration: Registration, options: ServersRouteOptions): ServedBy {
  const { name, group, version, groupPriorityMinimum, versionPriority, remote } = registration;
  const about = { group, version, groupPriorityMinimum, versionPriority };
  if (remote === undefined) return { ...about, ...servedHere(options.localAddress?.()) };
  const state = options.availability.stateOf(name);
  const found = options.findTargets(remote);
  const targets = 'targets' in found ? found.targets : [];
  const why = state ?? ('problem' in found ? found.problem : undefined);
  return {
    ...about,
    local: false,
    available: state?.status ?? 'Unknown',
    ...(why !== undefined && { reason: why.reason, message: why.message }),
    servers: targets
      .map(({ host, port, serverName }) => ({ url: urlOf(host, port), tlsServerName: serverName }))
      .sort((a, b) => (a.url < b.url ? -1 : 1)),
    ...(remote.caBundle !== undefined && { caBundle: remote.caBundle }),
    ...(remote.insecureSkipTlsVerify && { insecureSkipTLSVerify: true }),
  };
}

function servedHere(
  local: LocalAddress | undefined,
): Pick<ServedBy, 'local' | 'available' | 'servers' | 'caBundle'> {
  const always = { local: true, available: 'True' } as const;
  if (local === undefined) return { ...always, servers: [] };
  const { hostname } = new URL(local.url);
  return {
    ...always,
    servers: [{ url: local.url, tlsServerName: hostname.replace(/^\[|\]$/g, '') }],
    ...(local.ca !== undefined && { caBundle: local.ca }),
  };
}

function urlOf(host: string, port: number): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function compare(a: ServedBy, b: ServedBy): number {
  const [left, right] = [`${a.group}/${a.version}`, `${b.group}/${b.version}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
