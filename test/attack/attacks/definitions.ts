/** Hostile definitions: each is refused, or served; the documents of all clients stay whole. */
import { type Attack, type AttackContext, Findings } from '../attack.ts';
import { knownDefects } from '../known-defects.ts';
import { ATTACKED, send } from '../site.ts';

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Documents of all clients, which must stay available. */
const DOCUMENTS = ['/apis', '/api', '/openapi/v2', '/openapi/v3'];
const TIMEOUT_MS = 20_000;

type Json = Readonly<Record<string, unknown>>;
type Schema = Json;

const object = (properties: Json, more: Json = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const string = (more: Json = {}): Schema => ({ type: 'string', ...more });

function nested(depth: number): Schema {
  let schema: Schema = string();
  for (let at = 0; at < depth; at += 1) schema = object({ a: schema });
  return schema;
}

const wide = (count: number): Schema =>
  object(Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, string()])));

const rules = (...texts: readonly string[]) => ({
  'x-kubernetes-validations': texts.map((rule) => ({ rule })),
});

/** A schema of `spec`, or more of the version or of the definition. */
const horrors: Readonly<
  Record<string, { spec?: Schema; version?: Json; names?: Json; raw?: string }>
> = {
  'numbers beyond doubles': {
    raw: '{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775000,"minimum":-9223372036854775808}}}',
  },
  'numbers with exponents': {
    raw: '{"type":"object","properties":{"n":{"type":"number","maximum":1e308,"multipleOf":1e-300}}}',
  },
  'defaults beyond doubles': {
    raw: '{"type":"object","properties":{"n":{"type":"integer","format":"int64","default":9223372036854775807}}}',
  },
  'enums beyond doubles': {
    raw: '{"type":"object","properties":{"n":{"type":"integer","enum":[9007199254740993,1]}}}',
  },
  'names of prototypes': {
    spec: object({
      constructor: string(),
      toString: string(),
      hasOwnProperty: string(),
      ['__proto__']: string(),
    }),
  },
  'a depth of 100': { spec: nested(100) },
  'a depth of 2,000': { spec: nested(2_000) },
  '10,000 fields': { spec: wide(10_000) },
  'an enum of 20,000': {
    spec: object({ a: string({ enum: Array.from({ length: 20_000 }, (_, at) => `value${at}`) }) }),
  },
  'a pattern that doubles': { spec: object({ a: string({ pattern: '^(a+)+$' }) }) },
  'a pattern that repeats': {
    spec: object({ a: string({ pattern: '(((a{1,100}){1,100}){1,100})' }) }),
  },
  'a pattern of 50 KB': { spec: object({ a: string({ pattern: '(a|b)'.repeat(10_000) }) }) },
  'a pattern that is none': { spec: object({ a: string({ pattern: '(' }) }) },
  'rules that cost': {
    spec: object({
      a: {
        type: 'array',
        items: string(),
        ...rules('self.all(x, self.all(y, self.all(z, x == y && y == z)))'),
      },
    }),
  },
  'rules that are long': {
    spec: object({ a: string(rules(`${'self == "a" || '.repeat(5000)}true`)) }),
  },
  'rules that nest': {
    spec: object({ a: string(rules(`${'('.repeat(2000)}true${')'.repeat(2000)}`)) }),
  },
  '500 rules': {
    spec: object({
      a: string(rules(...Array.from({ length: 500 }, (_, at) => `self != "${at}"`))),
    }),
  },
  'rules of prototypes': {
    spec: object(
      { a: string() },
      rules('self.__proto__ == null', 'self.constructor', 'has(self.toString)'),
    ),
  },
  'logic that branches': {
    spec: object({
      a: string({ anyOf: Array.from({ length: 2000 }, (_, at) => ({ minLength: at })) }),
    }),
  },
  'not of not': {
    spec: object({ a: { type: 'string', not: { not: { not: { minLength: 1 } } } } }),
  },
  'unique keys of many': {
    spec: object({
      a: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
        items: { ...object({ a: string() }), required: ['a'] },
      },
    }),
  },
  'everything preserved': {
    spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  'embedded resources': {
    spec: object({
      a: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    }),
  },
  'a description of 500 KB': { spec: object({ a: string({ description: 'x'.repeat(500_000) }) }) },
  'descriptions of odd text': {
    spec: object({ a: string({ description: '\u0000\ud800\u202e</script>\\' }) }),
  },
  references: { spec: object({ a: { $ref: '#/definitions/io.k8s.api.core.v1.Secret' } }) },
  'columns of odd paths': {
    version: {
      additionalPrinterColumns: [
        '.a[*].b',
        '..',
        '.a[?(@.b=="c")]',
        '.__proto__',
        '.a[99999999999]',
        '.a[::0]',
      ].map((jsonPath, at) => ({ name: `C${at}`, type: 'string', jsonPath })),
    },
  },
  '1,000 columns': {
    version: {
      additionalPrinterColumns: Array.from({ length: 1000 }, (_, at) => ({
        name: `C${at}`,
        type: 'date',
        jsonPath: `.spec.f${at}`,
      })),
    },
  },
  'subresources of odd paths': {
    version: {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.constructor.x',
          statusReplicasPath: '.status.__proto__.y',
        },
      },
    },
  },
  'names of odd text': {
    names: {
      shortNames: ['__proto__', 'constructor', 'po', 'a'.repeat(63)],
      categories: ['all', 'constructor'],
    },
  },
  'a kind of the core': { names: { kind: 'Secret', listKind: 'SecretList' } },
};

export const definitions: Attack = {
  name: 'definitions',
  summary: `${Object.keys(horrors).length} custom resource definitions of horror`,
  needs: 'core',
  async run(context) {
    const findings = new Findings();
    let sent = 0;
    const names = Object.keys(horrors).filter(
      (name) => context.withKnown || !knownDefects.has(`definition: ${name}`),
    );
    for (const [index, name] of names.entries()) {
      if (!context.hasTime() && index > 0) break;
      if (context.site.hasEnded()) break;
      for (const problem of await tryHorror(context, name, index))
        findings.add(`definition: ${name}: ${problem}`);
      sent += 1;
    }
    return { sent, findings: findings.lines };
  },
};

async function tryHorror({ site }: AttackContext, name: string, index: number): Promise<string[]> {
  const problems: string[] = [];
  const ask = async (method: string, path: string, body?: string): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    try {
      const options = { method, path, headers, as: 'admin', timeoutMs: TIMEOUT_MS } as const;
      const { status, body: text } = await send(
        site,
        body === undefined ? options : { ...options, body },
      );
      if (status >= 500) problems.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
      return status;
    } catch (error) {
      problems.push(`${method} ${path}: ${String(error).slice(-100)}`);
      return 0;
    }
  };
  const group = `horror${index}.example.com`;
  const created = await ask('POST', PATH, definitionOf(name, group));
  if (created !== 201) return problems;
  const objects = `/apis/${group}/v1/namespaces/${ATTACKED}/horrors`;
  for (const path of [...DOCUMENTS, `/openapi/v3/apis/${group}/v1`]) {
    const status = await ask('GET', path);
    // The document of a group follows its definition a little later.
    if (status !== 200 && path !== `/openapi/v3/apis/${group}/v1`)
      problems.push(`GET ${path}: ${status}`);
  }
  const thing = {
    apiVersion: `${group}/v1`,
    kind: horrors[name]?.names?.kind ?? 'Horror',
    metadata: { name: 'a' },
    spec: { a: 'aaaa', n: 1 },
  };
  await ask('POST', objects, JSON.stringify(thing));
  await ask('GET', objects);
  await ask('DELETE', `${PATH}/horrors.${group}`);
  return problems;
}

function definitionOf(name: string, group: string): string {
  const { spec = object({}), version = {}, names = {}, raw } = horrors[name] ?? {};
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `horrors.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        plural: 'horrors',
        singular: 'horror',
        kind: 'Horror',
        listKind: 'HorrorList',
        ...names,
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...version,
          schema: { openAPIV3Schema: object({ spec: raw === undefined ? spec : '@raw' }) },
        },
      ],
    },
  };
  return JSON.stringify(definition).replace('"@raw"', () => raw ?? '');
}
