import { isIP } from 'node:net';
import type { RemoteRegistration } from '@tributary/aggregator/api-services';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { Target } from '@tributary/proxy';
import { readCaBundle } from '@tributary/proxy';
import { checkAuthorization, checkHeaders } from '../checks/check-access.ts';
import { checkCa, checkServerName } from '../checks/check-certificate.ts';
import { availableCondition, checkCondition } from '../checks/check-condition.ts';
import {
  checkDiscovery,
  checkOpenApi,
  documentPath,
  groupVersions,
} from '../checks/check-documents.ts';
import { checkPair, checkTrust } from '../checks/check-identity.ts';
import { checkConnect, checkDns, checkTls } from '../checks/check-network.ts';
import { checkRegistration } from '../checks/check-registration.ts';
import { checkEndpoints, checkService } from '../checks/check-service.ts';
import type {
  FrontProxyPair,
  ProbeResponse,
  Probes,
  ReadResult,
  ServerTrust,
} from '../probes/probes.ts';
import { HOPS, type Hop, skipped, unknown } from '../report/diagnosis.ts';
import type { CommandContext, ServiceObjects } from '../report/fixes.ts';
import type { HopResults } from './hop-results.ts';
import { type RequestPath, requestAs } from './request-as.ts';

/** Enough to diagnose an APIService with many endpoints. */
const TARGETS_MAX = 8;
/** The aggregator notices a repair within one or two seconds. */
const CONDITION_READS_MAX = 6;
const CONDITION_INTERVAL_MS = 500;

export interface CheckRunOptions {
  readonly probes: Probes;
  readonly context: CommandContext;
  readonly results: HopResults;
  readonly apiService: APIService;
  readonly registration: RemoteRegistration;
}

/** Runs the checks of one APIService in order. Each step returns whether the next one makes sense. */
export class CheckRun {
  readonly #options: CheckRunOptions;
  #objects: ServiceObjects = { service: undefined, slices: [] };
  #targets: readonly Target[] = [];
  /** This machine cannot reach the server, so requests go through the aggregator. */
  #isUnreachable = false;

  constructor(options: CheckRunOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const isConnected =
      (await this.#registration()) &&
      (await this.#service()) &&
      (await this.#dns()) &&
      (await this.#connections()) &&
      (await this.#certificates());
    if (isConnected) await this.#responses();
  }

  async #registration(): Promise<boolean> {
    const { probes, results, apiService, registration } = this.#options;
    const localCa = await probes.localCa(registration.group);
    return results.add('registration', checkRegistration(apiService, registration, localCa));
  }

  async #service(): Promise<boolean> {
    const { probes, results, registration } = this.#options;
    const { url, service: reference } = registration.remote;
    if (url !== undefined) {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      this.#targets = [{ host, port: Number(url.port || 443), serverName: host }];
      results.add('service', skipped('the APIService has a URL'));
      return results.add('endpoints', skipped(url.origin));
    }
    const service = await probes.service(reference);
    const slices = await probes.endpointSlices(reference);
    const others =
      service.kind === 'missing' ? itemsOf(await probes.services(reference.namespace)) : [];
    const facts = { others, slices: itemsOf(slices) };
    if (!results.add('service', checkService(registration, service, facts))) return false;
    if (service.kind !== 'found') return this.#skipUnreachable('endpoints');
    this.#objects = { service: service.value, slices: itemsOf(slices) };
    return this.#endpoints(service.value, slices);
  }

  #endpoints(service: Service, slices: ReadResult<readonly EndpointSlice[]>): boolean {
    const { results, registration } = this.#options;
    const { result, targets } = checkEndpoints(registration, service, slices);
    this.#targets = targets.slice(0, TARGETS_MAX);
    if (!results.add('endpoints', result)) return false;
    return targets.length > 0 || this.#skipUnreachable('dns');
  }

  async #dns(): Promise<boolean> {
    const { probes, results, registration } = this.#options;
    if (this.#isUnreachable) return true;
    const names = this.#targets.map(({ host }) => host).filter((host) => isIP(host) === 0);
    if (names.length === 0) return results.add('dns', skipped('not needed for IP addresses'));
    const checks = names.map(async (host) =>
      checkDns(registration, host, await probes.resolve(host)),
    );
    return results.addWorst('dns', await Promise.all(checks));
  }

  async #connections(): Promise<boolean> {
    const { probes, results, registration, apiService } = this.#options;
    if (this.#isUnreachable) return true;
    const facts = {
      objects: this.#objects,
      isAvailable: availableCondition(apiService)?.status === 'True',
    };
    const checks = await Promise.all(
      this.#targets.map(async (target) => {
        const connection = await probes.connect(target);
        return checkConnect(registration, { target, connection }, facts);
      }),
    );
    if (!results.addWorst('tcp', checks)) return false;
    return checks.some(({ status }) => status === 'unknown') ? this.#skipUnreachable('tls') : true;
  }

  async #certificates(): Promise<boolean> {
    const { probes, results, registration, context } = this.#options;
    if (this.#isUnreachable) return true;
    const trust = this.#trust();
    const handshakes = await Promise.all(
      this.#targets.map(async (target) => ({
        target,
        handshake: await probes.handshake(target, trust),
      })),
    );
    const facts = { objects: this.#objects, context };
    const tls = handshakes.map((one) => checkTls(registration, one, facts));
    if (!results.addWorst('tls', tls)) return false;
    const presented = handshakes.flatMap(({ target, handshake }) => {
      const [leaf] = handshake.kind === 'done' ? handshake.chain : [];
      return leaf === undefined || handshake.kind !== 'done'
        ? []
        : [{ target, leaf, ...handshake }];
    });
    const names = presented.map(({ leaf, target: { serverName } }) =>
      checkServerName(registration, { leaf, serverName }, context),
    );
    if (!results.addWorst('tls-name', names)) return false;
    const common = {
      caCertificates: trust.caCertificates,
      localCa: await probes.localCa(registration.group),
      nowMs: probes.nowMs(),
    };
    const cas = presented.map(({ chain, verifyCode }) =>
      checkCa(registration, { chain, verifyCode, ...common }, context),
    );
    return results.addWorst('ca', cas);
  }

  /** The hops from the client certificate on are checked by the responses of the server. */
  async #responses(): Promise<boolean> {
    const { probes, results, registration, context } = this.#options;
    const { group, version, remote } = registration;
    const path = `/apis/${group}/${version}`;
    const identity = await probes.frontProxyPair();
    const pair = this.#isUnreachable
      ? unknown('the server cannot be reached from this machine')
      : checkPair(identity, context, probes.nowMs());
    if (!results.add('client-certificate', pair)) return false;
    const requestPath = this.#requestPath(identity, pair.status === 'passed');
    const response = await requestAs(probes, requestPath, { path, as: 'administrator' });
    if (requestPath.via === 'direct' && identity.kind === 'pair') {
      const config = await probes.authenticationConfig();
      const facts = { name: registration.name, config, response };
      if (!results.add('client-certificate', checkTrust(identity, facts, context))) return false;
    }
    const { namespace } = remote.service;
    const headers =
      requestPath.via === 'aggregator'
        ? unknown('requested through the aggregator, as the user of this command')
        : checkHeaders({
            response,
            readers: await probes.authenticationReaders(),
            namespace,
            caFile: identity.kind === 'pair' ? identity.caFile : undefined,
          });
    if (!results.add('headers', headers)) return false;
    // A server that did not respond once is not waited for a second time.
    const asUser =
      response.kind === 'failed'
        ? response
        : await requestAs(probes, requestPath, { path, as: 'ordinary user' });
    if (!results.add('authorization', checkAuthorization(asUser, namespace))) return false;
    return (
      (await this.#discovery(requestPath, response)) &&
      (await this.#openApi(requestPath)) &&
      (await this.#condition(requestPath))
    );
  }

  /** A token that the aggregator forwards is at hand only there. */
  #requestPath(identity: FrontProxyPair, hasPair: boolean): RequestPath {
    const [target] = this.#targets;
    const { forwardsToken } = this.#options.registration.remote;
    if (!hasPair || forwardsToken || target === undefined || identity.kind !== 'pair') {
      return { via: 'aggregator' };
    }
    const { cert, key } = identity;
    if (key === undefined) return { via: 'aggregator' };
    return { via: 'direct', route: { target, trust: this.#trust(), identity: { cert, key } } };
  }

  async #discovery(requestPath: RequestPath, response: ProbeResponse): Promise<boolean> {
    const { probes, results, apiService, registration } = this.#options;
    const isMissing = response.kind === 'response' && response.status === 404;
    const path = `/apis/${registration.group}`;
    const served = isMissing
      ? groupVersions(await requestAs(probes, requestPath, { path, as: 'administrator' }))
      : undefined;
    const registered = isMissing
      ? itemsOf(await probes.apiServices()).flatMap(({ metadata }) => metadata.name ?? [])
      : [];
    const facts = { response, served, apiService, registered, objects: this.#objects };
    return results.add('discovery', checkDiscovery(registration, facts));
  }

  async #openApi(requestPath: RequestPath): Promise<boolean> {
    const { probes, results, registration } = this.#options;
    const get = (path: string) => requestAs(probes, requestPath, { path, as: 'administrator' });
    const [index, v2] = await Promise.all([get('/openapi/v3'), get('/openapi/v2')]);
    const path = documentPath(index, registration);
    const v3 = path === undefined ? index : await get(path);
    return results.add('openapi', checkOpenApi({ v3, v2 }));
  }

  async #condition({ via }: RequestPath): Promise<boolean> {
    const { probes, results, apiService, registration } = this.#options;
    let condition = availableCondition(apiService);
    for (let reads = 1; condition?.status !== 'True' && reads < CONDITION_READS_MAX; reads += 1) {
      await probes.sleep(CONDITION_INTERVAL_MS);
      const read = await probes.apiService(registration.name);
      if (read.kind === 'found') condition = availableCondition(read.value);
    }
    const facts = { condition, isDirect: via === 'direct', nowMs: probes.nowMs() };
    return results.add('condition', checkCondition(registration.name, facts));
  }

  #trust(): ServerTrust {
    const { caBundle, insecureSkipTlsVerify } = this.#options.registration.remote;
    const caCertificates = caBundle === undefined ? undefined : readCaBundle(caBundle);
    return { caCertificates, insecureSkipTlsVerify };
  }

  /** Marks the hops from this one up to the client certificate as unknown. */
  #skipUnreachable(from: Hop): boolean {
    this.#isUnreachable = true;
    const end = HOPS.indexOf('client-certificate');
    for (const hop of HOPS.slice(HOPS.indexOf(from), end)) {
      this.#options.results.add(hop, unknown('cannot be checked from this machine'));
    }
    return true;
  }
}

export function itemsOf<T>(read: ReadResult<readonly T[]>): readonly T[] {
  return read.kind === 'found' ? read.value : [];
}
