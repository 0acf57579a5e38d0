/** As much of a control plane as an extension server needs, over real TLS: it can go away and come back. */
import type { ObjectMeta } from '@tributary/apimachinery';
import type { ClientConfig } from '@tributary/client';
import { openMemoryStorage } from '@tributary/storage';
import Type from 'typebox';
import {
  createPki,
  defer,
  freePort,
  httpsRequest,
  type Pki,
  type Response,
  type TestScope,
} from '../../../test/harness/index.ts';
import { defineApi, defineResource, version } from '../src/definition/index.ts';
import { type Authorizer, computed, createServer, type RunningServer } from '../src/index.ts';

const trustMap = '/api/v1/namespaces/kube-system/configmaps';
const TRUST_NAME = 'extension-apiserver-authentication';
const open = { additionalProperties: Type.Unknown(), 'x-kubernetes-preserve-unknown-fields': true };

const Namespace = defineResource({
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
  allowUnconditionalUpdate: true,
  versions: {
    v1: version({
      fields: { status: Type.Object({ phase: Type.Optional(Type.String()) }) },
    }),
  },
});

const ConfigMap = defineResource({
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  versions: {
    v1: version({ fields: { data: Type.Record(Type.String(), Type.String()) } }),
  },
});

/** The attributes of an access review. */
export interface AskedAccess {
  readonly user: string;
  readonly groups: readonly string[];
  readonly resourceAttributes?: { readonly verb: string; readonly resource: string };
}

export interface MiniCore {
  readonly url: string;
  readonly pki: Pki;
  /** As its administrator. */
  readonly config: ClientConfig;
  /** Users by token. */
  readonly tokens: Map<string, { username: string; groups?: string[] }>;
  /** Users that are allowed everything. */
  readonly allowed: Set<string>;
  readonly asked: { tokens: number; accesses: AskedAccess[] };
  /** Authorizes callers of the core server itself. */
  authorize: Authorizer;
  send(method: string, path: string, body?: unknown): Promise<Response>;
  setTrust(data: Record<string, string>): Promise<void>;
  setNamespace(name: string, phase?: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Not started yet: no server listens at its address. */
export async function miniCore(t: TestScope): Promise<MiniCore> {
  const pki = await createPki();
  const storage = openMemoryStorage();
  const port = await freePort();
  let running: RunningServer | undefined;
  const state = { tokens: new Map(), allowed: new Set<string>() };
  const asked: MiniCore['asked'] = { tokens: 0, accesses: [] };
  const core: MiniCore = {
    ...state,
    url: `https://127.0.0.1:${port}`,
    pki,
    asked,
    config: {
      server: `https://127.0.0.1:${port}`,
      ca: { pem: pki.ca.cert },
      identity: {
        certificate: { certificate: { pem: pki.admin.cert }, key: { pem: pki.admin.key } },
      },
      namespace: 'default',
    },
    authorize: () => ({ allowed: true }),
    async send(method, path, body) {
      const reply = await httpsRequest(core.url + path, {
        method,
        ca: pki.ca.cert,
        ...pki.admin,
        ...(body !== undefined && { body }),
      });
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.body}`);
      return reply;
    },
    async setTrust(data) {
      const body = { metadata: { name: TRUST_NAME }, data };
      await core
        .send('POST', trustMap, body)
        .catch(() => core.send('PUT', `${trustMap}/${TRUST_NAME}`, body));
    },
    async setNamespace(name, phase = 'Active') {
      const body = { metadata: { name }, status: { phase } };
      await core
        .send('POST', '/api/v1/namespaces', body)
        .catch(() => core.send('PUT', `/api/v1/namespaces/${name}`, body));
    },
    async start() {
      running = await createServer(apisOf(core), {
        storage,
        securePort: port,
        serving: pki.server,
        clientCa: pki.ca.cert,
        authorizer: (request) => core.authorize(request),
        shutdown: { watchGraceMs: 1, drainMs: 1 },
      }).listen();
    },
    async stop() {
      await running?.close();
      running = undefined;
    },
  };
  defer(t, async () => {
    await core.stop();
    await storage.close();
  });
  return core;
}

/** The path of the ConfigMap with the trusted CAs. */
export const trustPath = `${trustMap}/${TRUST_NAME}`;

type Review<Spec, Status> = {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  spec: Spec;
  status?: Status;
};

function apisOf(core: Pick<MiniCore, 'tokens' | 'allowed' | 'asked'>) {
  const TokenReview = defineResource({
    kind: 'TokenReview',
    plural: 'tokenreviews',
    scope: 'Cluster',
    backing: computed<Review<{ token: string }, { authenticated: boolean }>>({
      create: async (review) => {
        core.asked.tokens += 1;
        const user = core.tokens.get(review.spec.token);
        const status =
          user === undefined ? { authenticated: false } : { authenticated: true, user };
        return { ...review, status };
      },
    }),
    versions: {
      v1: version({
        spec: Type.Object({ token: Type.String() }),
        status: Type.Object({ authenticated: Type.Boolean() }, open),
      }),
    },
  });
  const SubjectAccessReview = defineResource({
    kind: 'SubjectAccessReview',
    plural: 'subjectaccessreviews',
    scope: 'Cluster',
    backing: computed<Review<{ user: string }, { allowed: boolean }>>({
      create: async (review) => {
        const spec = review.spec as unknown as AskedAccess;
        core.asked.accesses.push(spec);
        return { ...review, status: { allowed: core.allowed.has(spec.user) } };
      },
    }),
    versions: {
      v1: version({
        spec: Type.Object({ user: Type.String() }, open),
        status: Type.Object({ allowed: Type.Boolean() }, open),
      }),
    },
  });
  return [
    defineApi({ group: '', builtIn: true, resources: [Namespace, ConfigMap] }),
    defineApi({ group: 'authentication.k8s.io', resources: [TokenReview] }),
    defineApi({ group: 'authorization.k8s.io', resources: [SubjectAccessReview] }),
  ];
}
