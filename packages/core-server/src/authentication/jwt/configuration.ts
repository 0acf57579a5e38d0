import {
  aggregateText,
  decodeYaml,
  type FieldError,
  fieldError,
  root,
} from '@tributary/apimachinery';
import type { IssuerSettings } from './issuer-settings.ts';
import { readIssuer } from './read-issuer.ts';
import { Section } from './section.ts';

/** The content of the file of `--authentication-config`. */
export interface AuthenticationConfiguration {
  readonly issuers: readonly IssuerSettings[];
  /** When absent, the flags decide. */
  readonly anonymous?: AnonymousRules;
}

export interface AnonymousRules {
  readonly enabled: boolean;
  /** Anonymous requests are accepted at these paths only; empty means at all. */
  readonly paths: readonly string[];
}

const GROUP = 'apiserver.config.k8s.io';
const VERSIONS = [`${GROUP}/v1`, `${GROUP}/v1beta1`];
const KIND = 'AuthenticationConfiguration';
const ISSUERS_MAX = 64;

/** Throws all errors of the file in one message. */
export function parseAuthenticationConfiguration(
  text: string,
  disallowedIssuers: readonly string[] = [],
): AuthenticationConfiguration {
  const { value, strictError } = decodeYaml(Buffer.from(text));
  if (strictError !== undefined) throw new Error(strictError);
  const file = new Section(value, undefined);
  requireKind(file);
  const jwt = file.sections('jwt');
  const anonymous = file.section('anonymous');
  const rules = anonymous && readAnonymous(anonymous);
  file.finish(['apiVersion', 'kind', 'jwt', 'anonymous']);
  const errors: FieldError[] = [];
  if (jwt.length > ISSUERS_MAX) {
    errors.push(fieldError.tooMany(root('jwt'), jwt.length, ISSUERS_MAX));
  }
  const read = jwt.map((one) => readIssuer(one, disallowedIssuers));
  errors.push(...read.flatMap((one) => one.errors), ...duplicateErrors(read));
  if (rules !== undefined && !rules.enabled && rules.paths.length > 0) {
    errors.push(
      fieldError.invalid(
        root('anonymous').child('conditions'),
        rules.paths.map((path) => ({ path })),
        'enabled should be set to true when conditions are defined',
      ),
    );
  }
  if (errors.length > 0) throw new Error(aggregateText(errors));
  return { issuers: read.map(({ settings }) => settings), ...(rules && { anonymous: rules }) };
}

/** Whether anonymous requests are accepted at this path. */
export function allowsAnonymous({ enabled, paths }: AnonymousRules, path: string): boolean {
  return enabled && (paths.length === 0 || paths.includes(path));
}

function requireKind(file: Section): void {
  const [apiVersion, kind] = [file.text('apiVersion'), file.text('kind')];
  if (kind === KIND && VERSIONS.includes(apiVersion)) return;
  throw new Error(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`,
  );
}

function readAnonymous(section: Section): AnonymousRules {
  const conditions = section.sections('conditions');
  const paths = conditions.map((condition) => {
    condition.finish(['path']);
    return condition.text('path');
  });
  section.finish(['enabled', 'conditions']);
  return { enabled: section.flag('enabled'), paths };
}

function duplicateErrors(read: readonly ReturnType<typeof readIssuer>[]): FieldError[] {
  const seen = { url: new Set<string>(), discoveryURL: new Set<string>() };
  return read.flatMap(({ settings }, index) => {
    const path = root('jwt').index(index).child('issuer');
    const errors: FieldError[] = [];
    const check = (field: keyof typeof seen, value: string) => {
      if (seen[field].has(value)) errors.push(fieldError.duplicate(path.child(field), value));
      seen[field].add(value);
    };
    check('url', settings.url);
    if (settings.discoveryUrl !== undefined) check('discoveryURL', settings.discoveryUrl);
    return errors;
  });
}
