import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeYaml } from '@tributary/apimachinery';
import { parseRequestInfo } from '../../request/request-info.ts';
import { parseAuditPolicy } from './parse-policy.ts';
import { policyEvaluator } from './policy.ts';

const POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
metadata: { name: any }
omitStages: [RequestReceived]
omitManagedFields: true
rules:
  - { level: None, users: [probe] }
  - { level: None, nonResourceURLs: ["/healthz*", /version] }
  - { level: RequestResponse, userGroups: [auditors], omitManagedFields: false, omitStages: [Panic] }
  - { level: Metadata, verbs: [get], resources: [{ group: "", resources: [secrets], resourceNames: [a] }] }
  - { level: Request, resources: [{ group: g.io, resources: ["things/*", "*/scale"] }] }
  - { level: Request, resources: [{ group: "*", resources: ["*"] }], namespaces: [kube-system, ""] }
  - { level: Metadata, resources: [{ group: apps }] }
`;

const cases = [
  { name: 'a user', path: '/api/v1/pods', user: 'probe', level: 'None' },
  { name: 'a path with a wildcard', path: '/healthz/ping', level: 'None' },
  { name: 'a path without', path: '/version', level: 'None' },
  { name: 'a path below it', path: '/version/', level: 'None', byDefault: true },
  { name: 'a group of users', path: '/apis', groups: ['x', 'auditors'], level: 'RequestResponse' },
  { name: 'a name', path: '/api/v1/namespaces/n/secrets/a', level: 'Metadata' },
  { name: 'another name', path: '/api/v1/namespaces/n/secrets/b', level: 'None' },
  { name: 'another verb', path: '/api/v1/namespaces/n/secrets/a', method: 'PUT', level: 'None' },
  { name: 'any subresource', path: '/apis/g.io/v1/namespaces/n/things/a/log', level: 'Request' },
  { name: 'the resource of it', path: '/apis/g.io/v1/namespaces/n/things/a', level: 'Request' },
  { name: 'a subresource of any', path: '/apis/g.io/v1/namespaces/n/x/a/scale', level: 'Request' },
  { name: 'another one of any', path: '/apis/g.io/v1/namespaces/n/x/a/log', level: 'None' },
  { name: 'a namespace', path: '/apis/h.io/v1/namespaces/kube-system/x', level: 'Request' },
  { name: 'no namespace', path: '/apis/h.io/v1/x', level: 'Request' },
  { name: 'all resources of a group', path: '/apis/apps/v1/namespaces/n/x/a/s', level: 'Metadata' },
];

for (const { name, path, method = 'GET', user = 'u', groups = [], level } of cases) {
  test(`the policy is looked up by ${name}`, () => {
    const decide = policyEvaluator(parseAuditPolicy(parse(POLICY)).policy);
    const info = parseRequestInfo(method, path);
    const decision = decide(info, { name: user, uid: '', groups, extra: {} });
    assert.equal(decision.level, level);
    const isException = level === 'RequestResponse';
    assert.equal(decision.omitManagedFields, !isException);
    assert.deepEqual(
      decision.omitStages,
      isException ? ['RequestReceived', 'Panic'] : ['RequestReceived'],
    );
  });
}

const head = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
const wrong = [
  { name: 'nothing', text: '', says: 'the document is not an object' },
  {
    name: 'another kind',
    text: 'apiVersion: audit.k8s.io/v1beta1\nkind: Policy',
    says: 'must be of apiVersion audit.k8s.io/v1 and kind Policy, found apiVersion audit.k8s.io/v1beta1, kind Policy',
  },
  { name: 'no rules', text: head, says: 'loaded illegal policy with 0 rules' },
  { name: 'no level', text: `${head}rules: [{}]`, says: 'rules[0].level: Required value' },
  {
    name: 'an unknown level',
    text: `${head}rules: [{level: All}]`,
    says: 'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
  },
  {
    name: 'unknown stages',
    text: `${head}omitStages: [Never]\nrules: [{level: None, omitStages: [Later]}]`,
    says: '[omitStages[0]: Invalid value: "Never": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic, rules[0].omitStages[0]: Invalid value: "Later": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic]',
  },
  {
    name: 'paths that are none',
    text: `${head}rules: [{level: None, nonResourceURLs: [a, "/*/b", "*"]}]`,
    says: `[rules[0].nonResourceURLs[0]: Invalid value: "a": non-resource URL rules must begin with a '/' character, rules[0].nonResourceURLs[1]: Invalid value: "/*/b": non-resource URL wildcards '*' must be the final character of the rule]`,
  },
  {
    name: 'paths beside namespaces',
    text: `${head}rules: [{level: None, nonResourceURLs: [/a], namespaces: [b]}]`,
    says: 'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
  },
  {
    name: 'a group with a version',
    text: `${head}rules: [{level: None, resources: [{group: a/v1}]}]`,
    says: /^rules\[0\]\.resources\.group: Invalid value: "a\/v1": a lowercase RFC 1123 subdomain/,
  },
  {
    name: 'names without resources',
    text: `${head}rules: [{level: None, resources: [{group: a, resourceNames: [b]}]}]`,
    says: 'rules[0].resources.resourceNames: Invalid value: ["b"]: using resourceNames requires at least one resource',
  },
  {
    name: 'a text where a list belongs',
    text: `${head}rules: [{level: None, users: me}]`,
    says: 'rules.users is not a list',
  },
  {
    name: 'a rule that is none',
    text: `${head}rules: [a]`,
    says: 'an entry of rules is not an object',
  },
];
for (const { name, text, says } of wrong) {
  test(`a policy is refused for ${name}`, () => {
    assert.throws(() => parseAuditPolicy(text === '' ? null : parse(text)), { message: says });
  });
}

test('fields that mean nothing are told', () => {
  const text = `${head}rule: []\nrules: [{level: None, user: [a], resources: [{groups: b}]}]`;
  assert.deepEqual(parseAuditPolicy(parse(text)).warnings, [
    'unknown field "rule"',
    'unknown field "rules.user"',
    'unknown field "rules.resources.groups"',
  ]);
});

function parse(text: string): unknown {
  return decodeYaml(Buffer.from(text)).value;
}
