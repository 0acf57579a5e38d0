import type {
  FlowSchemaSpec,
  PriorityLevelConfigurationSpec,
  Subject,
} from '@tributary/api/flowcontrol-v1';
import { goJson } from '@tributary/apimachinery';

/** Upstream shows an invalid spec as JSON of its internal structs: Go field names in order, unset pointers as null. */
export function internalFlowSchemaSpec(spec: FlowSchemaSpec): string {
  const { priorityLevelConfiguration: level, distinguisherMethod: method, rules } = spec;
  return struct({
    PriorityLevelConfiguration: struct({ Name: text(level.name) }),
    MatchingPrecedence: String(spec.matchingPrecedence),
    DistinguisherMethod: pointer(method, ({ type }) => struct({ Type: text(type) })),
    Rules: list(rules, ({ subjects, resourceRules, nonResourceRules }) =>
      struct({
        Subjects: list(subjects, internalSubject),
        ResourceRules: list(resourceRules, (rule) =>
          struct({
            Verbs: list(rule.verbs, text),
            APIGroups: list(rule.apiGroups, text),
            Resources: list(rule.resources, text),
            ClusterScope: String(rule.clusterScope ?? false),
            Namespaces: list(rule.namespaces, text),
          }),
        ),
        NonResourceRules: list(nonResourceRules, (rule) =>
          struct({
            Verbs: list(rule.verbs, text),
            NonResourceURLs: list(rule.nonResourceURLs, text),
          }),
        ),
      }),
    ),
  });
}

export function internalPriorityLevelSpec(spec: PriorityLevelConfigurationSpec): string {
  return struct({
    Type: text(spec.type),
    Limited: pointer(spec.limited, (limited) =>
      struct({
        NominalConcurrencyShares: String(limited.nominalConcurrencyShares ?? 0),
        LimitResponse: struct({
          Type: text(limited.limitResponse.type),
          Queuing: pointer(limited.limitResponse.queuing, (queuing) =>
            struct({
              Queues: String(queuing.queues),
              HandSize: String(queuing.handSize),
              QueueLengthLimit: String(queuing.queueLengthLimit),
            }),
          ),
        }),
        LendablePercent: pointer(limited.lendablePercent, String),
        BorrowingLimitPercent: pointer(limited.borrowingLimitPercent, String),
      }),
    ),
    Exempt: pointer(spec.exempt, (exempt) =>
      struct({
        NominalConcurrencyShares: pointer(exempt.nominalConcurrencyShares, String),
        LendablePercent: pointer(exempt.lendablePercent, String),
      }),
    ),
  });
}

function internalSubject({ kind, user, group, serviceAccount }: Subject): string {
  return struct({
    Kind: text(kind),
    User: pointer(user, ({ name }) => struct({ Name: text(name) })),
    Group: pointer(group, ({ name }) => struct({ Name: text(name) })),
    ServiceAccount: pointer(serviceAccount, ({ namespace, name }) =>
      struct({ Namespace: text(namespace), Name: text(name) }),
    ),
  });
}

function struct(fields: Readonly<Record<string, string>>): string {
  return `{${Object.entries(fields)
    .map(([name, json]) => `"${name}":${json}`)
    .join(',')}}`;
}

function text(value: string): string {
  return goJson(value);
}

function pointer<T>(value: T | undefined, show: (value: T) => string): string {
  return value === undefined ? 'null' : show(value);
}

function list<T>(values: readonly T[] | null | undefined, show: (value: T) => string): string {
  return values ? `[${values.map(show).join(',')}]` : 'null';
}
