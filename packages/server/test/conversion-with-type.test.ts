/** A conversion that returns `apiVersion` and `kind` beside the content, as one made with a spread does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import Type from 'typebox';
import { defineApi, defineResource, version } from '../src/index.ts';
import { startTestServer, type TestServer } from '../src/testing/index.ts';
import { gadget, LIVE_GROUP, renamed } from './live-fixture.ts';

type Disk = KubeObject & { spec: { size?: number; bytes?: number; note?: string } };

const note = Type.Optional(Type.String());

/** The fields that a conversion returns beside the content. */
type WithType = (object: KubeObject) => object;

const disks = (withType: WithType) => {
  const resource = defineResource({
    kind: 'Disk',
    plural: 'disks',
    scope: 'Namespaced',
    storageVersion: 'v2',
    allowUnconditionalUpdate: true,
    versions: {
      v1: version({ spec: Type.Object({ size: Type.Optional(Type.Integer()), note }) }),
      v2: version({ spec: Type.Object({ bytes: Type.Optional(Type.Integer()), note }) }),
    },
    conversions: {
      v1: {
        toStorage: (object) => {
          const { size, ...others } = object.spec;
          const spec = { ...others, ...(size !== undefined && { bytes: size }) };
          return { ...withType(object), spec };
        },
        fromStorage: (object) => {
          const { bytes, ...others } = object.spec;
          const spec = { ...others, ...(bytes !== undefined && { size: bytes }) };
          return { ...withType(object), spec };
        },
      },
    },
  });
  return defineApi({ group: 'disks.example.com', resources: [resource] });
};

const returned: Readonly<Record<string, WithType>> = {
  'the type of the object that it is given': ({ apiVersion, kind }) => ({ apiVersion, kind }),
  'the type of another kind': () => ({ apiVersion: 'other.example.com/v9', kind: 'Other' }),
  'an empty type': () => ({ apiVersion: '', kind: '' }),
  'no type': () => ({}),
};

interface Site {
  readonly server: TestServer;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** The name of the number in each version. */
  readonly fields: Readonly<Record<string, 'size' | 'bytes' | 'width'>>;
}

const sites: { name: string; start: (withType: WithType) => Promise<Site> }[] = [
  {
    name: 'a resource of the definition',
    start: async (withType) => {
      const server = await startTestServer(disks(withType));
      const fields = { v1: 'size', v2: 'bytes' } as const;
      return { server, group: 'disks.example.com', kind: 'Disk', plural: 'disks', fields };
    },
  },
  {
    name: 'a resource that is served while the server runs',
    start: async (withType) => {
      const server = await startTestServer(disks(withType));
      const convert = (object: KubeObject) => {
        const to = object.apiVersion.endsWith('/v1') ? 'v2' : 'v1';
        return { ...renamed(object, `${LIVE_GROUP}/${to}`), ...withType(object) };
      };
      const conversion = { toStorage: convert, fromStorage: convert };
      server.live.serve('gadgets', gadget({ conversion }));
      const fields = { v1: 'size', v2: 'width' } as const;
      return { server, group: LIVE_GROUP, kind: 'Gadget', plural: 'gadgets', fields };
    },
  },
];

const contentTypes = {
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
};

const rows = sites.flatMap(({ name, start }) =>
  Object.entries(returned).map(([type, withType]) => ({ name, type, start, withType })),
);
for (const { name, type, start, withType } of rows) {
  test(`every verb writes ${name} twice through every version, although its conversion returns ${type}`, async (t) => {
    const { server, group, kind, plural, fields } = await start(withType);
    t.after(() => server.close());
    const send = async (method: string, path: string, options: object = {}): Promise<Disk> => {
      const { status, object, text } = await server.request<Disk>(method, path, options);
      assert.ok(status < 300, `${method} ${path}: ${text}`);
      return object;
    };
    const versions = Object.entries(fields);
    const contents = (version: string, spec: object) => ({
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name: 'a' },
      spec,
    });
    const pathOf = (version: string) => `/apis/${group}/${version}/namespaces/default/${plural}`;
    for (const [creator, createdField] of versions) {
      await send('POST', pathOf(creator), { body: contents(creator, { [createdField]: 1 }) });
      let number = 1;
      for (const [version, field] of [...versions, ...versions, ...versions.toReversed()]) {
        const path = `${pathOf(version)}/a`;
        const check = (object: Disk) => {
          assert.deepEqual([object.apiVersion, object.kind], [`${group}/${version}`, kind]);
          assert.equal(Reflect.get(object.spec, field), number);
        };
        const live = await send('GET', path);
        check(live);
        number += 1;
        check(await send('PUT', path, { body: { ...live, spec: { [field]: number } } }));
        number += 1;
        const merge = { body: { spec: { [field]: number } }, contentType: contentTypes.merge };
        check(await send('PATCH', path, merge));
        number += 1;
        const operations = [{ op: 'add', path: `/spec/${field}`, value: number }];
        check(await send('PATCH', path, { body: operations, contentType: contentTypes.json }));
        number += 1;
        const config = contents(version, { [field]: number });
        const apply = { body: config, contentType: contentTypes.apply };
        check(await send('PATCH', `${path}?fieldManager=${version}&force=true`, apply));
        const list = await server.request<{ items: Disk[] }>('GET', pathOf(version));
        assert.equal(list.object.items.length, 1);
        for (const item of list.object.items) check(item);
      }
      await send('DELETE', `${pathOf(creator)}/a`);
    }
  });
}
