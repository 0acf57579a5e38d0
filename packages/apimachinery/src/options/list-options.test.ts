import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '../errors/status.ts';
import { parseIncludeObject, parseListOptions } from './list-options.ts';

/** The message of the failure with its code, or the empty string. */
function failure(parse: () => unknown): string {
  try {
    parse();
    return '';
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return `${error.code} ${error.message}`;
  }
}

const outcomes = [
  { name: 'nothing', query: '', want: '' },
  { name: 'selectors', query: 'labelSelector=a%3Db&fieldSelector=metadata.name%3Dx', want: '' },
  {
    name: 'a bad label selector',
    query: 'labelSelector=a+in',
    want: "400 unable to parse requirement: found '' expected: '('",
  },
  {
    name: 'a bad field selector',
    query: 'fieldSelector=x',
    want: "400 invalid selector: 'x'; can't understand 'x'",
  },
  {
    name: 'a bad limit',
    query: 'limit=x',
    want: '400 strconv.ParseInt: parsing "x": invalid syntax',
  },
  {
    name: 'an empty limit',
    query: 'limit=',
    want: '400 strconv.ParseInt: parsing "": invalid syntax',
  },
  { name: 'a limit with a sign', query: 'limit=%2B5', want: '' },
  {
    name: 'a limit beyond 64 bits',
    query: 'limit=99999999999999999999',
    want: '400 strconv.ParseInt: parsing "99999999999999999999": value out of range',
  },
  {
    name: 'a bad timeout comes before a bad selector',
    query: 'timeoutSeconds=x&labelSelector=%3D',
    want: '400 strconv.ParseInt: parsing "x": invalid syntax',
  },
  {
    name: 'numbers before selectors',
    query: 'limit=x&fieldSelector=x',
    want: '400 strconv.ParseInt: parsing "x": invalid syntax',
  },
  { name: 'the first value wins', query: 'limit=5&limit=x', want: '' },
  { name: 'unknown parameters are ignored', query: 'colour=red', want: '' },
  {
    name: 'NotOlderThan without a version',
    query: 'resourceVersionMatch=NotOlderThan',
    want: '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  },
  { name: 'NotOlderThan', query: 'resourceVersionMatch=NotOlderThan&resourceVersion=5', want: '' },
  { name: 'Exact', query: 'resourceVersionMatch=Exact&resourceVersion=5', want: '' },
  {
    name: 'Exact for 0',
    query: 'resourceVersionMatch=Exact&resourceVersion=0',
    want: '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  },
  {
    name: 'an unknown match',
    query: 'resourceVersionMatch=Newest&resourceVersion=5',
    want: '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""',
  },
  {
    name: 'a match and a token',
    query: 'resourceVersionMatch=Exact&resourceVersion=5&continue=x',
    want: '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
  },
  {
    name: 'everything wrong at once',
    query: 'resourceVersionMatch=x%3C&continue=x&sendInitialEvents=true',
    want: '422 ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided, resourceVersionMatch: Unsupported value: "x\\u003c": supported values: "Exact", "NotOlderThan", "", sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list]',
  },
  {
    name: 'initial events for a list',
    query: 'sendInitialEvents=false',
    want: '422 ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
  },
  { name: 'a watch', query: 'watch=1', want: '' },
  {
    name: 'a watch with an unknown truth',
    query: 'watch=maybe&resourceVersionMatch=NotOlderThan',
    want: '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
  },
  {
    name: 'a watch with initial events',
    query: 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    want: '',
  },
  {
    name: 'initial events without the match',
    query: 'watch=1&sendInitialEvents=true',
    want: '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  },
  {
    name: 'initial events with the wrong match',
    query: 'watch=1&sendInitialEvents=true&resourceVersionMatch=Exact',
    want: '422 ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
  },
  {
    name: 'a match without initial events',
    query: 'watch=1&resourceVersionMatch=NotOlderThan',
    want: '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
  },
  {
    name: 'a watch with a match and a token',
    query: 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x',
    want: '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
  },
  {
    name: 'false in upper case',
    query: 'watch=FALSE&sendInitialEvents=true',
    want: '422 ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
  },
];
for (const { name, query, want } of outcomes) {
  test(`list options: ${name}`, () => {
    assert.equal(
      failure(() => parseListOptions(new URLSearchParams(query))),
      want,
    );
  });
}

function plain(query: string): unknown {
  const { labelSelector, fieldSelector, ...options } = parseListOptions(new URLSearchParams(query));
  return { labels: labelSelector.toString(), fields: fieldSelector.toString(), ...options };
}

const nothing = {
  labels: '',
  fields: '',
  watch: false,
  allowWatchBookmarks: false,
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continue: '',
};
const values = [
  { name: 'nothing', query: '', want: nothing },
  {
    name: 'a page',
    query: 'labelSelector=a&fieldSelector=b%3D1&limit=500&continue=t&timeoutSeconds=30',
    want: { ...nothing, labels: 'a', fields: 'b=1', limit: 500, continue: 't', timeoutSeconds: 30 },
  },
  {
    name: 'a watch from the beginning asks for initial events',
    query: 'watch=&resourceVersion=0&allowWatchBookmarks=yes',
    want: {
      ...nothing,
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: '0',
      resourceVersionMatch: 'NotOlderThan',
      sendInitialEvents: true,
    },
  },
  {
    name: 'a watch from a version does not',
    query: 'watch=true&resourceVersion=7',
    want: { ...nothing, watch: true, resourceVersion: '7' },
  },
];
for (const { name, query, want } of values) {
  test(`values of list options: ${name}`, () => assert.deepEqual(plain(query), want));
}

const includes = [
  { name: 'absent', query: '', want: 'Metadata' },
  { name: 'empty', query: 'includeObject=', want: 'Metadata' },
  { name: 'Object', query: 'includeObject=Object', want: 'Object' },
  { name: 'None', query: 'includeObject=None', want: 'None' },
];
for (const { name, query, want } of includes) {
  test(`includeObject: ${name}`, () => {
    assert.equal(parseIncludeObject(new URLSearchParams(query)), want);
  });
}

test('includeObject: an unknown value', () => {
  assert.equal(
    failure(() => parseIncludeObject(new URLSearchParams('includeObject=x'))),
    "400 Unable to convert to Table as requested: includeObject: Invalid value: \"x\": must be 'Metadata', 'Object', 'None', or empty",
  );
});
