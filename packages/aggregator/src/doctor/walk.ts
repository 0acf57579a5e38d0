import { isIP } from 'node:net';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { readCaBundle } from '../backend/ca-bundle.ts';
import type { RemoteRegistration } from '../registrations/registration.ts';
import type { Target } from '../targets/target.ts';
import { type Asking, askAs } from './asking.ts';
import { HOPS, type Hop, skipped, unseen } from './finding.ts';
import type { Place, ServiceObjects } from './fixes.ts';
import type { HopLog } from './hop-log.ts';
import { judgeAuthorization, judgeHeaders } from './judge-access.ts';
import { judgeAuthority, judgeName } from './judge-certificate.ts';
import { availableCondition, judgeCondition } from './judge-condition.ts';
import { documentPath, judgeDiscovery, judgeOpenApi, versionsIn } from './judge-documents.ts';
import { judgePair, judgeTrust } from './judge-identity.ts';
import { judgeConnection, judgeHandshake, judgeLookup } from './judge-network.ts';
import { judgeRegistration } from './judge-registration.ts';
import { judgeEndpoints, judgeService } from './judge-service.ts';
import type { Answer, Look, Seen, Whom } from './look.ts';

/** Of one registration with a thousand endpoints, some tell enough. */
const TARGETS_MAX = 8;
/** A repair is seen by the aggregator within a second or two. */
const CONDITION_LOOKS_MAX = 6;
const CONDITION_PAUSE_MS = 500;

export interface WalkParts {
  readonly look: Look;
  readonly place: Place;
  readonly log: HopLog;
  readonly apiService: APIService;
  readonly registration: RemoteRegistration;
}

/** One walk. Each step says whether the next one is possible. */
export class Walk {
  readonly #parts: WalkParts;
  #objects: ServiceObjects = { service: undefined, slices: [] };
  #targets: readonly Target[] = [];
  /** The network up to the server is not seen from here, so it is asked through the aggregator. */
  #isHidden = false;

  constructor(parts: WalkParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const isReached =
      (await this.#registration()) &&
      (await this.#service()) &&
      (await this.#lookups()) &&
      (await this.#connections());
    if (!isReached) return;
    if (!(await this.#certificates())) return;
    await this.#answers();
  }

  async #registration(): Promise<boolean> {
    const { look, log, apiService, registration } = this.#parts;
    const made = await look.madeAuthority(registration.group);
    return log.add('registration', judgeRegistration(apiService, registration, made));
  }

  async #service(): Promise<boolean> {
    const { look, log, registration } = this.#parts;
    const { url, service: reference } = registration.remote;
    if (url !== undefined) {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      this.#targets = [{ host, port: Number(url.port || 443), serverName: host }];
      log.add('service', skipped('the registration has a URL'));
      return log.add('endpoints', skipped(url.origin));
    }
    const service = await look.service(reference);
    const slices = await look.slices(reference);
    const others =
      service.kind === 'missing' ? listed(await look.services(reference.namespace)) : [];
    const facts = { others, slices: listed(slices) };
    if (!log.add('service', judgeService(registration, service, facts))) return false;
    if (service.kind !== 'found') return this.#hide('endpoints');
    this.#objects = { service: service.value, slices: listed(slices) };
    return this.#endpoints(service.value, slices);
  }

  #endpoints(service: Service, slices: Seen<readonly EndpointSlice[]>): boolean {
    const { log, registration } = this.#parts;
    const { judgement, targets } = judgeEndpoints(registration, service, slices);
    this.#targets = targets.slice(0, TARGETS_MAX);
    if (!log.add('endpoints', judgement)) return false;
    return targets.length > 0 || this.#hide('dns');
  }

  async #lookups(): Promise<boolean> {
    const { look, log, registration } = this.#parts;
    if (this.#isHidden) return true;
    const names = this.#targets.map(({ host }) => host).filter((host) => isIP(host) === 0);
    if (names.length === 0) return log.add('dns', skipped('addresses need none'));
    const judgements = names.map(async (host) =>
      judgeLookup(registration, host, await look.lookUp(host)),
    );
    return log.addWorst('dns', await Promise.all(judgements));
  }

  async #connections(): Promise<boolean> {
    const { look, log, registration, apiService } = this.#parts;
    if (this.#isHidden) return true;
    const surroundings = {
      objects: this.#objects,
      isAvailable: availableCondition(apiService)?.status === 'True',
    };
    const judgements = await Promise.all(
      this.#targets.map(async (target) => {
        const connection = await look.connect(target);
        return judgeConnection(registration, { target, connection }, surroundings);
      }),
    );
    if (!log.addWorst('tcp', judgements)) return false;
    return judgements.some(({ outcome }) => outcome === 'unseen') ? this.#hide('tls') : true;
  }

  async #certificates(): Promise<boolean> {
    const { look, log, registration, place } = this.#parts;
    if (this.#isHidden) return true;
    const whom = this.#whom();
    const met = await Promise.all(
      this.#targets.map(async (target) => ({
        target,
        handshake: await look.handshake(target, whom),
      })),
    );
    const surroundings = { objects: this.#objects, place };
    if (
      !log.addWorst(
        'tls',
        met.map((one) => judgeHandshake(registration, one, surroundings)),
      )
    )
      return false;
    const madeAuthority = await look.madeAuthority(registration.group);
    const shown = met.flatMap(({ target, handshake }) => {
      const [leaf] = handshake.kind === 'done' ? handshake.chain : [];
      return leaf === undefined || handshake.kind !== 'done'
        ? []
        : [{ target, leaf, ...handshake }];
    });
    const names = shown.map(({ leaf, target: { serverName } }) =>
      judgeName(registration, { leaf, serverName }, place),
    );
    if (!log.addWorst('tls-name', names)) return false;
    const { authorities } = whom;
    const nowMs = look.nowMs();
    const believed = shown.map(({ chain, verifyCode }) =>
      judgeAuthority(registration, { chain, verifyCode, authorities, madeAuthority, nowMs }, place),
    );
    return log.addWorst('ca', believed);
  }

  /** From the client certificate on, the server's answers are what is judged. */
  async #answers(): Promise<boolean> {
    const { look, log, registration, place } = this.#parts;
    const { group, version, remote } = registration;
    const path = `/apis/${group}/${version}`;
    const identity = await look.identity();
    const pair = this.#isHidden
      ? unseen('the server is not reached from here')
      : judgePair(identity, place, look.nowMs());
    if (!log.add('client-certificate', pair)) return false;
    const isDirect = pair.outcome === 'well' && !remote.forwardsToken;
    const [target] = this.#targets;
    const asking: Asking =
      isDirect && target !== undefined && identity.kind === 'pair' && identity.key !== undefined
        ? {
            how: 'directly',
            route: {
              target,
              whom: this.#whom(),
              identity: { cert: identity.cert, key: identity.key },
            },
          }
        : { how: 'through' };
    const answer = await askAs(look, asking, { path, as: 'administrator' });
    if (asking.how === 'directly' && identity.kind === 'pair') {
      const facts = { name: registration.name, trust: await look.trust(), answer };
      if (!log.add('client-certificate', judgeTrust(identity, facts, place))) return false;
    }
    const { namespace } = remote.service;
    const headers =
      asking.how === 'through'
        ? throughWords
        : judgeHeaders({
            answer,
            readers: await look.trustReaders(),
            namespace,
            caFile: identity.kind === 'pair' ? identity.caFile : undefined,
          });
    if (!log.add('headers', headers)) return false;
    // Who is silent once is not waited for again.
    const ordinary =
      answer.kind === 'failed' ? answer : await askAs(look, asking, { path, as: 'ordinary user' });
    if (!log.add('authorization', judgeAuthorization(ordinary, namespace))) return false;
    return (
      (await this.#discovery(asking, answer)) &&
      (await this.#openApi(asking)) &&
      (await this.#condition(asking))
    );
  }

  async #discovery(asking: Asking, answer: Answer): Promise<boolean> {
    const { look, log, apiService, registration } = this.#parts;
    const isUnserved = answer.kind === 'answer' && answer.status === 404;
    const path = `/apis/${registration.group}`;
    const served = isUnserved
      ? versionsIn(await askAs(look, asking, { path, as: 'administrator' }))
      : undefined;
    const registered = isUnserved
      ? listed(await look.apiServices()).flatMap(({ metadata }) => metadata.name ?? [])
      : [];
    const facts = { answer, served, apiService, registered, objects: this.#objects };
    return log.add('discovery', judgeDiscovery(registration, facts));
  }

  async #openApi(asking: Asking): Promise<boolean> {
    const { look, log, registration } = this.#parts;
    const ask = (path: string) => askAs(look, asking, { path, as: 'administrator' });
    const [index, v2] = await Promise.all([ask('/openapi/v3'), ask('/openapi/v2')]);
    const path = documentPath(index, registration);
    const v3 = path === undefined ? index : await ask(path);
    return log.add('openapi', judgeOpenApi({ v3, v2 }));
  }

  async #condition({ how }: Asking): Promise<boolean> {
    const { look, log, apiService, registration } = this.#parts;
    let condition = availableCondition(apiService);
    for (let looks = 1; condition?.status !== 'True' && looks < CONDITION_LOOKS_MAX; looks += 1) {
      await look.sleep(CONDITION_PAUSE_MS);
      const again = await look.apiService(registration.name);
      if (again.kind === 'found') condition = availableCondition(again.value);
    }
    const facts = { condition, isSeen: how === 'directly', nowMs: look.nowMs() };
    return log.add('condition', judgeCondition(registration.name, facts));
  }

  #whom(): Whom {
    const { caBundle, insecureSkipTlsVerify } = this.#parts.registration.remote;
    const authorities = caBundle === undefined ? undefined : readCaBundle(caBundle);
    return { authorities, insecure: insecureSkipTlsVerify };
  }

  /** From this hop on up to the client certificate, nothing is seen from here. */
  #hide(from: Hop): boolean {
    this.#isHidden = true;
    const end = HOPS.indexOf('client-certificate');
    for (const hop of HOPS.slice(HOPS.indexOf(from), end)) {
      this.#parts.log.add(hop, unseen('not seen from here'));
    }
    return true;
  }
}

const throughWords = unseen('asked through the aggregator, as the user of this command');

export function listed<T>(seen: Seen<readonly T[]>): readonly T[] {
  return seen.kind === 'found' ? seen.value : [];
}
