/**
 * Schemas of custom resources in OpenAPI and discovery documents: a schema that cannot be described does not affect
 * others.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StatusError } from '@tributary/apimachinery';
import type { ResourceType } from '@tributary/client';
import { eventually } from '../../../test/harness/index.ts';
import { startTestCore, type TestCore } from './core-fixture.ts';

const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** JSON texts, because a JavaScript number cannot hold these values. */
const BIG =
  '{"type":"integer","maximum":9223372036854775000,"minimum":-9223372036854775808,"multipleOf":1,"default":9007199254740993}';
const LONG = '{"type":"string","maxLength":9223372036854775807,"default":"a"}';
const LISTED = '{"type":"integer","enum":[9007199254740993,9007199254740995]}';

function definitionText(group: string, kind: string, properties: string): string {
  const plural = `${kind.toLowerCase()}s`;
  const schema = `{"type":"object","properties":{"spec":{"type":"object","properties":${properties}}}}`;
  const version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}`;
  const annotations =
    '{"api-approved.kubernetes.io":"https://github.com/kubernetes/kubernetes/pull/1"}';
  return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
    "metadata":{"name":"${plural}.${group}","annotations":${annotations}},
    "spec":{"group":"${group}","scope":"Namespaced","names":{"plural":"${plural}","kind":"${kind}"},"versions":[${version}]}}`;
}

function deepSchema(levels: number): string {
  return `{"deep":${'{"type":"object","properties":{"a":'.repeat(levels)}{"type":"string"}${'}}'.repeat(levels)}}`;
}

describe('schemas of custom resources in documents', { concurrency: 1 }, () => {
  let core: TestCore;
  before(async () => {
    core = await startTestCore();
  });
  after(() => core[Symbol.asyncDispose]());

  async function get(path: string, accept = 'application/json') {
    const { status, body } = await core.admin.transport.request('GET', path, {
      headers: { accept },
    });
    assert.equal(status, 200, `${path}: ${body}`);
    return body;
  }

  async function statusOf(path: string): Promise<number> {
    const got = core.admin.transport.request('GET', path);
    return got.then(
      ({ status }) => status,
      (error: StatusError) => error.status.code ?? 0,
    );
  }

  async function define(group: string, kind: string, properties: string): Promise<string> {
    const { status, body } = await core.admin.transport.request(
      'POST',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      {
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(definitionText(group, kind, properties)),
      },
    );
    assert.equal(status, 201, String(body));
    const plural = `${kind.toLowerCase()}s`;
    await eventually('it is served', async () => {
      const path = `/apis/${group}/v1/${plural}`;
      return (await statusOf(path)) === 200;
    });
    return `${plural}.${group}`;
  }

  async function definedIn(path: string, name: string): Promise<string> {
    let text = '';
    await eventually(`${name} is in ${path}`, async () => {
      if ((await statusOf(path)) !== 200) return false;
      text = String(await get(path));
      return text.includes(`"${name}":{`);
    });
    return text;
  }

  const conditionOf = async (name: string) => {
    const { status } = (await core.admin.resource(definitions).get(name)) as unknown as {
      status: { conditions: { type: string; status: string; reason: string; message: string }[] };
    };
    return status.conditions.find(({ type }) => type === 'OpenAPIPublished');
  };

  test('integers beyond 2^53 keep their digits in every document', async () => {
    await define('big.example.com', 'Route', `{"a":${BIG},"b":${LONG},"c":${LISTED}}`);
    const v2 = await definedIn('/openapi/v2', 'com.example.big.v1.Route');
    const v3 = await definedIn('/openapi/v3/apis/big.example.com/v1', 'com.example.big.v1.Route');
    // A minimum is a float64 in Go, which prints -2^63 with the fewest digits.
    for (const digits of ['9223372036854775000', '-9223372036854776000', '9223372036854775807']) {
      assert.ok(v2.includes(`:${digits}`), `v2: ${digits}`);
      assert.ok(v3.includes(`:${digits}`), `v3: ${digits}`);
    }
    assert.match(v3, /"default":9007199254740993/);
    assert.match(v3, /"enum":\[9007199254740993,9007199254740995\]/);
    assert.ok((await get('/openapi/v2', PROTOBUF_V2)).length > 100_000);
    await get('/openapi/v3');
    assert.match(String(await get('/apis/big.example.com/v1')), /"routes"/);
  });

  test('a maximum beyond 2^53 is validated', async () => {
    const created = core.admin.transport.request(
      'POST',
      '/apis/big.example.com/v1/namespaces/default/routes',
      {
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(
          '{"apiVersion":"big.example.com/v1","kind":"Route","metadata":{"name":"a"},"spec":{"a":9223372036854775807}}',
        ),
      },
    );
    await assert.rejects(created, ({ status }: StatusError) => status.code === 422);
  });

  test('a schema that is too deep is omitted with a condition, others are described', async () => {
    const deep = await define('deep.example.com', 'Pit', deepSchema(250));
    await define('deep.example.com', 'Pond', '{"a":{"type":"string"}}');
    const v2 = await definedIn('/openapi/v2', 'com.example.deep.v1.Pond');
    const v3 = await definedIn('/openapi/v3/apis/deep.example.com/v1', 'com.example.deep.v1.Pond');
    for (const text of [v2, v3]) {
      assert.ok(text.includes('com.example.deep.v1.Pit'), 'its kind is there');
      assert.ok(!text.includes('"deep":'), 'and its fields are not');
      assert.ok(text.includes('com.example.deep.v1.Pond'));
    }
    assert.ok((await get('/openapi/v2', PROTOBUF_V2)).length > 100_000);
    await eventually('the condition is there', async () => (await conditionOf(deep)) !== undefined);
    const condition = await conditionOf(deep);
    assert.equal(condition?.status, 'False');
    assert.equal(
      condition?.message,
      'OpenAPI does not describe the fields of v1: its schema is nested deeper than 400 levels',
    );
    assert.equal(await conditionOf('ponds.deep.example.com'), undefined);
  });

  test('the condition is removed when the schema can be described', async () => {
    await core.admin.resource(definitions).delete('pits.deep.example.com');
    await eventually('it is gone', async () => {
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/pits.deep.example.com';
      return (await statusOf(path)) === 404;
    });
    const name = await define('deep.example.com', 'Pit', '{"a":{"type":"string"}}');
    await definedIn('/openapi/v3/apis/deep.example.com/v1', 'com.example.deep.v1.Pit');
    assert.equal(await conditionOf(name), undefined);
  });

  test('a definition with the name of a built-in kind does not replace it', async () => {
    await define('core.api.k8s.io', 'Pod', '{"stolen":{"type":"string"}}');
    const text = await definedIn('/openapi/v2', 'io.k8s.api.core.v1.Pod_v2');
    const { definitions: all, paths } = JSON.parse(text);
    assert.ok('containers' in all['io.k8s.api.core.v1.PodSpec'].properties);
    assert.deepEqual(all['io.k8s.api.core.v1.Pod'].properties.spec, {
      description: all['io.k8s.api.core.v1.Pod'].properties.spec.description,
      $ref: '#/definitions/io.k8s.api.core.v1.PodSpec',
    });
    const { schema } =
      paths['/apis/core.api.k8s.io/v1/namespaces/{namespace}/pods/{name}'].get.responses['200'];
    assert.equal(schema.$ref, '#/definitions/io.k8s.api.core.v1.Pod_v2');
  });
});
