/** A control plane with an aggregator and its debts, and a server behind it that dies and comes back with its objects. */

import {
  aggregatorApis,
  annotations,
  apiServices,
  assembleAggregator,
  type NamespaceDebt,
  namespaceDebts,
  type RunningDebts,
  startDebts,
} from '@tributary/aggregator';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Namespace, Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { KubeObject } from '@tributary/apimachinery';
import type { Client, Clock, ResourceType } from '@tributary/client';
import { endpointSlices, namespaces, services } from '@tributary/client/controller';
import type { CoreExtension, ExtensionDependencies } from '@tributary/core-server';
import { createServer } from '@tributary/server';
import { defineApi, defineResource, version } from '@tributary/server/definition';
import { createAuthority } from '@tributary/server/pki';
import { openMemoryStorage, type Storage } from '@tributary/storage';
import { Type } from 'typebox';
import { memoryStore } from '../../packages/aggregator/test/openapi-fixture.ts';
import { anApiService } from '../../packages/aggregator/test/registration-fixture.ts';
import { runNamespaceController } from '../../packages/core-server/src/controllers/namespace/namespace-controller.ts';
import { startTestCore, type TestCore } from '../../packages/core-server/test/core-fixture.ts';
import { defer, type TestScope } from '../harness/index.ts';

export const GROUP = 'wardle.example.com';
export const API_SERVICE = `v1.${GROUP}`;
export const flunders: ResourceType = {
  group: GROUP,
  version: 'v1',
  plural: 'flunders',
  namespaced: true,
};
export const FLUNDERS = `/apis/${GROUP}/v1/namespaces/team/flunders`;

const Flunder = defineResource({
  kind: 'Flunder',
  plural: 'flunders',
  scope: 'Namespaced',
  versions: { v1: version({ spec: Type.Object({ size: Type.Optional(Type.Integer()) }) }) },
});
const user = { name: 'direct', uid: '', groups: ['system:masters'], extra: {} };
const authority = createAuthority('wardle');

export interface Wardle {
  readonly url: string;
  readonly ca: string;
  /** Past the aggregator, as long as it is up. */
  readonly direct: Client;
  /** Requests since its last start, as `METHOD path`. */
  readonly asked: string[];
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Whether it still answers, asked before every request. */
  refuses: ((method: string, path: string) => boolean) | undefined;
}

export async function startWardle(t: TestScope): Promise<Wardle> {
  const storage = openMemoryStorage();
  const { cert, key } = (await authority).issue({
    commonName: 'wardle',
    names: ['localhost'],
    usage: 'server',
  });
  const open = async (port: number) => {
    const server = createServer([defineApi({ group: GROUP, resources: [Flunder] })], {
      storage,
      serving: { cert, key },
      securePort: port,
      authenticator: () => ({ outcome: 'authenticated', user }),
      authorizer: () => ({ allowed: true }),
      routes: [
        ({ method, path }) => {
          wardle.asked.push(`${method} ${path}`);
          if (wardle.refuses?.(method, path)) throw new Error('it dies in the middle');
          return undefined;
        },
      ],
      reportBug: () => {},
    });
    const running = await server.listen();
    return { running, direct: server.client({ user, userAgent: 'direct' }) };
  };
  let current: Awaited<ReturnType<typeof open>> | undefined = await open(0);
  const { port } = current.running;
  const wardle: Wardle = {
    url: `https://localhost:${port}`,
    ca: (await authority).cert,
    asked: [],
    refuses: undefined,
    get direct() {
      if (current === undefined) throw new Error('it is not up');
      return current.direct;
    },
    async stop() {
      const { running, direct } = current ?? {};
      current = undefined;
      await direct?.close();
      await running?.close();
    },
    async start() {
      wardle.asked.length = 0;
      current = await open(port);
    },
  };
  defer(t, async () => {
    await wardle.stop();
    await storage.close();
  });
  return wardle;
}

export interface DebtsCore extends AsyncDisposable {
  readonly core: TestCore;
  readonly admin: Client;
  readonly debts: RunningDebts;
  /** The results of attempts to delete a namespace with objects on a server that does not respond. */
  readonly outcomes: readonly string[];
  /** Namespaces have waited for so much longer. */
  pass(ms: number): void;
}

export interface DebtsCoreOptions {
  readonly storage?: Storage;
  readonly directory?: string;
  readonly mode?: 'debt' | 'wait';
  readonly graceMs?: number;
}

/** The parts as the gateway puts them together. */
export async function startDebtsCore(options: DebtsCoreOptions = {}): Promise<DebtsCore> {
  const { mode = 'debt', graceMs = 1_000, storage, directory } = options;
  let debts: RunningDebts | undefined;
  const outcomes: string[] = [];
  let passedMs = 0;
  const core = await startTestCore({
    ...(storage && { storage }),
    ...(directory !== undefined && { directory }),
    config: {
      disabledControllers: new Set(['namespace-controller']),
      extend: (dependencies) => {
        const onStart = (made: RunningDebts) => {
          debts = made;
        };
        const onSettled = (outcome: string) => outcomes.push(outcome);
        const passed = () => passedMs;
        return extension(dependencies, { mode, graceMs, passed, onSettled, onStart });
      },
    },
  });
  if (debts === undefined) throw new Error('the extension was not started');
  return {
    core,
    admin: core.admin,
    debts,
    outcomes,
    pass: (ms) => {
      passedMs += ms;
    },
    [Symbol.asyncDispose]: () => core[Symbol.asyncDispose](),
  };
}

/** The longest pause between two looks at a namespace that waits. */
const PAUSE_MS_MAX = 15_000;

/** Skips the pause before the next attempt for a namespace; other schedules of a controller stay. */
function impatient({ nowMs, schedule }: Clock): Clock {
  return {
    nowMs,
    schedule: (delayMs, run) =>
      schedule(delayMs <= PAUSE_MS_MAX ? Math.min(delayMs, 50) : delayMs, run),
  };
}

interface ExtensionOptions {
  readonly mode: 'debt' | 'wait';
  readonly graceMs: number;
  readonly passed: () => number;
  readonly onSettled: (outcome: string) => void;
  readonly onStart: (debts: RunningDebts) => void;
}

function extension(
  dependencies: ExtensionDependencies,
  { mode, graceMs, passed, onSettled, onStart }: ExtensionOptions,
): CoreExtension {
  const { client, informers, clock, log } = dependencies;
  const owned = new AsyncDisposableStack();
  let routes: ReturnType<typeof assembleAggregator>['routes'] = [];
  return {
    apis: () => aggregatorApis([], clock),
    routes: [
      (request) => {
        for (const route of routes) {
          const response = route(request);
          if (response !== undefined) return response;
        }
        return undefined;
      },
    ],
    async start({ live, signal }) {
      let debts: RunningDebts | undefined;
      const aggregator = assembleAggregator({
        client,
        apiServices: informers.of<APIService>(apiServices),
        services: informers.of<Service>(services),
        endpointSlices: informers.of<EndpointSlice>(endpointSlices),
        localApis: () => live.apis(),
        authorize: dependencies.authorize,
        documents: memoryStore(),
        identity: () => undefined,
        rules: { routing: 'endpoints', allowLoopback: true },
        localAddress: () => undefined,
        unavailable: 'keep',
        keepCurrentMs: 60_000,
        proxy: { gate: (registration) => debts?.gate(registration) },
        clock,
        log,
      });
      owned.use(aggregator);
      const { registrations, availability, backends } = aggregator;
      debts = startDebts({
        client,
        debts: informers.of<NamespaceDebt>(namespaceDebts),
        registrations,
        availability,
        backends,
        mode,
        graceMs,
        clock,
        log,
      });
      owned.use(debts);
      await Promise.all([aggregator.whenReady(), debts.whenReady()]);
      routes = aggregator.routes;
      const { remoteGroups } = debts;
      const deferDeletion: typeof remoteGroups.deferDeletion = async (
        namespace,
        unreachable,
        until,
      ) => {
        const longer = unreachable.map((one) => ({ ...one, sinceMs: one.sinceMs - passed() }));
        const outcome = await remoteGroups.deferDeletion(namespace, longer, until);
        onSettled(outcome);
        return outcome;
      };
      const running = runNamespaceController(
        { client, informers, clock: impatient(clock), log, signal },
        { remoteGroups: { ...remoteGroups, deferDeletion } },
      );
      owned.defer(() => running);
      onStart(debts);
    },
    close: () => owned.disposeAsync(),
  };
}

export function registered({ url, ca }: Wardle): APIService {
  return anApiService(API_SERVICE, {
    metadata: { annotations: { [annotations.url]: url } },
    spec: { caBundle: Buffer.from(ca).toString('base64') },
  });
}

export async function createNamespace(admin: Client, name: string): Promise<Namespace> {
  const all = admin.resource<Namespace>(namespaces);
  return all.create({ metadata: { name }, spec: {}, status: {} });
}

export function flunder(name: string, more: object = {}): KubeObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'Flunder',
    metadata: { name, namespace: 'team', ...more },
    spec: {},
  };
}
