import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionName, groupVersionTag, groupVersionWords } from './definition-name.ts';

const rows = [
  {
    group: 'wardle.example.com',
    version: 'v1alpha1',
    definition: 'com.example.wardle.v1alpha1.K',
    words: 'WardleExampleComV1alpha1',
    tag: 'wardleExampleCom_v1alpha1',
  },
  {
    group: 'my-group.example.com',
    version: 'v1',
    definition: 'com.example.my-group.v1.K',
    words: 'MyGroupExampleComV1',
    tag: 'myGroupExampleCom_v1',
  },
  {
    group: 'storage.k8s.io',
    version: 'v1',
    definition: 'io.k8s.storage.v1.K',
    words: 'StorageV1',
    tag: 'storage_v1',
  },
  { group: '', version: 'v1', definition: 'v1.K', words: 'CoreV1', tag: 'core_v1' },
];
for (const { group, version, definition, words, tag } of rows) {
  test(`names of "${group}" ${version}`, () => {
    assert.equal(definitionName({ group, version, kind: 'K' }), definition);
    assert.equal(groupVersionWords({ group, version }), words);
    assert.equal(groupVersionTag({ group, version }), tag);
  });
}
