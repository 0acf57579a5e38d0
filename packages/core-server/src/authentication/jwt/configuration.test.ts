import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { stringifyYaml } from '@tributary/apimachinery';
import { createPki } from '../../../../../test/harness/index.ts';
import { allowsAnonymous, parseAuthenticationConfiguration } from './configuration.ts';
import { issuerOfFlags } from './oidc-flags.ts';

const ISSUER = { url: 'https://issuer.example.com', audiences: ['me'] };
const MAPPINGS = { username: { claim: 'sub', prefix: '' } };

function parse(content: object, disallowed: readonly string[] = []) {
  const text = stringifyYaml({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    ...content,
  });
  return parseAuthenticationConfiguration(text, disallowed);
}

const jwt = (...entries: object[]) => ({
  jwt: entries.map((entry) => ({ issuer: ISSUER, claimMappings: MAPPINGS, ...entry })),
});
const issuer = (more: object) => jwt({ issuer: { ...ISSUER, ...more } });
const mappings = (more: object) => jwt({ claimMappings: { ...MAPPINGS, ...more } });
const rules = (...claimValidationRules: object[]) => jwt({ claimValidationRules });

describe('AuthenticationConfiguration', () => {
  let ca: string;
  before(async () => {
    ca = (await createPki()).ca.cert;
  });

  test('with all fields', () => {
    const { issuers, anonymous } = parse({
      ...jwt({
        issuer: {
          ...ISSUER,
          audiences: ['me', 'you'],
          audienceMatchPolicy: 'MatchAny',
          discoveryURL: 'https://10.0.0.1/discovery',
          certificateAuthority: ca,
        },
        claimValidationRules: [{ claim: 'hd', requiredValue: 'example.com' }, { claim: 'empty' }],
        claimMappings: {
          username: { claim: 'email', prefix: 'oidc:' },
          groups: { claim: 'groups', prefix: '' },
          uid: { claim: 'sub' },
        },
      }),
      anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/readyz' }] },
    });
    const [first] = issuers;
    const { algorithms = [], ...others } = first ?? {};
    assert.equal(algorithms.length, 9);
    assert.deepEqual(others, {
      url: 'https://issuer.example.com',
      audiences: ['me', 'you'],
      discoveryUrl: 'https://10.0.0.1/discovery',
      certificateAuthority: ca,
      username: { claim: 'email', prefix: 'oidc:' },
      groups: { claim: 'groups', prefix: '' },
      uidClaim: 'sub',
      requiredClaims: new Map([
        ['hd', 'example.com'],
        ['empty', ''],
      ]),
    });
    assert.deepEqual(anonymous, { enabled: true, paths: ['/livez', '/readyz'] });
  });

  test('without issuers', () => assert.deepEqual(parse({}), { issuers: [] }));

  const CEL = 'Forbidden: expressions are not supported yet: they arrive with CEL';
  const rejected: { name: string; content: object; want: string; disallowed?: string[] }[] = [
    {
      name: 'another kind',
      content: { kind: 'X' },
      want: 'no kind "X" is registered for version "apiserver.config.k8s.io/v1"',
    },
    {
      name: 'another version',
      content: { apiVersion: 'v9' },
      want: 'no kind "AuthenticationConfiguration" is registered for version "v9"',
    },
    {
      name: 'an unknown field',
      content: { jwts: [] },
      want: 'strict decoding error: unknown field "jwts"',
    },
    {
      name: 'an unknown field deep inside',
      content: issuer({ audience: 'x' }),
      want: 'strict decoding error: unknown field "jwt[0].issuer.audience"',
    },
    {
      name: 'another type',
      content: issuer({ url: 7 }),
      want: 'jwt[0].issuer.url: must be a string',
    },
    { name: 'an object instead of a list', content: { jwt: {} }, want: 'jwt: must be a list' },
    { name: 'no URL', content: issuer({ url: '' }), want: 'jwt[0].issuer.url: Required value' },
    {
      name: 'a URL of http',
      content: issuer({ url: 'http://a' }),
      want: 'jwt[0].issuer.url: Invalid value: "http://a": URL scheme must be https',
    },
    {
      name: 'a password',
      content: issuer({ url: 'https://u:p@a' }),
      want: 'jwt[0].issuer.url: Invalid value: "https://u:p@a": URL must not contain a username or password',
    },
    {
      name: 'a query',
      content: issuer({ url: 'https://a?b' }),
      want: 'jwt[0].issuer.url: Invalid value: "https://a?b": URL must not contain a query',
    },
    {
      name: 'a fragment',
      content: issuer({ url: 'https://a#b' }),
      want: 'jwt[0].issuer.url: Invalid value: "https://a#b": URL must not contain a fragment',
    },
    {
      name: 'the issuer of service accounts',
      content: issuer({ url: 'https://self' }),
      disallowed: ['https://self'],
      want: 'jwt[0].issuer.url: Invalid value: "https://self": URL must not overlap with disallowed issuers: [https://self]',
    },
    {
      name: 'a discoveryURL equal to the URL',
      content: issuer({ discoveryURL: 'https://issuer.example.com/' }),
      want: 'jwt[0].issuer.discoveryURL: Invalid value: "https://issuer.example.com/": discoveryURL must be different from URL',
    },
    {
      name: 'no audience',
      content: issuer({ audiences: [] }),
      want: 'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required',
    },
    {
      name: 'an empty audience',
      content: issuer({ audiences: [''] }),
      want: 'jwt[0].issuer.audiences[0]: Required value',
    },
    {
      name: 'several audiences without a policy',
      content: issuer({ audiences: ['a', 'b'] }),
      want: 'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    },
    {
      name: 'an audience twice',
      content: issuer({ audiences: ['a', 'a'], audienceMatchPolicy: 'MatchAny' }),
      want: 'jwt[0].issuer.audiences[1]: Duplicate value: "a"',
    },
    {
      name: 'another policy',
      content: issuer({ audienceMatchPolicy: 'MatchAll' }),
      want: 'jwt[0].issuer.audienceMatchPolicy: Invalid value: "MatchAll": audienceMatchPolicy must be empty or MatchAny for single audience',
    },
    {
      name: 'an invalid authority',
      content: issuer({ certificateAuthority: 'x' }),
      want: 'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    },
    {
      name: 'an egress proxy',
      content: issuer({ egressSelectorType: 'cluster' }),
      want: 'jwt[0].issuer.egressSelectorType: Forbidden: egress proxies are not supported',
    },
    {
      name: 'an issuer twice',
      content: jwt({}, {}),
      want: 'jwt[1].issuer.url: Duplicate value: "https://issuer.example.com"',
    },
    {
      name: 'no user name',
      content: jwt({ claimMappings: {} }),
      want: 'jwt[0].claimMappings.username: Required value: claim or expression is required',
    },
    {
      name: 'a claim without a prefix',
      content: mappings({ username: { claim: 'sub' } }),
      want: 'jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing',
    },
    {
      name: 'a claim and an expression',
      content: mappings({ groups: { claim: 'a', prefix: '', expression: 'b' } }),
      want: 'jwt[0].claimMappings.groups: Invalid value: "": claim and expression can\'t both be set',
    },
    {
      name: 'an expression for the name',
      content: mappings({ username: { expression: 'claims.sub' } }),
      want: `jwt[0].claimMappings.username.expression: ${CEL}`,
    },
    {
      name: 'an expression for groups',
      content: mappings({ groups: { expression: 'x' } }),
      want: `jwt[0].claimMappings.groups.expression: ${CEL}`,
    },
    {
      name: 'an expression for the uid',
      content: mappings({ uid: { expression: 'x' } }),
      want: `jwt[0].claimMappings.uid.expression: ${CEL}`,
    },
    {
      name: 'an expression for extra',
      content: mappings({ extra: [{ key: 'a.io/b', valueExpression: 'x' }] }),
      want: `jwt[0].claimMappings.extra[0].valueExpression: ${CEL}`,
    },
    {
      name: 'an expression as a rule',
      content: rules({ expression: 'x' }),
      want: `jwt[0].claimValidationRules[0].expression: ${CEL}`,
    },
    {
      name: 'a rule for users',
      content: jwt({ userValidationRules: [{ expression: 'x' }] }),
      want: `jwt[0].userValidationRules[0].expression: ${CEL}`,
    },
    {
      name: 'a rule without a claim',
      content: rules({}),
      want: 'jwt[0].claimValidationRules[0]: Required value: claim or expression is required',
    },
    {
      name: 'a rule twice',
      content: rules({ claim: 'a' }, { claim: 'a' }),
      want: 'jwt[0].claimValidationRules[1].claim: Duplicate value: "a"',
    },
    {
      name: 'a message with a claim',
      content: rules({ claim: 'a', message: 'm' }),
      want: 'jwt[0].claimValidationRules[0].message: Invalid value: "m": may not be specified when claim is set',
    },
    {
      name: 'conditions while anonymous requests are disabled',
      content: { anonymous: { enabled: false, conditions: [{ path: '/livez' }] } },
      want: 'anonymous.conditions: Invalid value: [{"path":"/livez"}]: enabled should be set to true when conditions are defined',
    },
  ];
  for (const { name, content, want, disallowed } of rejected) {
    test(`rejects ${name}`, () => {
      assert.throws(() => parse(content, disallowed), { message: want });
    });
  }

  test('reports all errors', () => {
    assert.throws(() => parse(jwt({ issuer: {}, claimMappings: {} })), {
      message:
        '[jwt[0].issuer.url: Required value, jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required, jwt[0].claimMappings.username: Required value: claim or expression is required]',
    });
  });

  test('lists paths for anonymous requests', () => {
    const some = { enabled: true, paths: ['/livez'] };
    assert.deepEqual(
      ['/livez', '/livez/', '/version'].map((path) => allowsAnonymous(some, path)),
      [true, false, false],
    );
    assert.equal(allowsAnonymous({ enabled: true, paths: [] }, '/any'), true);
    assert.equal(allowsAnonymous({ enabled: false, paths: [] }, '/any'), false);
  });
});

describe('OIDC flags', () => {
  const FLAGS = { issuerUrl: 'https://issuer', clientId: 'me' };

  test('without flags there is no issuer', () => assert.equal(issuerOfFlags({}), undefined));

  const names = [
    { flags: {}, want: { claim: 'sub', prefix: 'https://issuer#' } },
    { flags: { usernameClaim: 'email' }, want: { claim: 'email', prefix: '' } },
    {
      flags: { usernameClaim: 'email', usernamePrefix: 'x:' },
      want: { claim: 'email', prefix: 'x:' },
    },
    { flags: { usernamePrefix: '-' }, want: { claim: 'sub', prefix: '' } },
  ];
  for (const { flags, want } of names) {
    test(`username mapping of ${JSON.stringify(flags)}`, () => {
      assert.deepEqual(issuerOfFlags({ ...FLAGS, ...flags })?.username, want);
    });
  }

  test('all flags', () => {
    const requiredClaims = new Map([['a', 'b']]);
    assert.deepEqual(
      issuerOfFlags({
        ...FLAGS,
        ca: 'PEM',
        groupsClaim: 'g',
        groupsPrefix: 'o:',
        signingAlgorithms: ['ES256'],
        requiredClaims,
      }),
      {
        url: 'https://issuer',
        certificateAuthority: 'PEM',
        audiences: ['me'],
        username: { claim: 'sub', prefix: 'https://issuer#' },
        groups: { claim: 'g', prefix: 'o:' },
        requiredClaims,
        algorithms: ['ES256'],
      },
    );
    assert.deepEqual(issuerOfFlags(FLAGS)?.algorithms, ['RS256']);
  });

  const together =
    'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set';
  const rejected = [
    { flags: { issuerUrl: 'https://issuer' }, want: together },
    { flags: { groupsClaim: 'g' }, want: together },
    {
      flags: { ...FLAGS, issuerUrl: 'http://a' },
      want: 'issuer.url: Invalid value: "http://a": URL scheme must be https',
    },
    {
      flags: { ...FLAGS, signingAlgorithms: ['HS256'] },
      want: 'oidc: unsupported signing alg: "HS256"',
    },
  ];
  for (const { flags, want } of rejected) {
    test(`rejects ${JSON.stringify(flags)}`, () => {
      assert.throws(() => issuerOfFlags(flags), { message: want });
    });
  }
});
