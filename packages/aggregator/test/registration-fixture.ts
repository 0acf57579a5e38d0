/** A server with the kinds of the aggregator and nothing else, in memory, and an informer that follows its APIServices. */

import type { APIService, APIServiceSpec } from '@tributary/api/apiregistration-v1';
import type { ObjectMeta } from '@tributary/apimachinery';
import { type Client, createInformer, type Informer } from '@tributary/client';
import { createServer, type Logger } from '@tributary/server';
import { defineApi } from '@tributary/server/definition';
import { openMemoryStorage, type Storage, systemClock } from '@tributary/storage';
import { createPki, defer, type TestScope } from '../../../test/harness/index.ts';
import {
  AGGREGATION_GROUP,
  apiServices,
  REGISTRATION_GROUP,
} from '../src/api-services/resources.ts';
import { apiServiceKind } from '../src/kinds/api-service-kind.ts';
import { namespaceDebtKind } from '../src/kinds/namespace-debt-kind.ts';
import type { IsBuiltIn } from '../src/kinds/validate-backend.ts';

export interface RegistrationFixture {
  readonly client: Client;
  readonly informer: Informer<APIService>;
  readonly storage: Storage;
  /** Ends when the test does. */
  readonly signal: AbortSignal;
  readonly clock: typeof systemClock;
  readonly log: Logger;
  /** The reported problems. */
  readonly problems: readonly string[];
  create(object: Pick<APIService, 'metadata' | 'spec'>): Promise<APIService>;
  list(): Promise<readonly APIService[]>;
}

const user = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

export async function registrationFixture(
  t: TestScope,
  options: { readonly storage?: Storage; readonly isBuiltIn?: IsBuiltIn } = {},
): Promise<RegistrationFixture> {
  const { storage = openMemoryStorage(), isBuiltIn = () => false } = options;
  const problems: string[] = [];
  const kind = apiServiceKind({ isBuiltIn, nowMs: Date.now });
  const server = createServer(
    [
      defineApi({ group: REGISTRATION_GROUP, resources: [kind] }),
      defineApi({ group: AGGREGATION_GROUP, resources: [namespaceDebtKind] }),
    ],
    { storage, serving: createPki().server, reportBug: (error) => problems.push(String(error)) },
  );
  const running = await server.listen();
  const client = server.client({ user, userAgent: 'kube-apiserver' });
  const all = client.resource<APIService>(apiServices);
  const informer = createInformer<APIService>({ resource: all });
  informer.start();
  const stop = new AbortController();
  defer(t, async () => {
    stop.abort(new Error('the test has ended'));
    await informer.close();
    await client.close();
    await running.close();
    if (options.storage === undefined) await storage.close();
  });
  return {
    client,
    informer,
    storage,
    signal: stop.signal,
    clock: systemClock,
    log: collectingLog(problems),
    problems,
    create: ({ metadata, spec }) => all.create({ metadata, spec, status: {} }),
    list: async () => (await all.listAll()).items,
  };
}

/** An APIService as it is written; another server's, unless its spec says otherwise. */
export function anApiService(
  name: string,
  more: {
    readonly metadata?: Partial<ObjectMeta>;
    readonly spec?: Partial<APIServiceSpec>;
  } = {},
): APIService {
  const [version = '', ...group] = name.split('.');
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, ...more.metadata },
    spec: {
      group: group.join('.'),
      version,
      groupPriorityMinimum: 2000,
      versionPriority: 200,
      service: { namespace: 'wardle', name: 'api', port: 443 },
      ...more.spec,
    },
    status: {},
  };
}

/** The same, of the server itself. */
export function aLocalApiService(
  name: string,
  more: Parameters<typeof anApiService>[1] = {},
): APIService {
  const { service: _service, ...spec } = anApiService(name).spec;
  const whole = anApiService(name, more);
  return { ...whole, spec: { ...spec, ...more.spec } };
}

function collectingLog(problems: string[]): Logger {
  return {
    verbosity: 0,
    info() {},
    verbose() {},
    error: (problem, message) => problems.push(`${message}: ${String(problem)}`),
    linesDropped: 0,
    get movedMs() {
      return Date.now();
    },
    flush: async () => {},
    close: async () => {},
  };
}
