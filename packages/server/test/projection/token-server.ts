/** A server of tokens that are the Secrets of a fake API server. */
import type { TestContext } from 'node:test';
import { openMemoryStorage } from '@tributary/storage';
import {
  createPki,
  httpsRequest,
  httpsStream,
  type StreamResponse,
  take,
} from '../../../../test/harness/index.ts';
import { createServer } from '../../src/index.ts';
import { rancherTokens, type Secret } from '../author/ranchertokens.ts';
import { FakeSource } from './fake-source.ts';
import { secretsSource } from './secrets-source.ts';

export const all = '/apis/tomlebreux.com/v1alpha1/ranchertokens';
export const tokens = '/apis/tomlebreux.com/v1alpha1/namespaces/eu/ranchertokens';

export interface Body {
  code: number;
  reason: string;
  message: string;
  metadata: {
    name: string;
    uid: string;
    resourceVersion: string;
    continue?: string;
    deletionTimestamp?: string;
    labels?: object;
    finalizers?: string[];
  };
  spec: { userID: string; enabled: boolean; ttlSeconds: number };
  status: { hash: string; plaintextToken?: string };
  items: Body[];
}

export interface Event {
  type: string;
  object: Body;
}

export interface Subject {
  readonly fake: FakeSource;
  readonly bugs: readonly unknown[];
  call(
    method: string,
    path: string,
    body?: unknown,
    type?: string,
  ): Promise<{ status: number; body: Body }>;
  watch(query: string): Promise<StreamResponse>;
  close(): Promise<void>;
}

const pki = createPki();

export async function start(t: TestContext, fake = new FakeSource()): Promise<Subject> {
  const { ca, admin, server: serving } = await pki;
  const storage = openMemoryStorage();
  const api = rancherTokens(secretsSource(fake));
  const bugs: unknown[] = [];
  const reportBug = (bug: unknown) => bugs.push(bug);
  const config = { storage, serving, clientCa: ca.cert, reportBug };
  const server = await createServer(api, config).listen();
  const options = { ca: ca.cert, cert: admin.cert, key: admin.key };
  t.after(() => server.close());
  return {
    fake,
    bugs,
    call: async (method, path, body, type = 'application/json') => {
      const response = await httpsRequest(server.url + path, {
        ...options,
        method,
        ...(body !== undefined && { body, headers: { 'content-type': type } }),
      });
      return { status: response.status, body: response.json() as Body };
    },
    watch: (query) => httpsStream(`${server.url}${all}?watch=1${query}`, options),
    close: () => server.close(),
  };
}

export function token(name: string, more: object = {}): object {
  return { metadata: { name, ...more }, spec: { userID: 'ada', ttlSeconds: 60, enabled: true } };
}

/** A Secret as a client with access to Secrets writes it. */
export function secret(name: string, { label = 'RancherToken', userID = 'grace' } = {}): Secret {
  const data = { userID, ttlSeconds: '60', enabled: 'true', hash: 'abc' };
  const base64 = Object.entries(data).map(([key, value]) => [key, btoa(value)]);
  return {
    metadata: { name, namespace: 'eu', labels: { 'tomlebreux.com/kind': label } },
    data: Object.fromEntries(base64),
  };
}

export async function names({ call }: Subject): Promise<string[]> {
  const { body } = await call('GET', all);
  return body.items.map(({ metadata }) => metadata.name);
}

export async function eventsOf(stream: StreamResponse, count: number): Promise<Event[]> {
  return take(stream.lines[Symbol.asyncIterator]() as AsyncIterator<Event>, count);
}

export function brief({ type, object }: Event): string {
  return `${type} ${object.metadata.name} of ${object.spec.userID}`;
}
