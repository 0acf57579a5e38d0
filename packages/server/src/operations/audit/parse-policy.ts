import {
  aggregateText,
  type FieldError,
  type FieldPath,
  fieldError,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import {
  type AuditLevel,
  type AuditPolicy,
  type AuditRule,
  type AuditStage,
  auditLevels,
  auditStages,
} from './policy.ts';

export interface ParsedPolicy {
  readonly policy: AuditPolicy;
  /** Unknown fields, which upstream ignores with a warning, too. */
  readonly warnings: readonly string[];
}

/** Decodes a document of kind Policy. Throws one error with all problems. */
export function parseAuditPolicy(document: unknown): ParsedPolicy {
  const fields = new Fields(document, '');
  const { apiVersion, kind } = fields.raw;
  if (apiVersion !== 'audit.k8s.io/v1' || kind !== 'Policy') {
    const found = `apiVersion ${String(apiVersion ?? '')}, kind ${String(kind ?? '')}`;
    throw new Error(`must be of apiVersion audit.k8s.io/v1 and kind Policy, found ${found}`);
  }
  const rules = fields.list('rules').map((rule) => rawRule(new Fields(rule, 'rules')));
  const policy = {
    rules: rules.map(({ rule }) => rule),
    omitStages: fields.texts('omitStages') as AuditStage[],
    omitManagedFields: fields.flag('omitManagedFields') ?? false,
  };
  const errors = validate(policy);
  if (errors.length > 0) throw new Error(aggregateText(errors));
  if (rules.length === 0) throw new Error('loaded illegal policy with 0 rules');
  const known = ['apiVersion', 'kind', 'metadata'];
  return { policy, warnings: [...fields.unknown(known), ...rules.flatMap((one) => one.unknown)] };
}

function rawRule(fields: Fields): { rule: AuditRule; unknown: string[] } {
  const resources = fields.list('resources').map((entry) => new Fields(entry, 'rules.resources'));
  const rule = {
    level: fields.text('level') as AuditLevel,
    users: fields.texts('users'),
    userGroups: fields.texts('userGroups'),
    verbs: fields.texts('verbs'),
    resources: resources.map((entry) => ({
      group: entry.text('group'),
      resources: entry.texts('resources'),
      resourceNames: entry.texts('resourceNames'),
    })),
    namespaces: fields.texts('namespaces'),
    nonResourceURLs: fields.texts('nonResourceURLs'),
    omitStages: fields.texts('omitStages') as AuditStage[],
    omitManagedFields: fields.flag('omitManagedFields'),
  };
  const unknown = [...fields.unknown(), ...resources.flatMap((entry) => entry.unknown())];
  return { rule, unknown };
}

function validate({ rules, omitStages }: AuditPolicy): FieldError[] {
  return [
    ...stageErrors(omitStages, root('omitStages')),
    ...rules.flatMap((rule, index) => ruleErrors(rule, root('rules').index(index))),
  ];
}

function ruleErrors(rule: AuditRule, path: FieldPath): FieldError[] {
  const urls = path.child('nonResourceURLs');
  const mixed =
    rule.nonResourceURLs.length > 0 && (rule.resources.length > 0 || rule.namespaces.length > 0);
  return [
    ...levelErrors(rule.level, path.child('level')),
    ...rule.nonResourceURLs.flatMap((url, index) => urlErrors(url, urls.index(index))),
    ...rule.resources.flatMap((entry) => resourceErrors(entry, path.child('resources'))),
    ...stageErrors(rule.omitStages, path.child('omitStages')),
    ...(mixed
      ? [
          fieldError.invalid(
            urls,
            rule.nonResourceURLs,
            'rules cannot apply to both regular resources and non-resource URLs',
          ),
        ]
      : []),
  ];
}

function levelErrors(level: string, path: FieldPath): FieldError[] {
  if (level === '') return [fieldError.required(path)];
  const known: readonly string[] = auditLevels;
  return known.includes(level) ? [] : [fieldError.notSupported(path, level, auditLevels)];
}

function urlErrors(url: string, path: FieldPath): FieldError[] {
  if (url === '*') return [];
  const errors: FieldError[] = [];
  if (!url.startsWith('/')) {
    errors.push(
      fieldError.invalid(path, url, "non-resource URL rules must begin with a '/' character"),
    );
  }
  if (url.slice(0, -1).includes('*')) {
    const detail = "non-resource URL wildcards '*' must be the final character of the rule";
    errors.push(fieldError.invalid(path, url, detail));
  }
  return errors;
}

function resourceErrors(entry: AuditRule['resources'][number], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (entry.group !== '' && entry.group !== '*') {
    const wrong = validateDnsSubdomainName(entry.group);
    if (wrong.length > 0) {
      errors.push(fieldError.invalid(path.child('group'), entry.group, wrong.join(',')));
    }
  }
  if (entry.resourceNames.length > 0 && entry.resources.length === 0) {
    const detail = 'using resourceNames requires at least one resource';
    errors.push(fieldError.invalid(path.child('resourceNames'), entry.resourceNames, detail));
  }
  return errors;
}

function stageErrors(stages: readonly string[], path: FieldPath): FieldError[] {
  const known: readonly string[] = auditStages;
  return stages.flatMap((stage, index) =>
    known.includes(stage)
      ? []
      : [fieldError.invalid(path.index(index), stage, `allowed stages are ${known.join(',')}`)],
  );
}

/** Reads the fields of an untrusted object. */
class Fields {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly #where: string;
  readonly #asked = new Set<string>();

  constructor(value: unknown, where: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Error(`${where === '' ? 'the document' : `an entry of ${where}`} is not an object`);
    }
    this.raw = value as Record<string, unknown>;
    this.#where = where;
  }

  text(name: string): string {
    const value = this.#ask(name) ?? '';
    if (typeof value !== 'string') throw this.#wrong(name, 'a text');
    return value;
  }

  texts(name: string): string[] {
    return this.list(name).map((item) => {
      if (typeof item !== 'string') throw this.#wrong(name, 'a list of texts');
      return item;
    });
  }

  flag(name: string): boolean | undefined {
    const value = this.#ask(name) ?? undefined;
    if (value !== undefined && typeof value !== 'boolean') throw this.#wrong(name, 'true or false');
    return value;
  }

  list(name: string): unknown[] {
    const value = this.#ask(name) ?? [];
    if (!Array.isArray(value)) throw this.#wrong(name, 'a list');
    return value;
  }

  unknown(others: readonly string[] = []): string[] {
    return Object.keys(this.raw)
      .filter((name) => !this.#asked.has(name) && !others.includes(name))
      .map((name) => `unknown field "${this.#pathOf(name)}"`);
  }

  #ask(name: string): unknown {
    this.#asked.add(name);
    return Object.hasOwn(this.raw, name) ? this.raw[name] : undefined;
  }

  #wrong(name: string, wanted: string): Error {
    return new Error(`${this.#pathOf(name)} is not ${wanted}`);
  }

  #pathOf(name: string): string {
    return this.#where === '' ? name : `${this.#where}.${name}`;
  }
}
