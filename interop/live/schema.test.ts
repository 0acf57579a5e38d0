/** One schema, as a definition of ours and as a CustomResourceDefinition of the original: the same answers. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openMemoryStorage } from '@tributary/storage';
import { createServer } from '../../packages/server/src/index.ts';
import {
  createScope,
  eventually,
  httpsRequest,
  type RequestOptions,
  type Response,
  type SeededRandom,
  seededRandom,
} from '../../test/harness/index.ts';
import { type Body, fieldValues, listedBodies } from '../schema/bodies.ts';
import { crdName, customResourceDefinition } from '../schema/crd.ts';
import { api } from '../schema/definition.ts';
import { differences } from '../schema/differences.ts';
import { responseOf, type StepResult } from '../schema/schema-response.ts';
import { type ReferenceStack, startReferenceStack } from '../stack.ts';

const path = '/apis/schema.example.com/v1/namespaces/default/things';
const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TYPE = '"apiVersion":"schema.example.com/v1","kind":"Thing"';
const ESTABLISHED = { withinMs: 60_000, everyMs: 50 };
const RANDOM_BODIES = 150;

type Send = (path: string, options?: RequestOptions) => Promise<Response>;

suite('a schema here and in a CustomResourceDefinition', () => {
  const scope = createScope('schema');
  let stack: ReferenceStack;
  let reference: Send;
  let ours: Send;
  let count = 0;

  before(async () => {
    stack = await startReferenceStack({ scope });
    const { url, ca, admin } = stack.kubeApiserver;
    reference = (at, options) => httpsRequest(url + at, { ca, ...admin, ...options });
    const created = await reference(CRD_PATH, { method: 'POST', body: customResourceDefinition() });
    assert.equal(created.status, 201, created.body);
    await waitForKind(reference);
    const storage = openMemoryStorage();
    const server = await createServer(api, {
      storage,
      serving: stack.pki.server,
      clientCa: stack.pki.ca.cert,
    }).listen();
    scope.after(async () => {
      await server.close();
      await storage.close();
    });
    ours = (at, options) => httpsRequest(server.url + at, { ca, ...admin, ...options });
  });
  after(async () => {
    await stack.stop();
    await scope.close();
  });

  async function compare(body: Body): Promise<void> {
    count += 1;
    const name = `row-${count}`;
    const query = body.strict ? '?fieldValidation=Strict' : '';
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{${TYPE},"metadata":{"name":"${name}"},"spec":${body.spec}}`,
    };
    const [theirs, own] = await Promise.all(
      [reference, ours].map(async (send) => responseOf(await send(path + query, options))),
    );
    const expected = differences.get(body.name);
    if (expected === undefined) return assert.deepEqual(own, theirs, body.spec);
    assert.deepEqual(own, { ...theirs, ...expected.ours } as StepResult, expected.reason);
  }

  for (const body of listedBodies()) test(body.name, async () => compare(body));

  test('random specs', async (t) => {
    const random = seededRandom(t);
    for (let made = 0; made < RANDOM_BODIES; made += 1) await compare(randomBody(random));
  });
});

/** Fields whose difference is listed are left to their rows. */
const randomFields = [...fieldValues].map(
  ([field, texts]) =>
    [field, texts.filter((text) => !differences.has(`${field}: ${text}`))] as const,
);

function randomBody(random: SeededRandom): Body {
  const chosen = random.shuffle(randomFields).slice(0, random.int(1, 6));
  const members = chosen.map(([field, texts]) => `${JSON.stringify(field)}:${random.pick(texts)}`);
  return { name: 'random', spec: `{${members.join(',')}}`, strict: random.chance(0.2) };
}

/** The first requests after a CRD is established are answered with 404 for a moment. */
async function waitForKind(send: Send): Promise<void> {
  const isServed = async () => {
    const crd = await send(`${CRD_PATH}/${crdName}`);
    const list = await send(path);
    return crd.body.includes('"InitialNamesAccepted"') && list.status === 200;
  };
  await eventually(`${crdName} is served`, isServed, ESTABLISHED);
}
