import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConfigMap } from '@tributary/api/core-v1';
import { fieldErrorText } from '@tributary/apimachinery';
import { foundNow } from '../../../../test/found-now.ts';
import { configMapKind, validateConfigMap } from './kind.ts';

function configMap(fields: Partial<ConfigMap>): ConfigMap {
  return {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'default' },
    ...fields,
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const KEY =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const MIB = 1024 * 1024;

describe('validation of ConfigMaps', () => {
  const cases: { name: string; fields: Partial<ConfigMap>; want: string[] }[] = [
    { name: 'nothing', fields: {}, want: [] },
    { name: 'keys like files', fields: { data: { 'a.b_C-1': '', __proto__x: '' } }, want: [] },
    {
      name: 'a key with a slash',
      fields: { data: { 'a/b': '' } },
      want: [`data[a/b]: Invalid value: "a/b": ${KEY}`],
    },
    {
      name: 'an empty key',
      fields: { binaryData: { '': '' } },
      want: [`binaryData[]: Invalid value: "": ${KEY}`],
    },
    {
      name: 'keys that lead elsewhere',
      fields: { data: { '.': '', '..': '', '..a': '', 'a..': '' } },
      want: [
        `data[.]: Invalid value: ".": must not be '.'`,
        `data[..]: Invalid value: "..": must not be '..'`,
        `data[..a]: Invalid value: "..a": must not start with '..'`,
      ],
    },
    {
      name: 'a long key',
      fields: { data: { ['k'.repeat(254)]: '' } },
      want: [
        `data[${'k'.repeat(254)}]: Invalid value: "${'k'.repeat(254)}": must be no more than 253 characters`,
      ],
    },
    {
      name: 'a key in both',
      fields: { data: { a: '1' }, binaryData: { a: base64('1') } },
      want: ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    },
    { name: 'a mebibyte', fields: { data: { a: 'x'.repeat(MIB) } }, want: [] },
    {
      name: 'a mebibyte of bytes, not of base64',
      fields: { binaryData: { a: base64('x'.repeat(MIB)) } },
      want: [],
    },
    {
      name: 'more than a mebibyte together',
      fields: { data: { a: 'ä'.repeat(MIB / 2) }, binaryData: { b: base64('x') } },
      want: ['[]: Too long: may not be more than 1048576 bytes'],
    },
  ];
  for (const { name, fields, want } of cases) {
    test(name, () => {
      assert.deepEqual(validateConfigMap(configMap(fields)).map(fieldErrorText), want);
    });
  }
});

describe('an immutable ConfigMap', () => {
  const live = configMap({ immutable: true, data: { a: '1' } });
  const FORBIDDEN = 'Forbidden: field is immutable when `immutable` is set';
  const cases: { name: string; fields: Partial<ConfigMap>; want: string[] }[] = [
    { name: 'may stay as it is', fields: { immutable: true, data: { a: '1' } }, want: [] },
    {
      name: 'keeps its data',
      fields: { immutable: true, data: { a: '2' }, binaryData: { b: '' } },
      want: [`data: ${FORBIDDEN}`, `binaryData: ${FORBIDDEN}`],
    },
    { name: 'stays so', fields: { data: { a: '1' } }, want: [`immutable: ${FORBIDDEN}`] },
  ];
  const validateUpdate = configMapKind.versions.get('v1')?.hooks.validateUpdate;
  for (const { name, fields, want } of cases) {
    test(name, () => {
      const next = configMap(fields);
      next.metadata.resourceVersion = '1';
      const found = foundNow(validateUpdate?.(next, live));
      assert.deepEqual(found.map(fieldErrorText), want);
    });
  }
});
