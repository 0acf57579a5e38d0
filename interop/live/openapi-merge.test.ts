/** The documents of the real programs, merged by ours and by the original. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { threadJobs } from '../../packages/aggregator/src/openapi/thread-jobs.ts';
import {
  eventually,
  httpsRequest,
  requireProgram,
  type TestScope,
} from '../../test/harness/index.ts';
import { type ServerAccess, startReferenceStack } from '../stack.ts';

const GROUP = 'wardle.example.com';
/** Upstream fetches a second after the registration, and merges on request. */
const MERGED = { withinMs: 60_000, everyMs: 200 };

test('the merge of what kube-apiserver and the sample say is what kube-apiserver makes of it', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const alone = await documentAlone(t);
  const stack = await startReferenceStack({ scope: t, aggregate: true });
  const sample = await documentOf(stack.sampleApiserver);
  const reference = JSON.parse((await mergedBy(stack.kubeApiserver)).toString());

  const jobs = threadJobs();
  const local = { bytes: alone, hash: createHash('sha512').update(alone).digest('hex') };
  const parts = ['v1alpha1', 'v1beta1'].map((version) => ({
    name: `${version}.${GROUP}`,
    part: jobs['read-v2']({ bytes: sample, group: GROUP, version }),
  }));
  for (const document of [local, ...parts.map(({ part }) => part)]) jobs.remember(document);
  const response = jobs.merge({
    local: local.hash,
    parts: parts.map(({ name, part: { hash } }) => ({ name, hash })),
  });
  assert.ok(response.outcome === 'merged');
  assert.deepEqual(response.skipped, []);
  const ours = JSON.parse(Buffer.from(response.json.bytes).toString());
  for (const section of ['paths', 'definitions', 'parameters']) {
    const names = (document: Record<string, object>) => Object.keys(document[section] ?? {}).sort();
    assert.deepEqual(names(ours), names(reference), section);
  }
  assert.deepEqual(ours, reference);
});

async function documentAlone(t: TestScope): Promise<Buffer> {
  const stack = await startReferenceStack({ scope: t });
  try {
    return await documentOf(stack.kubeApiserver);
  } finally {
    await stack.stop();
  }
}

async function mergedBy(server: ServerAccess): Promise<Buffer> {
  const whole = async (): Promise<Buffer | undefined> => {
    const document = await documentOf(server);
    const isWhole = ['v1alpha1', 'v1beta1'].every((version) =>
      document.includes(`"/apis/${GROUP}/${version}/`),
    );
    return isWhole ? document : undefined;
  };
  return eventually('kube-apiserver merges', whole, MERGED);
}

async function documentOf({ url, ca, admin }: ServerAccess): Promise<Buffer> {
  const headers = { accept: 'application/json' };
  const { bytes } = await httpsRequest(`${url}/openapi/v2`, { ca, ...admin, headers });
  return bytes;
}
