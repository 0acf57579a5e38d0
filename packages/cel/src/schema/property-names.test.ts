import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeProperty, unescapeProperty } from './property-names.ts';

const escaped: readonly (readonly [property: string, name: string | undefined])[] = [
  ['plain', 'plain'],
  ['_private', '_private'],
  ['with-dash', 'with__dash__dash'],
  ['a.b/c', 'a__dot__b__slash__c'],
  ['a__b', 'a__underscores__b'],
  ['namespace', '__namespace__'],
  ['in', '__in__'],
  ['int', 'int'],
  ['with space', undefined],
  ['1st', undefined],
  ['', undefined],
  ['ünï', undefined],
];

for (const [property, name] of escaped) {
  test(`${JSON.stringify(property)} is written ${name}`, () => {
    assert.equal(escapeProperty(property), name);
    if (name !== undefined) {
      assert.equal(unescapeProperty(name), property);
    }
  });
}

for (const name of ['a__nonsense__b', 'x__for__']) {
  test(`${name} stands for no property`, () => assert.equal(unescapeProperty(name), undefined));
}
