/** A test server of the API that has one of everything, and the ways tests look at it. */
import type { TestContext } from 'node:test';
import type { KubeObject, Status } from '@tributary/apimachinery';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../src/testing/index.ts';
import { everything } from '../everything-api.ts';

export const GROUP = 'everything.example.com';
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
export const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'] as const;

export async function startEverything(
  t: TestContext,
  options?: TestServerOptions,
): Promise<TestServer> {
  const server = await startTestServer(everything, options);
  t.after(() => server.close());
  return server;
}

export function widgetsPath(version = 'v1', namespace = 'default'): string {
  return `/apis/${GROUP}/${version}/namespaces/${namespace}/widgets`;
}

/** The outcome of a request, in a form that tests compare. */
export interface Outcome {
  readonly status: number;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

export function outcomeOf({ status, object }: { status: number; object: unknown }): Outcome {
  const { kind, reason, message } = (object ?? {}) as Partial<Status>;
  if (kind !== 'Status' || status < 400) return { status };
  return { status, reason, message };
}

/** An object whose parts a test may look into. */
export type Loose = KubeObject & {
  readonly spec: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
};

export async function revisionOf({ storage }: TestServer): Promise<number> {
  return storage.currentRevision();
}
