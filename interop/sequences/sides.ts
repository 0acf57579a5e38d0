/** The servers that sequences are sent to, with a namespace prepared for each. */
import { eventually, type TestScope } from '../../test/harness/index.ts';
import { startOurAggregator } from '../aggregator/ours.ts';
import { startAggregatorReference } from '../aggregator/reference.ts';
import { startOurs } from '../differential/ours.ts';
import { startReference } from '../differential/reference.ts';
import type { Target } from '../differential/target.ts';
import { grantsOf, lastGrants } from './clients.ts';
import type { Side, Sides } from './run-sequence.ts';

/** Control planes, each with a sample server behind its aggregator. */
export async function startControlPlanes(scope: TestScope): Promise<Sides> {
  const [ours, original] = await Promise.all([
    startOurAggregator(scope),
    startAggregatorReference(scope),
  ]);
  return { ours: controlPlane(ours), original: controlPlane(original) };
}

/** Sample servers by themselves. */
export async function startSamples(scope: TestScope): Promise<Sides> {
  const [ours, original] = await Promise.all([startOurs(scope), startReference(scope)]);
  const tidy = async (): Promise<void> => undefined;
  return { ours: { target: ours, tidy }, original: { target: original, tidy } };
}

export function controlPlane(target: Target): Side {
  return {
    target: {
      ...target,
      prepareNamespace: async (namespace) => {
        await target.prepareNamespace(namespace);
        for (const { path, body } of grantsOf(namespace)) {
          const { status, text } = await send(target, 'POST', path, body);
          if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
        }
        for (const grant of lastGrants) await untilAllowed(target, { namespace, ...grant });
      },
    },
    // There are few addresses. Some Services may stay for a finalizer; no sequence makes many.
    tidy: async (namespace) => {
      const path = `/api/v1/namespaces/${namespace}/services`;
      await send(target, 'DELETE', path);
    },
  };
}

const ALLOWED = { withinMs: 60_000, everyMs: 20 };

/** The original hears of roles a moment after they are written. */
async function untilAllowed(
  target: Target,
  {
    namespace,
    user,
    ...attributes
  }: { namespace: string; user: string; group: string; resource: string; verb: string },
): Promise<void> {
  const whole = user === 'robot' ? `system:serviceaccount:${namespace}:robot` : user;
  const spec = { user: whole, resourceAttributes: { namespace, ...attributes } };
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  let last = '';
  const isAllowed = async () => {
    last = (await send(target, 'POST', path, { spec })).text;
    return last.includes('"allowed":true');
  };
  await eventually(() => `${whole} is allowed: ${last}`, isAllowed, ALLOWED);
}

async function send(
  target: Target,
  method: string,
  url: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const response = await target.send({
    method,
    url,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    protocol: 'h2',
    as: 'admin',
  });
  return { status: response.status, text: response.body };
}
