import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { allAlgorithms, type IssuerSettings, type PrefixedClaim } from './issuer-settings.ts';
import type { Section } from './section.ts';
import {
  audienceErrors,
  authorityErrors,
  discoveryUrlErrors,
  issuerUrlErrors,
} from './validate-issuer.ts';

interface Read<T> {
  readonly value: T;
  readonly errors: readonly FieldError[];
}

/** One entry of `jwt`, with all its errors. */
export function readIssuer(
  section: Section,
  disallowedIssuers: readonly string[],
): { readonly settings: IssuerSettings; readonly errors: readonly FieldError[] } {
  const issuer = readLocation(section, disallowedIssuers);
  const rules = readRules(section);
  const mappings = readMappings(section);
  const userRules = section
    .sections('userValidationRules')
    .map((rule) => needsCel(rule.path('expression')));
  section.finish(['issuer', 'claimValidationRules', 'claimMappings', 'userValidationRules']);
  return {
    settings: {
      ...issuer.value,
      ...mappings.value,
      requiredClaims: rules.value,
      algorithms: allAlgorithms,
    },
    errors: [...issuer.errors, ...rules.errors, ...mappings.errors, ...userRules],
  };
}

type IssuerLocation = Pick<
  IssuerSettings,
  'url' | 'discoveryUrl' | 'certificateAuthority' | 'audiences'
>;

function readLocation(parent: Section, disallowedIssuers: readonly string[]): Read<IssuerLocation> {
  const section = parent.section('issuer');
  if (section === undefined) {
    const url = parent.path('issuer').child('url');
    return { value: { url: '', audiences: [] }, errors: [fieldError.required(url, '')] };
  }
  const url = section.text('url');
  const discoveryUrl = section.text('discoveryURL');
  const audiences = section.texts('audiences');
  const certificateAuthority = section.text('certificateAuthority');
  const egress = section.text('egressSelectorType');
  section.finish([
    ...['url', 'discoveryURL', 'audiences', 'audienceMatchPolicy'],
    ...['certificateAuthority', 'egressSelectorType'],
  ]);
  const discoveryPath = section.path('discoveryURL');
  const errors = [
    ...issuerUrlErrors(url, section.path('url'), disallowedIssuers),
    ...(discoveryUrl === '' ? [] : discoveryUrlErrors(discoveryUrl, url, discoveryPath)),
    ...audienceErrors(audiences, section.text('audienceMatchPolicy'), {
      path: section.path('audiences'),
      policyPath: section.path('audienceMatchPolicy'),
    }),
    ...authorityErrors(certificateAuthority, section.path('certificateAuthority')),
    ...(egress === ''
      ? []
      : [
          fieldError.forbidden(
            section.path('egressSelectorType'),
            'egress proxies are not supported',
          ),
        ]),
  ];
  const value = {
    url,
    audiences,
    ...(discoveryUrl !== '' && { discoveryUrl }),
    ...(certificateAuthority !== '' && { certificateAuthority }),
  };
  return { value, errors };
}

function readRules(parent: Section): Read<ReadonlyMap<string, string>> {
  const required = new Map<string, string>();
  const errors: FieldError[] = [];
  for (const [index, rule] of parent.sections('claimValidationRules').entries()) {
    const path = parent.path('claimValidationRules').index(index);
    const [claim, expression] = [rule.text('claim'), rule.text('expression')];
    const message = rule.text('message');
    rule.finish(['claim', 'requiredValue', 'expression', 'message']);
    if (claim !== '' && expression !== '') {
      errors.push(fieldError.invalid(path, claim, "claim and expression can't both be set"));
    } else if (expression !== '') {
      errors.push(needsCel(path.child('expression')));
    } else if (claim === '') {
      errors.push(fieldError.required(path, 'claim or expression is required'));
    } else if (message !== '') {
      const detail = 'may not be specified when claim is set';
      errors.push(fieldError.invalid(path.child('message'), message, detail));
    } else if (required.has(claim)) {
      errors.push(fieldError.duplicate(path.child('claim'), claim));
    }
    if (claim !== '') required.set(claim, rule.text('requiredValue'));
  }
  return { value: required, errors };
}

type Mappings = Pick<IssuerSettings, 'username' | 'groups' | 'uidClaim'>;

function readMappings(parent: Section): Read<Mappings> {
  const none: PrefixedClaim = { claim: '', prefix: '' };
  const section = parent.section('claimMappings');
  if (section === undefined) {
    const path = parent.path('claimMappings').child('username');
    const errors = [fieldError.required(path, 'claim or expression is required')];
    return { value: { username: none }, errors };
  }
  const username = readPrefixed(section, 'username', true);
  const groups = readPrefixed(section, 'groups', false);
  const uid = section.section('uid');
  const uidClaim = uid?.text('claim') ?? '';
  const errors = [...username.errors, ...groups.errors];
  if (uid?.text('expression')) errors.push(needsCel(uid.path('expression')));
  uid?.finish(['claim', 'expression']);
  for (const extra of section.sections('extra'))
    errors.push(needsCel(extra.path('valueExpression')));
  section.finish(['username', 'groups', 'uid', 'extra']);
  const value = {
    username: username.value ?? none,
    ...(groups.value && { groups: groups.value }),
    ...(uidClaim !== '' && { uidClaim }),
  };
  return { value, errors };
}

function readPrefixed(
  parent: Section,
  field: string,
  isRequired: boolean,
): Read<PrefixedClaim | undefined> {
  const path = parent.path(field);
  const section = parent.section(field);
  const [claim, expression] = [section?.text('claim') ?? '', section?.text('expression') ?? ''];
  section?.finish(['claim', 'prefix', 'expression']);
  const failed = (error: FieldError) => ({ value: undefined, errors: [error] });
  if (claim !== '' && expression !== '') {
    return failed(fieldError.invalid(path, '', "claim and expression can't both be set"));
  }
  if (expression !== '') return failed(needsCel(path.child('expression')));
  if (claim === '') {
    if (!isRequired) return { value: undefined, errors: [] };
    return failed(fieldError.required(path, 'claim or expression is required'));
  }
  if (!section?.has('prefix')) {
    const detail =
      'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
    return failed(fieldError.required(path.child('prefix'), detail));
  }
  return { value: { claim, prefix: section.text('prefix') }, errors: [] };
}

/** Rejected, because ignoring a rule would accept tokens that it forbids. */
function needsCel(path: FieldPath): FieldError {
  return fieldError.forbidden(path, 'expressions are not supported yet: they arrive with CEL');
}
