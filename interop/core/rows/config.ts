/** ConfigMaps and Secrets. */
import type { JsonObject } from '../../differential/json.ts';
import type { RowGroup } from '../../differential/row.ts';
import { ConfigMap, Secret } from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import { creates, get, given, patch, put, row, updates } from './words.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const wrongTypesOfData = {
  'with a number in data': { data: { a: 1 } },
  'with data that is a text': { data: 'a' },
  'with data that is a list': { data: ['a'] },
  'with immutable that is a text': { immutable: 'yes' },
  'with labels that are numbers': { metadata: { labels: { a: 1 } } },
  'with binary data that is no base64': {},
};

export const configMaps: RowGroup = {
  name: 'configmaps',
  rows: [
    ...everyKind(ConfigMap, {
      minimal: {},
      full: {
        data: { 'a.txt': 'one', empty: '' },
        binaryData: { 'b.bin': base64('\u0000\u0001') },
        immutable: false,
      },
      changed: { data: { a: '2' } },
      merge: { data: { 'a.txt': null, c: '3' } },
      json: [{ op: 'replace', path: '/data/a.txt', value: 'two' }],
      strategic: { data: { c: '3' }, binaryData: null },
      applied: { data: { a: 'applied' } },
      wrongTypes: {
        ...wrongTypesOfData,
        'with binary data that is no base64': { binaryData: { a: '!' } },
      },
    }),
    ...creates(ConfigMap, {
      'with null data': { data: null },
      'with a bad key': { data: { 'a/b': '1' } },
      'with an empty key': { data: { '': '1' } },
      'with a key of dots': { data: { '..': '1' } },
      'with a long key': { data: { ['k'.repeat(254)]: '1' } },
      'with a key in both': { data: { a: '1' }, binaryData: { a: base64('1') } },
      'with a bad binary key': { binaryData: { 'a b': base64('1') } },
      'with too much data': { data: { a: 'x'.repeat(1024 * 1024 + 1) } },
      'with the key __proto__': { data: JSON.parse('{"__proto__":"1"}') as JsonObject },
    }),
    ...updates(ConfigMap, {
      'of an immutable one’s data': {
        from: { data: { a: '1' }, immutable: true },
        to: { data: { a: '2' }, immutable: true },
      },
      'of an immutable one’s binary data': {
        from: { binaryData: { a: base64('1') }, immutable: true },
        to: { binaryData: { a: base64('2') }, immutable: true },
      },
      'of an immutable one’s labels': {
        from: { data: { a: '1' }, immutable: true },
        to: { data: { a: '1' }, immutable: true, metadata: { labels: { x: 'y' } } },
      },
      'to mutable again': {
        from: { data: { a: '1' }, immutable: true },
        to: { data: { a: '1' }, immutable: false },
      },
      'to immutable': { from: { data: { a: '1' } }, to: { data: { a: '2' }, immutable: true } },
      'to a bad key': { from: {}, to: { data: { 'a/b': '1' } } },
      'to another namespace': { from: {}, to: { metadata: { namespace: 'other' } } },
      'to another name': { from: {}, to: { metadata: { name: 'b' } } },
      'with another uid': {
        from: {},
        to: { metadata: { uid: '11111111-2222-4333-8444-555555555555' } },
      },
    }),
  ],
};

const typed = (type: string, keys: readonly string[], more: JsonObject = {}): JsonObject => ({
  type,
  data: Object.fromEntries(keys.map((key) => [key, base64('x')])),
  ...more,
});
const docker = (key: string, value: string): JsonObject => ({
  type: key === '.dockercfg' ? 'kubernetes.io/dockercfg' : 'kubernetes.io/dockerconfigjson',
  data: { [key]: base64(value) },
});

export const secrets: RowGroup = {
  name: 'secrets',
  rows: [
    ...everyKind(Secret, {
      minimal: {},
      full: {
        type: 'example.com/own',
        data: { a: base64('one'), empty: '' },
        stringData: { b: 'two', empty: 'now' },
        immutable: false,
      },
      changed: { data: { a: base64('2') } },
      merge: { data: { a: null }, stringData: { c: 'three' } },
      json: [{ op: 'replace', path: '/data/a', value: base64('three') }],
      strategic: { data: { c: base64('three') } },
      applied: { data: { a: base64('applied') } },
      wrongTypes: {
        ...wrongTypesOfData,
        'with binary data that is no base64': { data: { a: '!' } },
        'with a number in stringData': { stringData: { a: 1 } },
      },
      fieldSelectors: ['type=example.com/own'],
    }),
    ...creates(Secret, {
      'of type Opaque': typed('Opaque', ['a']),
      'of no type': { type: '' },
      'with a bad key': typed('Opaque', ['a/b']),
      'with a bad key in stringData': { stringData: { 'a b': '1' } },
      'with too much data': { data: { a: base64('x'.repeat(1024 * 1024 + 1)) } },
      'of type tls': typed('kubernetes.io/tls', ['tls.crt', 'tls.key']),
      'of type tls without a key': typed('kubernetes.io/tls', ['tls.crt']),
      'of type tls without anything': typed('kubernetes.io/tls', []),
      'of type basic-auth': typed('kubernetes.io/basic-auth', ['username']),
      'of type basic-auth without anything': typed('kubernetes.io/basic-auth', []),
      'of type ssh-auth': typed('kubernetes.io/ssh-auth', ['ssh-privatekey']),
      'of type ssh-auth without a key': typed('kubernetes.io/ssh-auth', []),
      'of type dockercfg': docker('.dockercfg', '{}'),
      'of type dockercfg without a key': typed('kubernetes.io/dockercfg', []),
      'of type dockercfg that is no JSON': docker('.dockercfg', '{'),
      'of type dockerconfigjson': docker('.dockerconfigjson', '{"auths":{}}'),
      'of type dockerconfigjson without a key': typed('kubernetes.io/dockerconfigjson', []),
      'of type dockerconfigjson that is no JSON': docker('.dockerconfigjson', 'x'),
      'of type bootstrap token': typed('bootstrap.kubernetes.io/token', []),
      'of a service account': typed('kubernetes.io/service-account-token', [], {
        metadata: { annotations: { 'kubernetes.io/service-account.name': 'default' } },
      }),
      'of no service account': typed('kubernetes.io/service-account-token', []),
    }),
    ...updates(Secret, {
      'of the type': { from: typed('Opaque', []), to: typed('example.com/own', []) },
      'of an immutable one’s data': {
        from: typed('Opaque', ['a'], { immutable: true }),
        to: typed('Opaque', ['b'], { immutable: true }),
      },
      'to mutable again': {
        from: typed('Opaque', [], { immutable: true }),
        to: typed('Opaque', []),
      },
      'with stringData': { from: typed('Opaque', ['a']), to: { stringData: { b: 'two' } } },
      'to a tls secret without a key': {
        from: typed('kubernetes.io/tls', ['tls.crt', 'tls.key']),
        to: typed('kubernetes.io/tls', ['tls.crt']),
      },
    }),
    row(
      Secret,
      'patch',
      'stringData over data',
      given(Secret, { data: { a: base64('1') } }),
      patch(Secret, 'merge', { stringData: { a: 'one' } }),
      get(Secret),
    ),
    row(
      Secret,
      'update',
      'without a type keeps it',
      given(Secret, typed('example.com/own', ['a'])),
      put(Secret, { data: { a: base64('2') } }),
    ),
  ],
};
