import assert from 'node:assert/strict';
import test from 'node:test';
import { isCandidate } from './candidates.ts';
import { parseReport, type SpecResult } from './run-specs.ts';
import { compareResults, listOf, type SpecList, specsOf, withResults } from './spec-list.ts';

const list: SpecList = {
  release: 'v1.40.0',
  specs: [
    { name: 'a', reference: 'controllers', ours: { alone: 'passed', controllers: 'passed' } },
    { name: 'b', reference: 'controllers', ours: { alone: 'failed' }, reason: 'needs a Job' },
    { name: 'c', reference: 'nodes', ours: { nodes: 'passed' } },
  ],
};

function result(name: string, state: string, message = ''): SpecResult {
  return { name, state, message, seconds: 1, file: 'x.go' };
}

test('specs that need Node objects run only where there are some', () => {
  assert.deepEqual(specsOf(list, 'alone'), ['a', 'b']);
  assert.deepEqual(specsOf(list, 'controllers'), ['a', 'b']);
  assert.deepEqual(specsOf(list, 'nodes'), ['c']);
});

const outcomes = [
  { name: 'failed', results: [result('a', 'failed', 'no\nmore')], lost: ['a'], gained: [] },
  { name: 'timed out', results: [result('a', 'timedout')], lost: ['a'], gained: [] },
  { name: 'was skipped', results: [result('a', 'skipped')], lost: ['a'], gained: [] },
  { name: 'is not in the suite', results: [], lost: ['a'], gained: [] },
  { name: 'passes as before', results: [result('a', 'passed')], lost: [], gained: [] },
];
for (const { name, results, lost, gained } of outcomes) {
  test(`a spec that passed and now ${name}: ${lost.length} lost`, () => {
    const compared = compareResults(list, 'alone', { specs: ['a', 'b'], results });
    assert.deepEqual(
      compared.lost.map((spec) => spec.name),
      lost,
    );
    assert.deepEqual(compared.gained, gained);
  });
}

test('a spec that passes for the first time is gained, not lost', () => {
  const compared = compareResults(list, 'controllers', {
    specs: ['a', 'b'],
    results: [result('a', 'passed'), result('b', 'passed')],
  });
  assert.deepEqual(compared, { lost: [], gained: ['b'], passed: 2, total: 2 });
});

test('results change the entries of their environment only, and a first failure brings its message', () => {
  const results = [result('a', 'failed', 'timed out\nat line 3'), result('b', 'failed', 'other')];
  const { specs } = withResults(list, 'controllers', results);
  assert.deepEqual(specs, [
    {
      name: 'a',
      reference: 'controllers',
      ours: { alone: 'passed', controllers: 'failed' },
      reason: 'timed out',
    },
    {
      name: 'b',
      reference: 'controllers',
      ours: { alone: 'failed', controllers: 'failed' },
      reason: 'needs a Job',
    },
    list.specs[2],
  ]);
});

test('a spec that passes everywhere needs no reason', () => {
  const { specs } = withResults(list, 'alone', [result('b', 'passed')]);
  assert.deepEqual(specs[1], { name: 'b', reference: 'controllers', ours: { alone: 'passed' } });
});

test('the list of a release has what passed there, with what is known of it', () => {
  const checked = ['a', 'b', 'c', 'd'];
  const next = listOf('v1.41.0', { checked, controllers: ['a', 'd'], nodes: ['c'] }, list);
  assert.deepEqual(next, {
    release: 'v1.41.0',
    specs: [list.specs[0], { name: 'd', reference: 'controllers', ours: {} }, list.specs[2]],
  });
});

test('a run of some specs on the original leaves the others in the list', () => {
  const { specs } = listOf('v1.40.0', { checked: ['b'], controllers: [], nodes: [] }, list);
  assert.deepEqual(specs, [list.specs[0], list.specs[2]]);
});

test('a report names specs as Ginkgo does, and leaves setup nodes out', () => {
  const spec = {
    ContainerHierarchyTexts: ['[sig-x] Things', ''],
    LeafNodeType: 'It',
    LeafNodeText: 'work',
    LeafNodeLocation: { FileName: 'x.go' },
    State: 'failed',
    RunTime: 2_400_000_000,
    Failure: { Message: 'no' },
  };
  const setup = { ...spec, ContainerHierarchyTexts: null, LeafNodeType: 'BeforeSuite' };
  assert.deepEqual(parseReport(JSON.stringify([{ SpecReports: [setup, spec] }])), [
    { name: '[sig-x] Things work', state: 'failed', seconds: 2, message: 'no', file: 'x.go' },
  ]);
});

const suite = 'k8s.io/kubernetes@v1.40.0/test/e2e';
const candidates = [
  { name: 'a spec of the API', spec: 'lists', file: `${suite}/apimachinery/watch.go`, want: true },
  { name: 'a spec of volumes', spec: 'mounts', file: `${suite}/storage/subpath.go`, want: false },
  {
    name: 'a spec that kills servers',
    spec: 'recovers [Disruptive]',
    file: `${suite}/apimachinery/etcd_failure.go`,
    want: false,
  },
];
for (const { name, spec, file, want } of candidates) {
  test(`${name} is ${want ? 'a' : 'no'} candidate`, () =>
    assert.equal(isCandidate({ name: spec, file }), want));
}
