import { TokenRequest } from '@tributary/api/authentication-v1';
import { ServiceAccount } from '@tributary/api/core-v1';
import { type FieldError, validateDnsSubdomainName } from '@tributary/apimachinery';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';

export interface TokenIssue {
  readonly serviceAccount: ServiceAccount;
  /** As the client sent it, with defaults. */
  readonly request: TokenRequest;
  /** Adds a warning to the response. */
  readonly warn?: (text: string) => void;
  /** Adds an annotation to the audit event. */
  readonly annotate?: (key: string, value: string) => void;
}

export interface ServiceAccountParts {
  /** Returns the request with a token in its status. A StatusError is the response. */
  readonly requestToken: (issue: TokenIssue) => Promise<TokenRequest>;
}

const MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

/** The default lifetime of a token. */
const TOKEN_SECONDS = 3600;

export function serviceAccountKind({ requestToken }: ServiceAccountParts) {
  return defineResource({
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    scope: 'Namespaced',
    tracksGeneration: false,
    allowUnconditionalUpdate: true,
    returnsDeletedObject: true,
    subresources: {
      actions: {
        token: {
          kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
          typed: TokenRequest,
          applyDefaults: (request) => {
            (request as TokenRequest).spec.expirationSeconds ??= TOKEN_SECONDS;
          },
          run: ({ object, body, warn, annotate }) =>
            requestToken({
              serviceAccount: object,
              request: body as TokenRequest,
              warn,
              annotate,
            }),
        },
      },
    },
    versions: {
      v1: version({
        typed: ServiceAccount,
        // All columns: without any, a Table has the creation time instead of an age.
        columns: [nameColumn, ageColumn],
        prepareForCreate: reduceSecretReferences,
        prepareForUpdate: reduceSecretReferences,
        validate: validateServiceAccount,
        validateUpdate: (next, live) => [
          ...metadataUpdateErrors(next, live),
          ...validateServiceAccount(next),
        ],
        warnings: (account, live) =>
          isRestricted(account) && !(live && isRestricted(live))
            ? [
                `metadata.annotations[${MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
              ]
            : [],
      }),
    },
  });
}

/** References are to Secrets of the same namespace, so only the name is stored. */
function reduceSecretReferences(account: ServiceAccount): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name ? { name } : {}));
}

function isRestricted({ metadata }: ServiceAccount): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, MOUNTABLE_SECRETS);
}

export function validateServiceAccount(account: ServiceAccount): FieldError[] {
  return metadataErrors(account, { namespaced: true, validateName: validateDnsSubdomainName });
}
